package observe

import (
	"math"
	"testing"

	"github.com/scenario-lang/scenario/schema"
)

// unbounded are the numbers that may be anything, with why.
var unbounded = map[string]string{
	"An attempt.retry_count": "a program writes it in a header", "fanout.priority": "the file writes it", "report.lower_bound_95": "a mean less some errors of it may be below 0",
	"A series of the program.value": "a program measures it", "A series of the program.sum": "as its value",
	"A span of the program.start_ms": "by the program's clock, which may be behind", "A span of the program.end_ms": "as its start", "A log record of the program.at_ms": "as above",
}

// Shows that of every number that a condition can read, also within lists and objects, it is
// said between which numbers it is, or why nothing bounds it.
func TestEveryNumberHasARange(t *testing.T) {
	seen := map[string]bool{}
	var visit func(path string, s *schema.Shape, deep int)
	visit = func(path string, s *schema.Shape, deep int) {
		if s == nil || deep > 6 {
			return
		}
		switch {
		case s.Kind == schema.ShapeNumber && s.Range == nil:
			if seen[path] = true; unbounded[path] == "" {
				t.Errorf("%s is a number without a range: give its shape one, or say here why nothing bounds it", path)
			}
		case s.Kind == schema.ShapeNumber && (s.Range.Least > s.Range.Most || math.IsNaN(s.Range.Least)):
			t.Errorf("%s is between %g and %g", path, s.Range.Least, s.Range.Most)
		case s.Kind == schema.ShapeNumber && unbounded[path] != "":
			t.Errorf("%s has a range, and is said to have none", path)
		}
		visit(path, s.Elem, deep+1)
		for _, e := range s.Attrs {
			visit(path, e, deep+1)
		}
	}
	for _, r := range Results() {
		for _, a := range r.Attrs {
			visit(r.Name+"."+a.Name, a.Shape, 0)
		}
	}
	for path := range unbounded {
		if !seen[path] {
			t.Errorf("there is no %s", path)
		}
	}
}
