package mutate

import "github.com/scenario-lang/scenario/internal/explore"

// explore runs a mutant that no scenario tells from the original beside it, under
// single faults in every scenario that reads it, then under pairs. Without such runs
// nobody knows whether anything tells them apart, so it counts as unseen.
func (r *runner) explore(m *Mutant, readings []*reading) {
	if m.Verdict = Unseen; r.Runs == 0 {
		return
	}
	m.Verdict = Equivalent
	m.All = true
	for k := 1; k <= r.K; k++ {
		for _, x := range readings {
			original, variant := r.reference(x.base), explore.Interpreted(x.mutant, r.Done)
			set, runs, all := original.Differs(variant, k, r.Runs-m.Tried)
			m.Tried += runs
			m.All = m.All && all
			if set != nil {
				m.Verdict, m.By, m.Shown, m.shown = Unseen, x.plan, original.Simpler(variant, set), x
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
