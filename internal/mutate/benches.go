package mutate

import (
	"math"
	"strings"

	"github.com/scenario-lang/scenario/interp"
)

// benches takes away what a bench refuses as a whole: a gate, and a failure mode that its rubric may find.
func benches(s *site) []edit {
	if s.Type == "gate" || s.Type == "failure_mode" {
		return s.dropBlock()
	}
	return nil
}

// benchSettings are the attributes of a bench that the operator "bench" changes. A bound that a score of a case comes
// to is missed by hardly any, so that it is moved far, in both directions.
func benchSettings() []settingChange {
	return []settingChange{
		{"bench", "bench", "taxonomy", ways{omitted}},
		{"bench", "bench", "breakdown_keys", ways{withoutEach}},
		{"bench", "bench", "case_timeout", ways{omitted, doubled}},
		{"bench", "bench", "rubric_timeout", ways{omitted, doubled}},
		{"bench", "bench", "concurrency", ways{omitted, oneMore}},
		{"bench", "bench", "trials", ways{oneMore, oneFewer}},
		{"bench", "bench", "cost_cap_usd", ways{omitted, doubled}},
		{"bench", "bench", "rate", ways{omitted, doubled}},
		{"bench", "bench", "exclusive", ways{omitted}},
		{"bench", "lower_bound", "method", ways{otherWords}},
		{"bench", "lower_bound", "level", ways{omitted, halved}},
		{"bench", "lower_bound", "min_cases", ways{omitted, oneMore, oneFewer}},
		{"bench", "gate", "lower_bound", ways{omitted, halved, stricter}},
		{"bench", "gate", "min_passed", ways{omitted, oneMore, oneFewer}},
		{"bench", "gate", "pass_all", ways{omitted, halved, stricter}},
	}
}

// halved is half of a number.
func halved(s *site, name string) []edit {
	return s.moved(name, func(n float64) float64 { return n / 2 })
}

// stricter is halfway from a share to 1.
func stricter(s *site, name string) []edit {
	return s.moved(name, func(n float64) float64 { return (1 + n) / 2 })
}

// moved gives a number another value, of four digits after the point.
func (s *site) moved(name string, to func(float64) float64) []edit {
	n, ok := s.number(name)
	if !ok {
		return nil
	}
	other := math.Round(to(n)*1e4) / 1e4
	if other == n {
		return nil
	}
	return s.set(name, shown(n), shown(other))
}

// ofBench reports whether a declaration is a bench, or in one.
func ofBench(declaration string) bool {
	return strings.HasPrefix(declaration, "bench.") || strings.HasPrefix(declaration, `bench "`)
}

// whole is the declaration that is read or not read as a whole: of a part of a bench that bench.
func whole(declaration string) string {
	name, is := strings.CutPrefix(declaration, "bench ")
	switch {
	case is:
		if at := strings.Index(name[1:], `" `); at >= 0 {
			return "bench " + name[:at+2]
		}
	case ofBench(declaration):
		declaration, _, _ = strings.Cut(declaration, " ")
	}
	return declaration
}

// otherReport reports whether the report of a bench is another one with a mutant: a trace does not have it.
func otherReport(x *reading) bool {
	_, of := interp.RunObserved(x.plan, interp.RunOptions{})
	_, by := interp.RunObserved(x.mutant, interp.RunOptions{})
	return len(reportsOf(of, by)) > 0
}

// reportsOf are conditions that hold of the report of one of two runs of a bench alone.
func reportsOf(of, by *interp.Observation) []string {
	a, diags := of.Value("report")
	if diags.HasErrors() {
		return nil
	}
	b, diags := by.Value("report")
	if diags.HasErrors() {
		return nil
	}
	d := &differ{}
	d.compare("report", a, b, 0)
	return d.conditions
}
