package given

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

const ofAgreed = "it holds because it reads %s, and so does the max_retries of retry.%s, which comes to 0: the step is never tried again, and the check asks for no more than that, so it shows nothing here.\nhint: write out how many attempts there have to be"

// Agreed says why a condition shows nothing that holds and counts how often a step was tried, with a
// local or a variable of which the policy of the step is made, too: by that the policy never tries
// again, so that the count is the same in every run. With max_retries = 0, written out, it is so on
// purpose. "" for another condition.
func (f *File) Agreed(e hclsyntax.Expression) string {
	if !f.alone() || read.HasQuery(e) {
		return ""
	}
	var of *observe.StepResult
	lengths := lengthsIn(e)
	for t := range dsl.Variables(e) {
		if !read.IsObserved(t.RootName()) {
			continue
		}
		if of = f.neverRetried(t, lengths); of == nil {
			return ""
		}
	}
	if of == nil {
		return ""
	}
	for t := range dsl.Variables(e) {
		if name, _ := read.AttrName(t, 1); of.Step.RetriesFrom[t.RootName()+"."+name] {
			return fmt.Sprintf(ofAgreed, t.RootName()+"."+name, of.Step.Retry.Name)
		}
	}
	return ""
}

// neverRetried is the step whose tries a path counts, in a policy that is made of locals or variables
// and never tries again; nil where it is none, or where the step need not be asked at all.
func (f *File) neverRetried(t hcl.Traversal, lengths map[int]bool) *observe.StepResult {
	s := f.o.StepAt(t)
	attr, _ := read.AttrName(t, 2)
	if s == nil || s.Outer != nil || len(t) != 3 || s.Step.RetriesFrom == nil || s.Step.Gateway == nil {
		return nil
	}
	switch counted := lengths[t.SourceRange().Start.Byte]; {
	case attr == "retries", attr == "delays_ms" && counted:
		return s
	case attr == "attempts" && counted && NeverRefused(s.Step) && len(s.Step.Tools) == 0 && (f.dials(s.Step) || f.mustAsk(s) > 0):
		return s
	}
	return nil
}

// lengthsIn are the places of the lists of which an expression reads the length.
func lengthsIn(e hclsyntax.Expression) map[int]bool {
	places := map[int]bool{}
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		if f, call := e.(*hclsyntax.FunctionCallExpr); call && f.Name == "length" && len(f.Args) == 1 {
			places[dsl.Bare(f.Args[0]).Range().Start.Byte] = true
		}
	})
	return places
}
