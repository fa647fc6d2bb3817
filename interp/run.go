package interp

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"

	"github.com/hashicorp/hcl/v2"
	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/actor"
	"github.com/scenario-lang/scenario/interp/policy"
	"github.com/scenario-lang/scenario/interp/sched"
	"github.com/scenario-lang/scenario/trace"
	"github.com/zclconf/go-cty/cty"
)

// RunOptions are what a run may be given.
type RunOptions struct {
	// EventLimit bounds the trace; 0 means ten million events.
	EventLimit int
}

// The causes of a cancellation from inside.
var (
	errDeadlock = errors.New("nothing can end what the run waits for")
	errFailFast = errors.New("a required step failed")
	errConsumer = errors.New("the consumer stopped reading")
)

// stage is what all runs of one scenario share: the run of its workflow and
// those that steps of it begin. Everything on it belongs to the tasks of the
// scheduler, of which one runs at a time.
type stage struct {
	plan     *Plan
	live     *Live // nil in a run that stays in the process
	host     *BenchHost
	benching *benching // nil in a run of no bench
	clock    *sched.Scheduler
	log      *trace.Log
	obs      *observed
	player   *cassette.Player
	cursors  map[string][]*cursor
	targets  map[string]*targetState
	rotation map[string]int // of round robin gateways
	draws    map[string]int // of waits, by step
	sessions sessions
	pipes    map[string]Pipe // of a live run, by provider
	// taxonomies are those of the workflows that have run.
	taxonomies map[*taxonomy]*failure.Taxonomy
	// open are the runs that have begun and not ended.
	open  []*run
	gates []Problem
	drive drive
	// defects are why the scenario could not be played as it is written.
	defects []Problem
	stuck   bool
	limited bool
	// cancel ends everything.
	cancel context.CancelCauseFunc
}

// run is one execution of a graph of steps: of the scenario's workflow, of a
// workflow that a step runs, or of a loop's body.
type run struct {
	*stage
	workflow *workflow
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

// targetState is what a target remembers between calls.
type targetState struct {
	breaker  *policy.Breaker
	limit    *policy.RateLimit
	bulkhead *policy.Bulkhead
}

// newRun is a run that starts no programs.
func newRun(p *Plan, opts RunOptions, live *Live) *run { return newHostedRun(p, opts, live, nil) }

func newHostedRun(p *Plan, opts RunOptions, live *Live, host *BenchHost) *run {
	if opts.EventLimit == 0 {
		opts.EventLimit = 10_000_000
	}
	st := &stage{
		plan: p, live: live, host: host, clock: sched.New(), log: trace.NewLog(opts.EventLimit), obs: newObserved(p), taxonomies: map[*taxonomy]*failure.Taxonomy{},
		cursors: map[string][]*cursor{}, targets: map[string]*targetState{}, rotation: map[string]int{}, draws: map[string]int{},
	}
	if live != nil || host != nil {
		st.clock = sched.NewReal()
	}
	st.obs.log = st.log
	st.log.Observe(func(e trace.Event) { st.obs.apply(&e) })
	st.clock.OnDeadlock(st.deadlocked)
	r := &run{stage: st, workflow: p.workflow, inputs: p.inputs, slots: st.clock.NewSemaphore(p.workflow.maxConcurrent)}
	r.taxonomy = r.classifier()
	r.set(p.workflow.nodes())
	return r
}

// set lays out the steps of a run.
func (r *run) set(nodes []*node) {
	r.settled = r.clock.NewSignal()
	states := make([]stepState, len(nodes))
	r.steps = make([]*stepState, len(nodes))
	for i, n := range nodes {
		states[i].node = n
		r.steps[i] = &states[i]
	}
	r.left = len(r.steps)
	r.link()
}

// runID is derived from what runs, where it is declared and the seed, so that
// equal runs have equal ids, spans included, and those of two files have not.
func (p *Plan) runID() string {
	if p.core == nil { // a stub's
		return ""
	}
	core := p.core()
	sum := sha256.Sum256([]byte(hex.EncodeToString(core[:]) + "\x00" + p.place + "\x00" + p.Name + "\x00" + strconv.FormatUint(p.Seed, 10)))
	return hex.EncodeToString(sum[:16])
}

// play runs the workflow from its start to its end.
func (r *run) play() error {
	if t := r.plan.cassette; t != nil && r.plan.responses == nil {
		player, err := r.newPlayer(t)
		if err != nil {
			return err
		}
		r.player = player
	}
	err := r.clock.Run(r.root)
	r.hangUp()
	if err == nil && r.limited {
		err = r.log.Err()
	}
	return err
}

func (r *run) newPlayer(t *tape) (*cassette.Player, error) {
	latency, err := latencyOf(t.latency)
	if err != nil {
		return nil, err
	}
	if r.live != nil {
		latency = cassette.NoLatency // nobody is to wait for what is recorded
	}
	var alike func(redact.Request) redact.Request
	if !t.rules.Empty() {
		alike = r.plan.secrets.Alike
	}
	return cassette.NewPlayer(t.cassette, cassette.Options{
		Redact:   alike,
		Scenario: r.plan.Name, Profile: t.match, Latency: latency, MatchHeaders: t.headers, Shown: r.plan.secrets.Request, Now: r.clock.Now,
		Ordered: newOrder(r.plan.workflow).ordered,
	})
}

// latencyOf reads the latency of a cassette block.
func latencyOf(text string) (cassette.Latency, error) {
	switch text {
	case "recorded", "":
		return cassette.Latency{}, nil
	case "none":
		return cassette.NoLatency, nil
	}
	d, err := dsl.ParseDuration(text)
	return cassette.ConstantLatency(d), err
}

// emit appends an event of the run at the present instant.
func (r *run) emit(e trace.Event) {
	e.Iteration = r.iteration
	r.stage.emit(e)
}

// emit appends an event at the present instant.
func (st *stage) emit(e trace.Event) {
	e.At = st.clock.Elapsed()
	if st.log.Append(e) == 0 && !st.limited {
		st.limited = true
		if st.cancel != nil {
			st.cancel(errors.New("too many events"))
		}
	}
}

// target returns the state of a target, made at its first use.
func (st *stage) target(t *target) *targetState {
	if known := st.targets[t.name]; known != nil {
		return known
	}
	state := &targetState{}
	if t.breaker != nil {
		state.breaker = policy.NewBreaker(*t.breaker, func(from, to policy.State) {
			st.emit(trace.Event{Type: trace.Breaker, Target: t.name, Attrs: attrs("from", string(from), "to", string(to), "failures", ifSet(state.breaker.Failures()))})
		})
	}
	if t.limit != nil {
		state.limit = policy.NewRateLimit(st.clock, t.name, *t.limit)
	}
	if t.bulkhead != nil {
		state.bulkhead = policy.NewBulkhead(st.clock, fmt.Sprintf("target %q", t.name), *t.bulkhead)
	}
	st.targets[t.name] = state
	return state
}

// defect notes why the scenario cannot be played as it is written. No allow
// makes up for it: the verdict is Error.
func (st *stage) defect(message string, rng hcl.Range) {
	st.defects = append(st.defects, Problem{Kind: "error", Name: "script", Message: message, Range: rng})
}
