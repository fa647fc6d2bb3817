// Package refused tells of checks of a classification whose answer was refused before its target was looked
// at: they are met by the fallback, whatever the candidates are.
//
//	list := refused.Checks(observed) // for each such check a problem of the kind elsewhere
package refused

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// Checks tells of the assertions and expectations of a run that passed which compare what a classifier made of an
// answer that names a target and was refused before, if nothing in the scenario reads the outcome. Those that
// the fallback meets because the answer names it show nothing, which is told of elsewhere.
func Checks(o *observe.Observed) (list []plan.Problem) {
	open := map[string]*observe.StepResult{}
	for address, s := range o.Steps {
		if s.Step.Kind == plan.KindClassify && early(s) && s.Node.Read(o.Plan.Needs.Of("step")).Of("outcome") == nil {
			open[address] = s
		}
	}
	if len(open) == 0 {
		return nil
	}
	for _, a := range o.Plan.Asserts {
		for t := range dsl.Variables(a.Condition) {
			if s := o.StepAt(t); s != nil && open[s.Name] != nil && compared(t, s) && o.RefusedAnswer(t) == nil {
				list = append(list, problem("assert "+strconv.Quote(a.Name), dsl.Place(a.Condition.Range()), s))
				break
			}
		}
	}
	for _, x := range o.Plan.Expects {
		s := open[x.Address]
		if s == nil {
			continue
		}
		for _, a := range x.Attrs {
			if t := path(x.Address, a.Name); compared(t, s) && o.RefusedAnswer(t) == nil {
				list = append(list, problem("expect "+strconv.Quote(x.Address), dsl.Place(a.Expr.Range()), s))
				break
			}
		}
	}
	return list
}

// early reports whether an answer that names a target was refused for how it is written.
func early(s *observe.StepResult) bool {
	switch s.Outcome {
	case observe.OutcomeInvalidJSON, observe.OutcomeInvalidPayload, observe.OutcomeInvalidItem, observe.OutcomeInvalidKeys, observe.OutcomeInvalidTypes, observe.OutcomeInvalidSegment:
		return strings.Contains(s.Content, strconv.Quote(plan.EntryTarget))
	}
	return false
}

// compared reports whether an operand is of the entries of a step.
func compared(t hcl.Traversal, s *observe.StepResult) bool {
	at := 2 + strings.Count(s.Name, ".")
	if len(t) <= at {
		return false
	}
	name, _ := read.AttrName(t, at)
	return name == "entries" || name == "output"
}

func path(address, attr string) hcl.Traversal {
	t := hcl.Traversal{hcl.TraverseRoot{Name: "step"}}
	for _, name := range append(strings.Split(address, "."), attr) {
		t = append(t, hcl.TraverseAttr{Name: name})
	}
	return t
}

func problem(name string, at hcl.Range, s *observe.StepResult) plan.Problem {
	return plan.Problem{Kind: plan.KindElsewhere, Name: name, Range: at, Message: fmt.Sprintf("the answer was refused as %s before its target was looked at, so it holds whatever target the answer has and whatever the candidates are.\nhint: write an answer that is refused for its target alone, or say why it is refused: expect %q { outcome = %[1]q }", s.Outcome, s.Name)}
}
