package scenariotest_test

import (
	"io"
	"testing"
	"testing/synctest"

	"github.com/scenario-lang/scenario"
	"github.com/scenario-lang/scenario/scenariotest"
)

// Shows that requests of Endpoint and of Lane are those of the endpoint and of the lane
// that they name, whatever they ask, and that both can be named together.
func TestEndpointAndLane(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := scenariotest.New(t, "testdata/named.scenario.hcl", "s")
		for i, c := range []struct {
			by         *scenariotest.Scenario
			path, want string
		}{
			{s, "/a", "1"},
			{s.Endpoint("first"), "/b", "2"},
			{s.Endpoint("first").Lane("x"), "/b", "1"},
			{s.Lane("x"), "/a", "2"},
			{s.Endpoint("second"), "/a", "3"},
		} {
			resp, err := c.by.Client().Get("https://shop.test" + c.path)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			if err != nil || string(body) != c.want {
				t.Errorf("request %d: %q, %v, want %q", i, body, err, c.want)
			}
		}
		if r := s.Result(); r.Verdict() != scenario.Passed {
			t.Errorf("%v", r.Problems())
		}
	})
}
