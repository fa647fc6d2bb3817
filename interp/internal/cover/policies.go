package cover

import (
	"slices"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/interp/policy"
	"github.com/scenario-lang/scenario/trace"
)

// A Policy is one that the world of a scenario declares, with what it did in a run.
type Policy struct {
	// Kind is what it is: retry, breaker, fallback, timeout, validate, budget, or the
	// type of a limit's block; Name is its own, or whose it is.
	Kind, Name string
	Range      hcl.Range
	Uses       []Use
}

// A Use is one thing that a policy can do.
type Use struct {
	Name string
	Seen bool
}

// What policies can do.
const (
	useSucceeded = "succeeded later"
	useUsedUp    = "used up"
	useNotTried  = "not tried"
	useServer    = "the server's wait"
	useOpened    = "opened"
	useRefused   = "refused"
	useProbe     = "probe"
	useClosed    = "closed again"
	useStoodIn   = "stood in"
	useEnded     = "ended it"
)

// Policies are those of the plan, in the order in which its calls come to them, with
// what they did in a run.
func Policies(p *plan.Plan, events []trace.Event) []Policy {
	t := &table{plan: p, steps: map[string]*plan.Step{}, waiting: map[string]string{}, targets: map[string]*plan.Target{}, passed: map[string]bool{}}
	t.declare()
	asked := map[string]time.Duration{} // what a server asked a step to wait
	for i := range events {
		t.event(&events[i], asked)
	}
	list := make([]Policy, len(t.rows))
	for i, row := range t.rows {
		list[i] = *row
	}
	return list
}

// table is the policies of a plan.
type table struct {
	plan  *plan.Plan
	rows  []*Policy
	steps map[string]*plan.Step
	// waiting are the locks that somebody waited for last.
	waiting map[string]string
	targets map[string]*plan.Target
	// passed are the calls of actors that a deadline ended, by caller and actor.
	passed map[string]bool
}

// add declares a policy, once.
func (t *table) add(kind, name string, rng hcl.Range, uses ...string) {
	if t.row(kind, name) != nil {
		return
	}
	p := &Policy{Kind: kind, Name: name, Range: dsl.Place(rng)}
	for _, u := range uses {
		p.Uses = append(p.Uses, Use{Name: u})
	}
	t.rows = append(t.rows, p)
}

func (t *table) row(kind, name string) *Policy {
	if i := slices.IndexFunc(t.rows, func(p *Policy) bool { return p.Kind == kind && p.Name == name }); i >= 0 {
		return t.rows[i]
	}
	return nil
}

// saw notes what a policy did. One that is not declared does nothing.
func (t *table) saw(kind, name, use string) {
	p := t.row(kind, name)
	if p == nil {
		return
	}
	for i := range p.Uses {
		if p.Uses[i].Name == use {
			p.Uses[i].Seen = true
		}
	}
}

func (t *table) declare() {
	plan.EachNode(t.plan.Workflow.Nodes(), func(n *plan.Node) {
		s := n.Step
		t.steps[n.Name] = s
		t.step(n.Name, s)
	})
	w := t.plan.Workflow
	if w.Timeout > 0 {
		t.add("timeout", "workflow "+w.Name, w.Rng, useEnded)
	}
	if w.Budget.Limited() {
		t.add("budget", "workflow "+w.Name, w.Rng, useRefused)
	}
	t.population()
	t.bounds()
}

func (t *table) step(address string, s *plan.Step) {
	if s.Retry.MaxRetries > 0 {
		uses := []string{useSucceeded, useUsedUp, useNotTried}
		if s.Retry.RespectRetryAfter && s.Gateway != nil && s.Family != "sql" {
			uses = append(uses, useServer)
		}
		t.add("retry", s.Retry.Name, s.Rng, uses...)
	}
	if s.Gateway != nil {
		t.gateway(s.Gateway)
	}
	if s.Fallback >= 0 {
		t.add("fallback", address, s.Rng, useStoodIn)
	}
	t.limit("timeout", address, s.Rng, s.Timeout)
	t.limit("attempt_timeout", address, s.Rng, s.AttemptTimeout)
	t.limit("first_byte_timeout", address, s.Rng, s.Silence.FirstByte)
	t.limit("idle_timeout", address, s.Rng, s.Silence.Idle)
	if len(s.Validates) > 0 {
		t.add("validate", address, s.Rng, useRefused)
	}
	if s.Bulkhead != nil {
		t.add(s.Bulkhead.Kind().Name, address, s.Rng, useRefused)
	}
}

func (t *table) gateway(g *plan.Gateway) {
	for _, target := range g.Targets {
		t.targets[target.Name] = target
		t.deadlines(target)
		for _, c := range target.Policies {
			if c.Kind() == policy.BreakerKind {
				t.add(c.Kind().Name, target.Name, target.Rng, useOpened, useRefused, useProbe, useClosed)
			} else {
				t.add(c.Kind().Name, target.Name, target.Rng, useRefused)
			}
		}
	}
	if g.Name != "" && len(g.Targets) > 1 {
		t.add("gateway", g.Name, g.Targets[0].Rng, useStoodIn)
	}
}

// breaks reports whether a target has a breaker.
func breaks(t *plan.Target) bool { return t.Has(policy.BreakerKind) }

func (t *table) event(e *trace.Event, asked map[string]time.Duration) {
	t.served(e)
	switch x := e.Payload.(type) {
	case *event.AttemptEnd:
		delete(asked, e.Step)
		if x.Failed != nil && x.RetryAfter != nil {
			asked[e.Step] = *x.RetryAfter
		}
	case *event.RetryWait:
		if wait := asked[e.Step]; wait > 0 && wait == x.Delay {
			t.saw("retry", x.Policy, useServer)
		}
	case *event.StepEnd:
		t.stepEnd(e.Step, x)
	case *event.Breaker:
		t.breaker(e.Target, x)
	case *event.Rejection:
		t.rejection(e, x)
	case *event.Fallback:
		if x.Gateway != "" {
			t.saw("gateway", x.Gateway, useStoodIn)
		} else {
			t.saw("fallback", x.From, useStoodIn)
		}
	case *event.Timeout:
		t.timeout(e, x)
	case *event.SessionEnd:
		t.ended(e, x.Handler)
	case *event.Route:
		t.ended(e, x.Handler)
	case *event.Failure:
		t.failure(e.Step, x.Failed)
	case *event.RunEnd:
		t.failure("", x.Failed)
	}
}

func (t *table) failure(step string, f *event.Failed) {
	if f == nil {
		return
	}
	switch failure.Kind(f.Kind) {
	case failure.Contract:
		t.saw("validate", step, useRefused)
	case failure.BudgetExceeded:
		t.saw("budget", "workflow "+t.plan.Workflow.Name, useRefused)
	}
}

func (t *table) stepEnd(step string, x *event.StepEnd) {
	s := t.steps[step]
	if s == nil || s.Retry.MaxRetries == 0 {
		return
	}
	switch {
	case x.Status == read.StatusSuccess && x.Retries > 0:
		t.saw("retry", s.Retry.Name, useSucceeded)
	case x.Stop == policy.StopUsedUp:
		t.saw("retry", s.Retry.Name, useUsedUp)
	case x.Stop != "" && x.Stop != policy.StopCancelled:
		t.saw("retry", s.Retry.Name, useNotTried)
	}
}

func (t *table) breaker(target string, x *event.Breaker) {
	kind := policy.BreakerKind.Name
	switch {
	case x.To == "open":
		t.saw(kind, target, useOpened)
	case x.To == "half_open":
		t.saw(kind, target, useProbe)
	case x.From == "half_open":
		t.saw(kind, target, useClosed)
	}
}

func (t *table) rejection(e *trace.Event, x *event.Rejection) {
	for _, k := range policy.Kinds() {
		if k.Reason == x.Reason {
			t.saw(k.Name, e.Target, useRefused)
			t.saw(k.Name, e.Step, useRefused)
		}
	}
}
