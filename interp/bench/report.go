package bench

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/money"
)

// A Report is what a run of a bench came to. It follows from the spec, the
// cases and the trials that ended, and from nothing else.
type Report struct {
	Bench string
	// RunID is the same in every run of these cases; that of a run which the
	// cost cap ended begins with "partial:".
	RunID string
	// Cases are all cases in the order of their ids, also those that never ran.
	Cases []CaseResult
	// Complete says that every case ran.
	Complete bool
	// PartialReason is why not all did: "cancelled" or "cost_cap", else "".
	PartialReason string
	Passed        int
	CostUSD       float64
	// MeanScore is that of all cases.
	MeanScore float64
	// LowerBound is the lower bound that the spec asks for.
	LowerBound float64
	// PassRate is the share of passed cases with its Wilson interval.
	PassRate Interval
	// PassAt is the share of cases with a passing trial, PassAll that of cases
	// whose trials all passed, and ByK both for every number of trials from 1.
	PassAt, PassAll float64
	ByK             []PassK
	// Blocking are the distinct codes of severity block, sorted.
	Blocking []string
	Gates    []GateResult
	Warnings []string
	// Of is how many cases the bench has where a part of them was selected, else 0.
	Of int
	// Rescored says that answers of an earlier run were scored, and none asked for.
	Rescored bool
	// Kept is how many trials were taken over from an earlier run.
	Kept int
	// Against says how the run differs from an earlier one, nil where none was
	// named.
	Against *Comparison
}

// A CaseResult is what became of one case over its trials: it passed when all
// of them did, its score is their mean, its cost and time their sum.
type CaseResult struct {
	ID string
	// Input is what the case asks, as much of it as is kept.
	Input Excerpt
	Sums  Sums
	Trial
	// Trials are those that ended.
	Trials []Trial
	// Ran is false for the placeholder of a case that not all trials ran of.
	Ran bool
}

// The reasons why a report is incomplete.
const (
	PartialCancelled = "cancelled"
	PartialCostCap   = "cost_cap"
)

// nearCap is the share of the cost cap from which on a run is warned of.
const nearCap = 0.8

// Summarise makes the report. trial finds what became of a trial, and err is
// what [Runner.Run] returned.
func Summarise(spec Spec, cases []Case, trial func(c Case, n int) (Trial, bool), err error) *Report {
	spec = spec.whole()
	r := &Report{Bench: spec.Name, Of: spec.Of, RunID: RunID(spec.Name, spec.Seed, cases), Complete: true}
	seed := seedOf(r.RunID)
	r.Cases = make([]CaseResult, 0, len(cases))
	for _, c := range sorted(cases) {
		r.add(summary(c, spec.Trials, trial))
	}
	switch {
	case errors.Is(err, ErrCancelled):
		r.Complete, r.PartialReason = false, PartialCancelled
	case !r.Complete:
		r.PartialReason, r.RunID = PartialCostCap, "partial:"+r.RunID
	}
	switch spent, cap := money.Of(r.CostUSD), money.Of(spec.CostCap); {
	case spent.Cmp(cap) > 0:
		r.warn("cost_usd=%s is more than cost_cap=%s", plain(r.CostUSD), plain(spec.CostCap))
	case spent.Cmp(money.Of(nearCap).Times(cap)) >= 0:
		r.warn("cost_usd=%s is %s%% or more of cost_cap=%s", plain(r.CostUSD), plain(100*nearCap), plain(spec.CostCap))
	}
	r.measure(&spec, seed)
	for _, g := range spec.Gates {
		r.Gates = append(r.Gates, g.judge(&spec, r))
	}
	return r
}

func (r *Report) warn(format string, args ...any) {
	r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...))
}

func (r *Report) add(c CaseResult) {
	r.Cases = append(r.Cases, c)
	r.Complete = r.Complete && c.Ran
	r.CostUSD = sum(r.CostUSD, c.Trials)
	if c.Passed {
		r.Passed++
	}
	for _, m := range c.FailureModes {
		if m.Severity == failure.SeverityBlock && !slices.Contains(r.Blocking, m.Code) {
			r.Blocking = append(r.Blocking, m.Code)
		}
	}
	slices.Sort(r.Blocking)
}

// sum adds what trials cost to an amount, exactly.
func sum(usd float64, trials []Trial) float64 {
	total := money.Of(usd)
	for _, t := range trials {
		total = total.Plus(money.Of(t.CostUSD))
	}
	return total.Float64()
}

// summary puts the trials of a case together.
func summary(c Case, trials int, trial func(c Case, n int) (Trial, bool)) CaseResult {
	out := CaseResult{ID: c.ID, Input: Excerpt{Text: string(c.Input)}, Trial: Trial{Score: Score{Breakdown: map[string]float64{}}}}
	for n := 1; n <= trials; n++ {
		if t, ran := trial(c, n); ran {
			if out.Trials == nil {
				out.Trials = make([]Trial, 0, trials)
			}
			out.Trials = append(out.Trials, t)
		}
	}
	if len(out.Trials) < trials {
		return out // a placeholder, but what was spent was spent
	}
	out.Ran, out.Passed = true, true
	out.Nothing = nothingIn(out.Trials)
	out.CostUSD = sum(0, out.Trials)
	counts := map[string]float64{}
	for _, t := range out.Trials {
		out.Passed = out.Passed && t.Passed
		out.Score.Score += t.Score.Score
		out.Elapsed += t.Elapsed
		for key, v := range t.Breakdown {
			out.Breakdown[key] += v
			counts[key]++
		}
		for _, m := range t.FailureModes {
			if trials == 1 || !slices.Contains(out.FailureModes, m) {
				out.FailureModes = append(out.FailureModes, m)
			}
		}
	}
	out.Score.Score /= float64(trials)
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		out.Breakdown[key] /= counts[key]
	}
	return out
}

// nothingIn says why the trials of a case show nothing: none of those that passed does.
func nothingIn(trials []Trial) (why string) {
	for _, t := range trials {
		if t.Passed && t.Nothing == "" {
			return ""
		}
		if t.Passed {
			why = t.Nothing
		}
	}
	return why
}

// showsNothing reports whether a case passes and shows nothing of its answer.
func (c *CaseResult) showsNothing() bool { return c.Passed && c.Nothing != "" }

// OverNothing are the cases that pass and show nothing of their answers.
func (r *Report) OverNothing() (list []*CaseResult) {
	for i := range r.Cases {
		if c := &r.Cases[i]; c.showsNothing() {
			list = append(list, c)
		}
	}
	return list
}

// ExitCode is what `scenario bench` ends with: 7 for an incomplete report, 1
// where a gate failed.
func (r *Report) ExitCode() int {
	if !r.Complete {
		return 7
	}
	if slices.ContainsFunc(r.Gates, func(g GateResult) bool { return !g.Passed }) {
		return 1
	}
	return 0
}

// Case returns the result of a case, nil where there is no such case.
func (r *Report) Case(id string) *CaseResult {
	i, found := slices.BinarySearchFunc(r.Cases, id, func(c CaseResult, id string) int { return strings.Compare(c.ID, id) })
	if !found {
		return nil
	}
	return &r.Cases[i]
}

// Ran counts the cases that ran.
func (r *Report) Ran() int {
	n := 0
	for i := range r.Cases {
		if r.Cases[i].Ran {
			n++
		}
	}
	return n
}

// Elapsed is how long all trials took, added up.
func (r *Report) Elapsed() time.Duration {
	var sum time.Duration
	for i := range r.Cases {
		sum += r.Cases[i].Elapsed
	}
	return sum
}

// Failed counts the trials of a case that ended and did not pass.
func (c *CaseResult) Failed() int { return len(c.Trials) - passedTrials(c.Trials) }

// Repeat notes that a trial ran twice, as happens where a worker was taken for lost:
// the first result counts, and what the second cost was spent all the same.
func (r *Report) Repeat(id string, trial int, usd float64) {
	r.CostUSD = money.Of(r.CostUSD).Plus(money.Of(usd)).Float64()
	r.warn("repeated: trial %d of case %q ran twice; the first result counts, and cost_usd=%s of the second is added", trial, id, plain(usd))
}
