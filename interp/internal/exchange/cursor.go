package exchange

import (
	"slices"

	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// A Wanted says which entry of a script an attempt can take.
type Wanted struct {
	Target          string
	Turn, Iteration int
	// Fits, where not nil, says what else an entry has to fulfil.
	Fits func(*plan.Entry) bool
}

func (w *Wanted) fits(e *plan.Entry) bool {
	return (e.Target == "" || e.Target == w.Target) && (e.Turn == 0 || e.Turn == w.Turn) &&
		(e.Iteration == 0 || e.Iteration == w.Iteration) && (w.Fits == nil || w.Fits(e))
}

// A Cursor is how far one step has come in one script. Every step has its own,
// also in a script for "*", and every lane of an endpoint.
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
func (c *Cursor) Next(w Wanted) (e *plan.Entry, over bool) {
	var last *plan.Entry
	for i, e := range c.script.Entries {
		if !w.fits(e) {
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
			if w.fits(e) {
				c.before[i] = c.used[i]
			}
		}
		return c.Next(w)
	case "replay":
		return nil, false
	}
	return nil, true
}

// final returns the last entry for an attempt, whether or not one is left, nil
// where none ever was. It takes nothing.
func (c *Cursor) final(w Wanted) *plan.Entry {
	for i := len(c.script.Entries) - 1; i >= 0; i-- {
		if e := c.script.Entries[i]; w.fits(e) {
			return e
		}
	}
	return nil
}

// upcoming returns the entry that Next would return; it takes nothing.
func (c *Cursor) upcoming(w Wanted) *plan.Entry {
	e, _ := c.Copy().Next(w)
	return e
}

// Copy is a cursor at the same place, which goes its own way from there.
func (c *Cursor) Copy() *Cursor {
	return &Cursor{script: c.script, used: slices.Clone(c.used), before: slices.Clone(c.before), last: c.last}
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

// Possible are the entries that could answer next, whatever the request is.
func (c *Cursor) Possible() []*plan.Entry {
	var list []*plan.Entry
	for i, e := range c.script.Entries {
		if e.Times != plan.Unlimited && c.used[i]-c.before[i] >= e.Times {
			continue
		}
		list = append(list, e)
		if e.Target == "" && e.Turn == 0 && e.Iteration == 0 && e.Match.Empty() {
			return list // it answers whatever gets so far
		}
	}
	switch c.script.Exhausted {
	case "repeat_last", "cycle":
		return c.script.Entries
	}
	return list
}

func (c *Cursor) take(i int) {
	c.used[i]++
	c.last = i
}

// Due are the entries that could answer the next request of a line in a script.
func (s *Sources) Due(line Line, sc *plan.Script) []*plan.Entry {
	if i := slices.IndexFunc(s.cursors[line], func(c *Cursor) bool { return c.script == sc }); i >= 0 {
		return s.cursors[line][i].Possible()
	}
	return newCursor(sc).Possible()
}

// A Line is what has cursors of its own: a step, or one lane of an endpoint.
type Line struct{ Step, Lane string }

// Cursor returns the cursor of a line in a script.
func (s *Sources) Cursor(line Line, sc *plan.Script) *Cursor {
	for _, c := range s.cursors[line] {
		if c.script == sc {
			return c
		}
	}
	c := newCursor(sc)
	s.cursors[line] = append(s.cursors[line], c)
	s.ofScripts[sc] = append(s.ofScripts[sc], c)
	return c
}
