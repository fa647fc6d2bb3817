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
	name, passed string
	mean, lower  string
	costUSD      float64
}

func (t *benchTable) add(e *Entry) {
	if r := e.Result.Bench; r != nil {
		t.rows = append(t.rows, benchRow{shortened(safe(e.name()), benchName), passedOf(r), scored(r, r.MeanScore), scored(r, r.LowerBound), r.CostUSD})
	}
}

func passedOf(r *bench.Report) string {
	said := fmt.Sprintf("%d of %d", r.Passed, r.Ran())
	if n := len(r.Cases) - r.Ran(); n > 0 {
		said += fmt.Sprintf(", %d not run", n)
	}
	return said
}

// scored is a score of all cases, "-" where not all ran.
func scored(r *bench.Report, score float64) string {
	if !wholly(r) {
		return "-"
	}
	return fmt.Sprintf("%.3f", score)
}

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
		fmt.Fprintf(&b, "%-*s  %*s  %5s  %5s  %s\n", name, r.name, passed, r.passed, r.mean, r.lower, dollars(r.costUSD))
	}
	return b.String()
}
