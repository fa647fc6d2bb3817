package trace

import "time"

// A Type names what an event says.
type Type string

// The types of event, as the reference lists them.
const (
	RunStart     Type = "run_start"
	StepStart    Type = "step_start"
	AttemptStart Type = "attempt_start"
	Fault        Type = "fault"
	AttemptEnd   Type = "attempt_end"
	Message      Type = "message"
	Rejection    Type = "rejection"
	RetryWait    Type = "retry_wait"
	Fallback     Type = "fallback"
	Breaker      Type = "breaker"
	Timeout      Type = "timeout"
	Failure      Type = "failure"
	LockWait     Type = "lock_wait"
	Lock         Type = "lock"
	Unlock       Type = "unlock"
	Pool         Type = "pool"
	SessionStart Type = "session_start"
	SessionEnd   Type = "session_end"
	Route        Type = "route"
	Registry     Type = "registry"
	StepEnd      Type = "step_end"
	SutStart     Type = "sut_start"
	SutReady     Type = "sut_ready"
	SutHost      Type = "sut_host"
	SutEnd       Type = "sut_end"
	CaseStart    Type = "case_start"
	CaseEnd      Type = "case_end"
	Gate         Type = "gate"
	Defect       Type = "defect"
	RunEnd       Type = "run_end"
)

// An Event is one entry of the log. The empty string and zero mean that a
// field does not apply; such fields are left out of the encoding.
type Event struct {
	Seq       uint64 // from 1, set by Log.Append
	At        time.Duration
	Type      Type
	Step      string
	Call      string
	Actor     string
	Attempt   int
	Round     int
	Turn      int
	Iteration int
	Target    string
	// Payload are the event's own attributes, nil for none.
	Payload Payload
}

// An Attr is one attribute as generic readers see it. Value is nil, a string, bool, int, int64, uint64,
// float64, time.Duration (encoded as whole nanoseconds), []string, []any,
// map[string]any, or a [Value].
type Attr struct {
	Key   string
	Value any
}

// A Value encodes itself as canonical JSON: sorted keys, no spaces, no null
// members.
type Value interface {
	AppendJSON(dst []byte) []byte
}

// A Text is a Value that is a string, computed when somebody reads it.
type Text interface {
	Value
	Text() string
}
