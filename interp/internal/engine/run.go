package engine

import (
	"cmp"
	"context"
	"errors"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/actor"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/exchange"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/policy"
	"github.com/scenario-lang/scenario/interp/sched"
	"github.com/scenario-lang/scenario/trace"
)

// RunOptions are what a run may be given.
type RunOptions struct {
	// EventLimit bounds the trace; 0 means ten million events.
	EventLimit int
	// WorkLimit bounds what a run on the virtual clock computes, in bytes that its
	// expressions build; 0 means 128 MiB, or less for one of many scenarios of one
	// block. See docs/language.md.
	WorkLimit int64
	// Done, where not nil, cancels the run once it is closed. A run on the
	// virtual clock looks at it with every event.
	Done <-chan struct{}
	// Inject, where not nil, is asked what strikes at each point of the run, before
	// script, cassette and network: nil for nothing. One that always says nil
	// changes nothing of the trace. It is called by one goroutine at a time.
	Inject func(exchange.Point) *exchange.Injection
	// Every checks what must hold of every run alone: gates and invariants, and not
	// what the scenario expects of the run without what is injected.
	Every bool
	// Unchecked, where not "", is a module whose invariants are left out: whoever asks
	// checks them by itself.
	Unchecked string
	// Weighed says why invariants that hold do so whatever strikes a run, in
	// [plan.InvariantCount.Always]: it takes longer than to evaluate them.
	Weighed bool
	// Unread asks for [plan.Result.Unread], which takes as long as some runs do.
	Unread bool
	// Events happen to the run besides those of the scenario, of actors that take part
	// in it.
	Events []plan.Occurrence
}

// The causes of a cancellation from inside.
var (
	errDeadlock = errors.New("nothing can end what the run waits for")
	errFailFast = errors.New("a required step failed")
	errConsumer = errors.New("the consumer stopped reading")
)

// execution is what all runs of one scenario share: the run of its workflow and
// those that steps of it begin. Everything on it belongs to the tasks of the
// scheduler, of which one runs at a time.
type execution struct {
	plan     *plan.Plan
	live     *exchange.Live // nil in a run that stays in the process
	host     *BenchHost
	stage    *Stage    // nil in a run that is its own
	benching *benching // nil in a run of no bench
	// overNothing says why a rubric shows nothing; nil where nobody asks.
	overNothing func(k *plan.BenchRubric, ctx *hcl.EvalContext) string
	given       Given // nil where nobody asks
	Clock       *sched.Scheduler
	Log         *trace.Log
	Obs         *observe.Observed
	client      *exchange.Client
	guarded     map[string][]policy.Guard // targets that have policies
	rotation    map[string]int            // of round robin gateways
	draws       map[string]int            // of waits, by step
	// bulkheads are those of the steps that have one, each made at its first call.
	bulkheads map[*plan.Step]*policy.Bulkhead
	// taxonomies are those of the workflows that have run.
	taxonomies map[*plan.Taxonomy]*failure.Taxonomy
	// open are the runs that have begun and not ended.
	open      []*run
	scheduled schedule
	consumers consumers
	stuck     bool
	limited   bool
	emitting  bool // an event
	// done is closed to end the run, and Interrupted says that it was.
	done        <-chan struct{}
	Interrupted bool
	// cancel ends everything.
	cancel context.CancelCauseFunc
}

// run is one execution of a graph of steps: of the scenario's workflow, of a
// workflow that a step runs, or of a loop's body.
type run struct {
	*execution
	workflow *plan.Workflow
	taxonomy *failure.Taxonomy
	inputs   cty.Value
	// parent is the run of owner, the step that this run is the work of; both
	// are nil for the scenario's.
	parent *run
	owner  *stepState
	// iteration counts those of the innermost loop around, 0 where there is
	// none.
	iteration int
	// via is the session that the run is the work of, zero for none.
	via actor.Via

	steps   []*stepState
	slots   *sched.Semaphore
	settled *sched.Signal
	left    int // steps that have not settled
	// candidates are the steps that may have become ready.
	candidates indexes
	// expired says that the workflow's own deadline has passed.
	expired bool
	// stopping is why no further step may start, "" while they may.
	stopping   string
	budget     *failure.Failure // the run's own, once it is exceeded
	first      *stepState       // the first required step that failed
	cancelWork context.CancelCauseFunc
}

// NewRun is a run that starts no programs.
func NewRun(p *plan.Plan, opts RunOptions, live *exchange.Live) *run {
	return NewHostedRun(p, opts, live, nil)
}

// NewHostedRun prepares a run of a plan: a nil live cannot leave the process,
// a nil host starts no programs. Its log is empty until Play.
func NewHostedRun(p *plan.Plan, opts RunOptions, live *exchange.Live, host *BenchHost) *run {
	if opts.EventLimit == 0 {
		opts.EventLimit = 10_000_000
	}
	st := &execution{live: live, host: host, done: opts.Done, Clock: sched.New(), Log: trace.NewLog(opts.EventLimit), Obs: observe.NewObserved(p)}
	if live != nil || host != nil {
		st.Clock = sched.NewReal()
	} else {
		st.Obs.Bound(opts.WorkLimit)
		st.Clock.Share(1 + p.Others)
	}
	st.Obs.Follow(st.Log)
	r := newRun(p, st)
	st.client.Inject(opts.Inject, st.Clock.Elapsed, func(why error) { st.cancel(why) })
	return r
}

// Vacuous lets the run ask why a rubric that an answer passes shows nothing of it.
func (r *run) Vacuous(why func(k *plan.BenchRubric, ctx *hcl.EvalContext) string) {
	r.overNothing = why
}

// Given is told what a call of an actor, or a workflow that a step runs, is given, and says what it gets
// in place of that. to is the step, the sub or the call; inputs says that it is a workflow.
type Given func(to string, inputs bool, v cty.Value) cty.Value

// Give lets somebody see what calls are given, and change it.
func (r *run) Give(given Given) { r.given = given }

// handed is what a call gets of what the file gives it.
func (r *run) handed(to string, inputs bool, v cty.Value) cty.Value {
	if r.given == nil || v == cty.NilVal || v.IsNull() {
		return v
	}
	return r.given(to, inputs, v)
}

// newRun is the run of a plan's workflow, whose execution has a clock, a log and
// what is observed.
func newRun(p *plan.Plan, st *execution) *run {
	st.plan = p
	st.taxonomies, st.bulkheads = map[*plan.Taxonomy]*failure.Taxonomy{}, map[*plan.Step]*policy.Bulkhead{}
	st.guarded, st.rotation, st.draws = map[string][]policy.Guard{}, map[string]int{}, map[string]int{}
	st.client = exchange.NewClient(exchange.NewSources(p, st.Clock, st.live), st.Clock)
	st.Clock.OnDeadlock(st.deadlocked)
	r := &run{execution: st, workflow: p.Workflow, inputs: p.Inputs, slots: st.Clock.NewSemaphore(p.Workflow.MaxConcurrent)}
	r.taxonomy = r.classifier()
	r.set(p.Workflow.Nodes())
	return r
}

// set lays out the steps of a run.
func (r *run) set(nodes []*plan.Node) {
	r.settled = r.Clock.NewSignal()
	states := make([]stepState, len(nodes))
	r.steps = make([]*stepState, len(nodes))
	for i, n := range nodes {
		states[i].Node = n
		r.steps[i] = &states[i]
	}
	r.left = len(r.steps)
	r.link()
}

// Play runs the workflow from its start to its end. On a stage the recording is
// not opened: it answers the program.
func (r *run) Play() error {
	if r.stage == nil {
		if err := r.client.Open(); err != nil {
			return err
		}
	}
	err := r.Clock.Run(r.root)
	r.client.Close()
	if err == nil {
		err = cmp.Or(r.Obs.Err(), r.Log.Err())
	}
	return err
}

// Played are the interactions of the cassette that answered something, as its
// file counts them.
func (r *run) Played() []int { return r.client.Played() }

// Injected says what became of what was injected.
func (r *run) Injected() plan.Injected { return r.client.Injected() }

// emit appends an event of the run at the present instant.
func (r *run) emit(e trace.Event) {
	e.Iteration = r.iteration
	r.execution.emit(e)
}

// emit appends an event at the present instant.
func (st *execution) emit(e trace.Event) {
	e.At = st.Clock.Elapsed()
	outer := st.emitting
	st.emitting = true
	n := st.Log.Append(e)
	st.emitting = outer
	if (n == 0 || st.Obs.Spent()) && !st.limited {
		st.limited = true
		if st.cancel != nil {
			st.cancel(errors.New("too many events"))
		}
	}
	st.heed()
}

// heed cancels the run where whoever started it wants no more of it.
func (st *execution) heed() {
	select {
	case <-st.done:
		if !st.Interrupted && st.cancel != nil {
			st.Interrupted = true
			st.cancel(exchange.ErrInterrupted)
		}
	default:
	}
}

// guards are the policies of a target in the order in which a call passes them,
// with what they remember of the calls before.
func (st *execution) guards(t *plan.Target) []policy.Guard {
	if len(t.Policies) == 0 {
		return nil
	}
	known := st.guarded[t.Name]
	if known == nil {
		known = st.newGuards(t)
		st.guarded[t.Name] = known
	}
	return known
}

// newGuards makes the guards of a target that nobody has called yet.
func (st *execution) newGuards(t *plan.Target) []policy.Guard {
	host := policy.Host{Clock: st.Clock, Target: t.Name, Changed: func(from, to policy.State, failures int) {
		st.emit(trace.Event{Target: t.Name, Payload: &event.Breaker{From: string(from), To: string(to), Failures: failures}})
	}}
	list := make([]policy.Guard, len(t.Policies))
	for i, c := range t.Policies {
		list[i] = c.Guard(host)
	}
	return list
}

// defect notes why the scenario cannot be played as it is written. No allow
// makes up for it: the verdict is Error.
func (st *execution) defect(message string, rng hcl.Range) {
	st.emit(trace.Event{Payload: &event.Defect{Message: message, File: st.plan.Place, Line: rng.Start.Line, Range: st.plan.Told(rng)}})
}
