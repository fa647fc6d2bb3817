package circumstance

import (
	"fmt"
	"slices"
	"time"

	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// Kept says of a step that asks the server of a scenario, and has a limit on its silence, that all that the
// server asked itself was answered to its end within that limit: a server that collects the whole answer of a
// model before it sends any of it keeps the limit as well. "" for none, and where nothing streams.
func Kept(p *plan.Plan, obs *observe.Observed) string {
	serving := p.Sut.Serving()
	if serving == nil {
		return ""
	}
	took, slowest, most := time.Duration(0), "", time.Duration(0)
	streams := false
	for _, n := range p.Endpoints {
		s := obs.Steps[n.Name]
		if s == nil {
			continue
		}
		for _, a := range s.Asked() {
			if a.End == nil {
				return ""
			}
			took += a.Took
			streams = streams || len(a.End.Chunks) > 1
			if slowest == "" || a.Took > most {
				slowest, most = n.Name, a.Took
			}
		}
	}
	if slowest == "" {
		return ""
	}
	for _, s := range obs.Order {
		if s.Status != read.StatusSuccess || s.Step.Gateway == nil || !s.Step.Stream && !streams {
			continue
		}
		if !slices.ContainsFunc(s.Step.Gateway.Targets, func(t *plan.Target) bool { return t.Provider == serving }) {
			continue
		}
		name, limit := "first_byte_timeout", s.Step.Silence.FirstByte
		if idle := s.Step.Silence.Idle; limit == 0 || idle > 0 && idle < limit {
			name, limit = "idle_timeout", idle
		}
		if limit > 0 && took < limit {
			return fmt.Sprintf("step %q has %s = %q, and all that the server asked was answered to its end in less than that: a server that collects the whole answer of %s before it sends any of it passes as well.\nhint: let that answer take longer than the limit, with a longer chunk_delay, and give the step an idle_timeout, too: first_byte_timeout ends with the head", s.Name, name, limit, slowest)
		}
	}
	return ""
}
