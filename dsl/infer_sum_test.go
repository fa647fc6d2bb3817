package dsl

import (
	"strings"
	"testing"
)

// Shows that the parts of a long sum are gone through once, and not again for each sum that it begins with.
func TestLongSumsAreLinear(t *testing.T) {
	made := func(parts int) float64 {
		e := parseExpr(t, strings.Repeat("run.elapsed_ms + ", parts-1)+"1 > 0")
		return testing.AllocsPerRun(3, func() {
			if _, _, diags := InferObserved(e, conditionEnv()); diags.HasErrors() {
				t.Fatal(diags)
			}
		})
	}
	if few, many := made(100), made(900); many > 15*few {
		t.Errorf("of 100 parts %g are allocated, of 900 %g", few, many)
	}
	over := parseExpr(t, strings.Repeat("run.elapsed_ms + ", 5000)+"1 > 0")
	if _, _, diags := InferObserved(over, conditionEnv()); len(diags) == 0 || diags[0].Summary != tooDeepSummary {
		t.Errorf("a sum of 5,000 parts: %v", diags)
	}
}
