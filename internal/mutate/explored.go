package mutate

import "github.com/scenario-lang/scenario/internal/explore"

// explore runs a mutant that no scenario tells from the original beside it, under
// single faults in every scenario that reads it, then under pairs.
func (r *runner) explore(m *Mutant, readings []*reading) {
	m.Verdict = Equivalent
	if r.Runs == 0 {
		return
	}
	m.All = true
	for k := 1; k <= r.K; k++ {
		for _, x := range readings {
			set, runs, all := r.reference(x.base).Differs(explore.Interpreted(x.mutant, r.Done), k, r.Runs-m.Tried)
			m.Tried += runs
			m.All = m.All && all
			if set != nil {
				m.Verdict, m.By, m.Shown = Unseen, x.plan, set
				return
			}
			if r.ended() {
				m.Verdict = ""
				return
			}
		}
	}
}

// reference is a scenario, prepared for mutants beside it.
func (r *runner) reference(b *base) *explore.Reference {
	b.once.Do(func() {
		b.explored = explore.NewReference(explore.Interpreted(b.plan, r.Done), explore.Options{Done: r.Done})
	})
	return b.explored
}
