package assured

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// A tool is one that steps offer a model and that no model asked for, with the step that answers it.
type tool struct {
	name string
	step *observe.StepResult
}

// unasked are the tools of a run that no model asked for, though one asked which had them. None where a model
// answers as it was recorded, as it was free to ask; and none where one asked for a tool that nobody offers: that
// no step runs is what the run shows then.
func unasked(o *observe.Observed) (list []tool) {
	w := o.Plan.Workflow
	if w == nil || o.Plan.Recording != nil {
		return nil
	}
	asked := map[string]bool{}
	for _, s := range o.Order {
		for _, c := range s.ToolCalls {
			if asked[c.Name] = true; s.Step.ToolNamed(c.Name) == nil {
				return nil
			}
		}
	}
	for _, s := range w.Steps {
		agent := o.Steps[s.Name]
		if agent == nil || !agent.Began {
			continue
		}
		for _, t := range s.Tools {
			if t.Step < 0 || t.Step >= len(w.Steps) || asked[t.Name] {
				continue
			}
			of := o.Steps[w.Steps[t.Step].Name]
			if of != nil && of.SkippedReason == read.SkippedOffered {
				list = append(list, tool{t.Name, of})
			}
		}
	}
	return list
}

// why says that a check of the tool shows nothing of the workflow.
func (t *tool) why() string {
	return fmt.Sprintf("no reply asks for the tool %q, and the script is the model, so step %s runs in no workflow: one that does whatever its model says passes as well.\nhint: let a reply ask for it, such as tool_calls = [{ name = %[1]q, arguments = { … } }], and check what comes of it", t.name, t.step.Name)
}

// toolOf is the tool that a step answers if nobody asked for it, nil for any other step.
func (l *look) toolOf(s *observe.StepResult) *tool {
	i := slices.IndexFunc(l.unasked, func(t tool) bool { return t.step == s })
	if i < 0 {
		return nil
	}
	return &l.unasked[i]
}

// ofTool says of a part of a condition that it is about a tool that nobody asked for: it reads the step that
// answers it, or looks for its name among what was asked for.
func (l *look) ofTool(part hclsyntax.Expression) string {
	for t := range dsl.Variables(part) {
		if t.RootName() != "step" {
			continue
		}
		if t := l.toolOf(l.o.StepAt(t)); t != nil {
			return t.why()
		}
	}
	calls := false
	for name := range read.Names(part) {
		calls = calls || name == "tool_calls"
	}
	why := ""
	dsl.EachExpr(part, func(e hclsyntax.Expression) {
		v, written := dsl.Literal(e)
		if !calls || !written || v.IsNull() || v.Type() != cty.String {
			return
		}
		if i := slices.IndexFunc(l.unasked, func(t tool) bool { return t.name == v.AsString() }); i >= 0 {
			why = l.unasked[i].why()
		}
	})
	return why
}
