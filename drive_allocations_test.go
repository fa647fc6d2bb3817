package scenario_test

import (
	"io"
	"testing"

	"github.com/scenario-lang/scenario"
)

// What the transport of a scenario does for one request is bounded, whatever the machine:
// it is counted in allocations.
func TestTransportAllocatesLittle(t *testing.T) {
	suite := answering(t)
	run := suite.Scenarios()[0].Drive(scenario.DriveOptions{})
	defer run.Finish()
	over := run.Transport()
	each := testing.AllocsPerRun(200, func() {
		resp, err := over.RoundTrip(askWhy(t))
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

// transportAllocations is what a request may take that was asked before.
const transportAllocations = 50
