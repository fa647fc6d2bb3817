package event

import "github.com/scenario-lang/scenario/trace"

// Gate is the payload of trace.Gate.
type Gate struct {
	Gate    string `attr:"gate" doc:"name of the gate"`
	Message string `attr:"message,outside" doc:"what it found, for people"`
	File    string `attr:"file" doc:"file it points at"`
	Line    int    `attr:"line" doc:"line it points at"`
	Allowed bool   `attr:"allowed" doc:"whether the scenario allows it"`
}

// EventType implements trace.Payload.
func (*Gate) EventType() trace.Type { return trace.Gate }
