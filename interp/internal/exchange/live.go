package exchange

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/providers/sql"
	"github.com/scenario-lang/scenario/wire"
)

// Live is what a run needs to reach real services. A run without it
// can only answer from the scenario's script and its cassette.
type Live struct {
	// Transport dials. It is used from several goroutines at once.
	Transport http.RoundTripper
	// Pipe makes the way to a server that is a process, by its command; nil where
	// none may be started.
	Pipe func(command []string) Pipe
	// Env finds a variable of the environment: the keys that providers name with
	// api_key_env, which are read for a call that is dialled and for no other.
	Env func(name string) (string, bool)
	// Steps, where not nil, are those whose calls are dialled; the cassette answers
	// the others.
	Steps []string
	// Missing dials only where the cassette has no answer.
	Missing bool
	// Drifted does so too where the cassette has an answer to another request.
	Drifted bool
	// Recorder keeps what the calls met, where it is not nil.
	Recorder *cassette.Recorder
	// OnInterrupt, where not nil, is given what cancels the run. That may be
	// called from any goroutine, once the run has ended too.
	OnInterrupt func(cancel func())
}

// ErrInterrupted is the cause of a run that its caller cancelled.
var ErrInterrupted = errors.New("the run was interrupted")

// Keys are the values of all variables that the plan's providers name.
func (l *Live) Keys(p *plan.Plan) []string {
	var values []string
	for _, n := range p.Dialling() {
		for _, t := range n.Step.Gateway.Targets {
			if v, ok := l.Env(t.Provider.ApiKeyEnv); ok && t.Provider.ApiKeyEnv != "" {
				values = append(append(values, v), sql.Passwords(v)...)
			}
		}
	}
	return values
}

// dials reports whether calls of a step may go to the network.
func (l *Live) dials(step string) bool {
	return l != nil && (l.Steps == nil || slices.Contains(l.Steps, step))
}

// First reports whether they go there without a look at the cassette.
func (l *Live) First(step string) bool { return l.dials(step) && !l.Missing && !l.Drifted }

// liveSource is the last of the chain: the network.
type liveSource asking

// Next answers by dialling, where this run may.
func (s *liveSource) Next(ctx context.Context, call wire.Call) (wire.WireScript, error) {
	live := s.live
	if !live.dials(s.Step) {
		return wire.WireScript{}, wire.ErrPass
	}
	sent, err := s.keyed(ctx, call)
	if err != nil {
		return wire.WireScript{}, err
	}
	transport, err := s.transport(s.Provider)
	if err != nil {
		return wire.WireScript{}, err
	}
	d := &dial{clock: s.clock, transport: transport, sent: sent, onSecret: s.onSecret}
	o := cassette.TakeOptions{Scenario: s.plan.Name, Now: s.clock.Now, Redactor: s.redactor(call.Request), Keep: s.plan.KeptHeaders()}
	switch {
	case live.Recorder != nil:
		d.take = live.Recorder.Begin(call, o)
	case s.Own:
		d.take = cassette.NewTake(call, o) // what was answered is known by it alone
	}
	s.answer.Take = d.take
	if s.dialled == nil {
		s.dialled = map[string]bool{}
	}
	s.dialled[s.Step] = true
	return wire.WireScript{Through: d, Meta: wire.Meta{Step: call.Step, Attempt: call.Attempt, By: "live"}}, nil
}

// keyed is the request with the provider's key, which neither the trace nor a
// recording sees. Behind a redirect to another domain there is none.
func (s *liveSource) keyed(ctx context.Context, call wire.Call) (*http.Request, error) {
	p, req := s.Provider, call.Request
	if s.Own {
		return onward(ctx, req, call.Body), nil
	}
	if p.ApiKeyEnv == "" {
		return req, nil
	}
	key, ok := s.live.Env(p.ApiKeyEnv)
	if !ok || key == "" {
		what := "key"
		if p.Kind.Family == "sql" {
			what = "connection string"
		}
		return nil, fmt.Errorf("provider %q takes its %s from the variable %s, which is not set\nhint: export %s=…", p.Name, what, p.ApiKeyEnv, p.ApiKeyEnv)
	}
	in := s.Vendor.In
	in.APIKey = key
	with, err := p.Adapter.Request(ctx, in)
	if err != nil {
		return nil, err
	}
	if s.Redirects == 0 {
		return with, nil
	}
	next := req.Clone(ctx)
	if below(with.URL, req.URL) {
		addMissing(next.Header, with.Header)
	}
	return next, nil
}

func addMissing(h, from http.Header) {
	for name, values := range from {
		if credential := redact.IsSecretField(name); credential && h.Get(name) == "" {
			h[name] = values
		}
	}
}

// fetch dials and returns the whole answer as a recording, for a fault that
// disturbs it.
func (s *liveSource) fetch(ctx context.Context, call wire.Call) (*cassette.Interaction, error) {
	script, err := s.Next(ctx, call)
	if err != nil {
		return nil, err
	}
	d := script.Through.(*dial)
	if d.take == nil {
		d.take = cassette.NewTake(call, cassette.TakeOptions{Now: s.clock.Now})
		s.answer.Take = d.take
	}
	if resp, err := d.RoundTrip(call.Request); err == nil {
		Drain(resp)
	}
	it := d.take.Recorded()
	cassette.NoLatency.Apply(it)
	return it, nil
}

// dial is one exchange over the network, made beside the tasks of the run.
type dial struct {
	clock     Clock
	transport http.RoundTripper
	take      *cassette.Take // nil where nothing is recorded
	sent      *http.Request
	onSecret  func(values []string) // see [Sources.OnSecret]
}

// RoundTrip implements http.RoundTripper for a wire script. It sends the
// request with its key in the place of the one that it is given.
func (d *dial) RoundTrip(req *http.Request) (resp *http.Response, err error) {
	ctx := req.Context()
	d.clock.External(ctx, "the network", func() {
		if d.take != nil {
			resp, err = d.take.RoundTrip(d.transport, d.sent)
		} else {
			resp, err = d.transport.RoundTrip(d.sent)
		}
		d.listen(resp)
	})
	if err != nil {
		return nil, err
	}
	resp.Request = req
	resp.Body = &liveBody{clock: d.clock, ctx: ctx, body: resp.Body}
	return resp, nil
}

// liveBody reads from the network beside the tasks: a task that waits for bytes
// lets the others run.
type liveBody struct {
	clock Clock
	ctx   context.Context
	body  io.ReadCloser
}

func (b *liveBody) Read(p []byte) (n int, err error) {
	b.clock.External(b.ctx, "the network", func() { n, err = b.body.Read(p) })
	return n, err
}

func (b *liveBody) Close() error { return b.body.Close() }
