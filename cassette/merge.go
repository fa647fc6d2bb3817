package cassette

import "slices"

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
// the file serves two: that of the scenario which is not recorded elsewhere in
// the file, if there is but one.
func retagged(old []*Interaction, scenarios []string) []*Interaction {
	if len(scenarios) < 2 {
		return old
	}
	var open []string
	for _, s := range scenarios {
		if !slices.ContainsFunc(old, func(it *Interaction) bool { return it.Scenario == s }) {
			open = append(open, s)
		}
	}
	if len(open) == 0 {
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
