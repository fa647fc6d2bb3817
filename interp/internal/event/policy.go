package event

import (
	"time"

	"github.com/scenario-lang/scenario/interp/policy"
	"github.com/scenario-lang/scenario/trace"
)

// Rejection is the payload of trace.Rejection.
type Rejection struct {
	*Decision
	Reason  string `attr:"reason" doc:"what refused it"`
	Message string `attr:"message,outside" doc:"why, for people"`
}

// EventType implements trace.Payload.
func (*Rejection) EventType() trace.Type { return trace.Rejection }

func (*Rejection) words() map[string][]string {
	return map[string][]string{"reason": policy.Reasons()}
}

// RetryWait is the payload of trace.RetryWait.
type RetryWait struct {
	Delay  time.Duration `attr:"delay_ns,always" doc:"how long it waits"`
	Retry  int           `attr:"retry,always" doc:"number of the retry, from 1"`
	Policy string        `attr:"policy" doc:"name of the retry policy"`
}

// EventType implements trace.Payload.
func (*RetryWait) EventType() trace.Type { return trace.RetryWait }

// Fallback is the payload of trace.Fallback.
type Fallback struct {
	Gateway string `attr:"gateway" doc:"gateway, absent for a step's substitute"`
	From    string `attr:"from" doc:"target or step that failed or was refused"`
	To      string `attr:"to" doc:"target or step that took its place"`
}

// EventType implements trace.Payload.
func (*Fallback) EventType() trace.Type { return trace.Fallback }

// Breaker is the payload of trace.Breaker.
type Breaker struct {
	From     string `attr:"from" doc:"closed, open or half_open"`
	To       string `attr:"to" doc:"closed, open or half_open"`
	Failures int    `attr:"failures" doc:"failures counted at that moment"`
}

// EventType implements trace.Payload.
func (*Breaker) EventType() trace.Type { return trace.Breaker }

// Timeout is the payload of trace.Timeout.
type Timeout struct {
	Layer string        `attr:"layer" doc:"workflow, step, attempt, first_byte, idle, call, session, tool, startup or lock"`
	After time.Duration `attr:"after_ns,always" doc:"length of the deadline"`
}

// EventType implements trace.Payload.
func (*Timeout) EventType() trace.Type { return trace.Timeout }
