package engine

import (
	"errors"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/interp/bench"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/stdlib"
)

// Shows that an answer without what a rubric compares does not pass by differing
// from what it must not be, unless the rubric says what null means; and that any
// other answer is scored as it is.
func TestRubricsOverNull(t *testing.T) {
	const none, fine = `{"answer": null, "sure": true}`, `{"answer": "fine", "sure": true}`
	for _, c := range []struct {
		answer, passed    string
		passes, malformed bool
	}{
		{none, `output.answer != "wrong"`, false, true},
		{none, `!(output.answer == "wrong")`, false, true},
		{none, `output.answer == "wrong"`, false, false},
		{none, `output.answer == null`, true, false},
		{none, `coalesce(output.answer, "none") != "wrong"`, true, false},
		{none, `output.answer != "wrong" || output.sure`, true, false},
		{none, `output.sure`, true, false},
		{fine, `output.answer != "wrong"`, true, false},
		{fine, `try(output.other, "none") == "none"`, true, false},
	} {
		e, diags := hclsyntax.ParseExpression([]byte(c.passed), "rubric", hcl.InitialPos)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		ctx := &hcl.EvalContext{Functions: stdlib.Functions()}
		s, err := evaluateRubric(&plan.BenchRubric{Passed: e}, &plan.BenchCase{Ctx: ctx}, bench.Answer{Output: []byte(c.answer)})
		var m *bench.Malformed
		if malformed := errors.As(err, &m); malformed != c.malformed || err == nil && s.Passed != c.passes {
			t.Errorf("%s of %s: it passes is %v, with %v", c.passed, c.answer, s.Passed, err)
		} else if malformed && !strings.Contains(m.Detail, "output.answer is null") {
			t.Errorf("%s of %s: %s", c.passed, c.answer, m.Detail)
		}
	}
}
