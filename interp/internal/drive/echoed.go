package drive

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// shortest is how long a text is at least that a program does not write by chance.
const shortest = 12

// Echoed says of a program that ended with 0 that it wrote what a failed answer said without a word of
// a failure, as it writes an answer, and that no check looks for any of that; "" where it did not, or
// one does.
func (r *Run) Echoed() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	sut := &r.Obs.Sut
	if sut.ExitCode == nil || *sut.ExitCode != 0 || sut.Stopped || r.plan.Sut.Serving() != nil || sut.Stdout == "" {
		return ""
	}
	for _, n := range r.plan.Endpoints {
		s := r.Obs.Steps[n.Name]
		if s == nil {
			continue
		}
		for _, a := range s.Asked() {
			said := strings.TrimSpace(a.End.Content)
			if a.End.Outcome != "failure" || len(said) < shortest || !writes(sut.Stdout, said) || r.answered(said) || r.looksFor(said) {
				continue
			}
			return fmt.Sprintf("the program ended with status 0 and wrote what a failed answer of %s said, %q, as it writes an answer, and no check looks for that.\nhint: if it takes the failure for an answer, say that it must not, such as assert \"no answer\" { condition = !strcontains(sut.stdout, %[2]q) }; if it tells of the failure, check that", n.Name, said)
		}
	}
	return ""
}

// writes reports whether a line has a text, and beside it no word of a failure.
func writes(output, said string) bool {
	before, after, has := strings.Cut(output, said)
	if !has {
		return false
	}
	line := before[strings.LastIndexByte(before, '\n')+1:]
	rest, _, _ := strings.Cut(after, "\n")
	line = strings.ToLower(line + " " + rest)
	return !slices.ContainsFunc(failing, func(word string) bool { return strings.Contains(line, word) })
}

// failing are parts of words with which a program tells of a failure.
var failing = []string{"err", "fail", "not", "n't", "unable", "unavail", "sorry", "problem", "refus", "reject", "warn", "retr", "try", "exception", "timeout", "timed out", "gave up", "giving up", "declin", "invalid", "skip"}

// answered reports whether an answer that succeeded says a text, too.
func (r *Run) answered(said string) bool {
	for _, s := range r.Obs.Steps {
		if slices.ContainsFunc(s.Asked(), func(a observe.Asked) bool {
			return a.End.Outcome == read.StatusSuccess && (strings.Contains(a.End.Content, said) || strings.Contains(strings.Join(a.End.Chunks, ""), said))
		}) {
			return true
		}
	}
	return false
}

// looksFor reports whether a check has a text that is a part of another one, or a pattern, or compares
// all that the program wrote.
func (r *Run) looksFor(said string) (found bool) {
	said = strings.ToLower(said)
	look := func(e hclsyntax.Expression) {
		found = found || comparesOutput(e)
		dsl.EachExpr(e, func(e hclsyntax.Expression) {
			if f, is := e.(*hclsyntax.FunctionCallExpr); is {
				found = found || strings.HasPrefix(f.Name, "regex")
			}
			if v, written := dsl.Literal(e); written && v.Type() == cty.String && !v.IsNull() {
				text := strings.ToLower(strings.TrimSpace(v.AsString()))
				found = found || len(text) > 2 && strings.Contains(said, text) || strings.Contains(text, said)
			}
		})
	}
	for _, a := range r.plan.Asserts {
		look(a.Condition)
	}
	for _, i := range r.plan.Invariants {
		look(i.Condition)
	}
	return found || len(r.plan.SnapshotChecks) > 0
}

// comparesOutput reports whether an expression compares what the program wrote with ==.
func comparesOutput(e hclsyntax.Expression) (does bool) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		x, is := e.(*hclsyntax.BinaryOpExpr)
		does = does || is && dsl.IsEqual(x.Op) && (isOutput(x.LHS) || isOutput(x.RHS))
	})
	return does
}

// isOutput reports whether an expression is made of what the program wrote.
func isOutput(e hclsyntax.Expression) (is bool) {
	for t := range dsl.Variables(e) {
		name, _ := read.AttrName(t, 1)
		is = is || t.RootName() == "sut" && name == "stdout"
	}
	return is
}
