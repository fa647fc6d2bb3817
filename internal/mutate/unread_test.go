package mutate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/interp"
)

const bypassing = provided + `
retry "linear" "std" { max_retries = 5 }
retry "linear" "fast" { max_retries = 5 }
retry "linear" "both" { max_retries = 2 }
retry "linear" "elsewhere" { max_retries = 2 }
retry "linear" "unused" { max_retries = 2 }
workflow "w" {
  provider = provider.api
  timeout  = "60s"
  budget { usd = 1 }
  step "http" "a" {
    path  = "/a"
    retry = retry.std
  }
  step "http" "b" {
    path  = "/b"
    retry = retry.both
  }
}
workflow "idle" {
  provider = provider.api
  timeout  = "60s"
  step "http" "c" {
    path  = "/c"
    retry = retry.elsewhere
  }
}
scenario "one" {
  run   = workflow.w
  allow = ["no_assertion"]
  override {
    workflow {
      timeout = "2s"
      budget { usd = 2 }
    }
    step "a" { retry = retry.fast }
    step "b" { retry = null }
  }
  on "a" {
    reply {}
  }
  on "b" {
    reply {}
  }
}
`

const second = `
scenario "two" {
  run   = workflow.w
  allow = ["no_assertion"]
  override {
    workflow {
      timeout = "3s"
      budget { usd = 3 }
    }
    step "a" { retry = null }
  }
  on "a" {
    reply {}
  }
  on "b" {
    reply {}
  }
}
`

// What every scenario overrides is named once, with what it names in turn, and what is read
// by one of them is not. What is declared, and named for what no scenario runs, is the
// file's own; what nothing names is told by another check.
func TestBypassed(t *testing.T) {
	const hidden = "workflow.idle: timeout false false; step.c: retry false false; retry.elsewhere false true; retry.unused false false"
	cases := []struct{ more, want string }{
		{"", "workflow.w: timeout true false; workflow.w budget true false; step.a: retry true false; step.b: retry true false; retry.std true true; retry.both true true; " + hidden},
		{second, "workflow.w: timeout true false; workflow.w budget true false; step.a: retry true false; retry.std true true; " + hidden},
	}
	for _, c := range cases {
		r := mutated(t, map[string]string{"a.scenario.hcl": bypassing + c.more}, "", Options{})
		var got []string
		for _, b := range r.Bypassed() {
			got = append(got, fmt.Sprint(b.Name(), " ", b.Overridden, " ", b.Own))
		}
		want := strings.Split(c.want, "; ")
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
		}
		var b strings.Builder
		if err := WriteText(&b, r, Options{}, 0); err != nil {
			t.Fatal(err)
		}
		if said := "unread    retry.std  a.scenario.hcl:3\n          no scenario runs with it as it is (overridden)\n"; !strings.Contains(b.String(), said) {
			t.Errorf("%q is not said:\n%s", said, b.String())
		}
		r.Broken = []*interp.Result{{}}
		if list := r.Bypassed(); list != nil {
			t.Errorf("with a scenario that does not pass, %d are told of", len(list))
		}
	}
}

// What is written as it is by default is no mutant, as it would be the same program; and a
// rule of a taxonomy is left out as a whole.
func TestDefaultsStay(t *testing.T) {
	cases := []struct{ text, want string }{
		{`retry "linear" "r" { max_retry_after = "2m" }`, `retry.r max_retry_after "2m" → "4m0s"`},
		{`retry "linear" "r" { max_retry_after = "20s" }`, `retry.r max_retry_after "20s" dropped; retry.r max_retry_after "20s" → "40s"`},
		{`retry "linear" "r" { retry_on = [] }`, ""},
		{`retry "linear" "r" { retry_on = ["5xx"] }`, `retry.r retry_on ["5xx"] dropped`},
		{"workflow \"w\" {\n  step \"http\" \"a\" { required = true }\n}", ""},
		{"workflow \"w\" {\n  step \"http\" \"a\" { required = false }\n}", "step.a required false dropped"},
		{"taxonomy \"t\" {\n  mode \"M\" { terminal = true }\n  detect \"M\" { when = failure.status_code == 403 }\n}", "taxonomy.t mode.M terminal true dropped; taxonomy.t detect.M dropped"},
		{"taxonomy \"t\" {\n  mode \"M\" { retryable = false }\n  detect \"M\" { when = failure.status_code == 403 }\n}", "taxonomy.t detect.M dropped"},
		{"taxonomy \"t\" {\n  mode \"M\" { retryable = false }\n}", "taxonomy.t mode.M dropped"},
	}
	for _, c := range cases {
		if got := strings.Join(changesOf(t, c.text+"\n", "retry_on", "max_retry_after", "required", "when", "taxonomy"), "; "); got != c.want {
			t.Errorf("%s: got\n  %s\nwant\n  %s", c.text, got, c.want)
		}
	}
}

// Of a map that is written out, one entry is read: the others are no declaration that scenarios leave out.
func TestEntriesAreNotBypassed(t *testing.T) {
	text := "variable \"k\" { default = \"a\" }\nlocals {\n  m = { a = \"x\", b = \"y\" }[var.k]\n}\nworkflow \"w\" {\n  step \"value\" \"s\" { value = local.m }\n}\nscenario \"s\" {\n  run = workflow.w\n  expect \"s\" { output = \"x\" }\n}\n"
	r := mutated(t, map[string]string{"a.scenario.hcl": text}, "", Options{Only: []string{"data"}})
	if r.Count(Unread) != 2 || len(r.Bypassed()) > 0 {
		t.Errorf("unread %q, of which are told %d", verdicts(r), len(r.Bypassed()))
	}
}

// A bench that no scenario runs is named once, whatever it consists of.
func TestABenchIsBypassedAsAWhole(t *testing.T) {
	const text = `
bench "read" {
  trials = 1
  gate "g" { min_passed = 1 }
}
bench "unread" {
  trials = 2
  gate "g" { min_passed = 1 }
}
bench "also unread" {
  trials = 2
  lower_bound { min_cases = 1 }
}
scenario "s" {
  run = bench.read
  case "a" {
    rubric { passed = true }
  }
  assert "open" { condition = report.exit_code == 1 }
}
`
	var got []string
	for _, b := range mutated(t, map[string]string{"a.scenario.hcl": text}, "", Options{}).Bypassed() {
		got = append(got, fmt.Sprintf("%s:%d", b.Name(), b.Line))
	}
	if want := []string{"bench.unread:7", `bench "also unread":11`}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
