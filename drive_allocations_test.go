package scenario_test

import (
	"bytes"
	"io"
	"net/http"
	"testing"
	"testing/fstest"

	"github.com/scenario-lang/scenario"
)

// What the transport of a scenario does for one request is bounded, whatever the machine:
// it is counted in allocations.
func TestTransportAllocatesLittle(t *testing.T) {
	suite, err := scenario.Load(fstest.MapFS{"a.scenario.hcl": {Data: []byte(`
provider "openai" "llm" {}
scenario "s" {
  on "llm" {
    reply {
      content = "hello"
      times   = "*"
    }
  }
  expect "run" { status = "success" }
}
`)}}, ".")
	if err != nil {
		t.Fatal(err)
	}
	run := suite.Scenarios()[0].Drive(scenario.DriveOptions{})
	defer run.Finish()
	over := run.Transport()
	each := testing.AllocsPerRun(200, func() {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://api.openai.com/v1/chat/completions", bytes.NewReader([]byte(`{"model":"gpt-4o-mini","messages":[{"role":"user","content":"why?"}]}`)))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := over.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	})
	if each > transportAllocations {
		t.Errorf("%.0f allocations a request, more than %d", each, transportAllocations)
	}
	t.Logf("%.0f allocations a request", each)
}

// transportAllocations is what a request may take.
const transportAllocations = 170
