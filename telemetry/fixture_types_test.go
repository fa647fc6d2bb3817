package telemetry_test

import (
	"testing"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/telemetry/internal/fixture"
	"github.com/scenario-lang/scenario/trace"
)

// The events of the fixture are as a run's are, so that the tests of this
// package are about attributes that exist.
func TestFixtureIsARealTrace(t *testing.T) {
	known := map[trace.Type]*trace.TypeInfo{}
	for _, info := range interp.EventTypes() {
		known[info.Type] = &info
	}
	for _, e := range fixture.FallbackRun() {
		if info := known[e.Type]; info == nil {
			t.Errorf("there is no event of type %q", e.Type)
		} else if err := info.Check(e); err != nil {
			t.Error(err)
		}
	}
}
