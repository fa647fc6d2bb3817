package exchange

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/wire"
)

// A Point is one place of a run where the world can strike: an attempt of a step,
// or a call of an actor or of a part of one.
type Point struct {
	// Address is what a script for it would name, and Lane that of an endpoint.
	Address, Lane string
	// N counts the attempts there in the run, from 1: all rounds, turns, targets
	// and iterations together, unlike an attempt's own number.
	N int
	// Target and Provider are "" for a part of an actor.
	Target, Provider string
	// Stream says that a stream was asked for.
	Stream bool
	// Round, Turn and Iteration are those of the attempt, 0 where there is none.
	Round, Turn, Iteration int
	// At is the instant, from the beginning of the run.
	At time.Duration

	step *plan.Step
	part string
}

// Part is what of an actor the point is, in the words of [faults.Kind], "" for an
// attempt of a step.
func (p *Point) Part() string { return p.part }

// Meets reports whether a kind of fault means something at the point.
func (p *Point) Meets(k *faults.Kind) bool {
	if p.step != nil {
		return p.step.Meets(k) && (p.Stream || !k.OnlyStreams())
	}
	return slices.Contains(k.For, p.part)
}

// An Injection is a fault that strikes at a point, in the place of what would have
// answered there. What it disturbs is that answer.
type Injection struct {
	Fault *faults.Kind
	// Args are the arguments of the kind's own table, as [faults.Strike] has them.
	Args schema.Values
	// After is the common argument, and HasAfter says that it is given.
	After    time.Duration
	HasAfter bool
}

// Entry is the injection as a line of a script, of a step where that is not nil.
func (in *Injection) Entry(at *plan.Step) *plan.Entry {
	e := &plan.Entry{Times: 1, Fault: in.Fault, Args: in.Args, After: in.After, HasAfter: in.HasAfter}
	if at != nil {
		e.Rng = at.Rng
	}
	return e
}

// Looks reports whether the fault looks at the answer that it disturbs.
func (in *Injection) Looks() bool {
	return in.Fault.Answerless == nil || !in.Fault.Answerless(in.Args)
}

// ErrAbandoned is the error of a request that ends a run which an injection has made
// useless.
var ErrAbandoned = errors.New("the run was given up")

// injector is who injects faults into a run, and what became of them.
type injector struct {
	ask     func(Point) *Injection
	elapsed func() time.Duration
	abandon func(error)
	asked   map[Line]int
	told    plan.Injected
}

// Inject has each attempt of the run ask what strikes it: nil for nothing.
// Elapsed is the time since the run began, and abandon ends the run where an
// injection cannot be made, or where it leads to a call that nothing answers.
func (s *Sources) Inject(ask func(Point) *Injection, elapsed func() time.Duration, abandon func(error)) {
	s.injector = &injector{ask: ask, elapsed: elapsed, abandon: abandon, asked: map[Line]int{}}
}

// Injected says what became of what was injected.
func (s *Sources) Injected() plan.Injected {
	if s.injector == nil {
		return plan.Injected{}
	}
	return s.injector.told
}

// Unanswered gives the run up where a fault has been injected, because what was asked
// since then has no answer.
func (s *Sources) Unanswered(message string) {
	if s.struck() {
		_ = s.injector.unanswered(&GateError{Message: message})
	}
}

// Injects reports whether somebody may inject faults.
func (s *Sources) Injects() bool { return s.injector != nil }

// struck reports whether a fault has been injected: what is asked from here on
// may be asked because of it.
func (s *Sources) struck() bool { return s.injector != nil && s.injector.told.Strikes > 0 }

// NextIn takes the entry that answers an attempt, as [Cursor.Next] does. Past the end
// of a script the last that fits answers again, once a fault has been injected.
func (s *Sources) NextIn(c *Cursor, w Wanted) (e *plan.Entry, over bool) {
	e, over = c.Next(w)
	if over && s.struck() {
		return c.final(w), false
	}
	return e, over
}

// next asks what strikes at a point, nil for nothing.
func (j *injector) next(p Point) *Injection {
	line := Line{p.Address, p.Lane}
	j.asked[line]++
	p.N, p.At = j.asked[line], j.elapsed()
	in := j.ask(p)
	if in != nil {
		j.told.Strikes++
	}
	return in
}

// unfit gives the run up, because an injection means nothing where it strikes.
func (j *injector) unfit(why string) error {
	j.told.Unfit = why
	j.abandon(ErrAbandoned)
	return ErrAbandoned
}

// unanswered gives the run up, because a call that exists only because of an
// injection has no answer.
func (j *injector) unanswered(g *GateError) error {
	j.told.Unanswered = g.Message
	j.abandon(ErrAbandoned)
	return ErrAbandoned
}

// injection is what strikes the request, nil for nothing.
func (a *asking) injection() *Injection {
	if !a.Posed {
		return a.Pose(&a.Asked)
	}
	return a.Injection
}

// Pose asks what strikes a request before it is answered, nil for nothing. The
// answer to it is asked with what Pose returned.
func (s *Sources) Pose(a *Asked) *Injection {
	if s.injector == nil || a.Declared == nil {
		return nil
	}
	return s.injector.next(Point{
		Address: a.Call.Step, Lane: a.Lane, Target: a.Call.Target, Provider: a.Provider.Name, Stream: a.Call.Stream,
		Round: a.Call.Round, Turn: a.Call.Turn, Iteration: a.Call.Iteration, step: a.Declared,
	})
}

// meet answers a request with an injection.
func (a *asking) meet(ctx context.Context, in *Injection) (wire.WireScript, error) {
	next, err := a.upcoming(ctx)
	if err != nil {
		return wire.WireScript{}, a.injector.unfit("what it would disturb cannot be played: " + err.Error())
	}
	if next.response == nil && in.Looks() {
		return wire.WireScript{}, a.injector.unfit("there is no answer that it could disturb")
	}
	e := in.Entry(a.Declared)
	struck, err := a.struckBy(e, a.Call, next.response, wire.Meta{Step: a.Call.Step, Attempt: a.Call.Attempt, By: "script", CostUSD: next.cost})
	if err != nil {
		return struck, a.injector.unfit(err.Error())
	}
	if a.answer.Unchanged {
		return struck, a.injector.unfit("it makes no difference to the answer")
	}
	a.answer.Entry, a.answer.Use = e, next.use
	return struck, nil
}

// InjectPart asks what strikes a call of an actor, or a part of one, nil for
// nothing. Its word is that of [faults.Kind].
func (s *Sources) InjectPart(address, word string, iteration int) *Injection {
	if s.injector == nil {
		return nil
	}
	return s.injector.next(Point{Address: address, Iteration: iteration, part: word})
}

// PartUnfit gives the run up, because a fault means nothing where it strikes.
func (s *Sources) PartUnfit(why string) error { return s.injector.unfit(why) }
