package interp

import (
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/policy"
	"github.com/scenario-lang/scenario/providers"
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
	steps    map[string]*stepResult
	order    []*stepResult // in the order they started; skipped ones in the order of skipping
	targets  map[string]*targetResult
	gateways map[string]*gatewayResult
	run      runResult
	// calls are those of blocks of the scenario, as often as each is made.
	calls      map[string][]*stepResult
	actors     map[string]*actorResult
	locks      map[string]*lockResult // shared ones
	registries map[string]*registryResult
}

type runResult struct {
	status         string
	err            *failure.Failure
	output         cty.Value
	started, ended time.Duration
	costUSD        float64
	usage          providers.Usage
	id             string
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

	iterations int
	aggregate  string
	entries    cty.Value
	outcome    string
	// ran is what became of the workflow that the step runs, nil before that
	// has begun.
	ran *runResult
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
	headers     map[string]string
	body        string
}

type exchangeResponse struct {
	statusCode int
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
	servedBy  []string
	fallbacks int
}

// newObserved begins with the steps, targets and gateways that the plan
// declares, none of which has done anything yet.
func newObserved(p *Plan) *observed {
	o := &observed{
		steps:    make(map[string]*stepResult, len(p.workflow.steps)),
		targets:  map[string]*targetResult{},
		gateways: map[string]*gatewayResult{},
	}
	o.run.output = null
	o.populate(p)
	eachNode(p.nodes(), func(n *node) {
		o.fresh(n)
		s := n.step
		if s.gateway == nil {
			return
		}
		if s.gateway.name != "" && o.gateways[s.gateway.name] == nil {
			o.gateways[s.gateway.name] = &gatewayResult{}
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
	s := &stepResult{node: n, of: o, output: null, json: null, entries: null}
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
