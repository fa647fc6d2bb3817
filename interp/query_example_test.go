package interp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/stdlib"
)

// Every query has an example that holds for the run it is about, and that does
// not hold with another result.
func TestQueryExamples(t *testing.T) {
	var right, wrong strings.Builder
	n := 0
	for _, f := range stdlib.Queries() {
		if len(f.Examples) == 0 {
			t.Errorf("%s has no example", f.Name)
		}
		for _, x := range f.Examples {
			n++
			fmt.Fprintf(&right, "assert %q {\ncondition = %s == %s\n}\n", x.Expr, x.Expr, x.Result)
			fmt.Fprintf(&wrong, "assert %q {\ncondition = %s != %s\n}\n", x.Expr, x.Expr, x.Result)
		}
	}
	r := Run(compileAt(t, "a.scenario.hcl", fmt.Sprintf(stdlib.QueryRun, right.String()))[0], RunOptions{})
	if r.Verdict != Pass || r.Checks != n {
		complain(t, r)
	}
	r = Run(compileAt(t, "a.scenario.hcl", fmt.Sprintf(stdlib.QueryRun, wrong.String()))[0], RunOptions{})
	if len(r.Problems) != n {
		t.Errorf("%d of %d examples fail with another result", len(r.Problems), n)
	}
}
