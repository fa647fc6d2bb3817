package drive

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/exchange"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/trace"
	"github.com/scenario-lang/scenario/wire"
)

// An Exchange is the answer to one request. Whoever plays its script tells it
// how far that has come: it is a [wire.Watch]. It is safe for concurrent use.
type Exchange struct {
	run      *Run
	endpoint *endpoint // nil where a gate answers
	lane     *lane
	target   *plan.Target
	vendor   *providers.Vendor
	asked    Asked
	request  *request
	ctx      context.Context
	n        int
	seq      uint64      // of the event that began it
	entry    *plan.Entry // nil where the recording answers
	found    Found
	// unchanged says that the fault of the entry left the answer as it was, and why
	// because of what.
	unchanged bool
	why       string
	// rendered is the reply that answers, nil for anything else.
	rendered *exchange.Rendered
	// use takes the answer that an injected fault disturbs, nil for none.
	use     func()
	script  wire.WireScript
	started time.Duration
	// relay is the real service that answers, nil where the script does, and take
	// the recording of what it does, nil where it is not asked.
	relay *exchange.Relay
	take  *cassette.Take

	// sent counts the bytes that were sent. The last wait of the script comes
	// before the byte number last, and waits says that there is one.
	sent, last int
	waits      bool
	// On a connection, reached counts the operations whose wait is over, and
	// waited those up to the last that has one. closes says that the script was
	// given the words that end the connection.
	reached, waited int
	closes          bool
	// size counts the bytes of the script, and quiet says that nothing strikes
	// after them.
	size  int
	quiet bool
	// over is when the last wait of the answer was, or its end where that came before.
	over time.Duration
	// ended says that it has ended, and left that its client ended it while there was
	// more to say or to wait for.
	ended, left bool
	gate        string // that answers in the place of an endpoint
	// session says that the request is no call, and along are the exchanges of
	// other endpoints that end with this one.
	session bool
	along   []*Exchange
	// said is when the last bytes were given out, where says is set, and at when it
	// ended.
	said, at time.Duration
	says     bool
	// saidAll says that nothing follows what was given out last, and aside that the
	// client asks for something else before it takes the rest.
	saidAll, aside bool
	outcome        string
	// compared is what it asks, nil where nobody has wanted to know.
	compared *what
}

// Script is what the client is to meet.
func (x *Exchange) Script() wire.WireScript { return x.script }

// Clock is the one on which the script is played.
func (x *Exchange) Clock() wire.Clock { return x.run.options.Clock }

// play makes a script the exchange's own.
func (x *Exchange) play(s wire.WireScript) {
	x.script = s
	x.waits, x.quiet = s.Delay > 0, true
	n := 0
	x.waited = 1
	said := refusedBy(s)
	for i, op := range s.Ops {
		if op.Wait > 0 && i < said {
			x.waits, x.last, x.waited = true, n, i+1
		}
		n += len(op.Data)
		if op.End != wire.EndNone {
			x.quiet = op.End == wire.EndFIN
			break
		}
	}
	x.size, x.over = n, notYet
	x.gotOn()
}

// Aside says that the client asks for something else before it takes the rest of the
// answer, or that it comes back for that.
func (x *Exchange) Aside(is bool) {
	x.run.mu.Lock()
	defer x.run.mu.Unlock()
	x.aside = is
	if x.lane != nil && is {
		x.lane.wake()
	}
}

// Sent implements wire.Watch. What nothing more happens to has ended, though the client
// may leave the rest unread until it is done with something else: a server would have
// written all of it.
func (x *Exchange) Sent(n int) {
	x.run.mu.Lock()
	defer x.run.mu.Unlock()
	x.sent += n
	x.gotOn()
	if x.relay == nil && !x.ended && x.spent() {
		x.end(true) // nothing is left of it that a client could leave
		x.run.unread = append(x.run.unread, x)
	}
}

// End implements wire.Watch.
func (x *Exchange) End(left bool) {
	x.run.mu.Lock()
	defer x.run.mu.Unlock()
	x.run.unread = slices.DeleteFunc(x.run.unread, func(o *Exchange) bool { return o == x })
	x.run.farewell(x)
	x.end(left)
}

// farewell ends the exchanges whose clients have left, whoever plays them not
// having said so yet: a client that asks again may be faster.
func (r *Run) farewell(but *Exchange) {
	left := func(x *Exchange) bool { return x != but && x.ctx.Err() != nil }
	if !slices.ContainsFunc(r.open, left) {
		return
	}
	for _, x := range slices.Clone(r.open) {
		if left(x) {
			x.end(true)
		}
	}
}

// Ended is an exchange that is over, for people who watch.
type Ended struct {
	// Endpoint, Lane, Call and Attempt, which counts in its call, say whose it
	// was. Without an endpoint a Gate answered.
	Endpoint, Lane, Gate string
	Call, Attempt        int
	Method, URL          string
	// Outcome is that of the attempt, Status that of the answer, 0 for none.
	Outcome, Fault string
	Status         int
	// By is what answered, script or cassette, and Entry which part of it.
	By    string
	Entry int
	// Found says by which rules all of that was decided.
	Found Found
	// Started and Ended are times of the run.
	Started, Ended time.Duration
}

func (r *Run) tell(e func() Ended) {
	if r.options.OnEnd != nil {
		r.options.OnEnd(e())
	}
}

func (x *Exchange) end(left bool) {
	if x.ended {
		return
	}
	switch {
	case left && x.spent():
		left, x.sent = false, x.size
	case left && x.refused():
		left = false // what it left unread is recorded
	}
	r := x.run
	x.afterThoseBefore()
	x.ended, x.left, r.lastEnd = true, left, r.Now()
	x.at, x.over = x.endedAt(left), min(x.over, r.lastEnd)
	for _, other := range x.along {
		other.sent = x.sent
		other.end(left)
	}
	r.open = slices.DeleteFunc(r.open, func(o *Exchange) bool { return o == x })
	switch {
	case x.session:
		if x.take != nil && !(left && (r.over || r.stopping)) {
			_ = x.take.Seal(!left) // a replay answers without it, too
		}
		return
	case x.endpoint == nil:
		r.tell(func() Ended {
			return Ended{Method: x.asked.Request.Method, URL: x.asked.Request.URL.String(), Gate: x.gate, Status: statusGate, Started: x.started, Ended: x.at}
		})
		return
	}
	out, status, headers, f := x.met(left)
	left = x.recorded(left, out.Complete)
	if x.outcome = outcomeOf(f, x.script.Meta.Fault, left); x.outcome == "success" {
		x.useUp()
	}
	if x.outcome == "cancelled" {
		f = nil
	}
	if f != nil {
		f.Step, f.Attempt, f.Target = x.endpoint.Name, x.n, x.target.Name
		f.RetryAfter = time.Duration(float64(f.RetryAfter) * r.scale()) // as the run counts time
		f = r.classified(x.endpoint, *f)
	}
	c, place := x.lane.belongs(x)
	x.found.Call = x.callRule(c)
	end := r.recall.Ended(&exchange.Ended{
		Outcome: x.outcome, Failure: f, Told: r.recall.Failed(f), Family: x.target.Provider.Kind.Family, Meta: x.script.Meta, Status: status, Headers: headers, Output: &out,
	})
	if end.FaultPending = r.sources.Over(x.entry, x.at-x.started); !end.FaultPending {
		r.sources.Met(&exchange.Answer{Entry: x.entry, Unchanged: x.unchanged, Why: x.why}, false) // what a program takes for a success is not known
	}
	end.Served = &event.Served{CallNumber: c.n, EndedBy: endedBy(left && !r.stopping), SentBytes: x.sent}
	if x.says && !left {
		end.Served.Late = x.at - x.said
	}
	if f != nil {
		r.emitAt(x.event(&event.Failure{Failed: end.Failed, StatusCode: f.StatusCode}), x.at)
	}
	e := x.event(end)
	e.Round = place
	r.emitAt(e, x.at)
	if f == nil && x.outcome == "success" {
		x.served(out, status)
	}
	r.tell(func() Ended {
		return Ended{
			Endpoint: x.endpoint.Name, Lane: x.lane.name, Call: c.n, Attempt: place, Method: x.request.http.Method, URL: x.request.http.URL.String(),
			Outcome: x.outcome, Fault: x.script.Meta.Fault, Status: status, By: x.script.Meta.By, Entry: x.script.Meta.Entry, Found: x.found, Started: x.started, Ended: x.at,
		}
	})
	x.lane.wake()
	r.remember(x, out.ID)
}

// afterThoseBefore ends what was asked in the lane before and has been given out, or
// has begun to be and takes no more time, its server not having said so yet: a client
// that has an answer, or has seen enough of it, and asks again may be faster, and whose
// attempt is another one of a call is known by what ended before.
func (x *Exchange) afterThoseBefore() {
	before := func(o *Exchange) bool {
		return o.lane != nil && o.lane == x.lane && o.n < x.n && (o.saidAll || o.relay == nil && o.spent() || o.refused())
	}
	if !slices.ContainsFunc(x.run.open, before) {
		return
	}
	for _, o := range slices.Clone(x.run.open) {
		if before(o) {
			o.end(true) // nothing is left of it that a client could leave
		}
	}
}

// endedAt is when the exchange ended: where the server gave all of it out, the moment
// before its last bytes left, since who waits for them may go on before the server
// comes to say that they were written. Time never goes back in a trace, so that
// what has happened meanwhile moves it.
func (x *Exchange) endedAt(left bool) time.Duration {
	if left || !x.says {
		return x.run.Now()
	}
	return max(x.said, x.run.latest)
}

// served keeps what the endpoint answered last.
func (x *Exchange) served(out providers.Output, status int) {
	e := x.endpoint
	e.answer, e.status = event.Answer{}, status
	x.run.recall.TellAnswer(x.target.Provider.Kind.Family, &e.answer, out)
	if out.ID != "" {
		x.run.turns[out.ID] = x.request.turn
	}
}

// outcomeOf says what became of an attempt that met a failure or nil.
func outcomeOf(f *failure.Failure, fault string, left bool) string {
	switch {
	case left && fault == "":
		return "cancelled"
	case f != nil || left:
		return "failure"
	}
	return "success"
}

func endedBy(left bool) string {
	if left {
		return "client"
	}
	return "server"
}

// met is what the provider's adapter makes of what was sent. To a client that
// left during a fault it was silence.
func (x *Exchange) met(left bool) (out providers.Output, status int, headers map[string]string, f *failure.Failure) {
	if left || x.relay != nil || x.closes || x.rendered == nil || !x.rendered.Is(x.script) || x.request.http.Header.Get("Range") != "" {
		return x.parsed(left)
	}
	if x.rendered.Parsed == nil {
		if mayDate(x.script) {
			return x.parsed(left) // how long until then is another time each time
		}
		p := &exchange.Parsed{}
		p.Output, p.Status, p.Headers, p.Failure = x.parsed(false)
		x.rendered.Parsed = p
	}
	p := x.rendered.Parsed
	if p.Failure != nil {
		own := *p.Failure // to which its attempt is added
		f = &own
	}
	return p.Output, p.Status, p.Headers, f
}

// parsed asks the adapter.
func (x *Exchange) parsed(left bool) (out providers.Output, status int, headers map[string]string, f *failure.Failure) {
	script := x.script
	switch {
	case x.relay != nil:
		script = x.relay.Script()
		x.script = script
	case left:
		script = script.Cut(x.sent, wire.EndTimeout)
		script.Dial, script.TLS, script.Err = nil, nil, nil
	}
	in := x.vendor.In
	req := x.request.http.WithContext(context.Background())
	providers.SetBody(req, x.request.body)
	if req.Header.Get("Accept-Encoding") != "" {
		req.Header = req.Header.Clone()
		req.Header.Del("Accept-Encoding") // what is compressed is read, as its client does
	}
	now := func() time.Time { return x.run.programs(x.run.Now()) } // dates are on the program's clock
	resp, err := script.RoundTrip(&instant{x.run.options.Clock}, req)
	if resp != nil {
		if x.closes {
			resp.Header.Del("Connection")
		}
		status, headers = resp.StatusCode, x.run.recall.Header(resp.Header)
	}
	out, f = x.vendor.Adapter.Parse(context.Background(), in, resp, err, now, ignore)
	if status >= http.StatusOK && status < http.StatusMultipleChoices {
		out.CostUSD = script.Meta.CostUSD
	}
	return out, status, headers, f
}

// ignore takes chunks of content.
func ignore(providers.Chunk) error { return nil }

// instant is a clock on which no wait takes time.
type instant struct{ wire.Clock }

// Sleep implements wire.Clock: it is over. A silence without end is a client
// that gives up.
func (*instant) Sleep(ctx context.Context, d time.Duration) error {
	if d == wire.Forever {
		return context.DeadlineExceeded
	}
	return ctx.Err()
}

// event is an event of the attempt.
func (x *Exchange) event(p trace.Payload) trace.Event {
	return trace.Event{Step: x.endpoint.Name, Attempt: x.n, Turn: x.turn(), Target: x.target.Name, Payload: p}
}

// turn is that of a conversation, 0 where there is none.
func (x *Exchange) turn() int {
	if x.target.Provider.Kind.Family != "llm" {
		return 0
	}
	return x.request.turn
}
