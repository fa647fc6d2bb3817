package schedule

import (
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/policy"
)

// A Schedule is what a workflow comes to at worst.
type Schedule struct {
	Workflow string
	Rng      hcl.Range
	Steps    []*Step
	// Timeout is that of the workflow, 0 for none.
	Timeout time.Duration
	Longest Bound
	// Calls are the attempts of all steps, and Cost what they cost at most by the
	// answers of the scenario.
	Calls Count
	Cost  Cost
	// NeverOpen are the targets whose breaker no run opens.
	NeverOpen []string
	// Findings are about all of it.
	Findings []Finding
}

// A Cost is what calls cost at most.
type Cost struct {
	USD float64
	// Priced says that answers have a cost at all.
	Priced bool
	Open   string
	// Budget is that of the workflow, nil for none.
	Budget *float64
}

// A Step is one that calls a service, or that repeats others.
type Step struct {
	Name, Kind string
	Rng        hcl.Range
	Targets    []Target
	Retry      policy.Retry
	Turns      int
	Rounds     []Round
	// More is how many rounds are not listed.
	More int
	// Limit is the deadline within which all of it lies, 0 for none, and By whose.
	Limit time.Duration
	By    string
	// Calls are its attempts in a run, and Longest is how long it takes once; Again says
	// that a run may have it more often.
	Calls    Count
	Longest  Bound
	Again    bool
	Findings []Finding
}

// A Target is one of those that a round tries, in their order.
type Target struct {
	Name string
	// Attempt is how long an attempt may take, and Silent how long one may be silent;
	// 0 for no bound.
	Attempt, Silent time.Duration
}

// A Round is one pass over the targets.
type Round struct {
	// N counts from 1: the first attempt, then the retries.
	N int
	// Low and High are the wait before it, and Told the longest that a server may ask for.
	Low, High, Told time.Duration
	// From is when it begins at the earliest, from the beginning of the step.
	From time.Duration
	// Never says that it begins in no run.
	Never bool
	// Silent is when it begins where all before it are silence, and SilentNever that it
	// does not.
	Silent      time.Duration
	SilentNever bool
}

// A Finding is something to look at, why it is so, and what to do.
type Finding struct{ Text, Hint string }

// roundsMax is how many rounds of a step are looked at, and shownMax how many are shown.
const (
	roundsMax = 10_000
	shownMax  = 8
)

// acted is why nothing is known of a scenario that calls actors.
const acted = "what actors do is not planned"

// Of computes the schedule of the workflow of a plan.
func Of(h *plan.Handle) *Schedule {
	p := plan.Inside(h)
	w := p.Workflow
	s := &Schedule{Workflow: w.Name, Rng: dsl.Place(w.Rng), Timeout: w.Timeout}
	c := &computer{plan: p, of: s, dialled: map[string]Count{}}
	c.limits = append(c.limits, limit{w.Timeout, fmt.Sprintf("workflow %q", w.Name)})
	s.Longest = c.graph(w, w.Nodes(), Count{N: 1})
	if len(p.Actions) > 0 {
		s.Longest, s.Calls = Bound{Open: acted}, Count{Open: acted}
	}
	if usd := w.Budget.USD; usd != nil {
		v := usd.Float64()
		s.Cost.Budget = &v
	}
	c.breakers()
	return s
}

type limit struct {
	after time.Duration
	of    string
}

// A computer walks the steps from the outside in.
type computer struct {
	plan   *plan.Plan
	of     *Schedule
	limits []limit
	// dialled is how often each target is dialled at most.
	dialled map[string]Count
	targets []*plan.Target
}

// shortest is the shortest of the deadlines around a step.
func (c *computer) shortest() (after time.Duration, of string) {
	for _, l := range c.limits {
		if l.after > 0 && (after == 0 || l.after <= after) {
			after, of = l.after, l.of
		}
	}
	return after, of
}

// graph is the longest that the steps of a workflow take together, each of which runs
// so often.
func (c *computer) graph(w *plan.Workflow, nodes []*plan.Node, often Count) Bound {
	longest := make([]Bound, len(nodes))
	for i, n := range nodes {
		of := often
		if n.Step.Tool {
			of = Count{Open: fmt.Sprintf("a model asks for step %q as often as it likes", n.Name)}
		}
		longest[i] = c.step(n, of)
	}
	var total Bound
	if w.MaxConcurrent > 0 && len(nodes) > w.MaxConcurrent || oneByOne(nodes) {
		for i := range nodes {
			total = total.and(longest[i])
		}
		return total.within(w.Timeout)
	}
	ends := &ends{nodes: nodes, longest: longest, known: map[int]Bound{}}
	for i, n := range nodes {
		if !n.Step.Substitute && !n.Step.Tool {
			total = total.or(ends.of(i))
		}
	}
	return total.within(w.Timeout)
}

// oneByOne reports whether steps may wait for each other beyond what they say.
func oneByOne(nodes []*plan.Node) bool {
	return slices.ContainsFunc(nodes, func(n *plan.Node) bool { return n.Step.Sub != nil })
}

// ends are when the steps of a graph have ended, fallbacks included.
type ends struct {
	nodes   []*plan.Node
	longest []Bound
	known   map[int]Bound
}

func (e *ends) of(i int) Bound {
	if b, ok := e.known[i]; ok {
		return b
	}
	e.known[i] = Bound{} // a cycle is refused before
	var before Bound
	for _, a := range e.nodes[i].Step.After {
		before = before.or(e.of(a))
	}
	b := before.and(e.longest[i])
	for f := e.nodes[i].Step.Fallback; f >= 0 && f < len(e.nodes); f = e.nodes[f].Step.Fallback {
		for _, a := range e.nodes[f].Step.After {
			b = b.or(e.of(a))
		}
		b = b.and(e.longest[f])
	}
	e.known[i] = b
	return b
}

// step is the longest that a step takes once.
func (c *computer) step(n *plan.Node, often Count) Bound {
	s := n.Step
	c.limits = append(c.limits, limit{s.Timeout, fmt.Sprintf("step %q", n.Name)})
	defer func() { c.limits = c.limits[:len(c.limits)-1] }()
	var b Bound
	switch {
	case s.Gateway != nil:
		b = c.calls(n, often)
	case s.Inner != nil:
		b = c.inner(n, often)
	case s.Kind == plan.KindWait:
		b = waitOf(s)
	case s.Kind == plan.KindValue:
	default:
		b = Bound{Open: fmt.Sprintf("how long step %q takes depends on what it calls", n.Name)}
		c.of.Calls = c.of.Calls.and(Count{Open: fmt.Sprintf("what step %q calls may make calls of its own", n.Name)})
		c.of.Cost.Open = "what it calls may cost something, too"
	}
	if s.Bulkhead != nil && b.Open == "" {
		b = Bound{Open: fmt.Sprintf("step %q may queue for its bulkhead", n.Name)}
	}
	return b.within(s.Timeout)
}

// waitOf is how long a step waits that says it outright.
func waitOf(s *plan.Step) Bound {
	a := s.Args["for"]
	if a != nil {
		if v, ok := dsl.Literal(a.Expr); ok && !v.IsNull() {
			if d, err := dsl.ParseDuration(v.AsString()); err == nil {
				return Bound{Time: d}
			}
		}
	}
	return Bound{Open: fmt.Sprintf("how long step %q waits is computed in the run", s.Name)}
}

// inner is how long a step takes that runs others.
func (c *computer) inner(n *plan.Node, often Count) Bound {
	s := n.Step
	again := Count{N: 1}
	if s.Kind == plan.KindLoop {
		again.N = plan.IterationsMax
		if s.Iterations > 0 {
			again.N = s.Iterations
		}
		return c.graph(s.Inner, n.Inner, often.by(again)).by(again.N)
	}
	again.N = min(s.Retry.MaxRetries, roundsMax) + 1
	at := len(c.of.Steps)
	once := c.graph(s.Inner, n.Inner, often.by(again))
	if s.Retry.MaxRetries == 0 {
		return once
	}
	out := &Step{Name: n.Name, Kind: string(s.Kind), Rng: dsl.Place(s.Rng), Retry: s.Retry, Turns: 1}
	b := c.rounds(out, s.Retry, once, Bound{Open: "-"})
	c.of.Steps = slices.Insert(c.of.Steps, at, out)
	out.Longest = b.within(s.Timeout)
	return b
}

// calls is how long a step takes that calls a service.
func (c *computer) calls(n *plan.Node, often Count) Bound {
	s := n.Step
	out := &Step{Name: n.Name, Kind: string(s.Kind), Rng: dsl.Place(s.Rng), Retry: s.Retry, Turns: 1}
	c.of.Steps = append(c.of.Steps, out)
	var round, silence Bound
	for _, t := range s.Gateway.Targets {
		own := Target{Name: t.Name, Attempt: plan.Shortest(s.AttemptTimeout, t.Timeout, t.Provider.Timeout)}
		own.Silent = plan.Shortest(own.Attempt, s.Silence.Within(t.Provider.Silence).FirstByte)
		out.Targets = append(out.Targets, own)
		round = round.and(c.attempt(t, own.Attempt))
		silence = silence.and(attemptBound(t.Name, own.Silent))
	}
	if len(s.Tools) > 0 {
		out.Turns = max(s.MaxTurns, 1)
	}
	b := c.rounds(out, s.Retry, round, silence).by(out.Turns)
	for _, t := range s.Tools {
		if t.Step >= 0 {
			b = b.or(Bound{Open: fmt.Sprintf("step %q waits for tools that its model asks for", n.Name)})
		}
	}
	reached := 0
	for _, r := range out.Rounds {
		if !r.Never {
			reached++
		}
	}
	out.Again = often.Open != "" || often.N > 1
	out.Calls = Count{N: reached + out.More}.by(Count{N: len(out.Targets) * out.Turns}).by(often)
	if s.Family == "mcp" {
		out.Calls = out.Calls.by(Count{N: 2}) // a lost session is opened again
	}
	out.Longest = b.within(s.Timeout)
	c.silences(n, out)
	c.servers(out)
	c.account(n, out)
	return b
}

// attempt is how long one attempt on a target takes, with what it waits for before it.
func (c *computer) attempt(t *plan.Target, own time.Duration) Bound {
	for _, p := range t.Policies {
		if k := p.Kind(); k == policy.RateLimitKind || k == policy.BulkheadKind {
			return Bound{Open: fmt.Sprintf("a call may wait for the %s of target %q", spaced(k.Name), t.Name)}
		}
	}
	return attemptBound(t.Name, own)
}

func attemptBound(target string, own time.Duration) Bound {
	if own == 0 {
		return Bound{Open: fmt.Sprintf("nothing ends an attempt on target %q that is silent", target)}
	}
	return Bound{Time: own}
}

// rounds lays out the rounds of a retry policy. Each takes as long as it may, or as
// silence does.
func (c *computer) rounds(out *Step, r policy.Retry, once, silence Bound) Bound {
	out.Limit, out.By = c.shortest()
	total := Bound{}
	var from time.Duration
	silent := Bound{}
	last := min(r.MaxRetries, roundsMax) + 1
	for n := 1; n <= last; n++ {
		round := Round{N: n}
		if n > 1 {
			round.Low, round.High = r.Backoff.Range(n - 1)
			round.Told = told(r)
			from = added(from, round.Low)
			silent = silent.and(silence).and(Bound{Time: round.Low})
			total = total.and(Bound{Time: max(round.High, round.Told)})
		}
		round.From, round.Silent = from, silent.Time
		round.Never = out.Limit > 0 && from > out.Limit
		round.SilentNever = silent.Open != "" || out.Limit > 0 && silent.Time > out.Limit
		if !round.Never {
			total = total.and(once)
		}
		if n <= shownMax || round.Never {
			out.Rounds = append(out.Rounds, round)
		} else {
			out.More++
		}
		if round.Never { // nor is any behind it
			break
		}
	}
	if r.MaxRetries > roundsMax && total.Open == "" && !out.Rounds[len(out.Rounds)-1].Never {
		total = Bound{Open: fmt.Sprintf("it is tried again %d times", r.MaxRetries)}
	}
	return total
}

// told is the longest wait that a server may ask for, 0 where nobody listens.
func told(r policy.Retry) time.Duration {
	switch {
	case !r.RespectRetryAfter:
		return 0
	case r.RetryAfterCap > 0:
		return r.Spread(r.RetryAfterCap, 1)
	}
	return r.Spread(r.MaxRetryAfter, 1)
}

// account adds the calls of a step up, and what they cost.
func (c *computer) account(n *plan.Node, out *Step) {
	c.of.Calls = c.of.Calls.and(out.Calls)
	for _, t := range n.Step.Gateway.Targets {
		each := out.Calls
		if each.Open == "" {
			each.N = (each.N + len(out.Targets) - 1) / max(1, len(out.Targets))
		}
		if !slices.Contains(c.targets, t) {
			c.targets = append(c.targets, t)
		}
		c.dialled[t.Name] = c.dialled[t.Name].and(each)
	}
	dearest := c.dearest(n.Name)
	if dearest == 0 {
		return
	}
	c.of.Cost.Priced = true
	if out.Calls.Open != "" {
		c.of.Cost.Open = out.Calls.Open
		return
	}
	c.of.Cost.USD += dearest * float64(out.Calls.N)
}

// dearest is the cost of the dearest answer that the scripts have for a step.
func (c *computer) dearest(address string) float64 {
	most := 0.0
	for _, s := range c.plan.Scripts {
		if s.Address != address && s.Address != "*" {
			continue
		}
		for _, e := range s.Entries {
			if e.Reply != nil {
				most = max(most, e.Reply.CostUSD)
			}
		}
	}
	return most
}
