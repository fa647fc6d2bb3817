package sut_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/scenario-lang/scenario"
	"github.com/scenario-lang/scenario/internal/sut"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/scenariotest"
	"github.com/scenario-lang/scenario/suite"
)

const (
	threeWays = "../../scenarios/three-ways.scenario.hcl"
	// attempts is what is the same of them, whoever makes them.
	attempts = `[for a in step.ask.attempts : {
    outcome = a.outcome, fault = a.fault, status = a.status_code
    chunks = a.response == null ? null : a.response.chunks
    kind = a.error == null ? null : a.error.kind
  }]`
	unseen = `assert "the breaker stays closed": breaker.main`
)

// wanted is read off the script: what it says, in its order.
const wanted = `[
  {"outcome": "failure", "fault": "http_error", "status": 429, "chunks": [], "kind": "rate_limit"},
  {"outcome": "failure", "fault": "connection_reset", "status": null, "chunks": [], "kind": "connection"},
  {"outcome": "success", "fault": null, "status": 200, "chunks": [], "kind": null}
]`

// Shows that one file passes and means the same in all its ways: interpreted, with
// a program on the wire, and with code in a Go test. The breaker of the workflow is
// observed only where the workflow runs.
func TestThreeWays(t *testing.T) {
	var want any
	if err := json.Unmarshal([]byte(wanted), &want); err != nil {
		t.Fatal(err)
	}
	agree := func(t *testing.T, got any, notObserved, wantNotObserved []string) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("the attempts differ (-want +got):\n%s", diff)
		}
		if !slices.Equal(notObserved, wantNotObserved) {
			t.Errorf("not observed is %q", notObserved)
		}
	}
	t.Run("interpreted", func(t *testing.T) {
		suite, err := scenario.Load(os.DirFS("../.."), "scenarios/three-ways.scenario.hcl")
		if err != nil {
			t.Fatal(err)
		}
		r := suite.Scenarios()[0].Run(t.Context())
		if r.Verdict() != scenario.Passed {
			t.Errorf("%v", r.Problems())
		}
		agree(t, valueOf(t, r), r.NotObserved(), nil)
	})
	t.Run("wire", func(t *testing.T) {
		if _, err := exec.LookPath("python3"); err != nil {
			t.Skip("no python3")
		}
		r := sut.Play(planOf(t, threeWays), sut.Options{Environment: os.Environ()})
		if r.Verdict != interp.Pass {
			t.Errorf("%+v", r.Problems)
		}
		v, diags := r.Seen.Value(attempts)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		text, err := ctyjson.Marshal(v, v.Type())
		if err != nil {
			t.Fatal(err)
		}
		var got any
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, c := range r.Unseen {
			list = append(list, c.Kind+" "+strconv.Quote(c.Name)+": "+c.What)
		}
		agree(t, got, list, []string{unseen})
	})
	t.Run("embedded", func(t *testing.T) {
		scenariotest.Run(t, threeWays, func(t *testing.T, s *scenariotest.Scenario) {
			if status := askThreeTimes(s.Client()); status != http.StatusOK {
				t.Errorf("status %d", status)
			}
			r := s.Result()
			agree(t, valueOf(t, r), r.NotObserved(), []string{unseen})
		})
	})
}

// askThreeTimes does what three-ways.py does, and returns the last status.
func askThreeTimes(client *http.Client) int {
	status := 0
	for range 3 {
		resp, err := client.Post("https://api.openai.com/v1/chat/completions", "application/json",
			bytes.NewReader([]byte(`{"model": "gpt-4o", "messages": [{"role": "user", "content": "Why is the sky blue?"}]}`)))
		wait := 500 * time.Millisecond
		if err == nil {
			if status = resp.StatusCode; status == http.StatusOK {
				resp.Body.Close()
				return status
			}
			told, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
			wait = max(wait, time.Duration(told)*time.Second)
			resp.Body.Close()
		}
		time.Sleep(wait)
	}
	return status
}

func valueOf(t *testing.T, r *scenario.Result) any {
	t.Helper()
	v, err := r.Value(attempts)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// planOf is the one scenario of a file.
func planOf(t *testing.T, path string) *interp.Plan {
	t.Helper()
	loader := &suite.Loader{Source: suite.Disk()}
	defer loader.Close()
	file := loader.Load(path)
	if file.Diags.HasErrors() || len(file.Plans) != 1 {
		t.Fatalf("%d scenarios: %v", len(file.Plans), file.Diags)
	}
	return file.Plans[0]
}
