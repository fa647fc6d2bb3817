package sut_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/internal/sut"
	"github.com/scenario-lang/scenario/interp"
)

// writes, in the environment, is what makes a test the program: it writes the first part, asks, and writes the rest.
const writes = "SUT_TEST_WRITES"

// Shows that what a program writes before it has an answer is told from what it writes later.
func TestWrittenBefore(t *testing.T) {
	if said := os.Getenv(writes); said != "" {
		before, after, _ := strings.Cut(said, "|")
		fmt.Fprintln(os.Stderr, before)
		resp, err := http.Get(os.Getenv("DESK") + "/queue")
		if err != nil {
			os.Exit(9)
		}
		_ = resp.Body.Close()
		fmt.Fprintln(os.Stderr, after)
		os.Exit(0)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.scenario.hcl")
	const text = `provider "http" "desk" { base_url = "https://desk.example" }
scenario "s" {
  sut { env = { DESK = provider.desk.url } }
  on "desk" {
    reply {
      latency = "50ms"
      body    = "shipping"
    }
  }
  assert "x" { condition = strcontains(sut.stderr, "shipping") }
}
`
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for said, want := range map[string]bool{
		"billing or shipping?|shipping": true,
		"billing or shipping?|billing":  true,
		"begins|shipping":               false,
	} {
		r := sut.Play(planOf(t, path), sut.Options{Command: []string{self, "-test.run=^TestWrittenBefore$"}, WorkingDir: t.TempDir(), Environment: append(os.Environ(), writes+"="+said)})
		if warned := strings.Contains(fmt.Sprint(r.Warnings), "before its first answer was over"); r.Verdict != interp.Pass || warned != want {
			t.Errorf("%q: %s %v, warned %t: %q", said, r.Verdict, r.Problems, warned, r.Warnings)
		}
	}
}
