package benches

import (
	"bufio"
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/scenario-lang/scenario/cmd/scenario/internal/cli"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/interp/bench"
)

// baseline is an earlier run: the cases of its benches.
type baseline struct {
	benches map[string]map[string]bench.Past
}

// maxBaseline bounds a line of a JSON report.
const maxBaseline = 1 << 30

// readBaseline reads the JSON report of an earlier run, nil for no path.
func readBaseline(path string) (*baseline, error) {
	if path == "" {
		return nil, nil
	}
	f, err := disk.Open(path)
	if err != nil {
		return nil, cli.Usagef("it must be a file that --report json=base.json or --json wrote", "--baseline %s cannot be read: %s", filepath.ToSlash(path), disk.Cause(err))
	}
	defer f.Close()
	b := &baseline{map[string]map[string]bench.Past{}}
	lines := bufio.NewScanner(f)
	lines.Buffer(make([]byte, 64<<10), maxBaseline)
	for lines.Scan() {
		b.add(lines.Bytes())
	}
	if len(b.benches) == 0 || lines.Err() != nil {
		return nil, cli.Usagef("it must be a file that --report json=base.json or --json wrote", "--baseline %s is not a JSON report of a bench", filepath.ToSlash(path))
	}
	return b, nil
}

func (b *baseline) add(line []byte) {
	var event struct {
		Report *struct {
			Bench string `json:"bench"`
			Cases []struct {
				ID     string  `json:"id"`
				Passed bool    `json:"passed"`
				Ran    bool    `json:"ran"`
				Score  float64 `json:"score"`
			} `json:"cases"`
		} `json:"report"`
	}
	if json.Unmarshal(line, &event) != nil || event.Report == nil {
		return
	}
	cases := map[string]bench.Past{}
	for _, c := range event.Report.Cases {
		if c.Ran {
			cases[c.ID] = bench.Past{Passed: c.Passed, Score: c.Score}
		}
	}
	b.benches[event.Report.Bench] = cases
}

// compare holds a result against the run before, where that had the bench.
func (b *baseline) compare(a *cli.App, r *interp.Result) {
	if b == nil || r.Bench == nil {
		return
	}
	before := b.benches[r.Bench.Bench]
	if before == nil {
		fmt.Fprintf(a.Stderr, "Warning: the baseline has no bench %q\n", r.Bench.Bench)
		return
	}
	spec, _ := r.Plan.Bench()
	r.Bench.Against = bench.Compare(spec, r.Bench, before)
}
