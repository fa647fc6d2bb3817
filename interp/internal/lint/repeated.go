package lint

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
)

// repeated warns of scenarios all of whose checks read what their own scripts say: each
// script has one reply and nothing else, and what is checked of its step, or of the run, is
// that reply. They come out alike whatever the workflow asks. And it warns of an assert that
// compares the replies of several scripts with each other.
func (c *checker) repeated() {
	patient, unbounded := !limitsTime(c.file.Body), !limitsCosts(c.file.Body)
	workflows := map[string]*dsl.Block{}
	for _, w := range c.file.Body.All("workflow") {
		workflows[w.Name()] = w
	}
	for _, s := range c.file.Body.All("scenario") {
		w := workflows[workflowOf(s)]
		if !c.own(s) || w == nil || w.First("tolerates") != nil { // a search disturbs it, which shows that its checks hold whatever happens
			continue
		}
		r := newReplies(s, w, patient, unbounded)
		if at := r.repeats(); at != nil {
			c.warnf(*at, "Expectation of the reply itself", "Every check of scenario %q reads only what its own script answers, so it comes out alike whatever the workflow asks, and whatever it does with the answer. Check what it sends, such as step.NAME.attempts[0].request, what it makes of the answer, or what becomes of a fault.", s.Name())
			continue
		}
		for _, b := range s.All("assert") {
			if steps := r.compared(b.Expr("condition")); steps != nil {
				c.warnf(b.DefRange, "Expectation of the reply itself", "The assert %q compares what the scripts of %s answer with each other, and nothing that the workflow asks: all of it stands in this scenario. Check what a step sends, such as step.%s.attempts[0].request.", b.Name(), strings.Join(steps, " and "), steps[len(steps)-1])
			}
		}
		c.unasked(s, r)
	}
}

// workflowOf names the workflow that a scenario runs, "" where it runs none.
func workflowOf(s *dsl.Block) string {
	run, is := s.Expr("run").(*hclsyntax.ScopeTraversalExpr)
	if !is || len(run.Traversal) != 2 || run.Traversal.RootName() != "workflow" {
		return ""
	}
	name, _ := run.Traversal[1].(hcl.TraverseAttr)
	return name.Name
}
