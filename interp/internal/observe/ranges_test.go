package observe

import (
	"math"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/schema"
)

// unbounded are the names of numbers that may be anything, with why.
var unbounded = map[string]string{
	"retry_count": "a program writes it in a header", "priority": "the file writes it", "lower_bound_95": "a mean less some errors of it may be below 0",
	"value": "a program measures it", "sum": "as its value", "start_ms": "by the program's clock, which may be behind", "end_ms": "as its start", "at_ms": "as above, of a log record and of an event of a span",
}

// ofProgram are those of them that only what a program exported may have.
var ofProgram = map[string]bool{"value": true, "sum": true, "start_ms": true, "end_ms": true, "at_ms": true}

// Shows that of every number that a condition can read, also within lists and objects, it is
// said between which numbers it is, or why nothing bounds it.
func TestEveryNumberHasARange(t *testing.T) {
	seen := map[string]bool{}
	var visit func(path, name string, s *schema.Shape, deep int)
	visit = func(path, name string, s *schema.Shape, deep int) {
		if s == nil || deep > 6 {
			return
		}
		switch {
		case s.Kind == schema.ShapeNumber && s.Range == nil:
			if seen[name] = true; unbounded[name] == "" || ofProgram[name] && !strings.Contains(path, "program") && !strings.HasPrefix(path, "sut.") {
				t.Errorf("%s is a number without a range: give its shape one, or say here why nothing bounds it", path)
			}
		case s.Kind == schema.ShapeNumber && (s.Range.Least > s.Range.Most || math.IsNaN(s.Range.Least)):
			t.Errorf("%s is between %g and %g", path, s.Range.Least, s.Range.Most)
		}
		visit(path, name, s.Elem, deep+1)
		for name, e := range s.Attrs {
			visit(path+"."+name, name, e, deep+1)
		}
	}
	for _, r := range Results() {
		for _, a := range r.Attrs {
			visit(r.Name+"."+a.Name, a.Name, a.Shape, 0)
		}
	}
	for name := range unbounded {
		if !seen[name] {
			t.Errorf("no %s is without a range", name)
		}
	}
}
