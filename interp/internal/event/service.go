package event

import (
	"time"

	"github.com/scenario-lang/scenario/trace"
)

// LockWait is the payload of trace.LockWait.
type LockWait struct {
	Lock   string   `attr:"lock" doc:"name of the lock"`
	Queue  int      `attr:"queue,always" doc:"waiters, this one included"`
	Holder string   `attr:"holder" doc:"who holds it"`
	Circle []string `attr:"circle" doc:"who waits for what, where this wait closes a circle that no release can end"`
}

// EventType implements trace.Payload.
func (*LockWait) EventType() trace.Type { return trace.LockWait }

// Lock is the payload of trace.Lock.
type Lock struct {
	Lock   string        `attr:"lock" doc:"name of the lock"`
	Waited time.Duration `attr:"waited_ns,always" doc:"how long it was waited for"`
}

// EventType implements trace.Payload.
func (*Lock) EventType() trace.Type { return trace.Lock }

// Unlock is the payload of trace.Unlock.
type Unlock struct {
	Lock string        `attr:"lock" doc:"name of the lock"`
	Held time.Duration `attr:"held_ns,always" doc:"how long it was held"`
}

// EventType implements trace.Payload.
func (*Unlock) EventType() trace.Type { return trace.Unlock }

// Pool is the payload of trace.Pool.
type Pool struct {
	Pool    string         `attr:"pool" doc:"name of the pool"`
	Action  string         `attr:"action" doc:"wait, acquire, release or timeout"`
	InUse   int            `attr:"in_use,always" doc:"connections in use afterwards"`
	Waiting int            `attr:"waiting,always" doc:"waiters afterwards"`
	Waited  *time.Duration `attr:"waited_ns" doc:"how long it was waited for"`
	Circle  []string       `attr:"circle" doc:"who waits for what, where this wait closes a circle that no release can end"`
}

// EventType implements trace.Payload.
func (*Pool) EventType() trace.Type { return trace.Pool }

// SessionStart is the payload of trace.SessionStart.
type SessionStart struct {
	Handler string        `attr:"handler" doc:"name of the handler"`
	Session int           `attr:"session,always" doc:"1-based number of the actor's session"`
	Waited  time.Duration `attr:"waited_ns,always" doc:"how long it waited for its locks"`
}

// EventType implements trace.Payload.
func (*SessionStart) EventType() trace.Type { return trace.SessionStart }

// SessionEnd is the payload of trace.SessionEnd.
type SessionEnd struct {
	*Failed
	StatusCode int    `attr:"status_code" doc:"HTTP status"`
	Handler    string `attr:"handler" doc:"name of the handler"`
	Session    int    `attr:"session,always" doc:"1-based number of the actor's session"`
	Status     string `attr:"status" doc:"success, failed, timeout or cancelled"`
}

// EventType implements trace.Payload.
func (*SessionEnd) EventType() trace.Type { return trace.SessionEnd }

// Route is the payload of trace.Route.
type Route struct {
	*Failed
	StatusCode  int           `attr:"status_code" doc:"HTTP status"`
	Handler     string        `attr:"handler" doc:"name of the handler or tool"`
	From        string        `attr:"from" doc:"actor that called, absent for the scenario"`
	Fanout      string        `attr:"fanout" doc:"fanout that dispatched it"`
	Sub         string        `attr:"sub" doc:"id of the fanout's sub"`
	Outcome     string        `attr:"outcome" doc:"success or the failure's class"`
	Elapsed     time.Duration `attr:"elapsed_ns,always" doc:"from dispatch to answer"`
	Hops        int           `attr:"hops" doc:"actors passed on the way"`
	Forwarded   bool          `attr:"forwarded" doc:"whether a handler passed on what it was asked, under the name of who asked it"`
	Reconnected bool          `attr:"reconnected" doc:"whether the one reconnect took place"`
	Warning     string        `attr:"warning,outside" doc:"what was lost although the answer stands"`
	Met         []string      `attr:"met" doc:"events and holds of the scenario because of which it was refused, cut, delayed or answered, such as event.crash"`
}

// EventType implements trace.Payload.
func (*Route) EventType() trace.Type { return trace.Route }

// Registry is the payload of trace.Registry.
type Registry struct {
	Registry string `attr:"registry" doc:"name of the registry, absent for an actor's own state"`
	Module   string `attr:"module" doc:"name of the module"`
	From     string `attr:"from" doc:"state before"`
	To       string `attr:"to" doc:"state after"`
	Reason   string `attr:"reason" doc:"why it changed"`
	Phase    string `attr:"phase" doc:"phase of starting in which a module failed"`
	Message  string `attr:"message,outside" doc:"error of a module, for people"`
	Cause    string `attr:"cause" doc:"event of the scenario that brought it about, such as event.crash"`
}

// EventType implements trace.Payload.
func (*Registry) EventType() trace.Type { return trace.Registry }
