package interp

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// A wrong number in an expectation is found: each of these scenarios fails
// when one value is changed, for that reason alone, and its neighbours pass.
func TestPlantedFault(t *testing.T) {
	for _, c := range []struct{ file, scenario, right, wrong, kind string }{
		{"first", "two server errors, then an answer", "[0, 1000, 3000]", "[0, 1000, 3001]", "assert"},
		{"faults/kinds", "test_mock_fault_timeout_raises_timeout_error", "elapsed_ms = 5000", "elapsed_ms = 4999", "expect"},
		{"vectors/breaker", "V22 threshold 3, reset 10: open at 2, half open and closed at 12", "[0, 1000, 2000, 3000, 11900]", "[0, 1000, 2000, 3000, 12000]", "assert"},
		{"vectors/workflow", "V41 two a minute with a burst of two: four calls are dialled at 0, 0, 30, 60", `["four", 60000]`, `["four", 45000]`, "assert"},
		{"policies/budget", "tokens: a retry is paid, too", "total_tokens = 100", "total_tokens = 50", "expect"},
		{"cassettes/replay", "the same without its latency", "elapsed_ms = 2000", "elapsed_ms = 0", "expect"},
	} {
		t.Run(c.scenario, func(t *testing.T) {
			path := suiteDir + "/" + c.file + ".scenario.hcl"
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(string(source), c.right); n != 1 {
				t.Fatalf("%q stands %d times in the file, once is expected", c.right, n)
			}
			for _, p := range compileAt(t, path, strings.Replace(string(source), c.right, c.wrong, 1)) {
				r := Run(p, RunOptions{})
				switch {
				case p.Name != c.scenario && r.Verdict != Pass:
					complain(t, r)
				case p.Name == c.scenario && (r.Verdict != Fail || len(r.Problems) != 1 || r.Problems[0].Kind != c.kind):
					t.Errorf("the verdict is %s with %v; it must fail with one %s", r.Verdict, r.Problems, c.kind)
				}
			}
		})
	}
}

// No number in an expectation is there for show: changed by one, nearly each
// makes its scenario fail. What may stay are bounds and what is counted from
// another end, one in twenty at most.
func TestNumbersMatter(t *testing.T) {
	if testing.Short() {
		t.Skip("changes every number of the suite")
	}
	tried, survived := 0, []string{}
	for _, path := range suiteFiles(t) {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		// One that stands in several instances has to matter to one of them.
		places, matters := map[int]string{}, map[int]bool{}
		for i, p := range compileAt(t, path, string(source)) {
			for _, n := range expectedNumbers(p, source) {
				at := n.Range.Start.Byte
				places[at] = fmt.Sprintf("%s:%d %s", path, n.Range.Start.Line, n.Bytes)
				if matters[at] {
					continue
				}
				changed := string(source[:at]) + plusOne(string(n.Bytes)) + string(source[n.Range.End.Byte:])
				matters[at] = Run(compileAt(t, path, changed)[i], RunOptions{}).Verdict != Pass
			}
		}
		for _, at := range slices.Sorted(maps.Keys(places)) {
			if tried++; !matters[at] {
				survived = append(survived, places[at])
			}
		}
	}
	if tried < 300 || len(survived)*20 > tried {
		t.Errorf("of %d numbers %d do not matter: %s", tried, len(survived), strings.Join(survived, ", "))
	}
}

// expectedNumbers lists the number literals in what a scenario expects.
func expectedNumbers(p *Plan, source []byte) hclsyntax.Tokens {
	var ranges []hcl.Range
	for _, x := range p.expects {
		for _, a := range x.attrs {
			ranges = append(ranges, a.Expr.Range())
		}
	}
	for _, a := range p.asserts {
		ranges = append(ranges, a.condition.Range())
	}
	var numbers hclsyntax.Tokens
	for _, r := range ranges {
		tokens, _ := hclsyntax.LexExpression(source[r.Start.Byte:r.End.Byte], r.Filename, r.Start)
		for i, t := range tokens {
			// each.value[2] names a column of a table, which is no figure.
			column := i > 1 && tokens[i-1].Type == hclsyntax.TokenOBrack && string(tokens[i-2].Bytes) == "value"
			if t.Type == hclsyntax.TokenNumberLit && !column {
				numbers = append(numbers, t)
			}
		}
	}
	return numbers
}

func plusOne(number string) string {
	f, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return number
	}
	return strconv.FormatFloat(f+1, 'f', -1, 64)
}
