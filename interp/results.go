package interp

import (
	"slices"
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/policy"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/trace"
)

// The statuses of a step and of a run.
const (
	statusSuccess   = "success"
	statusFailed    = "failed"
	statusTimeout   = "timeout"
	statusSkipped   = "skipped"
	statusCancelled = "cancelled"
	statusAborted   = "aborted"
	statusPartial   = "partial"
)

// observed is what a run looked like, folded from its trace event by event.
// Nothing writes to it but apply, so whatever an expression, an assertion or a
// report reads was in the trace first.
type observed struct {
	plan  *Plan
	steps map[string]*stepResult
	order []*stepResult // in the order they started; skipped ones in the order of skipping
	// log is what all this is folded from; what is seldom read is computed from
	// it when it is.
	log      *trace.Log
	targets  map[string]*targetResult
	gateways map[string]*gatewayResult
	run      runResult
	// calls are those of blocks of the scenario, as often as each is made.
	calls      map[string][]*stepResult
	actors     map[string]*actorResult
	locks      map[string]*lockResult // shared ones
	registries map[string]*registryResult
	// scored is what became of the cases of a bench, nil where none runs.
	scored *scored
}

type runResult struct {
	of *observed
	// step is the step that the run is the work of, "" for the scenario's, and
	// iteration that of the loop around it.
	step           string
	iteration      int
	status         string
	err            *failure.Failure
	output         cty.Value
	started, ended time.Duration
	costUSD        float64
	usage          providers.Usage
	id             runIDAttr
	partial        partialResult
}

type partialResult struct {
	completed, failed, skipped, remaining []string
	ratio                                 float64
	recoverable                           bool
	hint                                  string
	data                                  map[string]cty.Value
}

type stepResult struct {
	*node
	// of is where the results of the steps inside it stand.
	of *observed
	// version counts the events that may have changed it.
	version int
	// iteration is that of the loop around it, of which this is the result.
	iteration      int
	began          bool
	status         string
	output         cty.Value
	err            *failure.Failure
	attempts       []*attemptResult
	rejections     []rejection
	retries        int
	delays         []wait
	started, ended time.Duration
	target         string
	provider       string
	costUSD        float64
	skippedReason  string
	replacedBy     string
	stop           string

	content      string
	hasContent   bool
	chunks       []string
	finishReason string
	toolCalls    []providers.ToolCall
	usage        providers.Usage
	model        string
	turns        int

	statusCode int
	headers    map[string]string
	body       string
	json       cty.Value
	rows       cty.Value
	affected   *int

	iterations int
	aggregate  string
	entries    cty.Value
	outcome    string
	// structured, isError and progress are of a call to an MCP server.
	structured, progress cty.Value
	isError              bool
	// ran is what became of the workflow that the step runs, nil before that
	// has begun.
	ran *runResult
}

// lastFailure is the last failed attempt's, nil where none failed.
func (s *stepResult) lastFailure() *failure.Failure {
	for _, a := range slices.Backward(s.attempts) {
		if a.err != nil && a.outcome == "failure" {
			return a.err
		}
	}
	return nil
}

// beneath is what a deadline of the step cut short.
func (s *stepResult) beneath() []failure.Failure {
	if last := s.lastFailure(); last != nil {
		return []failure.Failure{*last}
	}
	return nil
}

type wait struct{ at, delay time.Duration }

type rejection struct {
	at     time.Duration // from the start of the step
	round  int
	target string
	reason string
}

type attemptResult struct {
	step                      *stepResult
	n, round, turn, iteration int
	at, ended                 time.Duration // from the start of the step
	open                      bool
	target, provider          string
	statusCode                int
	outcome                   string
	fault                     string
	err                       *failure.Failure
	retryAfter                *time.Duration
	request                   exchangeRequest
	response                  exchangeResponse
}

type exchangeRequest struct {
	method, url string
	statement   string
	headers     map[string]string
	body        string
}

type exchangeResponse struct {
	statusCode int
	sqlState   string
	headers    map[string]string
	content    string
	chunks     []string
	complete   bool
}

type targetResult struct {
	name        string
	attempts    []*attemptResult
	rejections  []rejection
	inFlight    int
	inFlightMax int

	guarded     bool
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
	of        *observed
	servedBy  []string
	fallbacks int
}

// newObserved begins with the steps, targets and gateways that the plan
// declares, none of which has done anything yet.
func newObserved(p *Plan) *observed {
	o := &observed{
		plan:     p,
		steps:    make(map[string]*stepResult, len(p.workflow.steps)),
		targets:  map[string]*targetResult{},
		gateways: map[string]*gatewayResult{},
	}
	o.run = runResult{of: o, output: null}
	o.populate(p)
	defer o.standing(p)
	eachNode(p.nodes(), func(n *node) {
		o.fresh(n)
		s := n.step
		if s.gateway == nil {
			return
		}
		if s.gateway.name != "" && o.gateways[s.gateway.name] == nil {
			o.gateways[s.gateway.name] = &gatewayResult{name: s.gateway.name, of: o}
		}
		for _, t := range s.gateway.targets {
			if o.targets[t.name] == nil {
				o.targets[t.name] = &targetResult{name: t.name, guarded: t.breaker != nil, state: policy.Closed}
			}
		}
	})
	return o
}

// fresh gives a step the result of one that has done nothing yet.
func (o *observed) fresh(n *node) *stepResult {
	s := &stepResult{node: n, of: o, output: null, json: null, entries: null, rows: null}
	o.steps[n.name] = s
	return s
}

// completed reports whether a step counts as done: it succeeded, or the step
// that ran in its place did.
func (o *observed) completed(s *stepResult) bool {
	return o.substitute(s).status == statusSuccess
}

// substitute is the step that ran in the place of s in the end, s itself where
// none did.
func (o *observed) substitute(s *stepResult) *stepResult {
	for s.status != statusSuccess && s.replacedBy != "" {
		s = o.steps[s.replacedBy]
	}
	return s
}
