package exchange

import (
	"slices"

	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// A Cursor is how far one step has come in one script. Every step has its own,
// also in a script for "*".
type Cursor struct {
	script *plan.Script
	used   []int // calls answered, by entry
	before []int // those of earlier passes of a script that cycles
	last   int   // entry that answered last, -1 for none
}

func newCursor(s *plan.Script) *Cursor {
	return &Cursor{script: s, used: make([]int, len(s.Entries)), before: make([]int, len(s.Entries)), last: -1}
}

// Next returns the entry that answers an attempt. When none is left, over says
// that one would have fitted before; otherwise no entry is for such a call.
func (c *Cursor) Next(target string, turn, iteration int) (e *plan.Entry, over bool) {
	fits := func(e *plan.Entry) bool {
		return (e.Target == "" || e.Target == target) && (e.Turn == 0 || e.Turn == turn) && (e.Iteration == 0 || e.Iteration == iteration)
	}
	var last *plan.Entry
	for i, e := range c.script.Entries {
		if !fits(e) {
			continue
		}
		last = e
		if e.Times == plan.Unlimited || c.used[i]-c.before[i] < e.Times {
			c.take(i)
			return e, false
		}
	}
	if last == nil {
		return nil, false
	}
	switch c.script.Exhausted {
	case "repeat_last":
		c.take(last.N - 1)
		return last, false
	case "cycle":
		for i, e := range c.script.Entries {
			if fits(e) {
				c.before[i] = c.used[i]
			}
		}
		return c.Next(target, turn, iteration)
	case "replay":
		return nil, false
	}
	return nil, true
}

// upcoming returns the entry that Next would return; it takes nothing.
func (c *Cursor) upcoming(target string, turn, iteration int) *plan.Entry {
	used, before, last := slices.Clone(c.used), slices.Clone(c.before), c.last
	e, _ := c.Next(target, turn, iteration)
	c.used, c.before, c.last = used, before, last
	return e
}

// Peek returns the entry that would answer next, nil for none; it takes nothing.
func (c *Cursor) Peek(iteration int) *plan.Entry {
	for i, e := range c.script.Entries {
		if (e.Iteration == 0 || e.Iteration == iteration) && (e.Times == plan.Unlimited || c.used[i]-c.before[i] < e.Times) {
			return e
		}
	}
	return nil
}

func (c *Cursor) take(i int) {
	c.used[i]++
	c.last = i
}

// Cursor returns the cursor of a step in a script.
func (s *Sources) Cursor(step string, sc *plan.Script) *Cursor {
	for _, c := range s.cursors[step] {
		if c.script == sc {
			return c
		}
	}
	c := newCursor(sc)
	s.cursors[step] = append(s.cursors[step], c)
	return c
}

// cursorsOf returns the cursors of all steps in a script.
func (s *Sources) cursorsOf(sc *plan.Script) []*Cursor {
	var list []*Cursor
	for _, step := range read.SortedNames(s.cursors) {
		if i := slices.IndexFunc(s.cursors[step], func(c *Cursor) bool { return c.script == sc }); i >= 0 {
			list = append(list, s.cursors[step][i])
		}
	}
	return list
}
