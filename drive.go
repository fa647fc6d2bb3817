package scenario

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/scenario-lang/scenario/internal/searched"
	"github.com/scenario-lang/scenario/internal/server"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/wire"
)

// DriveOptions say how a program drives a scenario.
type DriveOptions struct {
	// Clock is the run's, nil for package time: fake in a testing/synctest bubble.
	Clock wire.Clock
	// Patience is how long a request that overlaps another one of its lane waits
	// for the client of that one to be seen leaving. With 0 it never waits. In a
	// bubble a nanosecond is enough for all that happens at one instant, and no
	// time passes where the client is seen.
	Patience time.Duration
	// OnProblem, where not nil, is told of a broken gate when it breaks, with how
	// often it did. It is called by the goroutine of the request, by one at a time,
	// and must not use the run.
	OnProblem func(p Problem, times int)
	// Search is for package scenariotest, which explores scenarios, and nil for
	// everybody else.
	Search *searched.Run
}

// A Driven is a run whose calls the code of a program makes: its transport
// answers them from the scripts and the cassette of the scenario. It is safe for
// concurrent use.
type Driven struct {
	scenario *Scenario
	clock    wire.Clock
	outside  *interp.Outside
	finish   func() *Result

	mu     sync.Mutex
	server *server.Server // of connections, nil before the first
	open   int
	over   bool
}

// CanDrive says why the scenario cannot be driven by Go code, "" where it can.
func (s *Scenario) CanDrive() string { return s.plan.NotRun(interp.Embedded) }

// Drive begins a run that a program drives. [Driven.Finish] ends it.
func (s *Scenario) Drive(o DriveOptions) *Driven {
	d := &Driven{scenario: s, clock: o.Clock}
	if d.clock == nil {
		d.clock = wire.System()
	}
	outside := interp.OutsideOptions{Clock: d.clock, Way: interp.Embedded, Patience: o.Patience}
	if o.OnProblem != nil {
		outside.OnGate = func(p interp.Problem, times int) { o.OnProblem(problemOf(&p), times) }
	}
	search := o.Search
	if search == nil {
		search = &searched.Run{}
	}
	outside.Inject, outside.EventLimit = search.Inject, search.Events
	d.outside = interp.NewOutside(s.plan, outside)
	search.Plan, search.Outside = s.plan, d.outside
	d.finish = sync.OnceValue(func() *Result {
		d.settle(o.Patience)
		r, status := &Result{scenario: s}, ""
		if search.Failed {
			status = "failed"
		}
		r.result, r.seen = d.outside.Finish(status)
		search.Result = r.result
		d.hangUp()
		return r
	})
	return d
}

// Transport answers requests as the network would: in time, in bytes and in
// errors. It starts no goroutine. The provider is found by the host of the
// request and the base_url of the providers.
func (d *Driven) Transport() http.RoundTripper { return transport{d} }

// Warnings are what the run has to say that breaks nothing.
func (d *Driven) Warnings() []string { return d.outside.Warnings() }

// Finish ends the run and judges it. What is under way is cut, and what is asked
// later has no answer. Every call returns the same result.
func (d *Driven) Finish() *Result { return d.finish() }

// A transport plays what a run answers.
type transport struct{ run *Driven }

// RoundTrip implements http.RoundTripper. Who has given up already asks nothing, as
// with [http.Transport]: such a request never leaves the program.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Context().Err() != nil {
		if r.Body != nil {
			r.Body.Close()
		}
		return nil, context.Cause(r.Context())
	}
	var body []byte
	if r.Body != nil {
		defer r.Body.Close()
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
	}
	ctx := r.Context()
	x, err := t.run.outside.Answer(ctx, interp.Asked{Request: r, Body: body})
	if err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return nil, err
	}
	sent := r.WithContext(ctx)
	sent.Body = nil
	resp, err := x.Script().RoundTripWatched(t.run.clock, sent, x)
	if resp != nil {
		resp.Request = r
	}
	return resp, err
}
