package lint

import (
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
)

// A strayFault is a script of nothing but one fault, of which the other steps of the workflow need
// not hear: all that comes of it is what becomes of its own step.
type strayFault struct {
	// step is the step of the workflow in which the fault fires, and optional says that it
	// fails, and the run does not: a fanout never fails of a sub.
	step     string
	optional bool
}

// strayFaultOf is the script as one of these, nil where its fault may keep other steps from running:
// the step fails the run, or has another one take its place, or the workflow has a deadline or
// conditions.
func strayFaultOf(on, workflow *dsl.Block) *strayFault {
	if len(on.Blocks) != 1 || on.Blocks[0].Type != "fault" || on.Blocks[0].Attr("times") != nil || workflow.Attr("timeout") != nil || workflow.First("budget") != nil {
		return nil
	}
	name, inner, _ := strings.Cut(on.Name(), ".")
	step := workflow.Named("step", name)
	if step == nil || slices.ContainsFunc(workflow.All("step"), func(s *dsl.Block) bool { return s.Attr("when") != nil }) {
		return nil
	}
	if step.Labels[0] == "fanout" && inner != "" && step.Attr("timeout") == nil && step.First("validate") == nil {
		return &strayFault{step: name}
	}
	required, written := dsl.Literal(dsl.Bare(step.Expr("required")))
	goesOn := failsOn(step) == "continue" || failsOn(step) == "" && failsOn(workflow) == "continue"
	if step.Attr("fallback") != nil || !goesOn && !(written && required.RawEquals(cty.False) && failsOn(step) == "" && failsOn(workflow) == "") {
		return nil
	}
	return &strayFault{step: name, optional: true}
}

// failsOn is what a step or workflow says about failures, "" where it says nothing.
func failsOn(b *dsl.Block) string {
	text, _ := writtenText(b.Expr("on_failure"))
	return text
}

// reaches reports whether what becomes of the step may decide whether another one runs: it is the
// same one, or reads it, maybe by way of others.
func (b *strayFault) reaches(step string, workflow *dsl.Block) bool {
	name, _, _ := strings.Cut(step, ".")
	if name == b.step {
		return true
	}
	if !b.optional {
		return false // what a fanout comes to is there for all who read it
	}
	seen := map[string]bool{}
	var reads func(name string) bool
	reads = func(name string) bool {
		s := workflow.Named("step", name)
		if s == nil || seen[name] {
			return false
		}
		seen[name] = true
		refers := references{}
		refers.addBlock(s)
		return slices.ContainsFunc(workflow.All("step"), func(other *dsl.Block) bool {
			n := other.Name()
			return n != name && (refers.to("step", n) || refers.to("fanout", n) || refers.to("classify", n)) && (n == b.step || reads(n))
		})
	}
	return reads(name)
}
