package sut_test

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/internal/sut"
	"github.com/scenario-lang/scenario/interp"
)

// notDone, in the environment, makes a test the program, and says what it does: it asks,
// or waits for its end, or ends.
const notDone = "SUT_TEST_NOT_DONE"

// Shows that a run which is over its time breaks not_done and says what there still was:
// the program, the condition, or an exchange that was under way when all that the run
// waited for had come. So does a program that ends before the condition holds. The
// programs are real ones, and their waits are far longer than the time of the run.
func TestNotDone(t *testing.T) {
	switch os.Getenv(notDone) {
	case "asks":
		_, err := http.Get(os.Getenv("DATA"))
		fmt.Fprintln(os.Stderr, err)
		os.Exit(9)
	case "waits":
		time.Sleep(time.Hour) // with nothing to wait for, the runtime would end it
	case "ends":
		os.Exit(0)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const until = "until = endpoint.data.in_flight_max == 1"
	for name, c := range map[string]struct{ program, sut, want string }{
		"the program had not ended":      {"waits", "", "after 2s, the program had not ended.\nhint: for one that does not end by itself, say with until"},
		"an exchange was under way":      {"asks", until, "after 2s, 1 exchange was still under way."},
		"the condition did not hold":     {"waits", until, "after 2s, the condition did not hold that the run waits for.\n"},
		"it ended before until had held": {"ends", until, "the program ended, with status 0, before the condition held that the run waits for.\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := t.TempDir() + "/a.scenario.hcl"
			text := `provider "http" "data" { base_url = "https://data.example" }

scenario "s" {
  allow = ["unused_reply"]
  sut {
    env     = { DATA = provider.data.url }
    timeout = "2s"
    ` + c.sut + `
  }
  on "data" {
    reply { latency = "10m" }
  }
  expect "run" { status = "success" }
}
`
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			r := sut.Play(planOf(t, path), sut.Options{
				Command: []string{self, "-test.run=^TestNotDone$"}, WorkingDir: t.TempDir(), Environment: append(os.Environ(), notDone+"="+c.program),
			})
			var got []string
			for _, p := range r.Problems {
				if p.Name == "not_done" {
					got = append(got, p.Message)
				}
			}
			if len(got) != 1 || !strings.HasPrefix(got[0], c.want) || r.Verdict != interp.Fail {
				t.Errorf("%s: %q, want %q", r.Verdict, got, c.want)
			}
		})
	}
}
