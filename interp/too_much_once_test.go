package interp

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/dsl"
)

// Shows that an expression which takes too much is evaluated for one instance of its
// block, and that several of them in a file end its check: neither the number of instances
// nor that of expressions multiplies what is built.
func TestTooMuchIsComputedOnce(t *testing.T) {
	const large = `[for a in range(1000) : [for b in range(1000) : [for c in range(1000) : "${a}${b}${c}" ]]]`
	built := func(instances, expressions int) uint64 {
		var checks strings.Builder
		for n := range expressions {
			fmt.Fprintf(&checks, "  expect \"a\" { content = jsonencode(%s) }\n", strings.ReplaceAll(large, "1000", fmt.Sprint(1000+n)))
		}
		text := fmt.Sprintf(testWorld+`
workflow "w" {
  provider = provider.primary
  step "llm" "a" { prompt = "x" }
}
scenario "s" {
  for_each = toset([for n in range(%d) : tostring(n)])
  run      = workflow.w
  on "a" {
    reply { content = "${each.key}${length(%s)}" }
  }
%s}
`, instances, large, checks.String())
		file, diags := dsl.Parse("test.scenario.hcl", []byte(text))
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, diags = Compile(file, Options{})
		runtime.ReadMemStats(&after)
		if !diags.HasErrors() || !strings.Contains(diags.Error(), "Too much to compute") {
			t.Fatalf("%d instances: %v", instances, diags)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	one := built(1, 0)
	if many := built(8, 0); many > 2*one {
		t.Errorf("8 instances build %d MB, one builds %d MB", many>>20, one>>20)
	}
	if many := built(1, 12); many > 4*one {
		t.Errorf("12 more expressions build %d MB, one builds %d MB", many>>20, one>>20)
	}
}
