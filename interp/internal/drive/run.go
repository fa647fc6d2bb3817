package drive

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/exchange"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/trace"
	"github.com/scenario-lang/scenario/wire"
)

// Options say how a run is driven.
type Options struct {
	// Clock is the run's; it begins with the run.
	Clock wire.Clock
	Way   plan.Way
	// Patience is how much later than it left, and perhaps asked again, a client may be
	// seen leaving: so long a request that overlaps another waits for that. With 0 it never
	// waits.
	Patience time.Duration
	// TimeScale is by how much the run's clock is faster than the program's; 0 is
	// as fast.
	TimeScale float64
	// OnGate, where not nil, is told of a gate when it breaks, with how often it
	// did; never of two at a time. It must not call the run.
	OnGate func(p plan.Problem, times int)
	// OnEnd, where not nil, is told of every exchange when it is over, by one at a
	// time. It must not call the run.
	OnEnd func(e Ended)
	// Said answers what the program said of itself, nil where it is not asked. It
	// may be asked while the run is locked, and must not call the run then.
	Said observe.Said
	// OnSecret, where not nil, is told of secrets when they become known: what the program
	// is given, and what it sends. It must not call the run.
	OnSecret func(values []string)
	// EventLimit bounds the trace; 0 means ten million events.
	EventLimit int
	// Live, where not nil, is how real services are reached, which answer what
	// neither a script nor the cassette does; Hide are the keys that they are sent.
	Live *exchange.Live
	Hide []string
	// Inject, where not nil, is asked what strikes each attempt, nil for nothing, by
	// one at a time; see [exchange.Sources.Inject]. It must not call the run.
	Inject func(exchange.Point) *exchange.Injection
	// Keep, where it is not 0, is how many exchanges that are over are remembered,
	// for a run that has no end of its own: the newest, in at most 256 MiB.
	Keep int
}

// A Run is one run of a plan that a program drives. It is safe for concurrent
// use.
type Run struct {
	plan    *plan.Plan
	options Options
	start   time.Time

	mu        sync.Mutex
	Log       *trace.Log
	Obs       *observe.Observed
	sources   *exchange.Sources
	recall    exchange.Recall
	known     knownOnes
	fields    fieldValues
	endpoints []*endpoint
	providers []*provider
	// open are the exchanges under way, and turns those of answers by their ids.
	open  []*Exchange
	turns map[string]int
	// unread are the exchanges that have ended while their clients have neither read them to
	// their end nor closed them.
	unread []*Exchange
	// gates counts each broken gate by its name and message.
	gates    map[[2]string]int
	warnings []string
	over     bool
	// stopping says that the program is being ended.
	stopping bool
	// needs are what expressions over requests read of them.
	needs map[hclsyntax.Expression]*read.Needs
	// endings says of entries, as providers play them, whether they end the connection
	// before any byte.
	endings map[ending]bool
	// changes is told of every event, and lastEnd is when an exchange ended last.
	changes chan struct{}
	lastEnd time.Duration
	// latest is when the last event was.
	latest time.Duration
	asked  int // requests
	// reached are the providers that some of those were for.
	reached map[string]bool
	past    past
	// full says that it was told of why nothing more is answered.
	full bool
	// at is where the program finds its providers, and given is what it was given.
	at    Addresses
	given Start
	// handedOffers are the values that it was given, nil before [Run.allOffered] has made them.
	handedOffers []*offer
	// sessions counts those of servers that were opened.
	sessions int
	// end is what became of the workflow that drives the program, nil for none.
	end *event.RunEnd
	// abandoned is closed when an injection has made the run useless.
	abandoned chan struct{}
}

// A provider is one that the plan's endpoints have.
type provider struct {
	*plan.Provider
	base *url.URL
}

// clock is the run's clock for sources. They have the run, but for as long as they
// wait for somebody outside.
type clock struct {
	wire.Clock
	run *Run
}

// External implements exchange.Clock.
func (c clock) External(_ context.Context, _ string, f func()) {
	c.run.mu.Unlock()
	defer c.run.mu.Lock()
	f()
}

// New prepares a run of a plan. Its log is empty until Begin, so that others can
// follow it.
func New(p *plan.Plan, o Options) *Run {
	if o.EventLimit == 0 {
		o.EventLimit = 10_000_000
	}
	r := &Run{
		plan: p, options: o, start: o.Clock.Now(), Log: trace.NewLog(o.EventLimit), Obs: observe.NewObserved(p),
		turns: map[string]int{}, gates: map[[2]string]int{}, reached: map[string]bool{},
		needs:   map[hclsyntax.Expression]*read.Needs{},
		changes: make(chan struct{}, 1), abandoned: make(chan struct{}),
	}
	r.sources = exchange.NewSources(p, clock{o.Clock, r}, o.Live)
	r.sources.ForProgram()
	if p.Secrets.Received != nil {
		r.sources.OnSecret(r.answeredWith)
	}
	r.sources.Inject(o.Inject, r.Now, r.abandon)
	r.Obs.Sut.Said = o.Said
	r.Obs.BoundInvariants()
	r.Obs.Follow(r.Log)
	r.Log.Observe(r.told)
	for _, n := range p.Endpoints {
		r.endpoints = append(r.endpoints, &endpoint{Node: n, lanes: map[string]*lane{}})
		for _, t := range n.Step.Gateway.Targets {
			r.know(t.Provider)
		}
	}
	return r
}

// know adds a provider, once.
func (r *Run) know(p *plan.Provider) {
	if slices.ContainsFunc(r.providers, func(known *provider) bool { return known.Provider == p }) {
		return
	}
	base := *p.Base()
	if p.Kind.Family == "sql" && p.BaseURL == "" {
		base.Path = "" // of any database
	}
	r.providers = append(r.providers, &provider{p, &base})
}

// Begin opens the recording and starts the run. The error says why there can be
// none.
func (r *Run) Begin() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.sources.Open(); err != nil {
		return err
	}
	r.emit(trace.Event{Payload: &event.RunStart{Workflow: r.plan.Workflow.Name, Inputs: event.Value{Value: r.plan.Inputs}, RunID: event.RunID{Plan: r.plan}, Way: string(r.options.Way)}})
	return nil
}

// Clock is that of the run.
func (r *Run) Clock() wire.Clock { return r.options.Clock }

// Now is the time since the start of the run.
func (r *Run) Now() time.Duration { return r.options.Clock.Now().Sub(r.start) }

// emit appends an event at the present instant.
func (r *Run) emit(e trace.Event) {
	r.emitAt(e, r.Now())
}

func (r *Run) emitAt(e trace.Event, at time.Duration) {
	e.At = at
	r.Log.Append(e)
}

// told follows an event, whoever emitted it.
func (r *Run) told(e trace.Event) {
	r.latest = e.At
	r.past.seen(e)
	if g, ok := e.Payload.(*event.Gate); ok && !g.Allowed && r.options.OnGate != nil {
		r.options.OnGate(r.Obs.Gates[len(r.Obs.Gates)-1], 1)
	}
	r.Changed()
}

// Changed tells who waits for Changes that what conditions read may have changed.
func (r *Run) Changed() {
	select {
	case r.changes <- struct{}{}:
	default:
	}
}

// gate notes a broken gate, once for each message.
func (r *Run) gate(name, message string, rng hcl.Range) {
	key := [2]string{name, message}
	if r.gates[key] == 0 && len(r.gates) >= different {
		key[1] = fmt.Sprintf("more than %d different requests broke gates: no further one is told of", different)
		message = key[1]
	}
	r.gates[key]++
	if r.gates[key] == 1 { // whoever follows the log is told
		r.emit(trace.Event{Payload: &event.Gate{
			Gate: name, Message: message, File: r.plan.Place, Line: rng.Start.Line, Range: r.plan.Told(rng), Allowed: r.plan.Allow[name],
		}})
	} else if r.options.OnGate != nil && !r.plan.Allow[name] {
		r.options.OnGate(plan.Problem{Kind: "gate", Name: name, Message: message, Range: rng}, r.gates[key])
	}
}

// different is how many gates of different messages, and how many warnings, a run
// tells of.
const different = 1000

// defect notes why the scenario cannot be played as it is written.
func (r *Run) defect(message string, rng hcl.Range) {
	r.emit(trace.Event{Payload: &event.Defect{Message: message, File: r.plan.Place, Line: rng.Start.Line, Range: r.plan.Told(rng)}})
}

// place is where the scenario is declared.
func (r *Run) place() hcl.Range {
	at := hcl.Pos{Line: r.plan.Line, Column: 1}
	return hcl.Range{Filename: r.plan.File, Start: at, End: at}
}

// Warnings are what the run has to say that breaks nothing, in order.
func (r *Run) Warnings() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := slices.Clone(r.warnings)
	for _, g := range r.Obs.Gates {
		if n := r.gates[[2]string{g.Name, g.Message}]; n > 1 {
			first, _, _ := strings.Cut(g.Message, "\n")
			list = append(list, fmt.Sprintf("%s broke %d times in the same way: %s", g.Name, n, first))
		}
	}
	if n := r.past.forgotten; n > 0 {
		list = append(list, fmt.Sprintf("the run is long: its oldest %d exchanges are remembered no more, and conditions read the newest %d", n, len(r.past.list)))
	}
	return list
}

// Played are the interactions of the cassette that answered something.
func (r *Run) Played() []int { return r.sources.Played() }

// classified gives a failure its mode, by the taxonomy of its endpoint.
func (r *Run) classified(e *endpoint, f failure.Failure) *failure.Failure {
	t := e.Step.Taxonomy
	if t == nil {
		t = plan.DefaultTaxonomy()
	}
	f = t.Bound(r.Obs.Static(), func(d *plan.Detect, why string) {
		r.defect(fmt.Sprintf("the condition of a detect rule cannot be evaluated: %s", why), d.When.Range())
	}).Classify(f)
	return &f
}
