package interp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/interp/bench"
)

// Shows that the report of a bench whose trials ran elsewhere is the same whether what there
// is to look at is in memory or read when somebody looks at it: cut alike, and with the same
// values hidden. Where nobody reads the events of the result it has none of its trials.
func TestTrialsThatRanElsewhere(t *testing.T) {
	const cases, secret = 600, "hunter2-0b7e-secret"
	suite, diags := compileText(fmt.Sprintf(`
variable "key" {
  type      = string
  default   = "%s"
  sensitive = true
}
bench "b" {
  cases = flatten([for a in range(%d) : [for b in range(100) : { id = "c${100 * a + b}", input = { n = 1 } }]])
  sut {
    command = ["./sut"]
    env     = { KEY = var.key }
  }
  rubric { passed = output.n == 1 }
}
`, secret, cases/100))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	text := `{"n":1,"said":"` + strings.Repeat("ö "+secret+" ", 300) + `"}`
	looked := 0
	run := func(later, unread bool) (*Result, string) {
		r := RunBench(suite.Benches[0], RunOptions{}, BenchHost{
			Unread: unread,
			Elsewhere: func(id string, n int) (bench.Trial, bool) {
				trial := bench.Trial{Score: bench.Score{Passed: id != "c7", Score: 1}}
				kept := &bench.Kept{Output: bench.Excerpt{Text: text}, Broken: []string{"output.n == 1"}}
				if later {
					trial.Later = func() *bench.Kept {
						looked++
						return kept
					}
				} else {
					trial.Kept = kept
				}
				return trial, true
			},
		})
		if looked > 0 {
			t.Error("it is read before anybody looks at it")
		}
		out := string(r.Bench.AppendJSON(nil))
		looked = 0
		return r, out
	}
	want, at := run(false, false)
	if strings.Contains(at, secret) || !strings.Contains(at, "output_text_bytes") || want.Bench.Passed != cases-1 {
		t.Fatalf("%d passed, of\n%.2000s", want.Bench.Passed, at)
	}
	for _, unread := range []bool{false, true} {
		got, out := run(true, unread)
		if diff := cmp.Diff(at, out); diff != "" || got.Verdict != want.Verdict {
			t.Errorf("unread: %v, verdict %s, want %s\n%.2000s", unread, got.Verdict, want.Verdict, diff)
		}
		if n := len(got.Events); unread && n > cases || !unread && n != len(want.Events) {
			t.Errorf("unread: %v, %d events, with all %d", unread, n, len(want.Events))
		}
	}
}
