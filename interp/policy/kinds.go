package policy

import (
	"context"
	"slices"
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/sched"
)

// kinds are the policies that a target of a gateway can have, in the order in
// which a call passes them; a new one is one line here.
var kinds = []*Kind{
	BreakerKind,
	BulkheadKind,
	RateLimitKind,
}

// Kinds lists the policies of targets from the outside in. The slice and what it
// points to are shared and must not be changed.
func Kinds() []*Kind { return kinds }

// Reasons lists what the refusals of all kinds are called.
func Reasons() []string {
	list := make([]string, len(kinds))
	for i, k := range kinds {
		list[i] = k.Reason
	}
	return list
}

// A Kind is a policy that a target of a gateway can have: from the block that
// declares it to the guard that it is in a run.
type Kind struct {
	// Name is the type of its block. The block stands in the target, or at the
	// top of the file and the target names it with an attribute of this name.
	Name string
	// Reason is what a refusal is called in the trace and in conditions, and
	// Failure what a refused call fails with.
	Reason  string
	Failure failure.Kind
	// Read makes the policy of its block. What is wrong with it is reported
	// there, and the policy is then any.
	Read func(Declaration) Config
}

// A Declaration is the block of a policy. Its attributes have the defaults and
// the bounds of their table in dsl/language.
type Declaration interface {
	// Has reports whether the attribute is written.
	Has(attr string) bool
	// Value is the value of an attribute of several types.
	Value(attr string) any
	Int(attr string) int
	Float(attr string) float64
	Duration(attr string) time.Duration
	// FailureKinds reads a list of kinds of failure. One that does not exist is
	// reported.
	FailureKinds(attr string) []string
	// Errorf reports what is wrong with an attribute.
	Errorf(attr, summary, format string, args ...any)
}

// ownAttrs are the attributes that a file gives to a policy, of those that are asked about.
type ownAttrs []string

// ownOf are those of some attributes that a declaration gives.
func ownOf(d Declaration, attrs ...string) (w ownAttrs) {
	for _, name := range attrs {
		if d.Has(name) {
			w = append(w, name)
		}
	}
	return w
}

// Writes reports whether the file gives an attribute, and does not leave it to its default.
func (w ownAttrs) Writes(attr string) bool { return slices.Contains(w, attr) }

// A Config is a policy as a plan has it. It does not change.
type Config interface {
	// Kind is the kind that it is of.
	Kind() *Kind
	// JSON is what of it decides a run, for the plan's JSON and its hash.
	JSON() []Member
	// Text tells it in a few words.
	Text() string
	// Guard makes the guard of one target in one run.
	Guard(Host) Guard
}

// A Member is one member of a policy's JSON. One without a value is left out.
type Member struct {
	Name  string
	Value any
}

// span is a length of time in a policy's JSON, left out where there is none.
func span(d time.Duration) any {
	if d == 0 {
		return nil
	}
	return d
}

// A Host is what a guard is given by the run that it is part of.
type Host struct {
	Clock *sched.Scheduler
	// Target is the name of the target.
	Target string
	// Changed is told of every change of a breaker's state, with the failures
	// that it counts then.
	Changed func(from, to State, failures int)
}

// A Guard stands before one target and lets calls pass, makes them wait, or
// refuses them. It belongs to the tasks of one scheduler.
type Guard interface {
	// Admit asks for a call. A call that is refused gets no pass, and why; err is
	// the context's.
	Admit(ctx context.Context, c Call) (p Pass, why string, err error)
}

// A Call is what a guard may ask of a call.
type Call interface {
	// Tokens estimates what the call will cost, in tokens of a model.
	Tokens() float64
}

// A Pass is one admitted call.
type Pass interface {
	// Ended tells what became of the call, before its events do. A call that was
	// not dialled has no end.
	Ended(Dial)
	// Leave gives back what the call holds. It is called once, at last.
	Leave()
}

// A Dial is what became of an admitted call.
type Dial struct {
	// At is the instant of its end.
	At time.Duration
	// Void says that the end tells nothing of the target: the call was cancelled,
	// or the run is to blame.
	Void bool
	// Failure is nil for a success, and where the end is void.
	Failure *failure.Failure
	// Tokens is what the answer says that it cost, nil where it says nothing.
	Tokens *int
}

// A Counter is a guard that counts failures, which the end of every attempt
// tells.
type Counter interface{ Failures() int }
