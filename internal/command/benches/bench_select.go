package benches

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/interp/bench"
	"github.com/scenario-lang/scenario/money"
)

// partial reports whether a part of the cases is run, so that what the log has of
// the others stays.
func (f *benchFlags) partial() bool { return f.cases != "" || f.limit > 0 || f.failed && !f.resume }

// selected are the benches with the cases that the command line asks for. A bench of
// which none is left is none of them.
func (s *benchSession) selected(jobs []harness.Job) ([]harness.Job, error) {
	f := s.flags
	if !f.partial() {
		return jobs, nil
	}
	var wanted *regexp.Regexp
	if f.cases != "" {
		var err error
		if wanted, err = regexp.Compile(f.cases); err != nil {
			return nil, cli.Usagef("to match the text literally, type --case '"+regexp.QuoteMeta(f.cases)+"'", "--case %q is not a regular expression: %s", f.cases, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		}
	}
	var kept []harness.Job
	var ids []string
	ran, unrun := false, 0
	for _, j := range jobs {
		names := j.Plan.BenchCases()
		ids = append(ids, names...)
		if wanted != nil {
			names = slices.DeleteFunc(names, func(id string) bool { return !wanted.MatchString(id) })
		}
		if f.failed && !f.resume {
			last, err := s.lastRun(j.Plan)
			if err != nil {
				return nil, err
			}
			ran = ran || len(last) > 0
			unrun += len(names) - len(complete(names, benchSpec(j.Plan).Trials, last))
			failed := failedIn(last)
			names = slices.DeleteFunc(names, func(id string) bool { return !failed[id] })
		}
		if f.limit > 0 && len(names) > f.limit {
			names = names[:f.limit]
		}
		if len(names) == 0 {
			continue
		}
		j.Plan = j.Plan.WithCases(func(id string) bool { _, found := slices.BinarySearch(names, id); return found })
		kept = append(kept, j)
	}
	if len(kept) > 0 {
		if f.failed && !f.resume {
			harness.TellLastFailed(s.App, f.Quiet, casesOf(kept), "case")
		}
		return kept, nil
	}
	switch {
	case f.failed && !ran:
		return nil, harness.NoLastRun("no log has an earlier run of the bench")
	case f.failed && unrun > 0:
		them := "them"
		if unrun == 1 {
			them = "it"
		}
		return nil, harness.NothingFailedYet(cli.Plural(unrun, "case"), them)
	case f.failed:
		return nil, harness.NothingFailed("every case passed in the last run")
	}
	return nil, cli.ExitAs(cli.ExitNothing, fmt.Sprintf("no case matches --case %q", f.cases), "the cases are: "+firstOf(ids, 10))
}

// complete are the cases of which every trial has ended.
func complete(ids []string, trials int, last map[caseTrial]trial) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		for n := 1; n <= trials; n++ {
			if _, ended := last[caseTrial{id, n}]; !ended {
				return true
			}
		}
		return false
	})
}

// casesOf counts the cases of benches.
func casesOf(jobs []harness.Job) (n int) {
	for _, j := range jobs {
		n += len(j.Plan.BenchCases())
	}
	return n
}

// firstOf names the first of a list.
func firstOf(list []string, n int) string {
	if len(list) <= n {
		return strings.Join(list, ", ")
	}
	return strings.Join(list[:n], ", ") + fmt.Sprintf(" … and %d more", len(list)-n)
}

// failedIn are the cases of which a trial did not pass.
func failedIn(last map[caseTrial]trial) map[string]bool {
	failed := map[string]bool{}
	for at, t := range last {
		if !t.Passed {
			failed[at.id] = true
		}
	}
	return failed
}

// lastRun reads the newest results of a bench from its log, none where there is no
// log. Nothing is written.
func (s *benchSession) lastRun(p *interp.Plan) (map[caseTrial]trial, error) {
	last := map[caseTrial]trial{}
	f, err := disk.Open(filepath.Join(s.stateRoot(p), logName(s.Loader.Source, p)+".jsonl"))
	if err != nil {
		return last, nil
	}
	defer f.Close()
	_, _, err = bench.ReadLog(f, func(r bench.Record) {
		r.Result.Kept = nil
		last[caseTrial{r.Case, r.Trial}] = r.Result
	})
	return last, err
}

// An estimate is what a run will cost by what trials did cost before.
type estimate struct {
	// trials will be run, and before is how many are known.
	trials, before int
	// each is what one of those cost on average, all what the trials would.
	each, all float64
}

// estimate takes the mean of what the trials in the log cost, and in the cache where
// that is asked for and the log has none.
func (f *foresight) estimate() estimate {
	last := f.logged.last
	if len(last) == 0 {
		last = f.stored.last
	}
	e := estimate{trials: f.toRun, before: len(last)}
	var sum money.USD
	for _, t := range last {
		sum = sum.Plus(money.Of(t.CostUSD))
	}
	if e.before > 0 {
		e.each = sum.Float64() / float64(e.before)
		e.all = e.each * float64(e.trials)
	}
	return e
}

// tellCost says what a bench will cost before it begins, where earlier trials cost
// something.
func (s *benchSession) tellCost(p *interp.Plan, f *foresight) {
	e := f.price
	if s.flags.Quiet || e.all == 0 || s.flags.rescore != "" {
		return
	}
	fmt.Fprintf(s.Stderr, "%s: about %s for %s, by %s; no case begins above cost_cap_usd = %s\n", cli.Visible(p.Name), usd(e.all), cli.Plural(e.trials, "trial"), e.basis(), usd(benchSpec(p).CostCap))
}

// basis is what the estimate was made of.
func (e estimate) basis() string {
	return fmt.Sprintf("%s of before at %s each", cli.Plural(e.before, "trial"), usd(e.each))
}

// usd shows cents, and more of amounts below one.
func usd(v float64) string {
	if v != 0 && v < 0.01 {
		return fmt.Sprintf("$%.2g", v)
	}
	return fmt.Sprintf("$%.2f", v)
}

// dryRun says of each bench what would be run and cost.
func (s *benchSession) dryRun(jobs []harness.Job) error {
	for _, j := range jobs {
		spec, ids := benchSpec(j.Plan), j.Plan.BenchCases()
		f, err := s.foresee(j.Plan)
		if err != nil {
			return err
		}
		s.tellDropped(j.Plan, f)
		fmt.Fprintf(s.Stdout, "%s  %s:%d\n", cli.Visible(j.Plan.Name), cli.Visible(j.Plan.File), j.Plan.Line)
		fmt.Fprintf(s.Stdout, "  %s, %s each, %d at a time: %s\n", cli.Plural(len(ids), "case"), cli.Plural(spec.Trials, "trial"), spec.Concurrency, cli.Plural(len(f.trials), "trial"))
		if s.flags.rescore != "" {
			s.dryRescore(j.Plan, f)
			continue
		}
		if len(f.keep) > 0 || f.toRun < len(f.trials) {
			fmt.Fprintf(s.Stdout, "  %d of them kept from before, %d to run\n", len(f.keep), f.toRun)
		}
		if f.toRun > 0 {
			s.starts(j.Plan, "sut", "rubric")
		}
		switch e := f.price; {
		case f.capped:
			fmt.Fprintf(s.Stdout, "  cost: nothing, as no case begins: those kept cost more than cost_cap_usd = %s\n", usd(spec.CostCap))
		case f.toRun == 0:
			fmt.Fprintln(s.Stdout, "  cost: nothing, as no trial runs")
		case e.before == 0:
			fmt.Fprintf(s.Stdout, "  cost: no earlier trial tells. Run a few with --limit 3, and --dry-run says what all of them cost; no case begins above cost_cap_usd = %s\n", usd(spec.CostCap))
		case e.all == 0:
			fmt.Fprintf(s.Stdout, "  cost: nothing, by %s\n", e.basis())
		default:
			fmt.Fprintf(s.Stdout, "  cost: about %s, by %s; no case begins above cost_cap_usd = %s\n", usd(e.all), e.basis(), usd(spec.CostCap))
		}
	}
	fmt.Fprintln(s.Stdout, "nothing was run")
	return nil
}

// starts says which programs would start, of the blocks that are named.
func (s *benchSession) starts(p *interp.Plan, blocks ...string) {
	for _, c := range p.BenchCommands() {
		if slices.Contains(blocks, c.Block) {
			fmt.Fprintf(s.Stdout, "  %s starts %s\n", c.Block, cli.Visible(c.Program))
		}
	}
}

// dryRescore says what a bench would start and cost whose kept answers are scored anew.
func (s *benchSession) dryRescore(p *interp.Plan, f *foresight) {
	fmt.Fprintf(s.Stdout, "  answers of before for all of them, 0 to run; sut is not started\n")
	s.starts(p, "rubric")
	if slices.ContainsFunc(p.BenchCommands(), func(c interp.BenchCommand) bool { return c.Block == "rubric" }) {
		fmt.Fprintf(s.Stdout, "  cost: what the rubric pays for %s; a log has only what it and sut cost together\n", cli.Plural(len(f.trials), "score"))
		return
	}
	fmt.Fprintln(s.Stdout, "  cost: nothing, as no program starts")
}
