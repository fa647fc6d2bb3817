package cassette

import (
	"bytes"
	"slices"

	"github.com/scenario-lang/scenario/wire"
)

// group is what is recorded together: a step of a scenario.
type group struct{ scenario, step string }

func groupOf(it *Interaction) group { return group{it.Scenario, it.Step} }

// replaces is the rule of a recording that was not told another: what was
// recorded anew takes the place of what was there of the same steps.
func replaces(fresh []*Interaction, adds bool) func(*Interaction) bool {
	again := map[group]bool{}
	if !adds {
		for _, it := range fresh {
			again[groupOf(it)] = true
		}
	}
	return func(it *Interaction) bool { return again[groupOf(it)] }
}

// fails reports whether an interaction has no answer that a caller can go on with.
func (it *Interaction) fails() bool {
	return it.Error != "" || it.Response.Status >= 400 || it.Response.End != wire.EndNone
}

// unresolved are the failures of a recording, by step, that no later call got over by
// asking the same again: the first of each.
func unresolved(list []*Interaction) map[group]*Interaction {
	out := map[group]*Interaction{}
	for i, it := range list {
		again := func(n *Interaction) bool {
			return groupOf(n) == groupOf(it) && n.Lane == it.Lane && !n.fails() && n.Method == it.Method && n.URL == it.URL && bytes.Equal(n.RequestBody, it.RequestBody)
		}
		if g := groupOf(it); it.fails() && out[g] == nil && !slices.ContainsFunc(list[i+1:], again) {
			out[g] = it
		}
	}
	return out
}

// Worsened are the failures, the first of each step, that Commit would put in the place
// of answers: of steps that had no such failure, and were not recovered from. replaced
// is that of Commit, and not nil.
func (r *Recorder) Worsened(replaced func(*Interaction) bool) []*Interaction {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.old == nil {
		return nil
	}
	answered := map[group]bool{}
	for _, it := range r.old.Interactions {
		if replaced(it) {
			answered[groupOf(it)] = true
		}
	}
	for g := range unresolved(r.old.Interactions) {
		answered[g] = false
	}
	var list []*Interaction
	fresh := r.fresh()
	now := unresolved(fresh)
	for _, it := range fresh {
		if now[groupOf(it)] == it && answered[groupOf(it)] {
			list = append(list, it)
		}
	}
	return list
}

// mergedWith returns the old interactions that stay with the fresh ones among them:
// those of a step in the place where that step stood, or after the last of
// their scenario, so that a file that is recorded again changes where the
// answers changed. The order of fresh ones is kept where nothing old is between
// them.
func mergedWith(old, fresh []*Interaction, replaced func(*Interaction) bool) []*Interaction {
	kept := map[string]bool{} // scenarios of which something stays
	for _, it := range old {
		if !replaced(it) {
			kept[it.Scenario] = true
		}
	}
	m := merger{fresh: fresh, kept: kept}
	for _, it := range old {
		if replaced(it) {
			m.emit(it)
			continue
		}
		m.out = append(m.out, it)
	}
	m.rest()
	return m.out
}

type merger struct {
	fresh []*Interaction
	kept  map[string]bool
	out   []*Interaction
}

// emit moves over what stands in the place of an old interaction: its step, or
// its scenario where that is replaced as a whole.
func (m *merger) emit(old *Interaction) {
	m.fresh = slices.DeleteFunc(slices.Clone(m.fresh), func(it *Interaction) bool {
		take := it.Scenario == old.Scenario && (!m.kept[it.Scenario] || it.Step == old.Step)
		if take {
			m.out = append(m.out, it)
		}
		return take
	})
}

// rest adds what has no place yet after the last interaction of its scenario.
func (m *merger) rest() {
	for _, it := range m.fresh {
		at := len(m.out)
		for i, o := range m.out {
			if o.Scenario == it.Scenario {
				at = i + 1
			}
		}
		m.out = slices.Insert(m.out, at, it)
	}
}

// retagged gives interactions without a scenario the name of theirs, now that
// the file serves two: that of the first scenario of the file which is not recorded
// elsewhere in it. Where that one is recorded now and another such one is not, they may
// be the other one's, and stay as they are.
func retagged(old []*Interaction, scenarios []string, fresh []*Interaction) []*Interaction {
	if len(scenarios) < 2 {
		return old
	}
	var open, left []string
	for _, s := range scenarios {
		isOf := func(it *Interaction) bool { return it.Scenario == s }
		if slices.ContainsFunc(old, isOf) {
			continue
		}
		open = append(open, s)
		if !slices.ContainsFunc(fresh, isOf) {
			left = append(left, s)
		}
	}
	if len(open) == 0 || len(left) > 0 && left[0] != open[0] {
		return old
	}
	out := make([]*Interaction, len(old))
	for i, it := range old {
		out[i] = it
		if it.Scenario == "" && it.Step != "" {
			out[i] = it.Clone()
			out[i].Scenario = open[0]
		}
	}
	return out
}
