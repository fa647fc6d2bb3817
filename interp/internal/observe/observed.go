package observe

import (
	"slices"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl/tally"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/interp/policy"
	"github.com/scenario-lang/scenario/money"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/trace"
)

// addActions are the results of the blocks that are steps, which conditions read
// as the calls, fanouts and classifications of the scenario.
func (o *Observed) addActions(p *plan.Plan) {
	for _, d := range p.Actions {
		if d.Node != nil {
			o.Calls[d.Name] = []*StepResult{o.Steps[d.Name]}
		}
	}
}

// Observed is what a run looked like, folded from its trace event by event.
// Nothing writes to it but apply, so whatever an expression, an assertion or a
// report reads was in the trace first.
type Observed struct {
	Plan  *plan.Plan
	Steps map[string]*StepResult
	Order []*StepResult // in the order they started; skipped ones in the order of skipping
	// Log is what all this is folded from; what is seldom read is computed from
	// it when it is.
	Log      *trace.Log
	Targets  map[string]*targetResult
	Gateways map[string]*gatewayResult
	Run      RunResult
	// Way is how the calls of the run are made.
	Way plan.Way
	// Sut is what became of the program under test.
	Sut SutResult
	// Calls are those of blocks of the scenario, as often as each is made.
	Calls  map[string][]*StepResult
	actors map[string]*actorResult
	// works are the actors of handlers that run a workflow, by the names of those.
	works      map[string]*actorResult
	locks      map[string]*lockResult // shared ones
	registries map[string]*registryResult
	// Gates are those that were broken, and Defects why the scenario could not be
	// played as it is written.
	Gates, Defects []plan.Problem
	effects        effects
	failures       failures
	// someEncoded is whether a request came whose body nobody could read.
	someEncoded bool
	// changes counts those of the results of steps.
	changes int
	// static is the context of the file, which counts what this run does, and
	// work what that comes to; nil where it has no limit.
	static *hcl.EvalContext
	work   *tally.Tally
	// invariantStatic and invariantWork are the same for the invariants of a run in real time.
	invariantStatic *hcl.EvalContext
	invariantWork   *tally.Tally
	// counts says that the work is only counted, and has no limit.
	counts bool
	// Scored is what became of the cases of a bench, nil where none runs.
	Scored *scored
}

// A RunResult is what one execution of a graph came to: that of the scenario,
// or of a workflow that a step runs.
type RunResult struct {
	of *Observed
	// step is the step that the run is the work of, "" for the scenario's, and
	// iteration that of the loop around it.
	step           string
	iteration      int
	Status         string
	Err            *failure.Failure
	Output         cty.Value
	started, ended time.Duration
	CostUSD        money.USD
	Usage          providers.Usage
	id             event.RunID
	partial        event.PartialResult
}

// A StepResult is what a step came to so far. A loop has one for each iteration.
type StepResult struct {
	*plan.Node
	// of is where the results of the steps inside it stand.
	of *Observed
	// Version is the number of the last change of it.
	Version int
	// iteration is that of the loop around it, of which this is the result.
	iteration int
	// pass is which of the runs of the step around it this is the result of: the
	// iteration of a loop, the round of a workflow. ran counts those of its own.
	pass, ran      int
	Began          bool
	Status         string
	Output         cty.Value
	Err            *failure.Failure
	attempts       []*attemptResult
	rejections     []rejection
	retries        int
	Delays         []Wait
	Started, Ended time.Duration
	target         string
	provider       string
	costUSD        money.USD
	SkippedReason  string
	replacedBy     string
	stop           string

	// Answer is what the step made of what it did, once it has ended.
	event.Answer
	usage      providers.Usage
	StatusCode int
	// asked is what a program asked for, nil before its first request.
	asked *askedResult
	// caller is who called the session that the run of a handler is the work of, nil for
	// any other step.
	caller *StepResult
	// told says that the answers to a program were, which is when its run ends.
	told bool
	// Ran is what became of the workflow that the step runs, nil before that
	// has begun.
	Ran *RunResult
	// passes are the results of the steps inside it, of every pass, each in the
	// order in which it began or was skipped.
	passes []*StepResult
}

// LastFailure is the last failed attempt's, nil where none failed.
func (s *StepResult) LastFailure() *failure.Failure {
	for _, a := range slices.Backward(s.attempts) {
		if a.err != nil && a.outcome == "failure" {
			return a.err
		}
	}
	return nil
}

// Beneath is what a deadline of the step cut short.
func (s *StepResult) Beneath() []failure.Failure {
	if last := s.LastFailure(); last != nil {
		return []failure.Failure{*last}
	}
	return nil
}

// A Wait is one wait between two rounds, counted from the start of the step.
type Wait struct{ At, delay time.Duration }

// For is how long it is.
func (w Wait) For() time.Duration { return w.delay }

// Waiting is the wait between two rounds that is not over at an instant of the
// run, 0 where there is none.
func (s *StepResult) Waiting(now time.Duration) time.Duration {
	if n := len(s.Delays); n > 0 && s.Delays[n-1].At+s.Delays[n-1].delay > now {
		return s.Delays[n-1].delay
	}
	return 0
}

type rejection struct {
	at     time.Duration // from the start of the step
	round  int
	target string
	reason string
}

type attemptResult struct {
	step *StepResult
	// seq is the number of the event that began it.
	seq                       uint64
	n, round, turn, iteration int
	at, ended                 time.Duration // from the start of the step
	open                      bool
	// routed says that it is a call of an actor, which is told when it is over.
	routed           bool
	target, provider string
	outcome          string
	fault            string
	err              *failure.Failure
	retryAfter       *time.Duration
	request          *event.Request
	response         *event.AttemptEnd // empty before it has ended
	// asker is the program that asked, and served how the answer ended; nil where
	// a step of the workflow asks. prior is the attempt before it in its call.
	asker  *event.Asker
	served *event.Served
	prior  *attemptResult
}

type targetResult struct {
	name        string
	attempts    []*attemptResult
	rejections  []rejection
	InFlight    int
	inFlightMax int

	// guarded says that it has a breaker, and bounded that it has a bulkhead.
	guarded     bool
	bounded     bool
	state       policy.State
	failures    int
	rejected    int
	transitions []transition
}

type transition struct {
	at       time.Duration
	from, to policy.State
}

type gatewayResult struct {
	name      string
	of        *Observed
	servedBy  []string
	fallbacks int
}

// NewObserved begins with the steps, targets and gateways that the plan
// declares, none of which has done anything yet.
func NewObserved(p *plan.Plan) *Observed {
	o := &Observed{
		Plan:     p,
		Steps:    make(map[string]*StepResult, len(p.Workflow.Steps)),
		Targets:  map[string]*targetResult{},
		Gateways: map[string]*gatewayResult{},
		Way:      plan.Interpreted,
		static:   p.Static,
	}
	o.Run = RunResult{of: o, Output: read.Null}
	o.populate(p)
	defer o.addActions(p)
	plan.EachNode(p.Addressed(), func(n *plan.Node) {
		o.fresh(n)
		s := n.Step
		if s.Gateway == nil {
			return
		}
		if s.Gateway.Name != "" && o.Gateways[s.Gateway.Name] == nil {
			o.Gateways[s.Gateway.Name] = &gatewayResult{name: s.Gateway.Name, of: o}
		}
		for _, t := range s.Gateway.Targets {
			if o.Targets[t.Name] == nil {
				o.Targets[t.Name] = &targetResult{name: t.Name, guarded: t.Has(policy.BreakerKind), bounded: t.Has(policy.BulkheadKind), state: policy.Closed}
			}
		}
	})
	return o
}

// fresh gives a step the result of one that has done nothing yet.
func (o *Observed) fresh(n *plan.Node) *StepResult {
	s := &StepResult{Node: n, of: o, Output: read.Null}
	o.Steps[n.Name] = s
	o.renew(s)
	return s
}

// Completed reports whether a step counts as done: it succeeded, or the step
// that ran in its place did.
func (o *Observed) Completed(s *StepResult) bool {
	return o.Substitute(s).Status == read.StatusSuccess
}

// Substitute is the step that ran in the place of s in the end, s itself where
// none did.
func (o *Observed) Substitute(s *StepResult) *StepResult {
	for s.Status != read.StatusSuccess && s.replacedBy != "" {
		s = o.Steps[s.replacedBy]
	}
	return s
}

// NeverRan reports whether a step of the workflow did not begin. What a program
// may ask for is no such step.
func (s *StepResult) NeverRan() bool { return !s.Began && s.Step.Endpoint == nil && s.Ran == nil }

// StepAt is the innermost step that a reference such as step.LOOP.NAME.content
// goes through, nil where it is of no step.
func (o *Observed) StepAt(t hcl.Traversal) (found *StepResult) {
	if root := t.RootName(); root != "step" && root != "fanout" && root != "classify" {
		return nil
	}
	address := ""
	for i := 1; i < len(t); i++ {
		name, named := read.AttrName(t, i)
		if !named {
			break
		}
		if address != "" {
			address += "."
		}
		address += name
		if s := o.Steps[address]; s != nil {
			found = s
		} else {
			break
		}
	}
	return found
}

// IsSub reports whether a path, such as step.all.quote.status, names a sub of a step that fans out.
func (o *Observed) IsSub(t hcl.Traversal) bool {
	of, named := read.AttrName(t, 1)
	sub, under := read.AttrName(t, 2)
	s := o.Steps[of+"."+sub]
	return named && under && s != nil && s.Step.Sub != nil
}
