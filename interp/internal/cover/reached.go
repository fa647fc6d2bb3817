package cover

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/trace"
)

// A Part is something that a file declares and that a run may never come to.
type Part struct {
	// What says what it is: step "answer", detect "AGENT_STATE".
	What  string
	Range hcl.Range
	// Reached says that the run came to it: that the step ran, that the rule decided.
	Reached bool
}

// Parts are the steps of the workflow and the rules of its taxonomy, in order of
// declaration.
func Parts(p *plan.Plan, events []trace.Event) []Part {
	ran, decided := map[string]bool{}, map[string]bool{}
	for i := range events {
		e := &events[i]
		switch x := e.Payload.(type) {
		case *event.StepStart:
			ran[e.Step] = true
		case *event.Failure:
			if x.Failed != nil {
				decided[x.Rule] = true
			}
		case *event.AttemptEnd:
			if x.Failed != nil {
				decided[x.Rule] = true
			}
		}
	}
	var list []Part
	plan.EachNode(p.Workflow.Nodes(), func(n *plan.Node) {
		list = append(list, Part{`step "` + n.Name + `"`, dsl.Place(n.Step.Rng), ran[n.Name]})
	})
	if t := p.Workflow.Taxonomy; t != nil {
		for _, d := range t.Detects {
			list = append(list, Part{`detect "` + d.Mode + `"`, dsl.Place(d.Rng), decided[d.Name]})
		}
	}
	return list
}
