package exchange

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/trace"
	"github.com/scenario-lang/scenario/wire"
)

// A Host is the attempt that an exchange is made for: it knows the step, its
// policies and the trace.
type Host interface {
	// Event appends an event of the attempt to the trace.
	Event(p trace.Payload)
	// Gate notes a broken gate, and Defect why the scenario cannot be played as
	// it is written.
	Gate(name, message string, rng hcl.Range)
	Defect(message string, rng hcl.Range)
	// Unsendable is the failure of a request that cannot be made.
	Unsendable(err error) *failure.Failure
	// Deliver takes a chunk of content when it arrives. An error ends the reading.
	Deliver(providers.Chunk) error
	// Stopped reports whether the reader wanted no more.
	Stopped() bool
}

// An Exchange is one attempt to get an answer from a target: a request with the
// redirects that follow, in a session where the provider wants one.
type Exchange struct {
	Client *Client
	Host   Host
	// Step, Turn, Round, Iteration and N say which attempt it is, and Rng where
	// the step is declared.
	Step                      string
	Turn, Round, Iteration, N int
	Rng                       hcl.Range
	// Order is that of the step among deadlines of one instant.
	Order    int
	Declared *plan.Step
	Target   *plan.Target
	// Vendor is the adapter with what it is asked.
	Vendor *providers.Vendor

	// Output is the answer, as far as it came.
	Output providers.Output
	// Answer is what the last request met, and Meta where that is from.
	Answer Answer
	Meta   wire.Meta
	// asked is when the first request was sent.
	asked time.Time
	// Status and Headers are of the answer, whatever became of it.
	Status  int
	Headers map[string]string
	// Silent, where not nil, says which silence of the service ended it.
	Silent *Silent
	// Gated says that a gate was broken: no retry can help.
	Gated bool
	// Reconnected says that the connection was made anew, and unanswered that it
	// ended before any byte of an answer.
	Reconnected, unanswered bool
	// take is the recording of what the last request met, nil where none is
	// made.
	take *cassette.Take
	// swift says that what is exchanged takes no time of the run.
	swift bool
}

// exchange asks the sources for an answer and reads it through the adapter.
func (x *Exchange) exchange(ctx context.Context, req *http.Request, body []byte) *failure.Failure {
	ctx, quiet := x.listen(ctx)
	defer quiet.done()
	resp, err := x.send(ctx, quiet, req, body)
	if none, ok := err.(noAnswer); ok {
		return x.failUnanswered(none.error)
	}
	x.unanswered = resp == nil
	if resp != nil {
		x.Status, x.Headers = resp.StatusCode, x.Client.Header(resp.Header)
	}
	out, f := x.Vendor.Adapter.Parse(ctx, x.Vendor.In, resp, err, x.Client.clock.Now, x.Host.Deliver)
	if x.Status >= 200 && x.Status < 300 {
		// An answer that came is paid for, also where it breaks off.
		out.CostUSD = x.Meta.CostUSD
	}
	x.Output = out
	x.seal(ctx, out.Complete)
	return f
}

// noAnswer is an error of the sources: there is no answer that the attempt may
// have.
type noAnswer struct{ error }

// send asks the sources for an answer and, where they answer redirects too
// ([Answer.FollowsRedirects]), follows them: all of it is one attempt.
func (x *Exchange) send(ctx context.Context, quiet *listener, req *http.Request, body []byte) (*http.Response, error) {
	if quiet != nil {
		req = req.WithContext(ctx)
	}
	chain := Redirects{First: req, Body: body}
	script, err := x.ask(ctx, req, body, 0)
	for err == nil {
		resp, failed := quiet.sent(func() (*http.Response, error) { return script.RoundTrip(x.Client.clock, req) })
		if failed != nil || !x.Answer.FollowsRedirects() {
			return resp, failed
		}
		next, failed := chain.Next(req, resp)
		if failed != nil {
			resp.Body.Close()
			return nil, failed
		}
		if next == nil {
			return resp, nil
		}
		script, err = x.ask(ctx, next, chain.sentBy(next), chain.sent)
		if errors.Is(err, wire.ErrPass) {
			return resp, nil
		}
		resp.Body.Close()
		req = next
	}
	return nil, noAnswer{err}
}

// ask asks the sources about one request; redirects counts those before it.
func (x *Exchange) ask(ctx context.Context, req *http.Request, body []byte, redirects int) (wire.WireScript, error) {
	x.seal(ctx, true)
	answer, err := x.Client.Answer(ctx, Asked{
		Call: wire.Call{
			Scenario: x.Client.plan.Name, Step: x.Step, Attempt: x.N, Round: x.Round, Turn: x.Turn, Iteration: x.Iteration, Target: x.Target.Name,
			Stream: x.Vendor.In.Stream, Request: req, Body: body,
		},
		Step: x.Step, Provider: x.Target.Provider, Vendor: x.Vendor, Declared: x.Declared, Redirects: redirects, Before: &x.Answer,
	})
	x.Answer.Entry, x.Answer.Unchanged, x.Answer.Why, x.take = answer.Entry, answer.Unchanged, answer.Why, answer.Take
	if redirects == 0 {
		x.Answer.Use, x.asked = answer.Use, x.Client.clock.Now()
	}
	if err != nil {
		return answer.Script, err
	}
	x.Meta, x.Answer.Script = answer.Script.Meta, answer.Script
	if fault := x.Meta.Fault; fault != "" && redirects == 0 {
		x.Host.Event(&event.Fault{FaultType: fault, Entry: x.Meta.Entry, File: x.Meta.Pos.File, Line: x.Meta.Pos.Line})
	}
	return answer.Script, nil
}

// FaultPending notes that the attempt is over, and whether it succeeded, and
// reports whether that was before the fault had come that it was to meet.
func (x *Exchange) FaultPending(succeeded bool) bool {
	if x.Answer.Use != nil && (succeeded || x.Host.Stopped()) {
		x.Answer.Use()
	}
	pending := x.Client.Over(x.Answer.Entry, x.Client.clock.Now().Sub(x.asked))
	if !pending {
		x.Client.Met(&x.Answer, succeeded)
	}
	return pending
}

// failUnanswered is an attempt for which there is no answer it may have: a gate
// is broken, and no retry can help.
func (x *Exchange) failUnanswered(err error) *failure.Failure {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, ErrAbandoned) {
		return cancelled(err) // while the recording was asked for, or by the injector
	}
	x.Gated = true
	rng := x.Rng
	var g *GateError
	if errors.As(err, &g) {
		if g.Entry != nil {
			rng = g.Entry.Rng
		}
		x.Host.Gate(g.Gate, g.Message, rng)
	} else if e := x.Answer.Entry; e != nil {
		x.Host.Defect(e.Unplayable(fmt.Sprintf("step %q", x.Step), err), e.Rng)
	} else {
		x.Host.Defect("the call cannot be answered: "+err.Error(), rng)
	}
	return &failure.Failure{Kind: failure.Exception, Type: "Unanswered", Message: err.Error()}
}

func cancelled(err error) *failure.Failure {
	return &failure.Failure{Kind: failure.Cancelled, Message: "cancelled: " + err.Error(), Rule: failure.RuleCancelled}
}

// seal ends the recording of what the attempt dialled last; whole says that the
// answer had all that its reader wanted. An exchange that the end of the command
// cut off says nothing about the service, and is not kept.
func (x *Exchange) seal(ctx context.Context, whole bool) {
	take := x.take
	if take == nil {
		return
	}
	x.take = nil
	if !whole && errors.Is(context.Cause(ctx), ErrInterrupted) {
		return
	}
	var err error
	x.Client.clock.External(ctx, "the recording", func() { err = take.Seal(whole) })
	if err != nil {
		x.Host.Defect("the call cannot be recorded: "+err.Error(), x.Rng)
	}
}
