package engine

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/exchange"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/policy"
	"github.com/scenario-lang/scenario/interp/sched"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/trace"
)

// attempt is one dial of one target: the exchange, and the policies on it.
type attempt struct {
	exchange.Exchange

	call *call
	// guards are the policies of the target, passes what they gave the call.
	guards []policy.Guard
	passes []policy.Pass
	// later says that another target comes before this one in order, first
	// which.
	later bool
	first *plan.Target

	// delivered says that a chunk has reached the consumer.
	delivered bool
	chunks    int
	chunkAt   event.Instants
	stopped   bool
	// stop cancels the attempt for the consumer.
	stop context.CancelCauseFunc
}

// newAttempt is an attempt of a call on a target, before it is dialled.
func (c *call) newAttempt(t *plan.Target) *attempt {
	a := &attempt{call: c}
	a.Exchange = exchange.Exchange{
		Order: c.s.Order, Client: c.r.client, Host: a, Step: c.s.Name, Turn: c.turn, Round: c.round, Iteration: c.r.iteration, Rng: c.s.Step.Rng, Declared: c.s.Step, Target: t,
	}
	return a
}

// run dials, reads the answer and says what became of it.
func (a *attempt) run(ctx context.Context) *failure.Failure {
	r, s := a.call.r, a.call.s
	s.n++
	a.N, s.current = s.n, a
	defer func() { s.current = nil }()
	dialCtx, cancel := a.limited(ctx)
	defer cancel()
	q, req, err := a.request(dialCtx)
	if err != nil {
		return a.Unsendable(err)
	}
	a.Vendor = &q.Vendor
	a.started(q)
	f := a.Talk(dialCtx, req, q.Body)
	if a.Gated {
		a.call.gated = true
		r.gatedWithin()
	}
	f = a.name(ctx, dialCtx, f)
	a.account(f)
	r.overBudget()
	if a.call.s.Step.Consumer != nil && (f == nil || a.stopped) {
		r.consumers.ended(a.call.s.Step, a.stopped)
	}
	if a.stopped {
		return nil
	}
	return f
}

// request is what the attempt asks, under ctx. It is written down once for all
// rounds, but in a session.
func (a *attempt) request(ctx context.Context) (*exchange.Request, *http.Request, error) {
	c := a.call
	if i := slices.IndexFunc(*c.asked, func(q *exchange.Request) bool { return q.Target == a.Target }); i >= 0 {
		q := (*c.asked)[i]
		return q, q.Again(ctx), nil
	}
	q, err := a.Client.NewRequest(ctx, a.Target, a.bind())
	if err != nil {
		return nil, nil, err
	}
	if _, ok := a.Target.Provider.Adapter.(providers.Sessioner); !ok {
		*c.asked = append(*c.asked, q)
	}
	return q, q.HTTP, nil
}

// bind is the input of this target: the step's own, completed by the
// provider's declaration.
func (a *attempt) bind() providers.Input {
	p, in := a.Target.Provider, *a.call.in
	in.Model = a.call.model(a.Target)
	in.BaseURL = a.call.r.baseURL(p)
	a.Client.Greet(&a.Exchange, &in)
	if len(p.Headers) > 0 {
		merged := make(map[string]string, len(p.Headers)+len(in.Headers))
		for _, m := range []map[string]string{p.Headers, in.Headers} {
			for name, value := range m {
				merged[name] = value
			}
		}
		in.Headers = merged
	}
	return in
}

// limited gives the attempt its own deadline, and the consumer its way to stop
// it.
func (a *attempt) limited(ctx context.Context) (context.Context, context.CancelFunc) {
	release := func() {}
	if c := a.call.s.Step.Consumer; c != nil {
		ctx, release = a.consumed(ctx, c)
	}
	d := a.timeout()
	if d <= 0 {
		return ctx, release
	}
	timed, cancel := a.call.r.Clock.WithTimeout(ctx, d)
	if a.stop == nil {
		return timed, cancel
	}
	return timed, func() {
		release()
		cancel()
	}
}

// consumed is a context that the step's consumer ends.
func (a *attempt) consumed(ctx context.Context, c *plan.Consumer) (context.Context, context.CancelFunc) {
	clock := a.call.r.Clock
	ctx, stop := clock.WithCancelCause(ctx)
	a.stop = stop
	forget := func() {}
	if c.After > 0 {
		forget = clock.At(sched.Deadline, a.call.s.Order, c.After, a.consumerStops)
	}
	return ctx, func() {
		stop(nil)
		forget()
	}
}

func (a *attempt) consumerStops() {
	a.stopped = true
	a.stop(errConsumer)
}

// timeout is the shortest of the attempt's limits, 0 for none.
func (a *attempt) timeout() time.Duration {
	return plan.Shortest(a.call.s.Step.AttemptTimeout, a.Target.Timeout, a.Target.Provider.Timeout)
}

// Unsendable implements exchange.Host: it is an attempt whose request cannot be made: the program under
// test asked for something impossible, and nothing was dialled.
func (a *attempt) Unsendable(err error) *failure.Failure {
	a.call.s.n--
	return a.call.r.classified(&failure.Failure{
		Kind: failure.Validation, Message: "the request cannot be made: " + err.Error(), Step: a.call.s.Name, Target: a.Target.Name, Retries: a.call.s.retried,
	})
}

func (a *attempt) event(p trace.Payload) trace.Event {
	return trace.Event{Step: a.call.s.Name, Attempt: a.N, Round: a.call.round, Turn: a.call.turn, Target: a.Target.Name, Payload: p}
}

// Event implements exchange.Host.
func (a *attempt) Event(p trace.Payload) { a.call.r.emit(a.event(p)) }

// Gate implements exchange.Host.
func (a *attempt) Gate(name, message string, rng hcl.Range) { a.call.r.gate(name, message, rng) }

// Defect implements exchange.Host.
func (a *attempt) Defect(message string, rng hcl.Range) { a.call.r.defect(message, rng) }

// Stopped implements exchange.Host.
func (a *attempt) Stopped() bool { return a.stopped }

func (a *attempt) started(q *exchange.Request) {
	a.call.s.operation = q.Operation
	a.Event(&event.AttemptStart{Request: q.Start, Decision: a.call.decision()})
}

// Deliver implements exchange.Host: it hands one chunk to the step's consumer.
func (a *attempt) Deliver(providers.Chunk) error {
	a.delivered = true
	a.chunks++
	a.chunkAt = append(a.chunkAt, a.call.r.Clock.Elapsed())
	if c := a.call.s.Step.Consumer; c != nil && c.Chunks > 0 && a.chunks >= c.Chunks {
		a.stopped = true
		return errConsumer
	}
	return nil
}

// name completes a failure: whose deadline it was, its mode, its place.
func (a *attempt) name(outer, own context.Context, f *failure.Failure) *failure.Failure {
	r := a.call.r
	switch {
	case f == nil || a.stopped:
		return f
	case outer.Err() != nil:
		f = &failure.Failure{Kind: failure.Cancelled, Message: "cancelled: " + causeText(outer)}
	case a.Silent != nil:
		if a.Silent.Begun {
			a.Event(&event.Timeout{Layer: "idle", After: a.Silent.After})
		} else {
			a.Event(&event.Timeout{Layer: "first_byte", After: a.Silent.After})
		}
		f.Kind, f.Cause, f.Message = failure.Timeout, "", a.Silent.Error()
	case errors.Is(own.Err(), context.DeadlineExceeded):
		a.Event(&event.Timeout{Layer: "attempt", After: a.timeout()})
		if f.Kind != failure.DBTimeout {
			f.Kind, f.Cause = failure.Timeout, ""
		}
	}
	f.Step, f.Attempt, f.Target = a.call.s.Name, a.N, a.Target.Name
	f.Operation, f.Retries = a.call.s.operation, a.call.s.retried
	if f.Mode != nil { // a fault's; what its code means is the taxonomy's to say
		f.Mode = r.taxonomy.Lookup(f.Mode.Code)
	}
	f = r.classified(f)
	if a.call.gated {
		f.Retryable = false
	}
	return f
}

// account tells the policies and the trace how the attempt ended.
func (a *attempt) account(f *failure.Failure) {
	outcome := "success"
	told := a.Client.Failed(f)
	switch {
	case a.stopped:
		outcome, f, told = "cancelled", nil, nil
	case f == nil:
	case f.Kind == failure.Cancelled:
		outcome = "cancelled"
	default:
		outcome = "failure"
	}
	a.ended(f, a.stopped || f != nil && a.call.gated)
	if outcome == "failure" {
		a.Event(&event.Failure{Failed: told, StatusCode: f.StatusCode})
	}
	a.Event(a.end(outcome, f, told))
	if g := a.call.s.Step.Gateway.Name; g != "" && a.later && outcome == "success" {
		a.Event(&event.Fallback{Gateway: g, From: a.first.Name, To: a.Target.Name})
	}
}

// ended tells the policies what became of the call.
func (a *attempt) ended(f *failure.Failure, void bool) {
	if len(a.passes) == 0 {
		return
	}
	d := policy.Dial{At: a.call.r.Clock.Elapsed(), Void: void}
	if !void {
		d.Failure = f
	}
	if a.Output.Usage.Set {
		d.Tokens = &a.Output.Usage.Total
	}
	for _, p := range a.passes {
		p.Ended(d)
	}
}

// end says what the attempt met.
func (a *attempt) end(outcome string, f *failure.Failure, told *event.Failed) *event.AttemptEnd {
	end := a.call.r.client.Ended(&exchange.Ended{
		Outcome: outcome, Failure: f, Told: told, Family: a.Target.Provider.Kind.Family, Meta: a.Meta, Status: a.Status, Headers: a.Headers, Output: &a.Output,
	})
	end.ChunkAt, end.Reconnected = a.chunkAt, a.Reconnected
	end.Gateway, end.Fallback = a.call.s.Step.Gateway.Name, a.later && outcome == "success"
	end.FaultPending = a.FaultPending(outcome == "success")
	for _, g := range a.guards {
		if c, ok := g.(policy.Counter); ok {
			end.BreakerFailures = c.Failures()
		}
	}
	return end
}
