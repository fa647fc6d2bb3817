package report

import (
	"fmt"
	"strings"

	"github.com/scenario-lang/scenario/interp/bench"
)

// A benchTable puts the benches of a suite side by side: the same cases with one
// prompt and another, or one model and another.
type benchTable struct{ rows []benchRow }

type benchRow struct {
	name, passed         string
	mean, lower, costUSD float64
}

func (t *benchTable) add(e *Entry) {
	if r := e.Result.Bench; r != nil {
		t.rows = append(t.rows, benchRow{shortened(safe(e.name()), benchName), passedOf(r), r.MeanScore, r.LowerBound, r.CostUSD})
	}
}

func passedOf(r *bench.Report) string { return fmt.Sprintf("%d of %d", r.Passed, len(r.Cases)) }

// benchName is how many characters of a bench's name the table shows.
const benchName = 40

// String is the table, "" for fewer than two benches.
func (t *benchTable) String() string {
	if len(t.rows) < 2 {
		return ""
	}
	name, passed := len("bench"), len("passed")
	for _, r := range t.rows {
		name, passed = max(name, len([]rune(r.name))), max(passed, len(r.passed))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-*s  %*s   mean  lower  cost\n", name, "bench", passed, "passed")
	for _, r := range t.rows {
		fmt.Fprintf(&b, "%-*s  %*s  %.3f  %.3f  %s\n", name, r.name, passed, r.passed, r.mean, r.lower, dollars(r.costUSD))
	}
	return b.String()
}
