package sut_test

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/internal/sut"
	"github.com/scenario-lang/scenario/interp"
)

// leaving, in the environment, makes this test the program: it asks, and ends itself
// with a status of its own as soon as it has its answer.
const leaving = "SUT_TEST_LEAVES"

// Shows that a program that ends itself with the last answer that the run waits for is
// seen with its own exit status, which breaks the run: it is not said to have been
// stopped. The program is a real one; 4 of 5 runs are enough, for a machine that is busy.
func TestEndsItselfWithTheLastAnswer(t *testing.T) {
	if os.Getenv(leaving) != "" {
		resp, err := http.Post(os.Getenv("OPENAI_BASE_URL")+"/chat/completions", "application/json",
			strings.NewReader(`{"model": "gpt-4o", "messages": [{"role": "user", "content": "why?"}]}`))
		if err != nil || resp.StatusCode != http.StatusOK {
			os.Exit(9)
		}
		os.Exit(4)
	}
	path := t.TempDir() + "/a.scenario.hcl"
	text := `provider "openai" "llm" {}

scenario "s" {
  sut { until = endpoint.llm.status == "success" }
  on "llm" {
    reply { content = "yes" }
  }
  expect "llm" { attempts = [{ status_code = 200 }] }
}
`
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for range 5 {
		r := sut.Play(planOf(t, path), sut.Options{
			Command: []string{self, "-test.run=^" + t.Name() + "$"}, WorkingDir: t.TempDir(), Environment: append(os.Environ(), leaving+"=1"),
		})
		e := r.Program
		if r.Verdict == interp.Fail && e != nil && !e.Stopped && e.ExitCode != nil && *e.ExitCode == 4 {
			seen++
			continue
		}
		t.Logf("%s: %+v %+v", r.Verdict, e, r.Problems)
	}
	if seen < 4 {
		t.Errorf("its status was seen in %d of 5 runs", seen)
	}
}
