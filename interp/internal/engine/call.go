package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/exchange"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/policy"
	"github.com/scenario-lang/scenario/interp/sched"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/trace"
)

// rounds is the retry policy around one turn of a step: rounds over the
// gateway until one is answered, or the policy stops.
func (r *run) rounds(ctx context.Context, s *stepState, in providers.Input, turn int) (providers.Output, *failure.Failure) {
	idempotent := s.Step.MayRepeat(in)
	var asked []*exchange.Request
	for round := 1; ; round++ {
		c := &call{r: r, s: s, in: &in, turn: turn, round: round, asked: &asked}
		out, f := c.once(ctx)
		if f == nil {
			return out, nil
		}
		if c.gated {
			return out, f
		}
		d := s.Step.Retry.Decide(round, *f, c.tried, idempotent, func() *rand.Rand {
			r.draws[s.Name]++
			return policy.Draw(r.plan.Seed, "jitter", s.Name, r.draws[s.Name])
		})
		if !d.Again {
			if s.Step.Retry.MaxRetries > 0 {
				s.result.stop = d.Reason
			}
			return out, f
		}
		r.emit(trace.Event{Step: s.Name, Round: round, Turn: turn, Payload: &event.RetryWait{Delay: d.Wait, Retry: round, Policy: s.Step.Retry.Name}})
		if err := r.Clock.SleepAs(ctx, sched.Start, d.Wait); err != nil {
			return out, cancelled(err)
		}
		s.retried++
	}
}

// call is one round: the step's bulkhead, the gateway, and the contract on the
// answer.
type call struct {
	r     *run
	s     *stepState
	in    *providers.Input
	turn  int
	round int
	// asked is what any target was asked in this turn.
	asked *[]*exchange.Request
	// tried holds the failure of every target that was dialled.
	tried []failure.Failure
	// refusals are the failures of the targets that were not.
	refusals []failure.Failure
	// met are the failures of all targets in the order in which they were tried,
	// where there is more than one.
	met []failure.Failure
	// routing is what was decided about the route and is not in the trace yet.
	routing *event.Decision
	// gated says that a gate was broken: there is no further round.
	gated bool
}

func (c *call) once(ctx context.Context) (providers.Output, *failure.Failure) {
	if b := c.r.bulkhead(c.s.Step); b != nil {
		ok, err := b.Enter(ctx)
		if err != nil {
			return providers.Output{}, cancelled(err)
		}
		if !ok {
			return providers.Output{}, c.refused(failure.Overloaded, fmt.Sprintf("the bulkhead of step %q is full", c.s.Name), "")
		}
		defer b.Leave()
	}
	out, f := c.gateway(ctx)
	if f == nil {
		f = c.validate(out)
	}
	return out, f
}

// bulkhead is that of a step, nil where it has none. All runs of its
// workflow share it, as several steps, subs and calls may run one.
func (x *execution) bulkhead(s *plan.Step) *policy.Bulkhead {
	if s.Bulkhead == nil {
		return nil
	}
	if x.bulkheads[s] == nil {
		x.bulkheads[s] = policy.NewBulkhead(x.Clock, fmt.Sprintf("step %q", s.Name), *s.Bulkhead)
	}
	return x.bulkheads[s]
}

// validate checks the contract on an answer.
func (c *call) validate(out providers.Output) *failure.Failure {
	k := kinds[c.s.Step.Kind]
	if len(c.s.Step.Validates) == 0 || !k.keeps() {
		return nil
	}
	k.answer(&c.s.result, out)
	broken := c.r.breach(c.s)
	if broken != nil {
		c.tried = []failure.Failure{*broken}
		c.r.emit(trace.Event{Step: c.s.Name, Attempt: c.s.n, Round: c.round, Turn: c.turn, Payload: &event.Failure{Failed: event.FailedOf(broken), StatusCode: broken.StatusCode}})
	}
	return broken
}

func (c *call) model(t *plan.Target) string {
	if c.in.Model != "" {
		return c.in.Model
	}
	return t.Provider.Model
}

// gateway tries the targets in order until one answers.
func (c *call) gateway(ctx context.Context) (providers.Output, *failure.Failure) {
	targets := c.order()
	c.decide(targets)
	if len(targets) == 0 {
		f := c.refused(failure.TargetUnavailable, fmt.Sprintf("no target of gateway %q serves model %q", c.s.Step.Gateway.Name, c.model(c.s.Step.Gateway.Targets[0])), "")
		c.r.emit(trace.Event{Step: c.s.Name, Round: c.round, Turn: c.turn, Payload: &event.Failure{Decision: c.decision(), Failed: event.FailedOf(f), StatusCode: f.StatusCode}})
		return providers.Output{}, f
	}
	var out providers.Output
	for i, t := range targets {
		a, f := c.dial(ctx, t, i > 0, targets[0])
		if a != nil {
			out = a.Output
		}
		if f == nil {
			return out, nil
		}
		if len(targets) > 1 {
			c.met = append(c.met, *f)
		}
		if a != nil {
			c.tried = append(c.tried, *f)
		} else {
			c.refusals = append(c.refusals, *f)
		}
		if final(f) {
			return out, f // what targets before it met is not why the call ends
		}
		if c.gated || a != nil && a.delivered {
			break
		}
	}
	return out, c.summary(targets)
}

// final reports whether no other target may be tried after a failure.
func final(f *failure.Failure) bool {
	return f.Kind == failure.Cancelled || f.Kind == failure.Contract || f.Kind == failure.BudgetExceeded
}

// summary is the failure of the whole call: that of the last target that was
// dialled, in whose message every target has its say. Nothing is flattened:
// kind, status and mode stay.
func (c *call) summary(targets []*plan.Target) *failure.Failure {
	list := c.tried
	if len(list) == 0 {
		list = c.refusals
	}
	f := list[len(list)-1]
	if len(targets) > 1 && len(c.met) == len(targets) {
		told := make([]string, len(c.met))
		for i, met := range c.met {
			told[i] = targets[i].Name + ": " + met.Message
		}
		f.Message = "all targets failed: " + strings.Join(told, "; ")
		f.Chain = c.met
		for _, t := range list {
			f.Retryable = f.Retryable || t.Retryable
		}
	}
	return &f
}

// dial takes a call through the policies of one target, from the outside in, and
// the budget. A refusal is no attempt, and the attempt is then nil.
func (c *call) dial(ctx context.Context, t *plan.Target, later bool, first *plan.Target) (*attempt, *failure.Failure) {
	guards := c.r.guards(t)
	var passes []policy.Pass
	for i, g := range guards {
		p, why, err := g.Admit(ctx, c)
		if err != nil {
			return nil, cancelled(err)
		}
		if p == nil {
			return nil, c.rejected(t, t.Policies[i].Kind(), why)
		}
		defer p.Leave()
		passes = append(passes, p)
	}
	if f := c.refusedByBudget(); f != nil {
		return nil, f
	}
	a := c.newAttempt(t)
	a.guards, a.passes, a.later, a.first = guards, passes, later, first
	return a, a.run(ctx)
}

// Tokens implements policy.Call.
func (c *call) Tokens() float64 {
	maxTokens := 0
	if c.in.MaxTokens != nil {
		maxTokens = *c.in.MaxTokens
	}
	return policy.EstimateTokens(maxTokens, providers.PromptCharacters(c.in.Messages))
}

// rejected notes that a policy of a target refused the call.
func (c *call) rejected(t *plan.Target, by *policy.Kind, why string) *failure.Failure {
	c.r.emit(trace.Event{
		Step: c.s.Name, Round: c.round, Turn: c.turn, Target: t.Name,
		Payload: &event.Rejection{Decision: c.route(), Reason: by.Reason, Message: why},
	})
	return c.refused(by.Failure, why, t.Name)
}

// refused is the failure of a call that was turned away before it was dialled.
func (c *call) refused(kind failure.Kind, message, target string) *failure.Failure {
	return c.r.classified(&failure.Failure{Kind: kind, Message: message, Step: c.s.Name, Target: target, Retries: c.s.retried, Unsent: true})
}

// refusedByBudget says why nothing may be dialled any more.
func (c *call) refusedByBudget() *failure.Failure {
	why := c.r.refusedByBudget()
	if why == "" {
		return nil
	}
	return c.refused(failure.BudgetExceeded, why, "")
}
