package mutate

import (
	"slices"

	"github.com/scenario-lang/scenario/internal/mutate/elsewhere"
	"github.com/scenario-lang/scenario/interp"
)

// originRuns is how many scenarios a file has at most whose values are compared.
const originRuns = 64

// origins read a value from elsewhere in the workflows of a file, where it is the same in every run of the scenarios
// that run them. They belong to the operator "related".
func (r *runner) origins(u *unit) []*Mutant {
	at := slices.IndexFunc(operators, func(o Operator) bool { return o.Name == "related" })
	if u.data || r.ended() || len(r.Only) > 0 && !slices.Contains(r.Only, operators[at].Name) {
		return nil
	}
	is := func(s *site) bool { return s.Type == "workflow" }
	if !slices.ContainsFunc(u.sites, is) {
		return nil
	}
	runs, titles := map[string][]elsewhere.Run{}, map[string][]string{}
	n := 0
	for _, h := range u.hosts {
		for _, p := range h.Plans {
			if r.bases[p] == nil {
				continue
			}
			if n++; n > originRuns {
				return nil
			}
			_, seen := interp.RunObserved(p, interp.RunOptions{Done: r.Done})
			if name := seen.Workflow(); name != "" {
				runs[name], titles[name] = append(runs[name], seen.Value), append(titles[name], p.Name)
			}
		}
	}
	var list []*Mutant
	for _, w := range u.sites {
		if !is(w) || len(runs[w.Name()]) == 0 {
			continue
		}
		for _, o := range elsewhere.Others(w.Block, u.source, runs[w.Name()], titles[w.Name()]) {
			i := slices.IndexFunc(u.sites, func(s *site) bool { return s.Block == o.Block })
			if i < 0 {
				continue
			}
			e := u.sites[i].part(o.Attr, o.Range, o.Shown, spliced(u.source, o.Range.Start.Byte, o.Range.End.Byte, o.With))
			m := Mutant{Declaration: u.sites[i].name(), Change: e.what, File: u.path, Line: o.Range.Start.Line, Range: o.Range, Original: u.source, keeps: e.keeps, elsewhere: true}.of(e.text)
			m.Operator, m.Data, m.order = operators[at].Name, true, at
			list = append(list, m)
		}
	}
	return list
}
