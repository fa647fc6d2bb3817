package given

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// What a condition allows that allows all that may come.
const (
	ofTargets    = "each target that the gateway has, or as many as it has"
	ofCandidates = "each target that the classifier may send a text to, or as many entries as there may be"
)

// OfChoices says why to allow all that may come shows nothing, and OfChoicesInPart why a part of a
// condition does that allows so.
const (
	OfChoices       = "it holds whatever the run does: it allows %s, so it shows nothing here.\nhint: say which of them it has to be, or leave the check out"
	OfChoicesInPart = "a part of it holds whatever the run does: it allows %s, so that part shows nothing here.\nhint: say which of them it has to be, or leave that part out"
)

// maxTargets is of how many targets all orders are put to a condition.
const maxTargets = 4

// Choices are the values that the operand at a path may have, of which a run decides which
// it is, and what they are together, for [OfChoices]; nil where they are not known, or too many.
func (f *File) Choices(path hcl.Traversal) (values []cty.Value, all string) {
	if values = f.candidates(path); values != nil {
		return values, ofCandidates
	}
	return f.targetsOf(path), ofTargets
}

// targetsOf is Choices for the targets of a gateway.
func (f *File) targetsOf(path hcl.Traversal) []cty.Value {
	if !f.alone() || len(path) < 3 {
		return nil
	}
	switch last, _ := read.AttrName(path, len(path)-1); path.RootName() {
	case "step":
		s := f.o.StepAt(path)
		if s == nil || s.Outer != nil || last != "target" || f.replaces() || !f.dialsAny(s.Step) {
			return nil
		}
		if of, _ := read.AttrName(path, 2); len(path) == 3 || len(path) == 5 && of == "attempts" && isFirst(path[3]) {
			return names(s.Step.Gateway)
		}
	case "gateway":
		name, _ := read.AttrName(path, 1)
		g := f.gateway(name)
		if g == nil || len(g.Targets) > maxTargets {
			return nil
		}
		of, _ := read.AttrName(path, 2)
		switch {
		case len(path) == 3 && of == "served_by":
			return answered(names(g))
		case len(path) == 5 && of == "decisions" && isFirst(path[3]) && last == "candidates" && f.decides(g):
			return orders(names(g))
		}
	}
	return nil
}

// isFirst reports whether a traverser reads the first element of a list.
func isFirst(t hcl.Traverser) bool {
	at, is := place(t)
	return is && at == 0
}

// dialsAny reports whether a step dials one of its targets as the run begins, whatever
// happens.
func (f *File) dialsAny(s *plan.Step) bool {
	return s.Gateway != nil && s.Bulkhead == nil && f.begins(s) && !f.p.Workflow.Budget.Limited() &&
		!slices.ContainsFunc(s.Gateway.Targets, func(t *plan.Target) bool { return len(t.Policies) > 0 || len(t.Models) > 0 })
}

// decides reports whether a call goes through a gateway as the run begins.
func (f *File) decides(g *plan.Gateway) bool {
	return slices.ContainsFunc(f.steps(), func(s *observe.StepResult) bool { return s.Step.Gateway == g && f.begins(s.Step) })
}

// names are those of the targets of a gateway.
func names(g *plan.Gateway) (list []cty.Value) {
	for _, t := range g.Targets {
		list = append(list, cty.StringVal(t.Name))
	}
	return list
}

// orders are all lists of some of the values, each in it once at most.
func orders(values []cty.Value) []cty.Value {
	lists := []cty.Value{cty.EmptyTupleVal}
	for i, v := range values {
		for _, rest := range orders(slices.Concat(values[:i], values[i+1:])) {
			lists = append(lists, cty.TupleVal(append([]cty.Value{v}, rest.AsValueSlice()...)))
		}
	}
	return lists
}

// answered are lists in which each of the values is as often as it likes: none of them, all
// in every order, and very many.
func answered(values []cty.Value) []cty.Value {
	lists := orders(values)
	for i, v := range values {
		lists = append(lists, cty.TupleVal(slices.Repeat([]cty.Value{v}, 60)), cty.TupleVal(slices.Repeat(slices.Concat(values[i:], values[:i]), 1000)))
	}
	return lists
}
