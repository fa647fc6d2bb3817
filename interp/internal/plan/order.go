package plan

import (
	"math/big"
)

// OrderOutside is where the places of steps begin that belong to no workflow of
// a scenario: all of those come first.
const OrderOutside = 1 << 24

// OrderEndpoints is where those of endpoints begin that are no steps.
const OrderEndpoints = OrderOutside << 1

// An order tells which steps of a workflow cannot run at once, whatever their
// calls take: one waits for the end of the other, or runs inside it. It is for
// one run.
type order struct {
	steps  []*Step
	places map[string]int
	// asker is the only step that asks for one that stands by, -1 where there
	// is none or several.
	asker   []int
	earlier []*big.Int // by step, sets of steps; nil where not yet known
}

// NewOrder is for one run of a workflow.
func NewOrder(w *Workflow) *order {
	o := &order{steps: w.Steps, places: map[string]int{}, asker: make([]int, len(w.Steps)), earlier: make([]*big.Int, len(w.Steps))}
	askers := make([]int, len(w.Steps))
	for _, s := range w.Steps {
		o.places[s.Name] = s.Index
		for _, i := range s.Asks() {
			if o.asker[i] != s.Index || askers[i] == 0 {
				askers[i]++
			}
			o.asker[i] = s.Index
		}
	}
	for i, n := range askers {
		if n != 1 {
			o.asker[i] = -1
		}
	}
	return o
}

// Ordered reports whether two steps can never be swapped.
func (o *order) Ordered(a, b string) bool {
	i, isA := o.places[a]
	j, isB := o.places[b]
	if !isA || !isB {
		return false
	}
	return o.before(j).Bit(i) == 1 || o.before(i).Bit(j) == 1 || o.inside(i, j) || o.inside(j, i)
}

// before is the set of the steps that have ended when a step makes its first
// call. One that stands by for another begins after all that that one waited
// for.
func (o *order) before(i int) *big.Int {
	if o.earlier[i] != nil {
		return o.earlier[i]
	}
	set := new(big.Int)
	for _, d := range o.steps[i].After {
		o.ended(d, set)
	}
	if x := o.asker[i]; x >= 0 {
		set.Or(set, o.before(x))
	}
	o.earlier[i] = set
	return set
}

// ended adds what is over when a step is: itself, what it waited for, and what
// ran inside it.
func (o *order) ended(i int, set *big.Int) {
	if set.Bit(i) == 1 {
		return
	}
	set.SetBit(set, i, 1)
	set.Or(set, o.before(i))
	for _, k := range o.steps[i].Asks() {
		o.ended(k, set)
	}
}

// inside reports whether a step runs only while another one waits for it: as
// its fallback or its tool, or as one of those of such a step.
func (o *order) inside(outer, i int) bool {
	for x := o.asker[i]; x >= 0; x = o.asker[x] {
		if x == outer {
			return true
		}
	}
	return false
}
