package benches

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/interp/bench"
)

// cases are those of an earlier run by their ids.
type cases map[string]*bench.CaseResult

// baseline is an earlier run: the cases of its benches, or those of the log of one.
type baseline struct {
	benches map[string]cases
	log     cases
}

// maxBaseline bounds a line of a JSON report.
const maxBaseline = 1 << 30

// readBaseline reads the JSON report or the log of an earlier run, nil for no path.
func readBaseline(path string) (*baseline, error) {
	if path == "" {
		return nil, nil
	}
	const hint = "it must be a file that --report json=base.json or --json wrote, or a log of a bench in .scenario/bench"
	f, err := disk.Open(path)
	if err != nil {
		return nil, cli.Usagef(hint, "--baseline %s cannot be read: %s", filepath.ToSlash(path), disk.Cause(err))
	}
	defer f.Close()
	b := &baseline{benches: map[string]cases{}}
	in := bufio.NewReaderSize(f, 64<<10)
	if begin, _ := in.Peek(1); len(begin) == 1 && begin[0] != '{' {
		b.log, err = casesOfLog(in)
	} else {
		lines := bufio.NewScanner(in)
		lines.Buffer(make([]byte, 64<<10), maxBaseline)
		for lines.Scan() {
			b.add(lines.Bytes())
		}
		err = lines.Err()
	}
	if len(b.benches) == 0 && len(b.log) == 0 || err != nil {
		return nil, cli.Usagef(hint, "--baseline %s is not a JSON report of a bench, nor its log", filepath.ToSlash(path))
	}
	return b, nil
}

// casesOfLog are the cases of a log, each with its newest trials.
func casesOfLog(in io.Reader) (cases, error) {
	trials := map[string]map[int]trial{}
	sums := map[string]bench.Sums{}
	_, _, err := bench.ReadLog(in, func(r bench.Record) {
		if trials[r.Case] == nil {
			trials[r.Case] = map[int]trial{}
		}
		r.Result.Kept = r.Result.Kept.Within(keptOfBaseline)
		trials[r.Case][r.Trial] = r.Result
		sums[r.Case] = bench.Sums{Input: r.Input, Rubric: r.Rubric}
	})
	found := cases{}
	for id, all := range trials {
		list := make([]trial, 0, len(all))
		for _, n := range slices.Sorted(maps.Keys(all)) {
			list = append(list, all[n])
		}
		found[id] = bench.CaseOf(id, sums[id], list)
	}
	return found, err
}

// keptOfBaseline is how many bytes of a trial are taken from a log.
const keptOfBaseline = 4 << 10

func (b *baseline) add(line []byte) {
	var event struct {
		Report *bench.Report `json:"report"`
	}
	if json.Unmarshal(line, &event) != nil || event.Report == nil {
		return
	}
	found := cases{}
	limit := bench.Spec{}.KeptPerTrial(2 * len(event.Report.Cases))
	for i := range event.Report.Cases {
		c := &event.Report.Cases[i]
		c.Input = bench.Excerpt{} // that of now is shown
		for j := range c.Trials {
			c.Trials[j].Kept = c.Trials[j].Kept.Within(limit)
		}
		if c.Ran {
			found[c.ID] = c
		}
	}
	b.benches[event.Report.Bench] = found
}

// compare holds a result against the run before, where that had the bench.
func (b *baseline) compare(a *cli.App, r *interp.Result) {
	if b == nil || r.Bench == nil {
		return
	}
	before := b.log
	if before == nil {
		before = b.benches[r.Bench.Bench]
	}
	if before == nil {
		fmt.Fprintf(a.Stderr, "Warning: the baseline has no bench %q\n", r.Bench.Bench)
		return
	}
	spec, _ := r.Plan.Bench()
	r.Bench.Against = bench.Compare(spec, r.Bench, before)
}
