package event

import (
	"time"

	"github.com/scenario-lang/scenario/trace"
)

// SutStart is the payload of trace.SutStart.
type SutStart struct {
	Port int `attr:"port" doc:"port that a server was given"`
}

// EventType implements trace.Payload.
func (*SutStart) EventType() trace.Type { return trace.SutStart }

// SutReady is the payload of trace.SutReady.
type SutReady struct{}

// EventType implements trace.Payload.
func (*SutReady) EventType() trace.Type { return trace.SutReady }

// SutHost is the payload of trace.SutHost.
type SutHost struct {
	Host string `attr:"host,outside" doc:"the host with its port"`
}

// EventType implements trace.Payload.
func (*SutHost) EventType() trace.Type { return trace.SutHost }

// SutEnd is the payload of trace.SutEnd.
type SutEnd struct {
	ExitCode *int          `attr:"exit_code" type:"number" doc:"status that it ended with, absent where a signal ended it"`
	Signal   string        `attr:"signal" doc:"signal that ended it, such as killed"`
	Stopped  bool          `attr:"stopped" doc:"it was stopped, as the run was over"`
	Ran      time.Duration `attr:"ran_ns" doc:"how long it ran"`
	Stdout   string        `attr:"stdout,outside" doc:"the last MiB of its standard output"`
	Stderr   string        `attr:"stderr,outside" doc:"the last MiB of its standard error"`
}

// EventType implements trace.Payload.
func (*SutEnd) EventType() trace.Type { return trace.SutEnd }
