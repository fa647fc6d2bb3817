package cassette_test

import (
	"testing"
	"testing/synctest"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/trace"
)

const threeRequests = `
provider "http" "api" { base_url = "http://api.example.com" }

workflow "w" {
  provider = provider.api
  step "http" "a" { path = "/a" }
  step "http" "b" {
    path       = "/b"
    depends_on = [step.a]
  }
  step "http" "c" {
    path       = "/c"
    depends_on = [step.b]
  }
}

scenario "s" {
  run = workflow.w
  cassette { path = "a.yaml" }
  expect "run" { status = "success" }
}
`

func compiled(t *testing.T, c *cassette.Cassette) *interp.Plan {
	t.Helper()
	file, diags := dsl.Parse("s.scenario.hcl", []byte(threeRequests))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	suite, diags := interp.Compile(file, interp.Options{LoadCassette: func(string) (*cassette.Cassette, error) { return c, nil }})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return suite.Plans[0]
}

// elapsed is how long a run took on its own clock, in milliseconds.
func elapsed(t *testing.T, r *interp.Result) float64 {
	t.Helper()
	if trace.Status(r.Events) != "success" {
		t.Fatalf("the run is %s: %v", trace.Status(r.Events), r.Problems)
	}
	return float64(r.Events[len(r.Events)-1].At.Microseconds()) / 1000
}

// A run that is recorded reports the times that its replay reports, within a
// tenth, where each fsync takes 200 ms, which is longer than the whole run.
func TestElapsedWhileRecording(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, err := cassette.NewRecorder("a.yaml", cassette.OnSlowDisk())
		if err != nil {
			t.Fatal(err)
		}
		live := interp.RunLive(compiled(t, &cassette.Cassette{Own: true}), interp.RunOptions{}, interp.Live{
			Transport: cassette.SlowService, Recorder: r, Env: func(string) (string, bool) { return "", false },
		})
		recorded, err := r.Commit(nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		was := elapsed(t, live)
		is := elapsed(t, interp.Run(compiled(t, recorded), interp.RunOptions{}))
		if is < 150 || was < is*0.9 || was > is*1.1 {
			t.Errorf("%v ms while it was recorded, %v ms replayed", was, is)
		}
		t.Logf("%v ms while it was recorded, %v ms replayed", was, is)
	})
}
