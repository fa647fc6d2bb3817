package dsl

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Shows that what inferences look at has a budget for a file and not for each instance
// of a block: of 10,000 over 1,000 written elements most are not looked at, and small ones
// take nothing.
func TestInferencesHaveABudget(t *testing.T) {
	for _, c := range []struct{ elements, least, most int }{
		{10, 10_000, 10_000},
		{1_000, 1_000, 5_000},
	} {
		written := make([]string, c.elements)
		for i := range written {
			written[i] = fmt.Sprint(i)
		}
		e := parseExpr(t, "alltrue([for n in ["+strings.Join(written, ", ")+"] : run.elapsed_ms != n])")
		env, looks := conditionEnv(), 0
		env.Meter = NewMeter(context.Background())
		env.Watch = func(Name) { looks++ }
		if InferObserved(e, env); looks == 0 {
			t.Fatal("nothing was looked at")
		}
		each, over := looks, ""
		for range 9_999 {
			if _, _, diags := InferObserved(e, env); diags.HasErrors() {
				over = diags.Error()
			}
		}
		if n := looks / each; n < c.least || n > c.most {
			t.Errorf("%d elements: looked at %d times, not at %d to %d", c.elements, n, c.least, c.most)
		}
		if refused := strings.Contains(over, summaryBudget); refused != (c.most < 10_000) {
			t.Errorf("%d elements: %q", c.elements, over)
		}
	}
}

// Shows that what the instances of a block take counts for the one expression that they
// have in common: a message names what took the most.
func TestInstancesAreOnePart(t *testing.T) {
	of := func(instance string) any {
		e, diags := hclsyntax.ParseExpression([]byte("1 + x"), marked("test.hcl", instance), hcl.InitialPos)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		return partOf(e)
	}
	if a, b := of("s[a]"), of("s[b]"); a != b {
		t.Errorf("%v is not %v", a, b)
	}
}
