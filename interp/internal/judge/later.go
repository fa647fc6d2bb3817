package judge

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/judge/texts"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// ofLater says why that something did not come shows nothing where the run was ended.
const ofLater = "it holds because the run was ended as soon as until of sut held: what the program would have asked or written next was not seen, so that something did not come shows nothing here.\nhint: give sut a settle, such as settle = \"500ms\", so that it would be seen"

// absentSoFar says why a condition that holds asks only that something did not come
// before the run was ended, "" where it asks for more: that an output lacks a text, or
// that an endpoint was not asked of which until says nothing.
func (c *checker) absentSoFar(e hclsyntax.Expression) string {
	if !c.cutShort() {
		return ""
	}
	return cmp.Or(c.saysAbsent(e), c.restsOnUnasked(e))
}

// saysAbsent is absentSoFar by how a condition is written.
func (c *checker) saysAbsent(e hclsyntax.Expression) string {
	switch x := dsl.Bare(e).(type) {
	case *hclsyntax.UnaryOpExpr:
		f, call := dsl.Bare(x.Val).(*hclsyntax.FunctionCallExpr)
		if !call || x.Op != hclsyntax.OpLogicalNot {
			return ""
		}
		if at, is := texts.Searches[f.Name]; is && len(f.Args) > at.In && readsOutput(f.Args[at.In]) {
			return ofLater
		}
	case *hclsyntax.BinaryOpExpr:
		if !dsl.IsEqual(x.Op) {
			return ""
		}
		for _, s := range [][2]hclsyntax.Expression{{x.LHS, x.RHS}, {x.RHS, x.LHS}} {
			if isSaid(s[1]) && c.saysNoneOf(s[1]) && (readsOutput(s[0]) || c.readsUnwaited(s[0])) {
				return ofLater
			}
		}
	}
	return ""
}

// restsOnUnasked is absentSoFar however a condition is written: without what the run would
// have seen of endpoints that nobody has asked so far, the condition has no result.
func (c *checker) restsOnUnasked(e hclsyntax.Expression) string {
	l := &look{checker: c, functions: map[string]function.Function{}}
	if f, asked := c.ctx.Functions["events"]; asked {
		l.functions["events"] = observe.Query(func(args []cty.Value) (cty.Value, error) {
			v, err := f.Call(args)
			if err == nil && isEmpty(v) && len(args) > 0 && c.isUnasked(textAt(args[0], "step")) {
				return l.note(ofLater, cty.DynamicPseudoType), nil
			}
			return v, err
		})
	}
	a := dsl.NewAbsence(e, read.IsObserved)
	_, known, _ := c.without(a, func(s *dsl.Slot) bool {
		name, named := read.AttrName(s.Path, 1)
		return named && (s.Path.RootName() == "endpoint" && c.isUnasked(name) || s.Path.RootName() == "sut" && slices.Contains(ofEnd, name))
	}, l.functions)
	if known && !c.deniesMore(e) {
		return ""
	}
	return ofLater
}

// ofEnd are what a program that the run ended has not, as it did not end by itself.
var ofEnd = []string{"exit_code", "signal"}

// deniesMore reports whether a condition holds only because no event of an endpoint is there
// that nobody has asked so far: it does not with one more of each type of that endpoint,
// and does with those of another, so that it is not about how many there are.
func (c *checker) deniesMore(e hclsyntax.Expression) bool {
	if !mentionsCall(e, "events") {
		return false
	}
	with := func(step cty.Value) bool {
		v, known := c.withEvents(e, "step", func(list []cty.Value) []cty.Value {
			types := map[string]bool{}
			for _, like := range list {
				if kind := textAt(like, "type"); textAt(like, "step") != "" && !types[kind] {
					types[kind] = true
					more := like.AsValueMap()
					more["step"] = step
					list = append(list, cty.ObjectVal(more))
				}
			}
			return list
		})
		return known && isTrue(v)
	}
	for _, s := range c.run.Obs.Steps {
		if c.isUnasked(s.Name) && !with(cty.StringVal(s.Name)) && with(cty.StringVal(otherStep)) {
			return true
		}
	}
	return false
}

// otherStep is the name of no step.
const otherStep = "another step"

// mentionsCall reports whether an expression calls a function.
func mentionsCall(e hclsyntax.Expression, name string) (found bool) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		f, call := e.(*hclsyntax.FunctionCallExpr)
		found = found || call && f.Name == name
	})
	return found
}

// isUnasked reports whether a program has not asked an endpoint, and until says nothing
// of it.
func (c *checker) isUnasked(name string) bool {
	path := hcl.Traversal{hcl.TraverseRoot{Name: "endpoint"}, hcl.TraverseAttr{Name: name}}
	return name != "" && c.run.Obs.Idle(path) && !c.untilReads(path)
}

// cutShort reports whether the run ended a program that might have gone on.
func (c *checker) cutShort() bool {
	if c.run.Obs.Way != plan.Exec || len(c.stopped()) == 0 {
		return false
	}
	end := c.run.Obs.Sut.End()
	return end == nil || end.Stopped
}

// readsOutput reports whether an expression reads what a program wrote, and nothing else
// of the run.
func readsOutput(e hclsyntax.Expression) (found bool) {
	for t := range dsl.Variables(e) {
		name, _ := read.AttrName(t, 1)
		if is := t.RootName() == "sut" && (name == "stdout" || name == "stderr"); is {
			found = true
		} else if read.IsObserved(t.RootName()) {
			return false
		}
	}
	return found
}

// readsUnwaited reports whether an expression reads an endpoint, and none of which until
// speaks.
func (c *checker) readsUnwaited(e hclsyntax.Expression) (found bool) {
	for t := range dsl.Variables(e) {
		switch {
		case !read.IsObserved(t.RootName()):
		case t.RootName() != "endpoint" || c.untilReads(t[:min(2, len(t))]):
			return false
		default:
			found = true
		}
	}
	return found
}

// limitsSoFar says why a condition that holds is an upper limit on what a program asks that was
// kept because the run was ended: until waits for the first success of an endpoint alone, which
// its script gives at once, and the condition does not hold with one more. "" where it is not.
func (c *checker) limitsSoFar(e hclsyntax.Expression) string {
	if !c.cutShort() || slices.ContainsFunc(observe.Queries(), func(name string) bool { return mentionsCall(e, name) }) {
		return ""
	}
	s := c.untilSucceeds()
	a := c.absence(e)
	if s == nil || len(a.Slots) == 0 || slices.ContainsFunc(a.Slots, func(o *dsl.Slot) bool {
		of, attr := c.asked(o.Path)
		return o.Caught || of != s || len(o.Path) != 3 || attr != "attempts" && (attr != "calls" || !s.AllSucceeded())
	}) {
		return ""
	}
	v, known := c.knownWith(a, func(path hcl.Traversal) cty.Value {
		v, diags := path.TraverseAbs(c.ctx)
		if diags.HasErrors() || !v.Type().IsTupleType() || v.LengthInt() == 0 {
			return cty.DynamicVal
		}
		list := v.AsValueSlice()
		return cty.TupleVal(append(list, list[len(list)-1]))
	}, map[string]function.Function{})
	if known && !isTrue(v) {
		return ofStopped
	}
	return ""
}

// untilSucceeds is the endpoint for whose first success until of sut waits, and for nothing else,
// where that came with its last attempt and as soon as its script let it; nil for none.
func (c *checker) untilSucceeds() (s *observe.StepResult) {
	for t := range dsl.Variables(c.run.Plan.Sut.Until.Condition) {
		of, attr := c.asked(t)
		if of == nil || t.RootName() != "endpoint" || attr != "status" || s != nil && of != s {
			return nil
		}
		s = of
	}
	if s == nil || !s.SucceededLast() || !c.file().AnswersAtOnce(s) {
		return nil
	}
	return s
}

// untilReads reports whether the condition at which the run was ended reads something
// below a path.
func (c *checker) untilReads(path hcl.Traversal) bool {
	what := dsl.TraversalText(path)
	return slices.ContainsFunc(c.stopped(), func(s stop) bool { return strings.Contains(s.text, what) })
}
