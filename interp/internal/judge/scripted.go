package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// ofOwnReply says why what a script said shows nothing of a program.
const ofOwnReply = "it holds because the script of the scenario says so: it is what the program was answered, and not what it did with the answer, so it shows nothing here.\nhint: check what the program made of it, such as sut.stdout or a request that it sends next; that it asked at all is what the gate unused_reply checks"

// answers are the attributes of an endpoint that the last answer says. What it used and
// cost is the sum of all, which tells how often the program asked.
var answers = []string{"content", "json", "body", "headers", "rows", "affected", "structured", "tool_calls", "status_code", "finish_reason", "model"}

// scripted reports whether an operand is what the scenario itself answered a program:
// by an entry that has to be used anyway.
func (c *checker) scripted(t hcl.Traversal) bool {
	if c.run.Obs.Way != plan.Exec || c.run.Plan.Allow[plan.GateUnusedReply] {
		return false
	}
	s, attr := c.asked(t)
	if s == nil {
		return false
	}
	sc := c.run.Plan.ScriptFor(s.Name, "")
	if attr == "attempts" {
		return c.scriptedAttempt(s, t, sc)
	}
	if !slices.Contains(answers, attr) {
		return false
	}
	entry := s.LastScripted()
	return entry > 0 && sc != nil && entry <= len(sc.Entries) && !sc.Entries[entry-1].Optional
}

// injected are the attributes of an attempt that its entry says.
var injected = []string{"fault", "status_code", "response"}

// scriptedAttempt reports whether an operand is what an entry did to one attempt that a
// program made.
func (c *checker) scriptedAttempt(s *observe.StepResult, t hcl.Traversal, sc *plan.Script) bool {
	at := 3 + strings.Count(s.Name, ".")
	if sc == nil || len(t) < at+2 {
		return false
	}
	index, is := t[at].(hcl.TraverseIndex)
	attr, _ := read.AttrName(t, at+1)
	if !is || index.Key.Type() != cty.Number || !slices.Contains(injected, attr) {
		return false
	}
	n, _ := index.Key.AsBigFloat().Int64()
	list := s.Asked()
	if n < 0 || n >= int64(len(list)) || list[n].End == nil || list[n].End.By != "script" {
		return false
	}
	entry := list[n].End.Entry
	return entry > 0 && entry <= len(sc.Entries) && !sc.Entries[entry-1].Optional
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
// about how often a program repeated what it worded otherwise; "" where it is not.
func (c *checker) ofScript(e hclsyntax.Expression) string {
	if !c.run.Obs.Driven() {
		return ""
	}
	a := dsl.NewAbsence(e, isObserved)
	queried := false
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		f, call := e.(*hclsyntax.FunctionCallExpr)
		queried = queried || call && read.IsQuery(f.Name)
	})
	if len(a.Slots) == 0 || queried {
		return ""
	}
	if !slices.ContainsFunc(a.Slots, func(s *dsl.Slot) bool { return !c.scripted(s.Path) }) {
		return ofOwnReply
	}
	why := ""
	for _, s := range a.Slots {
		if why = c.reworded(s.Path); why == "" {
			return ""
		}
	}
	return why
}

// reworded says why an operand that counts how often a call was repeated does not:
// the program words each attempt a little otherwise. "" where it counts.
func (c *checker) reworded(t hcl.Traversal) string {
	if !c.run.Obs.Driven() {
		return ""
	}
	s, attr := c.asked(t)
	if s == nil || attr != "retries" {
		return ""
	}
	call, was, now := s.Reworded()
	if call == 0 {
		return ""
	}
	return fmt.Sprintf("it holds because retries count what is asked again in the same words, and call %d, right after one that failed, asks the same but for %q in the place of %q, so it shows nothing here.\nhint: count the attempts: length(%s.attempts) == 1", call, c.run.Plan.Secrets.Text(now), c.run.Plan.Secrets.Text(was), dsl.TraversalText(t[:len(t)-1]))
}
