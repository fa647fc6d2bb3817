package engine

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/policy"
	"github.com/scenario-lang/scenario/interp/sched"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/trace"
	"github.com/scenario-lang/scenario/wire"
)

// attempt is one dial of one target.
type attempt struct {
	call      *call
	target    *plan.Target
	state     *targetState
	admission *policy.Admission
	// later says that another target comes before this one in order, first
	// which.
	later bool
	first *plan.Target

	n int
	// vendor is the adapter with what it is asked.
	vendor *providers.Vendor
	output providers.Output
	// entry is the entry of the script that answered, nil for a cassette.
	entry *plan.Entry
	meta  wire.Meta
	// laid is what the last request met.
	script wire.WireScript
	// take is the recording of what the last request met, nil where none is
	// made.
	take *cassette.Take
	// delivered says that a chunk has reached the consumer.
	delivered bool
	chunks    int
	chunkAt   plan.InstantsAttr
	stopped   bool
	// stop cancels the attempt for the consumer.
	stop context.CancelCauseFunc
	// unheard says that the connection ended before any byte of an answer, and
	// reconnected that it was made anew.
	unanswered, reconnected bool
	// swift says that what is exchanged takes no time of the run.
	swift bool
	// status and headers are of the answer, whatever became of it.
	status  int
	headers map[string]string
}

// run dials, reads the answer and says what became of it.
func (a *attempt) run(ctx context.Context) *failure.Failure {
	r, s := a.call.r, a.call.s
	s.n++
	a.n, s.current = s.n, a
	defer func() { s.current = nil }()
	dialCtx, cancel := a.limited(ctx)
	defer cancel()
	q, req, err := a.exchangeRequest(dialCtx)
	if err != nil {
		return a.unsendable(err)
	}
	a.vendor = &q.vendor
	a.started(q)
	f := a.talk(dialCtx, req, q.body)
	f = a.name(ctx, dialCtx, f)
	a.account(f)
	r.overBudget()
	if a.stopped {
		return nil
	}
	return f
}

// bind is the input of this target: the step's own, completed by the
// provider's declaration.
func (a *attempt) bind() providers.Input {
	p, in := a.target.Provider, *a.call.in
	in.Model = a.call.model(a.target)
	in.BaseURL = p.BaseURL
	if in.BaseURL == "" {
		in.BaseURL = p.Kind.BaseURL
	}
	a.greets(&in)
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
	return plan.Shortest(a.call.s.Step.AttemptTimeout, a.target.Timeout, a.target.Provider.Timeout)
}

// unsendable is an attempt whose request cannot be made: the program under
// test asked for something impossible, and nothing was dialled.
func (a *attempt) unsendable(err error) *failure.Failure {
	a.call.s.n--
	return a.call.r.classified(&failure.Failure{
		Kind: failure.Validation, Message: "the request cannot be made: " + err.Error(), Step: a.call.s.Name, Target: a.target.Name, Retries: a.call.s.retried,
	})
}

func (a *attempt) event(t trace.Type, list []trace.Attr) trace.Event {
	return trace.Event{Type: t, Step: a.call.s.Name, Attempt: a.n, Round: a.call.round, Turn: a.call.turn, Target: a.target.Name, Attrs: list}
}

func (a *attempt) started(q *exchangeRequest) {
	a.call.s.operation = q.operation
	a.call.r.emit(a.event(trace.AttemptStart, slices.Concat(q.startAttrs, a.call.decision())))
}

// endedUsual is how many attributes the end of an attempt has where nothing
// failed.
const endedUsual = 13

// exchange asks the sources for an answer and reads it through the adapter.
func (a *attempt) exchange(ctx context.Context, req *http.Request, body []byte) *failure.Failure {
	r := a.call.r
	resp, err := a.send(ctx, req, body)
	if none, ok := err.(noAnswer); ok {
		return a.failUnanswered(none.error)
	}
	a.unanswered = resp == nil
	if resp != nil {
		a.status, a.headers = resp.StatusCode, plan.HeaderMap(resp.Header)
	}
	out, f := a.vendor.Adapter.Parse(ctx, a.vendor.In, resp, err, r.Clock.Now, a.deliver)
	if a.status >= 200 && a.status < 300 {
		// An answer that came is paid for, also where it breaks off.
		out.CostUSD = a.meta.CostUSD
	}
	a.output = out
	a.seal(ctx, out.Complete)
	return f
}

// failUnanswered is an attempt for which there is no answer it may have: a gate is
// broken, and no retry can mend it.
func (a *attempt) failUnanswered(err error) *failure.Failure {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return cancelled(err) // while the recording was asked for
	}
	a.call.gated = true
	rng := a.call.s.Step.Rng
	var g *gateError
	if errors.As(err, &g) {
		if g.entry != nil {
			rng = g.entry.Rng
		}
		a.call.r.gate(g.gate, g.message, rng)
	} else if a.entry != nil {
		a.call.r.defect(fmt.Sprintf("entry %d (%s) of the script for step %q cannot be played: %s", a.entry.N, a.entry.What(), a.call.s.Name, err), a.entry.Rng)
	} else {
		a.call.r.defect("the call cannot be answered: "+err.Error(), rng)
	}
	return &failure.Failure{Kind: failure.Exception, Type: "Unanswered", Message: err.Error()}
}

// deliver hands one chunk to the step's consumer.
func (a *attempt) deliver(providers.Chunk) error {
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
	case errors.Is(own.Err(), context.DeadlineExceeded):
		r.emit(a.event(trace.Timeout, plan.Attrs("layer", "attempt", "after_ns", a.timeout())))
		if f.Kind != failure.DBTimeout {
			f.Kind, f.Cause = failure.Timeout, ""
		}
	}
	f.Step, f.Attempt, f.Target = a.call.s.Name, a.n, a.target.Name
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

// account tells the breaker and the trace how the attempt ended.
func (a *attempt) account(f *failure.Failure) {
	r := a.call.r
	outcome := "success"
	now := r.Clock.Elapsed()
	told := plan.Failed(nil, f)
	switch {
	case a.stopped:
		outcome, f, told = "cancelled", nil, nil
		a.admission.Release()
	case f == nil:
		a.admission.Success(now)
	case f.Kind == failure.Cancelled:
		outcome = "cancelled"
		a.admission.Release()
	default:
		outcome = "failure"
		if a.call.gated {
			a.admission.Release()
		} else {
			a.admission.Failure(now, *f)
		}
	}
	list := append(a.answered(outcome, f, len(told)), told...)
	if outcome == "failure" {
		r.emit(a.event(trace.Failure, told))
	}
	r.emit(a.event(trace.AttemptEnd, list))
	if g := a.call.s.Step.Gateway.Name; g != "" && a.later && outcome == "success" {
		r.emit(a.event(trace.Fallback, plan.Attrs("gateway", g, "from", a.first.Name, "to", a.target.Name)))
	}
}

// answered are the attributes of what the attempt met, in the order of their
// keys and with room for those of its failure.
func (a *attempt) answered(outcome string, f *failure.Failure, more int) []trace.Attr {
	out := &a.output
	content, model := out.Content, ""
	var breaker, instants, status, usage any
	switch {
	case a.target.Provider.Kind.Family == "llm":
		model = out.Model
	case len(out.Chunks) == 0 && len(out.Body) > 0:
		content = string(out.Body)
	}
	if a.state.breaker != nil {
		breaker = plan.IfSet(a.state.breaker.Failures())
	}
	if len(a.chunkAt) > 0 {
		instants = a.chunkAt
	}
	if f == nil || f.StatusCode == 0 { // else it is the failure's
		status = plan.IfSet(a.status)
	}
	if out.Usage.Set {
		usage = plan.UsageAttr{Usage: out.Usage}
	}
	return plan.AddAttrs(make([]trace.Attr, 0, endedUsual+more), "breaker_failures", breaker, "by", a.meta.By, "chunk_at_ns", instants, "chunks", out.Chunks,
		"complete", plan.IfSet(out.Complete), "content", plan.ByName.Text(content), "cost_usd", plan.IfSet(out.CostUSD), "entry", plan.IfSet(a.meta.Entry),
		"fallback", plan.IfSet(a.later && outcome == "success"), "fault_type", a.meta.Fault, "finish_reason", out.FinishReason,
		"gateway", a.call.s.Step.Gateway.Name, "headers", plan.HeadersAttr(a.headers), "model", model, "outcome", outcome,
		"reconnected", plan.IfSet(a.reconnected), "status_code", status, "tool_calls", plan.CallsAttr(out.ToolCalls), "usage", usage)
}
