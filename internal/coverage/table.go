package coverage

import (
	"cmp"
	"slices"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp"
)

// A State is how far a cell is covered.
type State string

// The states, from none to all.
const (
	Impossible State = "impossible"
	Open       State = "open"
	Met        State = "met"
	Checked    State = "checked"
)

// Evidence is a scenario that meets a cell.
type Evidence struct {
	File, Scenario string
	// Line is where the scenario is declared, and Lines are those of what strikes.
	Line  int
	Lines []int
	// Kind is the kind of fault, "" for a failure without one.
	Kind string
	// Checks are what notices it, empty where nothing does.
	Checks []interp.Reading
}

// A Cell is a group of faults at an address.
type Cell struct {
	Group faults.Group
	State State
	By    []Evidence
}

// A Row is an address.
type Row struct {
	Address, File string
	Line          int
	// Guarded says that a retry, a breaker or a fallback stands behind it.
	Guarded bool
	Kinds   []*faults.Kind
	// Cells are in the order of [faults.Groups].
	Cells []Cell
}

// A Table is what all scenarios of one workflow cover.
type Table struct {
	Workflow, File string
	Line           int
	Scenarios      int
	Rows           []*Row
	Policies       []interp.CoveredPolicy
	// Unreached are the steps and rules that no run came to, and Idle the invariants
	// that none evaluated.
	Unreached []interp.CoveredPart
	Idle      []interp.InvariantCount
	parts     []interp.CoveredPart
	counts    []interp.InvariantCount
}

// Tables sorts what was measured by workflow, in the order of files and lines. Those in
// which there is nothing to cover are left out.
func Tables(list []*Measured) []*Table {
	var all []*Table
	for _, m := range list {
		all = tableOf(all, m)
		all[len(all)-1].add(m) // tableOf moves it to the end
	}
	for _, t := range all {
		t.conclude()
	}
	all = slices.DeleteFunc(all, func(t *Table) bool { return len(t.Rows)+len(t.Policies)+len(t.Unreached)+len(t.Idle) == 0 })
	slices.SortStableFunc(all, func(a, b *Table) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return all
}

// tableOf brings the table of a scenario's workflow to the end.
func tableOf(all []*Table, m *Measured) []*Table {
	file, line := m.Declared.Filename, m.Declared.Start.Line
	if m.Workflow == "" {
		file, line = m.Plan.File, 0
	}
	i := slices.IndexFunc(all, func(t *Table) bool { return t.Workflow == m.Workflow && t.File == file && t.Line == line })
	if i < 0 {
		return append(all, &Table{Workflow: m.Workflow, File: file, Line: line})
	}
	t := all[i]
	return append(slices.Delete(all, i, i+1), t)
}

func (t *Table) add(m *Measured) {
	t.Scenarios++
	for _, c := range m.Calls {
		t.row(c)
	}
	for _, s := range m.Strikes {
		t.strike(m, s)
	}
	for _, p := range m.Policies {
		t.policy(p)
	}
	for _, p := range m.Parts {
		i := slices.IndexFunc(t.parts, func(o interp.CoveredPart) bool { return o.What == p.What && o.Range == p.Range })
		if i < 0 {
			t.parts = append(t.parts, p)
		} else if p.Reached {
			t.parts[i].Reached = true
		}
	}
	for _, c := range m.Result.Invariants {
		if c.Standard {
			continue
		}
		i := slices.IndexFunc(t.counts, func(o interp.InvariantCount) bool { return o.Name == c.Name && o.Range == c.Range })
		if i < 0 {
			t.counts = append(t.counts, c)
		} else {
			t.counts[i].Evaluated += c.Evaluated
		}
	}
}

// row is that of a call, made where there is none yet.
func (t *Table) row(c interp.CoveredCall) *Row {
	if r := t.rowOf(c.Address); r != nil {
		return r
	}
	r := &Row{Address: c.Address, File: c.Range.Filename, Line: c.Range.Start.Line, Guarded: c.Guarded, Kinds: c.Kinds}
	for _, g := range faults.Groups() {
		state := Impossible
		if slices.ContainsFunc(c.Kinds, func(k *faults.Kind) bool { return slices.Contains(k.Groups, g) }) {
			state = Open
		}
		r.Cells = append(r.Cells, Cell{Group: g, State: state})
	}
	t.Rows = append(t.Rows, r)
	return r
}

func (t *Table) rowOf(address string) *Row {
	if i := slices.IndexFunc(t.Rows, func(r *Row) bool { return r.Address == address }); i >= 0 {
		return t.Rows[i]
	}
	return nil
}

// strike notes what struck in a scenario. What has no address in the table struck
// something that the workflow does not call, such as a block of the scenario.
func (t *Table) strike(m *Measured, s *Strike) {
	r := t.rowOf(s.Address)
	if r == nil {
		return
	}
	c := &r.Cells[slices.Index(faults.Groups(), s.Group)]
	switch {
	case s.Checked():
		c.State = Checked
	case c.State != Checked:
		c.State = Met
	}
	e := Evidence{File: m.Plan.File, Scenario: m.Plan.Name, Line: m.Plan.Line, Lines: s.Lines, Checks: s.Checks}
	if s.Fault != nil {
		e.Kind = s.Fault.Name
	}
	c.By = append(c.By, e)
}

func (t *Table) policy(p interp.CoveredPolicy) {
	i := slices.IndexFunc(t.Policies, func(o interp.CoveredPolicy) bool { return o.Kind == p.Kind && o.Name == p.Name })
	if i < 0 {
		p.Uses = slices.Clone(p.Uses)
		t.Policies = append(t.Policies, p)
		return
	}
	for k, u := range p.Uses {
		if u.Seen {
			t.Policies[i].Uses[k].Seen = true
		}
	}
}

func (t *Table) conclude() {
	t.Unreached = slices.DeleteFunc(slices.Clone(t.parts), func(p interp.CoveredPart) bool { return p.Reached })
	t.Idle = slices.DeleteFunc(slices.Clone(t.counts), func(c interp.InvariantCount) bool { return c.Evaluated > 0 })
}

// A Count says how many cells are in each state.
type Count struct{ Checked, Met, Open, Impossible int }

// Possible are all that are not impossible.
func (c Count) Possible() int { return c.Checked + c.Met + c.Open }

// Percent is how many of a hundred possible cells are checked, rounded down; 100 where
// none is possible.
func (c Count) Percent() int {
	if c.Possible() == 0 {
		return 100
	}
	return 100 * c.Checked / c.Possible()
}

// CountOf counts the cells of tables.
func CountOf(list ...*Table) Count {
	var n Count
	for _, t := range list {
		for _, r := range t.Rows {
			for _, c := range r.Cells {
				switch c.State {
				case Checked:
					n.Checked++
				case Met:
					n.Met++
				case Open:
					n.Open++
				default:
					n.Impossible++
				}
			}
		}
	}
	return n
}
