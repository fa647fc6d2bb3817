package drive

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/exchange"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/trace"
	"github.com/scenario-lang/scenario/wire"
)

// ErrFinished is the error of a request that comes after the end of the run.
var ErrFinished = errors.New("the scenario has ended: nothing answers any more")

// Answer decides what a request meets. A request that breaks a gate is answered,
// too, in words that a client does not try again. The error is that of ctx where
// the client left first, or [ErrFinished].
func (r *Run) Answer(ctx context.Context, a Asked) (*Exchange, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over {
		return nil, ErrFinished
	}
	r.asked++
	a.undo()
	r.hear(&a)
	if r.sources.Injects() && r.Log.Err() != nil {
		r.abandon(nil) // the trace is as long as it may be
	}
	if r.gaveUp() {
		return r.gated(ctx, a, givenUp, exchange.ErrAbandoned.Error()), nil
	}
	r.farewell(nil)
	if why := r.tooMuch(); why != "" {
		if !r.full {
			r.full = true
			r.defect(why, r.place())
		}
		return r.gated(ctx, a, "error", why), nil
	}
	if what := unspoken(a.Request); what != "" {
		return r.lose(ctx, a, plan.GateUnmatched, fmt.Sprintf("%s %s is a request of %s, which is not served.\nhint: have the program use plain HTTP/1.1", a.Request.Method, a.Request.URL, what), r.place()), nil
	}
	own, way := routed(a.Request)
	if c, b, ok := r.preflight(&a, own); ok {
		return r.attend(ctx, a, c, &request{http: own}, b), nil
	}
	again := r.known.exactly(&a, own)
	if again == nil {
		r.hearBody(&a)
	}
	var c *candidate
	if again != nil {
		c = again.candidate
	} else {
		var lost *lost
		if c, lost = r.asksOf(&a, own); lost != nil {
			return r.lose(ctx, a, lost.gate, lost.message, r.place()), nil
		}
	}
	r.reached[c.Name] = true
	asked := *own.URL
	if overHTTP(own) {
		own.URL.Scheme, own.URL.Host, own.Host = c.base.Scheme, c.base.Host, c.base.Host
	}
	req := &request{http: own, body: a.Body, legible: a.legible, path: c.below.URL.Path, known: again}
	if err := r.understand(c, &a, asked, req); err != nil {
		return r.lose(ctx, a, plan.GateUnmatched, fmt.Sprintf("%s %s cannot be read as a request to provider %q: %s", own.Method, own.URL, c.Name, err), r.place()), nil
	}
	if b, ok := r.sessionReply(c, req); ok {
		return r.attend(ctx, a, c, req, b), nil
	}
	req.turn = req.in.Turn(func(id string) int { return r.turns[id] })
	e, by, lost := r.endpointOf(c, way, req)
	if lost != nil {
		return r.lose(ctx, a, lost.gate, lost.message, r.place()), nil
	}
	req.found = Found{Provider: c.by, Endpoint: by}
	if req.lane = way.lane; req.lane != "" {
		req.found.Lane = "header " + HeaderLane
	} else if req.lane = r.laneOf(e, req); e.Step.Endpoint.Lane != nil {
		req.found.Lane = "lane of the endpoint"
	}
	if e.lanes[req.lane] == nil && len(e.lanes) >= lanesMax {
		return r.lose(ctx, a, plan.GateAmbiguous, fmt.Sprintf("the requests of endpoint %q name more than %d lanes, each with a place in the script of its own.\nhint: a lane is a worker or a conversation, and not a single request", e.Name, lanesMax), e.Step.Rng), nil
	}
	return r.take(ctx, a, c, e, req)
}

// unspoken is the protocol of a request that nobody here speaks, "" for one of
// HTTP/1.1.
func unspoken(req *http.Request) string {
	switch upgrade := req.Header.Get("Upgrade"); {
	case req.Method == "PRI":
		return "HTTP/2"
	case strings.EqualFold(upgrade, "websocket"):
		return "WebSocket"
	case strings.HasPrefix(req.Header.Get("Content-Type"), "application/grpc"):
		return "gRPC"
	}
	return ""
}

// laneOf is the value of the endpoint's lane for a request.
func (r *Run) laneOf(e *endpoint, req *request) string {
	expr := e.Step.Endpoint.Lane
	if expr == nil {
		return ""
	}
	v, why := r.evaluate(req, expr)
	if why == "" && v.IsNull() {
		why = "it is null"
	}
	if why != "" {
		r.warn(fmt.Sprintf("the lane of endpoint %q has no value for %s: %s; the request is in the lane \"\"", e.Name, about(req), why))
		return ""
	}
	return laneText(v)
}

// laneText is a value as the name of a lane.
func laneText(v cty.Value) string {
	switch v.Type() {
	case cty.String:
		return v.AsString()
	case cty.Number:
		return v.AsBigFloat().Text('f', -1)
	case cty.Bool:
		return strconv.FormatBool(v.True())
	}
	return string(trace.AppendValue(nil, event.Value{Value: v}))
}

// warn keeps something to say at the end, once.
func (r *Run) warn(text string) {
	if len(r.warnings) < different && !slices.Contains(r.warnings, text) {
		r.warnings = append(r.warnings, text)
	}
}

// evaluate computes an expression over a request; why says what is wrong with
// it, "" where there is a value.
func (r *Run) evaluate(req *request, e hclsyntax.Expression) (v cty.Value, why string) {
	n := r.needs[e]
	if n == nil {
		n = &read.Needs{}
		n.Add(e)
		r.needs[e] = n
	}
	ctx := r.Obs.Static().NewChild()
	ctx.Variables = map[string]cty.Value{"request": req.object(n.Of("request"))}
	v, diags := dsl.Evaluate(e, ctx)
	switch {
	case diags.HasErrors():
		return read.Null, plan.FirstError(diags)
	case !v.IsWhollyKnown():
		return read.Null, "it is not known"
	}
	return v, ""
}

// take lets a request take the next entry of its lane, when its turn has come.
func (r *Run) take(ctx context.Context, a Asked, c *candidate, e *endpoint, req *request) (*Exchange, error) {
	l := e.lane(req.lane)
	target := e.target(c.Provider)
	vendor := &providers.Vendor{Adapter: c.Adapter, In: req.in}
	wanted := exchange.Wanted{Target: target.Name, Turn: req.turn, Fits: func(entry *plan.Entry) bool { return r.fits(entry, req) }}
	script := r.plan.ScriptFor(e.Name, target.Name)
	asked := exchange.Asked{
		Call: wire.Call{
			Scenario: r.plan.Name, Step: e.Name, Turn: req.turn, Target: target.Name, Lane: l.name, Stream: req.in.Stream, Request: req.http, Body: req.body,
		},
		Step: e.Name, Provider: c.Provider, Lane: l.name, Fits: wanted.Fits, Vendor: vendor, Own: true, Declared: e.Step,
		Unfit: func(sc *plan.Script) (why, hint string) { return r.unfit(sc, req) },
	}
	if mine, err := r.turn(ctx, l, script, wanted, &asked); err != nil {
		return nil, err
	} else if r.over {
		return nil, ErrFinished // while it waited
	} else if !mine {
		return r.lose(ctx, a, plan.GateAmbiguous, fmt.Sprintf(
			"%s came to endpoint %q while another request of %s had no answer yet, and the order in which they come decides who gets which entry.\nhint: tell them apart: lane = request.body gives each different request a line of its own; concurrent = \"arrival\" lets chance decide",
			about(req), e.Name, laneName(l)), e.Step.Rng), nil
	}
	l.useUp()
	x := &Exchange{run: r, endpoint: e, lane: l, target: target, vendor: vendor, asked: a, request: req, ctx: ctx, started: r.Now()}
	var before *exchange.Cursor
	if script != nil {
		before = r.sources.Cursor(exchange.Line{Step: e.Name, Lane: l.name}, script).Copy()
	}
	asked.Call.Attempt = e.n + 1
	if req.known != nil {
		asked.Known = req.known.Known
	}
	answer, err := r.sources.Answer(ctx, asked)
	if err != nil {
		return r.unanswered(ctx, a, e, answer, err), nil
	}
	if r.over {
		return nil, ErrFinished // while a service was asked
	}
	if x.use = answer.Use; x.use != nil {
		l.disturbed = append(l.disturbed, x)
	}
	if answer.Entry == nil {
		before = nil
	} else {
		l.note(answer.Entry)
	}
	x.entry, x.unchanged, x.why, x.rendered = answer.Entry, answer.Unchanged, answer.Why, answer.Rendered
	x.found = req.found
	x.found.Entry = entryRule(answer)
	answer.Script = r.inSession(answer.Script, c.Provider, req)
	x.script, x.closes = r.lastOnItsConnection(r.timed(answer), c.provider)
	r.gives(x.script)
	x.play(x.script)
	x.goesOn(answer)
	l.take(&taken{x, before, wanted, answer.Entry})
	r.open = append(r.open, x)
	r.began(x)
	return x, nil
}

// note remembers which entries a lane gave.
func (l *lane) note(e *plan.Entry) {
	if l.entries == nil {
		l.entries = map[*plan.Entry]bool{}
	}
	l.entries[e] = true
}

// fits reports whether a request can take an entry: by the entry's match, and
// because a fault of a stream needs one.
func (r *Run) fits(e *plan.Entry, req *request) bool {
	if e.Fault != nil && e.Fault.OnlyStreams() && !req.in.Stream {
		return false
	}
	return e.Match.Empty() || r.differs(req, &e.Match) == nil
}

func laneName(l *lane) string {
	if l.name == "" {
		return "the same lane"
	}
	return fmt.Sprintf("the lane %q", l.name)
}

// cursor is where a lane is in its script, nil without one.
func (r *Run) cursor(l *lane, script *plan.Script) *exchange.Cursor {
	if script == nil {
		return nil
	}
	return r.sources.Cursor(exchange.Line{Step: l.Name, Lane: l.name}, script)
}

// unanswered is the answer to a request for which the sources have none.
func (r *Run) unanswered(ctx context.Context, a Asked, e *endpoint, answer exchange.Answer, err error) *Exchange {
	if errors.Is(err, exchange.ErrAbandoned) {
		return r.gated(ctx, a, givenUp, err.Error())
	}
	var g *exchange.GateError
	if errors.As(err, &g) {
		rng := e.Step.Rng
		if t := r.plan.Recording; t != nil && e.Step.Block.Type == "provider" {
			rng = t.Rng // no block is about this call; the recording is the scenario's
		}
		if g.Entry != nil {
			rng = g.Entry.Rng
		}
		return r.refuse(ctx, a, g.Gate, g.Message, rng)
	}
	rng, message := e.Step.Rng, "the call cannot be answered: "+err.Error()
	if entry := answer.Entry; entry != nil {
		rng, message = entry.Rng, entry.Unplayable(strconv.Quote(e.Name), err)
	}
	r.defect(message, rng)
	return r.gated(ctx, a, "error", message)
}

// lose answers a request that breaks a gate because nobody can say who answers it. Where
// a fault has been injected the run is given up: the file has no such call, and it may
// exist only because of the fault.
func (r *Run) lose(ctx context.Context, a Asked, gate, message string, rng hcl.Range) *Exchange {
	r.sources.Unanswered(message)
	return r.refuse(ctx, a, gate, message, rng)
}

// refuse answers a request that breaks a gate.
func (r *Run) refuse(ctx context.Context, a Asked, gate, message string, rng hcl.Range) *Exchange {
	r.gate(gate, message, rng)
	return r.gated(ctx, a, gate, message)
}

// statusGate is the status of an answer that no service gives: clients do not
// know it, and the header keeps them from trying again.
const statusGate = 599

// Refusal is an answer that no service gives, in words that clients do not try
// again.
func Refusal(reason string, body []byte) wire.WireScript {
	return wire.Response{
		Status: statusGate, Reason: "scenario: " + reason,
		Header: []wire.Field{{Name: "Content-Type", Value: "application/json"}, {Name: "X-Should-Retry", Value: "false"}, {Name: "Connection", Value: "close"}},
		Parts:  []wire.Part{{Data: body}},
	}.Script(wire.Meta{})
}

// gated is the answer that tells a program of a gate.
func (r *Run) gated(ctx context.Context, a Asked, gate, message string) *Exchange {
	if resp, ok := r.inProtocol(&a, gate+": "+message); ok {
		return r.answering(ctx, a, gate, resp.Script(wire.Meta{}))
	}
	body := trace.AppendValue(nil, map[string]any{"error": map[string]any{"type": "scenario_gate", "gate": gate, "message": message}})
	return r.answering(ctx, a, gate, Refusal(gate, body))
}

// inProtocol tells a client of a gate in the words of its protocol, where that is
// not HTTP alone.
func (r *Run) inProtocol(a *Asked, message string) (resp wire.Response, ok bool) {
	req, _ := routed(a.Request)
	at := r.addressed(a, req)
	i := slices.IndexFunc(at, func(p *provider) bool { _, ok := p.Adapter.(providers.SessionServer); return ok })
	if i < 0 || overHTTP(req) && len(at) > 1 {
		return resp, false
	}
	in, err := at[i].Adapter.(providers.Reader).Read(req, a.plain)
	if err != nil {
		in = providers.Input{Pipe: !overHTTP(req)}
		if !in.Pipe {
			return resp, false // it may be anything
		}
	}
	if overHTTP(req) && in.RPC.ID == "" {
		return resp, false
	}
	return at[i].Adapter.(providers.SessionServer).Gate(in, message), true
}

// answering is the exchange of a gate.
func (r *Run) answering(ctx context.Context, a Asked, gate string, s wire.WireScript) *Exchange {
	x := &Exchange{run: r, asked: a, ctx: ctx, started: r.Now(), gate: gate}
	x.play(s)
	r.open = append(r.open, x)
	return x
}

// began writes the start of an attempt into the trace.
func (r *Run) began(x *Exchange) {
	e := x.endpoint
	if e.n == 0 {
		r.emit(trace.Event{Step: e.Name, Target: e.Step.Calls(), Payload: &event.StepStart{Kind: string(e.Step.Kind)}})
	}
	e.n++
	x.n = e.n
	q, req := r.toldOf(x), x.request
	start := &event.AttemptStart{Request: q, Asker: &event.Asker{
		Lane: x.lane.name, Connection: x.asked.Connection, Reused: x.asked.Reused,
		IdempotencyKey: req.http.Header.Get("Idempotency-Key"), RetryCount: retryCount(req.http.Header),
		TraceID: traceID(req.http.Header),
	}}
	r.emit(x.event(start))
	x.seq = r.past.last
	if meta := x.script.Meta; meta.Fault != "" {
		r.emit(x.event(&event.Fault{FaultType: meta.Fault, Entry: meta.Entry, File: meta.Pos.File, Line: meta.Pos.Line}))
	}
}

// traceparent is the header field by which a request belongs to a trace (W3C
// Trace Context, level 1). Later versions may go on after a dash.
var traceparent = pattern.New(`^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$`)

// traceID is that of a request's traceparent, "" where it has none that is valid.
func traceID(h http.Header) string {
	values := h.Values("Traceparent")
	if len(values) != 1 {
		return ""
	}
	m := traceparent().FindStringSubmatch(strings.Trim(values[0], " \t"))
	switch {
	case m == nil, m[1] == "ff", m[1] == "00" && m[4] != "", strings.Trim(m[2], "0") == "", strings.Trim(m[3], "0") == "":
		return ""
	}
	return m[2]
}

// retryCount is what some SDKs count in a header field, nil without it.
func retryCount(h http.Header) *int {
	said := strings.TrimSpace(h.Get("X-Stainless-Retry-Count"))
	if said == "" {
		return nil
	}
	n, err := strconv.Atoi(said)
	if err != nil || n < 0 {
		return nil
	}
	return &n
}
