package benches

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/interp/bench"
)

// rescored are the benches with those of their cases of which the log has every
// answer whole, and to the question that they ask now. What is left out is said.
func (s *benchSession) rescored(jobs []harness.Job) ([]harness.Job, error) {
	s.old = map[string]map[caseTrial]trial{}
	var kept []harness.Job
	for _, j := range jobs {
		spec, _ := j.Plan.Bench()
		records, err := s.recordsOf(j.Plan)
		if err != nil {
			return nil, err
		}
		sums := j.Plan.BenchSums(func(*interp.BenchProgram) string { return "" })
		trials := map[caseTrial]trial{}
		ids := map[string]bool{}
		none, cut, other := 0, 0, 0
		for _, id := range j.Plan.BenchCases() {
			switch how := answersOf(records, id, spec.Trials, sums[id].Input, trials); how {
			case kindNone:
				none++
			case kindCut:
				cut++
			case kindOther:
				other++
			default:
				ids[id] = true
			}
		}
		for _, left := range []struct {
			n   int
			why string
		}{{none, "the log has no answer in every trial"}, {cut, "the log has the beginning of the answer alone"}, {other, "the input has changed since"}} {
			if left.n > 0 {
				fmt.Fprintf(s.Stderr, "%s: %s not scored, as %s\n", cli.Visible(j.Plan.Name), cli.Plural(left.n, "case"), left.why)
			}
		}
		if len(ids) == 0 {
			continue
		}
		s.old[j.Plan.File+"\x00"+j.Plan.Name] = trials
		j.Plan = j.Plan.WithCases(func(id string) bool { return ids[id] })
		kept = append(kept, j)
	}
	if len(kept) == 0 {
		return nil, cli.ExitAs(cli.ExitNothing, "--rescore: the log has no answers of these cases", "run the bench once without --rescore")
	}
	return kept, nil
}

// What a log has of the answers of a case.
type kindOfAnswers int

const (
	kindWhole kindOfAnswers = iota
	kindNone
	kindCut
	kindOther
)

// answersOf adds the trials of a case to those that are scored anew, where all of
// them can be.
func answersOf(records map[caseTrial]bench.Record, id string, trials int, input string, to map[caseTrial]trial) kindOfAnswers {
	for n := 1; n <= trials; n++ {
		r, found := records[caseTrial{id, n}]
		switch {
		case !found:
			return kindNone
		case r.Input != input:
			return kindOther
		case r.Result.Kept != nil && r.Result.Kept.Output.Cut():
			return kindCut
		case !r.Result.Whole():
			return kindNone
		}
	}
	for n := 1; n <= trials; n++ {
		to[caseTrial{id, n}] = records[caseTrial{id, n}].Result
	}
	return kindWhole
}

// recordsOf are the newest records of a bench in the log that --rescore names.
func (s *benchSession) recordsOf(p *interp.Plan) (map[caseTrial]bench.Record, error) {
	path := s.flags.rescore
	if path == "last" {
		path = filepath.Join(s.stateRoot(p), logName(s.Loader.Source, p)+".jsonl")
	}
	records := map[caseTrial]bench.Record{}
	f, err := disk.Open(path)
	if s.flags.rescore == "last" && errors.Is(err, fs.ErrNotExist) {
		return records, nil
	}
	if err != nil {
		return nil, noLog(path, err)
	}
	defer f.Close()
	ids := p.BenchCases()
	_, _, err = bench.ReadLog(f, func(r bench.Record) {
		if _, wanted := slices.BinarySearch(ids, r.Case); wanted {
			records[caseTrial{r.Case, r.Trial}] = r
		}
	})
	return records, err
}

// reported says of a file that it is a report, nil where it is none. A line of a log
// begins with a checksum.
func reported(path string, f *os.File) error {
	begin := make([]byte, 1)
	if _, err := f.ReadAt(begin, 0); err != nil || begin[0] != '{' {
		return nil
	}
	return cli.Usagef("it takes the log of a bench, such as those in .scenario/bench, or \"last\"; --baseline compares with a report", "--rescore %s is a JSON report, which does not have the whole answers", filepath.ToSlash(path))
}

// noLog says that the log whose answers are scored anew cannot be read.
func noLog(path string, err error) error {
	return cli.Usagef("it must be a log of a bench, such as those in .scenario/bench, or \"last\"", "--rescore %s cannot be read: %s", filepath.ToSlash(path), disk.Cause(err))
}

// answers finds the old answers of a bench, nil where it is run.
func (s *benchSession) answers(p *interp.Plan) func(id string, n int) (bench.Answer, error) {
	old := s.old[p.File+"\x00"+p.Name]
	if old == nil {
		return nil
	}
	return func(id string, n int) (bench.Answer, error) {
		t := old[caseTrial{id, n}]
		return t.Again()
	}
}
