package engine

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/sched"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/trace"
	"github.com/scenario-lang/scenario/wire"
)

// sessions are those that a scenario's clients have with servers. The zero value
// is that of a scenario which has none.
type sessions struct {
	open map[sessionKey]*session
	// calls counts the requests of each step, which name them; beside the
	// messages of each provider that are no call.
	calls, beside map[string]int
}

// begin makes the sessions ready for the first of them.
func (s *sessions) begin() {
	if s.open == nil {
		*s = sessions{map[sessionKey]*session{}, map[string]int{}, map[string]int{}}
	}
}

// sessionKey finds a session. Each of those who may answer has one of its own,
// because none knows of the others'.
type sessionKey struct{ provider, source string }

// What a session is with: the scenario's script, which no server knows of, the
// cassette, or the service itself.
const (
	byScript   = "script"
	byCassette = "cassette"
	byLive     = "live"
)

// session is what one client has with one server.
type session struct {
	providers.Session
	open   bool
	opened int              // times
	turn   *sched.Semaphore // who opens it
}

func (st *execution) sessionWith(p *plan.Provider, source string) *session {
	key := sessionKey{p.Name, source}
	s := st.sessions.open[key]
	if s == nil {
		s = &session{turn: st.Clock.NewSemaphore(1)}
		st.sessions.open[key] = s
	}
	return s
}

// greets names the request of an attempt in its session.
func (a *attempt) greets(in *providers.Input) {
	if _, ok := a.target.Provider.Adapter.(providers.Sessioner); !ok {
		return
	}
	r, name := a.call.r, a.call.s.Name
	r.sessions.begin()
	r.sessions.calls[name]++
	in.RPC.ID = fmt.Sprintf("%s/%d", name, r.sessions.calls[name])
	in.Pipe = a.target.Provider.Command != nil
	if s := r.sessionWith(a.target.Provider, a.source()); s.open {
		in.Session = s.Session
	}
}

// source says who answers what passes beside the next dial: the script where it
// answers the dial itself, else the service where the step may reach it, else
// the cassette, else again the script.
func (a *attempt) source() string {
	r, c := a.call.r, a.call
	if sc := r.plan.ScriptFor(c.s.Name, a.target.Name); sc != nil {
		e := r.cursor(c.s.Name, sc).upcoming(a.target.Name, c.turn, r.iteration)
		if e != nil && e.Replay == nil {
			return byScript
		}
	}
	switch {
	case r.live.dials(c.s.Name):
		return byLive
	case r.Player != nil:
		return byCassette
	default:
		return byScript
	}
}

// talk is the exchange of an attempt, inside a session where the provider wants
// one: opening it is part of the attempt. A connection that ended before any
// byte of an answer is made anew once, with a new session.
func (a *attempt) talk(ctx context.Context, req *http.Request, body []byte) *failure.Failure {
	speaker, ok := a.target.Provider.Adapter.(providers.Sessioner)
	if !ok {
		return a.exchange(ctx, req, body)
	}
	f := a.converse(ctx, speaker)
	if f != nil && a.unanswered && f.Kind == failure.Connection && f.Cause == failure.EOF && ctx.Err() == nil {
		a.reconnected = true
		f = a.converse(ctx, speaker)
	}
	return f
}

// converse opens the session where it is not open, and asks in it.
func (a *attempt) converse(ctx context.Context, speaker providers.Sessioner) *failure.Failure {
	source := a.source()
	s := a.call.r.sessionWith(a.target.Provider, source)
	if f := a.open(ctx, speaker, s, source); f != nil {
		return f
	}
	opened := s.opened
	a.vendor.In.Session = s.Session
	a.vendor.In.Heard = func(m providers.Incoming) error { return a.answer(ctx, speaker, m, source) }
	req, err := speaker.Request(ctx, a.vendor.In)
	if err != nil {
		return a.unsendable(err)
	}
	body, err := providers.TakeBody(req)
	if err != nil {
		return a.unsendable(err)
	}
	f := a.exchange(ctx, req, body)
	gone := f != nil && (f.Kind == failure.SessionExpired || a.unanswered && f.Kind == failure.Connection)
	if gone && s.opened == opened { // else another attempt has opened a new one
		s.open = false
	}
	if ctx.Err() != nil || a.stopped {
		a.takeBack(speaker, source)
	}
	return f
}

// open makes the handshake: one of those who need it does, and the others wait.
func (a *attempt) open(ctx context.Context, speaker providers.Sessioner, s *session, source string) *failure.Failure {
	if err := s.turn.Acquire(ctx, fmt.Sprintf("the session with provider %q", a.target.Provider.Name)); err != nil {
		return cancelled(err)
	}
	defer s.turn.Release()
	if s.open {
		return nil
	}
	if source == byLive && s.opened > 0 {
		a.hangUp(ctx)
	}
	in := a.vendor.In
	s.opened++
	in.RPC.ID = fmt.Sprintf("initialize/%d", s.opened)
	in.Session = providers.Session{Version: a.target.Provider.Protocol}
	out, f := a.message(ctx, speaker.Hello(in), source)
	if f != nil {
		return f
	}
	in.Session = out.Session
	if _, f = a.message(ctx, speaker.Ready(in), source); f != nil {
		return f
	}
	s.Session, s.open = out.Session, true
	return nil
}

// answer notes a message of the server and answers what it asks.
func (a *attempt) answer(ctx context.Context, speaker providers.Sessioner, m providers.Incoming, source string) error {
	a.call.r.emit(a.event(trace.Message, plan.Attrs("direction", "received", "method", m.Method, "params", plan.ValueAttr{Value: paramsVal(m.Params)})))
	if m.ID == nil {
		return nil
	}
	_, f := a.message(ctx, speaker.Answer(a.vendor.In, m), source)
	if f != nil && f.Kind == failure.Cancelled {
		return errors.New(f.Message)
	}
	return nil // a server that does not take it says so by what it does next
}

// takeBackMax bounds how long a server may take to hear that nobody waits.
const takeBackMax = 2 * time.Second

// takeBack tells the server that nobody waits for the answer any more. It costs
// the attempt no time: its end is where its deadline or its reader put it.
func (a *attempt) takeBack(speaker providers.Sessioner, source string) {
	ctx, cancel := a.call.r.Clock.WithTimeout(context.Background(), takeBackMax)
	defer cancel()
	a.swift = true
	defer func() { a.swift = false }()
	_, _ = a.message(ctx, speaker.Cancel(a.vendor.In), source)
}

// message is an exchange of the attempt's session that is not its call.
func (a *attempt) message(ctx context.Context, in providers.Input, source string) (providers.Output, *failure.Failure) {
	adapter := a.target.Provider.Adapter
	call, take := a.vendor, a.take
	a.vendor, a.take = &providers.Vendor{Adapter: adapter, In: in}, nil
	defer func() { a.vendor, a.take = call, take }()
	req, err := adapter.Request(ctx, in)
	if err != nil {
		return providers.Output{}, a.unsendable(err)
	}
	body, err := providers.TakeBody(req)
	if err != nil {
		return providers.Output{}, a.unsendable(err)
	}
	resp, by, err := a.sendMessage(ctx, in, req, body, source)
	if none, ok := err.(noAnswer); ok {
		return providers.Output{}, a.failUnanswered(none.error)
	}
	out, f := adapter.Parse(ctx, in, resp, err, a.call.r.Clock.Now, nil)
	a.seal(ctx, out.Complete)
	list := plan.Attrs("direction", "sent", "method", in.RPC.Method, "by", by, "session", shownSession(out.Session.ID, source), "protocol_version", out.Session.Version, "server", out.Session.Server)
	if params, ok := in.RPC.Params.(map[string]any); ok {
		list = append(list, trace.Attr{Key: "params", Value: params})
	}
	a.call.r.emit(a.event(trace.Message, plan.Failed(list, f)))
	return out, f
}

// sendMessage sends it and follows its redirects, as [attempt.send] does for the
// call: a server that moved has moved with all of its messages.
func (a *attempt) sendMessage(ctx context.Context, in providers.Input, req *http.Request, body []byte, source string) (resp *http.Response, by string, err error) {
	chain := Redirects{First: req, Body: body}
	for {
		a.seal(ctx, true)
		script, err := a.messageScript(ctx, in, req, chain.sentBy(req), chain.sent, source)
		if err != nil {
			return nil, "", noAnswer{err}
		}
		if by = script.Meta.By; a.swift {
			script = unhurried(script)
		}
		resp, err = script.RoundTrip(a.call.r.Clock, req)
		if err != nil {
			return resp, by, err
		}
		next, err := chain.Next(req, resp)
		if next == nil && err == nil {
			return resp, by, nil
		}
		resp.Body.Close()
		if err != nil {
			return nil, by, err
		}
		req = next
	}
}

// unhurried is a recorded answer without the time that it took.
func unhurried(s wire.WireScript) wire.WireScript {
	s = withoutWait(s)
	for i := range s.Ops {
		s.Ops[i].Wait = 0
	}
	return s
}

// shownSession is a session's id as a trace may show it: who has that of a real
// one may speak in it.
func shownSession(id string, source string) string {
	if source == byScript {
		return id
	}
	return plan.ByName.Header("authorization", id)
}

// messageScript decides what such an exchange meets. What the script answers is
// answered here, too, as a server does that has nothing against it; so is what
// was not recorded.
func (a *attempt) messageScript(ctx context.Context, in providers.Input, req *http.Request, body []byte, hop int, by string) (wire.WireScript, error) {
	r, p := a.call.r, a.target.Provider
	r.sessions.beside[p.Name]++
	call := wire.Call{
		Scenario: r.plan.Name, Step: cassette.BesideStep(p.Name), Attempt: r.sessions.beside[p.Name], Round: 1, Target: a.target.Name,
		Request: req, Body: body,
	}
	switch by {
	case byLive:
		return liveSource{r, a, hop}.Next(ctx, call)
	case byCassette:
		it, err := r.Player.TakeBeside(ctx, call)
		if err == nil {
			return it.Script(wire.Meta{Step: call.Step, Attempt: a.n, By: byCassette, Entry: it.Index}), nil
		}
		if ctx.Err() != nil {
			return wire.WireScript{}, err
		}
	}
	return p.Adapter.Render(in, providers.Output{}).Script(wire.Meta{Step: a.call.s.Name, Attempt: a.n, By: byScript}), nil
}
