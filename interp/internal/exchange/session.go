package exchange

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/interp/sched"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/wire"
)

// sessions are those that a scenario's clients have with servers. The zero value
// is that of a scenario which has none.
type sessions struct {
	open map[sessionKey]*session
	// calls counts the requests of each step, which name them, and messages those of each
	// provider that are no call.
	calls, messages map[string]int
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

func (s *sessions) with(clock *sched.Scheduler, p *plan.Provider, source string) *session {
	key := sessionKey{p.Name, source}
	known := s.open[key]
	if known == nil {
		known = &session{turn: clock.NewSemaphore(1)}
		s.open[key] = known
	}
	return known
}

// A Client is the side of a run that asks: its sources, and the sessions that it
// has with servers.
type Client struct {
	*Sources
	*Recall
	// tasks is the clock as the scheduler of those who ask.
	tasks    *sched.Scheduler
	sessions sessions
}

// NewClient is a client whose requests are made by the tasks of a scheduler.
func NewClient(s *Sources, tasks *sched.Scheduler) *Client {
	return &Client{Sources: s, Recall: &Recall{}, tasks: tasks}
}

// Greet names a request in its session. Whoever sends a request calls it first.
func (c *Client) Greet(x *Exchange, in *providers.Input) {
	if _, ok := x.Target.Provider.Adapter.(providers.Sessioner); !ok {
		return
	}
	c.sessions.begin()
	c.sessions.calls[x.Step]++
	in.RPC.ID = fmt.Sprintf("%s/%d", x.Step, c.sessions.calls[x.Step])
	in.Pipe = x.Target.Provider.Command != nil
	if s := c.sessions.with(c.tasks, x.Target.Provider, x.source()); s.open {
		in.Session = s.Session
	}
}

// source says who answers what passes beside the next dial: the script where it
// answers the dial itself, else the service where the step may reach it, else
// the cassette, else again the script.
func (x *Exchange) source() string {
	c := x.Client
	if sc := c.plan.ScriptFor(x.Step, x.Target.Name); sc != nil {
		e := c.Cursor(Line{Step: x.Step}, sc).upcoming(Wanted{Target: x.Target.Name, Turn: x.Turn, Iteration: x.Iteration})
		if e != nil && e.Replay == nil {
			return byScript
		}
	}
	switch {
	case c.live.dials(x.Step):
		return byLive
	case c.player != nil:
		return byCassette
	default:
		return byScript
	}
}

// Talk is the exchange of an attempt, inside a session where the provider wants
// one: opening it is part of the attempt. A connection that ended before any
// byte of an answer is made anew once, with a new session.
func (x *Exchange) Talk(ctx context.Context, req *http.Request, body []byte) *failure.Failure {
	speaker, ok := x.Target.Provider.Adapter.(providers.Sessioner)
	if !ok {
		return x.exchange(ctx, req, body)
	}
	f := x.converse(ctx, speaker)
	if f != nil && x.unanswered && f.Kind == failure.Connection && f.Cause == failure.EOF && ctx.Err() == nil {
		x.Reconnected = true
		f = x.converse(ctx, speaker)
	}
	return f
}

// converse opens the session where it is not open, and asks in it.
func (x *Exchange) converse(ctx context.Context, speaker providers.Sessioner) *failure.Failure {
	source := x.source()
	s := x.Client.sessions.with(x.Client.tasks, x.Target.Provider, source)
	if f := x.open(ctx, speaker, s, source); f != nil {
		return f
	}
	opened := s.opened
	x.Vendor.In.Session = s.Session
	x.Vendor.In.OnMessage = func(m providers.Incoming) error { return x.answer(ctx, speaker, m, source) }
	req, err := speaker.Request(ctx, x.Vendor.In)
	if err != nil {
		return x.Host.Unsendable(err)
	}
	body, err := providers.TakeBody(req)
	if err != nil {
		return x.Host.Unsendable(err)
	}
	f := x.exchange(ctx, req, body)
	gone := f != nil && (f.Kind == failure.SessionExpired || x.unanswered && f.Kind == failure.Connection)
	if gone && s.opened == opened { // else another attempt has opened a new one
		s.open = false
	}
	if ctx.Err() != nil || x.Host.Stopped() {
		x.takeBack(speaker, source)
	}
	return f
}

// open makes the handshake: one of those who need it does, and the others wait.
func (x *Exchange) open(ctx context.Context, speaker providers.Sessioner, s *session, source string) *failure.Failure {
	if err := s.turn.Acquire(ctx, fmt.Sprintf("the session with provider %q", x.Target.Provider.Name)); err != nil {
		return cancelled(err)
	}
	defer s.turn.Release()
	if s.open {
		return nil
	}
	if source == byLive && s.opened > 0 {
		x.Client.hangUp(ctx, x.Target.Provider.Name)
	}
	in := x.Vendor.In
	s.opened++
	in.RPC.ID = fmt.Sprintf("initialize/%d", s.opened)
	in.Session = providers.Session{Version: x.Target.Provider.Protocol}
	out, f := x.message(ctx, speaker.Hello(in), source)
	if f != nil {
		return f
	}
	in.Session = out.Session
	if _, f = x.message(ctx, speaker.Ready(in), source); f != nil {
		return f
	}
	s.Session, s.open = out.Session, true
	return nil
}

// answer notes a message of the server and answers what it asks.
func (x *Exchange) answer(ctx context.Context, speaker providers.Sessioner, m providers.Incoming, source string) error {
	told := &event.Message{Direction: "received", Method: m.Method}
	if params := (event.Value{Value: read.JsonValue(string(m.Params))}); !params.Absent() {
		told.Params.Plain = params
	}
	x.Host.Event(told)
	if m.ID == nil {
		return nil
	}
	_, f := x.message(ctx, speaker.Answer(x.Vendor.In, m), source)
	if f != nil && f.Kind == failure.Cancelled {
		return errors.New(f.Message)
	}
	return nil // a server that does not take it says so by what it does next
}

// takeBackMax bounds how long a server may take to hear that nobody waits.
const takeBackMax = 2 * time.Second

// takeBack tells the server that nobody waits for the answer any more. It costs
// the attempt no time: its end is where its deadline or its reader put it.
func (x *Exchange) takeBack(speaker providers.Sessioner, source string) {
	ctx, cancel := x.Client.clock.WithTimeout(context.Background(), takeBackMax)
	defer cancel()
	x.swift = true
	defer func() { x.swift = false }()
	_, _ = x.message(ctx, speaker.Cancel(x.Vendor.In), source)
}

// message is an exchange of the attempt's session that is not its call.
func (x *Exchange) message(ctx context.Context, in providers.Input, source string) (providers.Output, *failure.Failure) {
	adapter := x.Target.Provider.Adapter
	call, take := x.Vendor, x.take
	x.Vendor, x.take = &providers.Vendor{Adapter: adapter, In: in}, nil
	defer func() { x.Vendor, x.take = call, take }()
	req, err := adapter.Request(ctx, in)
	if err != nil {
		return providers.Output{}, x.Host.Unsendable(err)
	}
	body, err := providers.TakeBody(req)
	if err != nil {
		return providers.Output{}, x.Host.Unsendable(err)
	}
	resp, by, err := x.sendMessage(ctx, in, req, body, source)
	if none, ok := err.(noAnswer); ok {
		return providers.Output{}, x.failUnanswered(none.error)
	}
	out, f := adapter.Parse(ctx, in, resp, err, x.Client.clock.Now, nil)
	x.seal(ctx, out.Complete)
	told := &event.Message{
		Failed: event.FailedOf(f), StatusCode: event.StatusOf(f), Direction: "sent", Method: in.RPC.Method, By: by,
		Session: shownSession(out.Session.ID, source), ProtocolVersion: out.Session.Version, Server: out.Session.Server,
	}
	if params, ok := in.RPC.Params.(map[string]any); ok {
		told.Params.Plain = params
	}
	x.Host.Event(told)
	return out, f
}

// sendMessage sends it and follows its redirects, as [Exchange.send] does for the
// call: a server that moved has moved with all of its messages.
func (x *Exchange) sendMessage(ctx context.Context, in providers.Input, req *http.Request, body []byte, source string) (resp *http.Response, by string, err error) {
	chain := Redirects{First: req, Body: body}
	for {
		x.seal(ctx, true)
		script, err := x.messageScript(ctx, in, req, chain.sentBy(req), chain.sent, source)
		if err != nil {
			return nil, "", noAnswer{err}
		}
		if by = script.Meta.By; x.swift {
			script = unhurried(script)
		}
		resp, err = script.RoundTrip(x.Client.clock, req)
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
func (x *Exchange) messageScript(ctx context.Context, in providers.Input, req *http.Request, body []byte, redirects int, by string) (wire.WireScript, error) {
	c, p := x.Client, x.Target.Provider
	c.sessions.messages[p.Name]++
	call := wire.Call{
		Scenario: c.plan.Name, Step: cassette.SessionStep(p.Name), Attempt: c.sessions.messages[p.Name], Round: 1, Target: x.Target.Name,
		Request: req, Body: body,
	}
	switch by {
	case byLive:
		answer, err := c.Dial(ctx, Asked{Call: call, Step: x.Step, Provider: p, Vendor: x.Vendor, Redirects: redirects})
		x.take = answer.Take
		return answer.Script, err
	case byCassette:
		it, err := c.player.TakeSession(ctx, call)
		if err == nil {
			return it.Script(wire.Meta{Step: call.Step, Attempt: x.N, By: byCassette, Entry: it.Index}), nil
		}
		if ctx.Err() != nil {
			return wire.WireScript{}, err
		}
	}
	return p.Adapter.Render(in, providers.Output{}).Script(wire.Meta{Step: x.Step, Attempt: x.N, By: byScript}), nil
}
