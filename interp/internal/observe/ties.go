package observe

import (
	"slices"

	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// Tied reports whether two steps of a workflow began at one instant and neither waits for
// the other, so that they stand in the order of the file whatever is under test.
func (o *Observed) Tied(one, other string) bool {
	a, b := o.Steps[one], o.Steps[other]
	if o.Driven() || a == nil || b == nil || a == b || !a.Began || !b.Began || a.Started != b.Started || o.Plan.Workflow == nil {
		return false
	}
	above := map[*plan.Node]*plan.Node{nil: a.Node}
	for n := a.Node; n != nil; n = n.Outer {
		above[n.Outer] = n
	}
	for n := b.Node; n != nil; n = n.Outer {
		if m := above[n.Outer]; m != nil && (n.Outer != nil || m.Outer == nil) {
			return m != n && o.independent(m, n)
		}
	}
	return false
}

// independent reports whether neither of two steps of one graph waits for the other.
func (o *Observed) independent(a, b *plan.Node) bool {
	var graph []*plan.Step
	for _, n := range o.Plan.Workflow.Nodes() {
		if n.Outer == a.Outer {
			graph = append(graph, n.Step)
		}
	}
	i, j := slices.Index(graph, a.Step), slices.Index(graph, b.Step)
	return i >= 0 && j >= 0 && !waitsFor(graph, i, j, nil) && !waitsFor(graph, j, i, nil)
}

// waitsFor reports whether a step of a graph waits for another one, by whatever way.
func waitsFor(graph []*plan.Step, step, other int, seen []int) bool {
	for i, s := range graph {
		if i != step && s.Fallback == step && (i == other || !slices.Contains(seen, i) && waitsFor(graph, i, other, append(seen, step))) {
			return true
		}
	}
	for _, i := range graph[step].After {
		if i == other || i >= 0 && i < len(graph) && !slices.Contains(seen, i) && waitsFor(graph, i, other, append(seen, step)) {
			return true
		}
	}
	return false
}
