package judge

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/judge/unknown"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// ofOwnReply says why what a script said shows nothing of a program.
const ofOwnReply = "it holds because the script of the scenario says so: it is what the program was answered, and not what it did with the answer, so it shows nothing here.\nhint: check what the program made of it, such as sut.stdout or a request that it sends next; that it asked at all is what the gate unused_reply checks"

// answers are the attributes of an endpoint that the last answer says. What it used and
// cost is the sum of all, which tells how often the program asked.
var answers = []string{"content", "json", "body", "headers", "rows", "affected", "structured", "tool_calls", "status_code", "finish_reason", "model"}

// ofRecorded says the same of what a recording holds.
const ofRecorded = "it holds because the recording says so: it is what the program was answered, and not what it did with the answer, so it shows nothing here.\nhint: check what the program made of it, such as sut.stdout; that it asked at all is what the gate unused_interaction checks"

// answered says why an operand is what the scenario itself answered a program, by an entry
// or an interaction that has to be used anyway; "" where it is not.
func (c *checker) answered(t hcl.Traversal) string {
	if c.run.Obs.Way != plan.Exec {
		return ""
	}
	s, attr := c.asked(t)
	if s == nil {
		return ""
	}
	if attr == "attempts" {
		return c.answeredAttempt(s, t)
	}
	if !slices.Contains(answers, attr) {
		return ""
	}
	entry, by := s.LastAnswer()
	return c.mustBeUsed(s, entry, by)
}

// injected are the attributes of an attempt that its answer says.
var injected = []string{"fault", "status_code", "retry_after_ms", "response"}

// answeredAttempt is answered for an operand of one attempt that a program made.
func (c *checker) answeredAttempt(s *observe.StepResult, t hcl.Traversal) string {
	at := 3 + strings.Count(s.Name, ".")
	if len(t) < at+2 {
		return ""
	}
	index, is := t[at].(hcl.TraverseIndex)
	attr, _ := read.AttrName(t, at+1)
	if !is || index.Key.Type() != cty.Number || !slices.Contains(injected, attr) {
		return ""
	}
	n, _ := index.Key.AsBigFloat().Int64()
	list := s.Asked()
	if n < 0 || n >= int64(len(list)) || list[n].End == nil {
		return ""
	}
	return c.mustBeUsed(s, list[n].End.Entry, list[n].End.By)
}

// mustBeUsed says why an answer shows nothing that a gate wants to be used, "" where it may
// as well not have come.
func (c *checker) mustBeUsed(s *observe.StepResult, entry int, by string) string {
	p := c.run.Plan
	switch by {
	case "script":
		sc := p.ScriptFor(s.Name, "")
		if !p.Allow[plan.GateUnusedReply] && sc != nil && 0 < entry && entry <= len(sc.Entries) && !sc.Entries[entry-1].Optional {
			return ofOwnReply
		}
	case "cassette":
		if !p.Allow[plan.GateUnusedInteraction] && p.Recording != nil {
			return ofRecorded
		}
	}
	return ""
}

// asked is what a program asked that an operand is of, nil for none, and its attribute.
func (c *checker) asked(t hcl.Traversal) (s *observe.StepResult, attr string) {
	switch t.RootName() {
	case "endpoint":
		name, _ := read.AttrName(t, 1)
		s = c.run.Obs.Steps[name]
	case "step":
		s = c.run.Obs.StepAt(t)
	}
	if s == nil {
		return nil, ""
	}
	attr, _ = read.AttrName(t, 2+strings.Count(s.Name, "."))
	return s, attr
}

// ofScript says why a condition is only about what the scenario itself answered, or
// about which requests of a program count as one call; "" where it is not.
func (c *checker) ofScript(e hclsyntax.Expression) string {
	if !c.run.Obs.Driven() {
		return ""
	}
	if why := c.run.others.Condition(e, c.needs); why != "" {
		return why
	}
	a := dsl.NewAbsence(e, read.IsObserved)
	queried := false
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		f, call := e.(*hclsyntax.FunctionCallExpr)
		queried = queried || call && read.IsQuery(f.Name)
	})
	if len(a.Slots) == 0 || queried {
		return ""
	}
	if !slices.ContainsFunc(a.Slots, func(s *dsl.Slot) bool { return c.answered(s.Path) == "" }) {
		return c.answered(a.Slots[0].Path)
	}
	return c.answeredAll(e)
}

// answeredAll says why a condition about all attempts that a program made shows nothing: it holds
// of the answers that have to be used, whatever others there are, and whatever the program did
// with them; "" where it says more.
func (c *checker) answeredAll(e hclsyntax.Expression) (why string) {
	if c.run.Obs.Way != plan.Exec || !readsAny(e, injected) {
		return ""
	}
	a := c.absence(e)
	for _, s := range a.Slots {
		of, attr := c.asked(s.Path)
		if of == nil || attr != "attempts" || len(s.Path) != 3+strings.Count(of.Name, ".") || s.Caught {
			return ""
		}
	}
	for more := range 3 {
		v, known := c.knownWith(a, func(path hcl.Traversal) cty.Value {
			of, _ := c.asked(path)
			v, diags := path.TraverseAbs(c.ctx)
			if diags.HasErrors() || v.IsNull() || !v.Type().IsTupleType() {
				return cty.DynamicVal
			}
			var list []cty.Value
			list, why = c.mustAnswer(of, v.AsValueSlice(), more)
			return cty.TupleVal(list)
		}, unknown.Quantifiers())
		if !known || !isTrue(v) {
			return ""
		}
	}
	return why
}

// mustAnswer are the attempts whose answers have to be used, of which nothing else is known, and
// some more of which nothing is; and says why they show nothing.
func (c *checker) mustAnswer(s *observe.StepResult, all []cty.Value, more int) (list []cty.Value, why string) {
	asked := s.Asked()
	for i, v := range all {
		if i >= len(asked) || asked[i].End == nil || c.mustBeUsed(s, asked[i].End.Entry, asked[i].End.By) == "" || !v.Type().IsObjectType() {
			break
		}
		why = c.mustBeUsed(s, asked[i].End.Entry, asked[i].End.By)
		attrs := v.AsValueMap()
		for name := range attrs {
			if !slices.Contains(injected, name) {
				attrs[name] = cty.DynamicVal
			}
		}
		list = append(list, cty.ObjectVal(attrs))
	}
	return append(list, slices.Repeat([]cty.Value{cty.DynamicVal}, more)...), why
}
