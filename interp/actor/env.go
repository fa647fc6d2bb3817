package actor

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/trace"
	"github.com/scenario-lang/scenario/wire"
)

// Env is what a world asks of the run that it is part of. All functions must be
// set, and none is kept beyond the world's own time.
type Env struct {
	// Emit appends an event at the present instant.
	Emit func(trace.Event)
	// Next takes the entry of the script that a call meets at one of the
	// addresses, the first that has a script. It is ErrPass where no script
	// has a say, any other error where the script has no answer left.
	Next func(addresses []string, o Origin) (Strike, error)
	// Pending reports whether the next entry at an address is one that a new
	// connection meets.
	Pending func(address string, o Origin) bool
	// Classify gives a failure its mode.
	Classify func(failure.Failure) failure.Failure
	// Work does what a handler has to do beside waiting. A failure of kind
	// cancelled says that ctx ended.
	Work func(ctx context.Context, job Job) (cty.Value, *failure.Failure)
	// Within is given to what computes answers.
	Within Within
	// Broken hears of an answer that could not be computed, and why.
	Broken func(f *failure.Failure, why error)
	// Draw is the stream of a random choice.
	Draw func(purpose, name string, n int) *rand.Rand
}

// Job is the work of one session.
type Job struct {
	Target    Target
	Arguments cty.Value
	// Session counts those of the actor.
	Session int
	// Via goes with every call that the work makes.
	Via Via
}

// Via is the session that a call comes from. The zero value stands for none:
// the scenario calls.
type Via struct{ session *session }

// Strike is what a script has for one call: bytes and time, and what they cannot
// say.
type Strike struct {
	Script wire.WireScript
	// Kills says that the process which was called does not survive.
	Kills bool
	// Early says that it strikes before the call is accepted.
	Early bool
	// Over is told how long the call listened, and whether what it heard was no
	// failure; nil for nobody.
	Over func(after time.Duration, succeeded bool)
}

// Origin says who caused what an actor does: the keys of its events.
type Origin struct {
	// Step or Call is the step or block of the scenario, and Iteration tells
	// the calls of one block, or the iterations of a loop, apart.
	Step, Call string
	Iteration  int
	// Fanout and Sub name the sub of a fanout.
	Fanout, Sub string
}

// Name is what a caller is called in results and messages.
func (o Origin) Name() string {
	switch {
	case o.Fanout != "":
		return o.Fanout + "." + o.Sub
	case o.Call != "":
		return o.Call
	}
	return o.Step
}

// event is one of that cause.
func (o Origin) event(actor string, says trace.Payload) trace.Event {
	return trace.Event{Step: o.Step, Call: o.Call, Iteration: o.Iteration, Actor: actor, Payload: says}
}
