package interp

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/policy"
	"github.com/scenario-lang/scenario/interp/sched"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/trace"
	"github.com/scenario-lang/scenario/wire"
)

// attempt is one dial of one target.
type attempt struct {
	call      *call
	target    *target
	state     *targetState
	admission *policy.Admission
	// later says that another target comes before this one in order, first
	// which.
	later bool
	first *target

	n int
	// vendor is the adapter with what it is asked.
	vendor *providers.Vendor
	output providers.Output
	// entry is the entry of the script that answered, nil for a cassette.
	entry *entry
	meta  wire.Meta
	// laid is what the last request met.
	laid wire.WireScript
	// take is the recording of what the last request met, nil where none is
	// made.
	take *cassette.Take
	// delivered says that a chunk has reached the consumer.
	delivered bool
	chunks    int
	chunkAt   instantsAttr
	stopped   bool
	// stop cancels the attempt for the consumer.
	stop context.CancelCauseFunc
	// unheard says that the connection ended before any byte of an answer, and
	// reconnected that it was made anew.
	unheard, reconnected bool
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
	q, req, err := a.question(dialCtx)
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
	p, in := a.target.provider, *a.call.in
	in.Model = a.call.model(a.target)
	in.BaseURL = p.baseURL
	if in.BaseURL == "" {
		in.BaseURL = p.kind.BaseURL
	}
	a.greets(&in)
	if len(p.headers) > 0 {
		merged := make(map[string]string, len(p.headers)+len(in.Headers))
		for _, m := range []map[string]string{p.headers, in.Headers} {
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
	if c := a.call.s.step.consumer; c != nil {
		ctx, release = a.consumed(ctx, c)
	}
	d := a.timeout()
	if d <= 0 {
		return ctx, release
	}
	timed, cancel := a.call.r.clock.WithTimeout(ctx, d)
	if a.stop == nil {
		return timed, cancel
	}
	return timed, func() {
		release()
		cancel()
	}
}

// consumed is a context that the step's consumer ends.
func (a *attempt) consumed(ctx context.Context, c *consumer) (context.Context, context.CancelFunc) {
	clock := a.call.r.clock
	ctx, stop := clock.WithCancelCause(ctx)
	a.stop = stop
	forget := func() {}
	if c.after > 0 {
		forget = clock.At(sched.Deadline, a.call.s.order, c.after, a.consumerStops)
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
	return shortest(a.call.s.step.attemptTimeout, a.target.timeout, a.target.provider.timeout)
}

// unsendable is an attempt whose request cannot be made: the program under
// test asked for something impossible, and nothing was dialled.
func (a *attempt) unsendable(err error) *failure.Failure {
	a.call.s.n--
	return a.call.r.classified(&failure.Failure{
		Kind: failure.Validation, Message: "the request cannot be made: " + err.Error(), Step: a.call.s.name, Target: a.target.name, Retries: a.call.s.retried,
	})
}

func (a *attempt) event(t trace.Type, list []trace.Attr) trace.Event {
	return trace.Event{Type: t, Step: a.call.s.name, Attempt: a.n, Round: a.call.round, Turn: a.call.turn, Target: a.target.name, Attrs: list}
}

func (a *attempt) started(q *question) {
	a.call.s.operation = q.operation
	a.call.r.emit(a.event(trace.AttemptStart, slices.Concat(q.said, a.call.decision())))
}

// endedUsual is how many attributes the end of an attempt has where nothing
// failed.
const endedUsual = 13

// exchange asks the sources for an answer and reads it through the adapter.
func (a *attempt) exchange(ctx context.Context, req *http.Request, body []byte) *failure.Failure {
	r := a.call.r
	resp, err := a.send(ctx, req, body)
	if none, ok := err.(noAnswer); ok {
		return a.unanswered(none.error)
	}
	a.unheard = resp == nil
	if resp != nil {
		a.status, a.headers = resp.StatusCode, headerMap(resp.Header)
	}
	out, f := a.vendor.Adapter.Parse(ctx, a.vendor.In, resp, err, r.clock.Now, a.deliver)
	if a.status >= 200 && a.status < 300 {
		// An answer that came is paid for, also where it breaks off.
		out.CostUSD = a.meta.CostUSD
	}
	a.output = out
	a.seal(ctx, out.Complete)
	return f
}

// unanswered is an attempt for which there is no answer it may have: a gate is
// broken, and no retry can mend it.
func (a *attempt) unanswered(err error) *failure.Failure {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return cancelled(err) // while the recording was asked for
	}
	a.call.gated = true
	rng := a.call.s.step.rng
	var g *gateError
	if errors.As(err, &g) {
		if g.entry != nil {
			rng = g.entry.rng
		}
		a.call.r.gate(g.gate, g.message, rng)
	} else if a.entry != nil {
		a.call.r.defect(fmt.Sprintf("entry %d (%s) of the script for step %q cannot be played: %s", a.entry.n, a.entry.what(), a.call.s.name, err), a.entry.rng)
	} else {
		a.call.r.defect("the call cannot be answered: "+err.Error(), rng)
	}
	return &failure.Failure{Kind: failure.Exception, Type: "Unanswered", Message: err.Error()}
}

// deliver hands one chunk to the step's consumer.
func (a *attempt) deliver(providers.Chunk) error {
	a.delivered = true
	a.chunks++
	a.chunkAt = append(a.chunkAt, a.call.r.clock.Elapsed())
	if c := a.call.s.step.consumer; c != nil && c.chunks > 0 && a.chunks >= c.chunks {
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
		r.emit(a.event(trace.Timeout, attrs("layer", "attempt", "after_ns", a.timeout())))
		if f.Kind != failure.DBTimeout {
			f.Kind, f.Cause = failure.Timeout, ""
		}
	}
	f.Step, f.Attempt, f.Target = a.call.s.name, a.n, a.target.name
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
	now := r.clock.Elapsed()
	told := failed(nil, f)
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
	if g := a.call.s.step.gateway.name; g != "" && a.later && outcome == "success" {
		r.emit(a.event(trace.Fallback, attrs("gateway", g, "from", a.first.name, "to", a.target.name)))
	}
}

// answered are the attributes of what the attempt met, in the order of their
// keys and with room for those of its failure.
func (a *attempt) answered(outcome string, f *failure.Failure, more int) []trace.Attr {
	out := &a.output
	content, model := out.Content, ""
	var breaker, instants, status, usage any
	switch {
	case a.target.provider.kind.Family == "llm":
		model = out.Model
	case len(out.Chunks) == 0 && len(out.Body) > 0:
		content = string(out.Body)
	}
	if a.state.breaker != nil {
		breaker = ifSet(a.state.breaker.Failures())
	}
	if len(a.chunkAt) > 0 {
		instants = a.chunkAt
	}
	if f == nil || f.StatusCode == 0 { // else it is the failure's
		status = ifSet(a.status)
	}
	if out.Usage.Set {
		usage = usageAttr{out.Usage}
	}
	return addAttrs(make([]trace.Attr, 0, endedUsual+more), "breaker_failures", breaker, "by", a.meta.By, "chunk_at_ns", instants, "chunks", out.Chunks,
		"complete", ifSet(out.Complete), "content", byName.Text(content), "cost_usd", ifSet(out.CostUSD), "entry", ifSet(a.meta.Entry),
		"fallback", ifSet(a.later && outcome == "success"), "fault_type", a.meta.Fault, "finish_reason", out.FinishReason,
		"gateway", a.call.s.step.gateway.name, "headers", headersAttr(a.headers), "model", model, "outcome", outcome,
		"reconnected", ifSet(a.reconnected), "status_code", status, "tool_calls", callsAttr(out.ToolCalls), "usage", usage)
}
