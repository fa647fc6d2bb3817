package event

import (
	"github.com/scenario-lang/scenario/interp/bench"
	"github.com/scenario-lang/scenario/trace"
)

// CaseStart is the payload of trace.CaseStart.
type CaseStart struct {
	Case  string `attr:"case" doc:"id of the case"`
	Trial int    `attr:"trial,always" doc:"number of the trial, from 1"`
}

// EventType implements trace.Payload.
func (*CaseStart) EventType() trace.Type { return trace.CaseStart }

// CaseEnd is the payload of trace.CaseEnd.
type CaseEnd struct {
	Case   string       `attr:"case" doc:"id of the case"`
	Cut    bool         `attr:"cut" doc:"whether the end of the run cut it short, so that there is no result"`
	Kept   bool         `attr:"kept" doc:"whether it ended in an earlier run"`
	Result *bench.Trial `attr:"result,outside" type:"object" doc:"passed, score, breakdown, failure_modes, cost_usd, elapsed_ms, and as kept what was answered"`
	Trial  int          `attr:"trial,always" doc:"number of the trial, from 1"`
}

// EventType implements trace.Payload.
func (*CaseEnd) EventType() trace.Type { return trace.CaseEnd }
