package cover

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/actor"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/interp/policy"
	"github.com/scenario-lang/scenario/trace"
)

// Settings are the limits of a plan that say how much there may be of something, in the order in which its
// calls come to them, with what became of each in a run. Of policies those are left out that the file does
// not give.
func Settings(p *plan.Plan, events []trace.Event) []plan.Setting {
	s := &settings{plan: p, guards: map[string]*guarded{}, callers: map[string][]*guarded{}, held: map[string]*shared{}, waits: map[string]*waited{}, retried: map[string]*waited{}}
	s.declare()
	for i := range events {
		s.event(&events[i])
	}
	list := make([]plan.Setting, len(s.rows))
	for i, r := range s.rows {
		list[i] = *r
	}
	return list
}

// settings follow the events of a run.
type settings struct {
	plan *plan.Plan
	rows []*plan.Setting
	// guards are the targets with a policy, and the steps with a bulkhead, by name.
	guards map[string]*guarded
	// callers are the targets of each step, by its address.
	callers map[string][]*guarded
	// held are locks and pools, by their name with that of their actor.
	held map[string]*shared
	// waits are the retry policies by name, and retried those of steps, by their address.
	waits, retried map[string]*waited
}

// A guarded is a target, or a step, with the settings of what stands before it. Those that the file does
// not give are nil.
type guarded struct {
	threshold, window, reset, halfOpenMax, successThreshold, ignore *plan.Setting
	ignored                                                         []string
	state                                                           string
	// under are the attempts under way, each with the state of the breaker in which it began, by the number of
	// the change that led to it; probes are those of them that began in this one, while it is half open.
	under          map[attempted]int
	change, probes int

	maxConcurrent, maxQueue *plan.Setting
	places                  int
	// freed is when a place was given back of which there was none left before.
	freed time.Duration
	full  bool

	perMinute, burst *plan.Setting
	limit            *policy.RateLimitConfig
	level            float64
	came             int
	last             time.Duration

	// tokens is the limit on tokens, of which there were left at least so many at an instant; spent is
	// what attempts under way may cost.
	tokens  *plan.Setting
	left    float64
	spentAt time.Duration
	spent   map[attempted]float64
}

// An attempted is one attempt of a run.
type attempted struct {
	step, call               string
	attempt, iteration, turn int
}

// A shared is a lock or a pool.
type shared struct{ places, queue *plan.Setting }

// add is a row for a setting, nil where the file does not give it.
func (s *settings) add(written bool, of, name string, value any, why, hint string) *plan.Setting {
	if !written {
		return nil
	}
	r := &plan.Setting{Of: of, Name: name, Value: fmt.Sprint(value), Why: why, Else: "with a larger one", Hint: hint}
	s.rows = append(s.rows, r)
	return r
}

func near(list ...*plan.Setting) {
	for _, r := range list {
		if r != nil {
			r.Near = true
		}
	}
}

func part(list ...*plan.Setting) {
	near(list...)
	for _, r := range list {
		if r != nil {
			r.Part = true
		}
	}
}

func (s *settings) declare() {
	if s.plan.Workflow == nil {
		return // what is left of a plan once it has run
	}
	places := map[*policy.BulkheadConfig]*guarded{}
	plan.EachNode(s.plan.Nodes(), func(n *plan.Node) {
		s.retry(n.Name, &n.Step.Retry)
		if g := n.Step.Gateway; g != nil {
			for _, t := range g.Targets {
				s.target(t)
				if of := s.guards[t.Name]; of != nil {
					s.callers[n.Name] = append(s.callers[n.Name], of)
				}
			}
		}
		if b := n.Step.Bulkhead; b != nil {
			g := places[b]
			if g == nil { // all runs of a workflow share that of its step
				g = s.guard(n.Name)
				places[b] = g
				s.bulkhead(g, fmt.Sprintf("bulkhead of step %q", n.Step.Name), b)
			}
			s.guards[n.Name] = g
			s.callers[n.Name] = append(s.callers[n.Name], g)
		}
	})
	p := s.plan.Population
	if p == nil {
		return
	}
	for _, l := range p.Locks {
		s.lock("", l)
	}
	for _, a := range p.Actors {
		for _, l := range a.Locks {
			s.lock(a.Name, l)
		}
		for _, l := range a.Pools {
			name := owned(a.Name, l.Name)
			s.held[name] = &shared{places: s.add(true, fmt.Sprintf("pool %q", name), "size", l.Size,
				"nobody waited for a connection", "let more come at one time than it has connections, each for a while")}
		}
	}
}

func (s *settings) lock(of string, l *actor.LockSpec) {
	name := owned(of, l.Name)
	what := fmt.Sprintf("lock %q", name)
	s.held[name] = &shared{
		places: s.add(true, what, "capacity", l.Capacity, "nobody waited for it", "let more come at one time than may hold it, each for a while"),
		queue:  s.add(l.MaxQueue >= 0, what, "max_queue", l.MaxQueue, "nobody was refused for those that waited already", "let one more come while so many wait"),
	}
}

func (s *settings) guard(name string) *guarded {
	g := s.guards[name]
	if g == nil {
		g = &guarded{under: map[attempted]int{}, freed: -1}
		s.guards[name] = g
	}
	return g
}

func (s *settings) target(t *plan.Target) {
	if s.guards[t.Name] != nil || len(t.Policies) == 0 {
		return
	}
	g := s.guard(t.Name)
	for _, c := range t.Policies {
		of := fmt.Sprintf("%s of target %q", c.Kind().Name, t.Name)
		switch c := c.(type) {
		case *policy.BreakerConfig:
			const never, fail = "it never opened", "let as many calls fail as open it"
			g.ignored = c.Ignore
			g.threshold = s.add(c.Writes("threshold"), of, "threshold", c.Threshold, never, fail)
			if c.WindowCalls > 0 {
				g.window = s.add(true, of, "window", c.WindowCalls, never, fail)
			} else if c.WindowTime > 0 {
				g.window = s.add(true, of, "window", c.WindowTime, never, fail)
			}
			g.reset = s.add(c.Writes("reset"), of, "reset", c.Reset, "no call came after it had opened", "let one come before that time is over, and one after it")
			g.halfOpenMax = s.add(c.Writes("half_open_max"), of, "half_open_max", c.HalfOpenMax, "no two calls came at one time while it was half open", "let more calls come at one time than it lets through, each with a latency")
			g.successThreshold = s.add(c.Writes("success_threshold"), of, "success_threshold", c.SuccessThreshold, "no call succeeded while it was half open", "let one succeed then, and say what becomes of the next")
			if g.ignore = s.add(c.Writes("ignore"), of, "ignore", c.Ignore, "no call failed so", "let one fail so, and check that it does not count"); g.ignore != nil {
				g.ignore.Else = "without it"
			}
		case *policy.BulkheadConfig:
			s.bulkhead(g, of, c)
		case *policy.RateLimitConfig:
			const none, more = "it made no call wait and refused none", "let more calls come at once than its burst"
			g.limit, g.level = c, c.Burst
			g.perMinute = s.add(c.Writes("requests_per_minute"), of, "requests_per_minute", c.RequestsPerMinute, none, more)
			g.burst = s.add(c.Writes("burst"), of, "burst", c.Burst, none, more)
			g.left, g.spent = c.TokensPerMinute, map[attempted]float64{}
			g.tokens = s.add(c.Writes("tokens_per_minute"), of, "tokens_per_minute", strconv.FormatFloat(c.TokensPerMinute, 'f', -1, 64), none, "let prompts and answers be so long that a call comes before there are tokens for it, and no other limit makes it wait as long")
		}
	}
}

func (s *settings) bulkhead(g *guarded, of string, c *policy.BulkheadConfig) {
	g.places = c.MaxConcurrent
	g.maxConcurrent = s.add(true, of, "max_concurrent", c.MaxConcurrent, "no call came while so many were under way", "let more calls come at one time than may be under way, each with a latency")
	g.maxQueue = s.add(c.Writes("max_queue"), of, "max_queue", c.MaxQueue, "no call was refused for those that waited already", "let one more come while so many wait")
}

func (s *settings) event(e *trace.Event) {
	switch x := e.Payload.(type) {
	case *event.AttemptStart:
		for _, g := range s.at(e) {
			g.began(e)
			g.spends(e, x)
		}
	case *event.AttemptEnd:
		for _, g := range s.at(e) {
			g.ended(e, x)
			g.spentOn(e, x)
		}
		s.asked(e.Step, x)
	case *event.RetryWait:
		s.waitedFor(x)
	case *event.Breaker:
		if g := s.guards[e.Target]; g != nil {
			g.changed(x)
		}
	case *event.Rejection:
		for _, g := range s.at(e) {
			g.refused(x)
		}
	}
	s.served(e)
}

// at are the target and the step of an event.
func (s *settings) at(e *trace.Event) (list []*guarded) {
	for _, name := range []string{e.Target, e.Step} {
		if g := s.guards[name]; g != nil && !slices.Contains(list, g) {
			list = append(list, g)
		}
	}
	return list
}

// usuallyIgnored are the failures that a breaker ignores whose file says nothing of it.
var usuallyIgnored = []string{string(failure.RateLimit), string(failure.Cancelled)}

func attemptOf(e *trace.Event) attempted {
	return attempted{e.Step, e.Call, e.Attempt, e.Iteration, e.Turn}
}

func (g *guarded) began(e *trace.Event) {
	if g.state == string(policy.HalfOpen) {
		if g.probes > 0 {
			part(g.halfOpenMax)
		}
		g.probes++
	}
	near(g.maxConcurrent)
	if g.full && g.freed == e.At {
		part(g.maxConcurrent)
		near(g.maxQueue)
	}
	g.under[attemptOf(e)] = g.change
	if g.limit != nil {
		near(g.perMinute, g.burst)
		g.level = min(g.limit.Burst, g.level+(e.At-g.last).Minutes()*g.limit.RequestsPerMinute)
		if g.came > 0 && g.level < 1+1e-6 { // it may have come the moment that there was a place
			part(g.perMinute, g.burst)
		}
		g.level, g.last = g.level-1, e.At
		g.came++
	}
}

func (g *guarded) ended(e *trace.Event, x *event.AttemptEnd) {
	full := g.places > 0 && len(g.under) >= g.places
	g.full, g.freed = full || g.full && g.freed == e.At, e.At // of several that end at once the first made room
	at := attemptOf(e)
	probe := g.state == string(policy.HalfOpen) && g.under[at] == g.change
	if probe {
		g.probes--
	}
	if x.Failed != nil {
		near(g.ignore)
		ignored := slices.Contains(g.ignored, x.Failed.Kind)
		if ignored != slices.Contains(usuallyIgnored, x.Failed.Kind) || ignored {
			part(g.ignore)
		}
		if !ignored {
			near(g.threshold, g.window)
		}
	} else if probe {
		part(g.successThreshold)
	}
	delete(g.under, at)
}

func (g *guarded) changed(x *event.Breaker) {
	g.state, g.probes = x.To, 0
	g.change++
	switch x.To {
	case string(policy.Closed):
		part(g.successThreshold)
	case string(policy.Open):
		near(g.reset)
		part(g.threshold, g.window)
	case string(policy.HalfOpen):
		part(g.reset)
		near(g.halfOpenMax, g.successThreshold)
	}
}

func (g *guarded) refused(x *event.Rejection) {
	switch x.Reason {
	case policy.BreakerKind.Reason:
		part(g.reset)
		if g.state == string(policy.HalfOpen) {
			part(g.halfOpenMax)
		}
	case policy.BulkheadKind.Reason:
		part(g.maxConcurrent, g.maxQueue)
	case policy.RateLimitKind.Reason:
		part(g.perMinute, g.burst, g.tokens)
	}
}

// served follows what comes to locks and pools.
func (s *settings) served(e *trace.Event) {
	of := func(name string) *shared {
		if h := s.held[owned(e.Actor, name)]; h != nil {
			return h
		}
		return &shared{}
	}
	var failed *event.Failed
	switch x := e.Payload.(type) {
	case *event.Lock:
		near(of(x.Lock).places)
	case *event.LockWait:
		part(of(x.Lock).places)
		near(of(x.Lock).queue)
	case *event.Pool:
		near(of(x.Pool).places)
		if x.Action == "wait" {
			part(of(x.Pool).places)
		}
	case *event.StepEnd:
		failed = x.Failed
		if x.Status == read.StatusTimeout || x.Status == read.StatusCancelled { // it may have waited until then
			for _, g := range s.callers[e.Step] {
				part(g.maxConcurrent, g.maxQueue, g.perMinute, g.burst, g.tokens)
			}
		}
	case *event.SessionEnd:
		failed = x.Failed
	case *event.Failure:
		failed = x.Failed
	}
	if failed == nil || failure.Kind(failed.Kind) != failure.QueueFull {
		return
	}
	for _, h := range s.held { // the event does not say which of them
		part(h.places, h.queue)
	}
}
