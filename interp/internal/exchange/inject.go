package exchange

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/providers/wrong"
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
	// less are the less specific addresses of a call of an actor.
	less []string
}

// addresses are those that a script for the point might have.
func (p *Point) addresses() []string { return append([]string{p.Address}, p.less...) }

// Within reports whether the point is in reach of something.
func (p *Point) Within(r *plan.Reach) bool {
	return r.Covers([]string{p.Address}, p.Target, p.Provider, p.At)
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

// An Injection is a fault that strikes at a point, or a wrong answer, in the place of
// what would have answered there. What it disturbs is that answer.
type Injection struct {
	// Fault is nil for a wrong answer.
	Fault *faults.Kind
	// Wrong is how an answer to an attempt of a step is wrong, "" for a fault.
	Wrong wrong.Way
	// Args are the arguments of the kind's own table, as [faults.Strike] has them.
	Args schema.Values
	// After is the common argument, and HasAfter says that it is given.
	After    time.Duration
	HasAfter bool

	// written is the fault of an outage of the scenario, nil for an injected one, and
	// note counts its strike.
	written *plan.Entry
	note    func()
}

// Entry is the injection as a line of a script, of a step where that is not nil.
func (in *Injection) Entry(at *plan.Step) *plan.Entry {
	if in.written != nil {
		return in.written
	}
	e := &plan.Entry{Times: 1, Fault: in.Fault, Args: in.Args, After: in.After, HasAfter: in.HasAfter}
	if at != nil {
		e.Rng = at.Rng
	}
	return e
}

// Looks reports whether it looks at the answer that it disturbs.
func (in *Injection) Looks() bool {
	return in.Wrong != "" || in.Fault.Answerless == nil || !in.Fault.Answerless(in.Args)
}

// ErrAbandoned is the error of a request that ends a run which an injection has made
// useless.
var ErrAbandoned = errors.New("the run was given up")

// injector is what injects faults into a run, from outside or as the scenario says,
// and what became of them.
type injector struct {
	outages outages
	// ask is nil where nobody injects from outside.
	ask     func(Point) *Injection
	elapsed func() time.Duration
	abandon func(error)
	asked   map[Line]int
	told    plan.Injected
}

// Inject has each attempt of the run ask what strikes it: nil for nothing.
// Elapsed is the time since the run began, and abandon ends the run where an
// injection cannot be made, or where it leads to a call that nothing answers.
// The outages of the scenario strike where ask, which may be nil, says nothing.
func (s *Sources) Inject(ask func(Point) *Injection, elapsed func() time.Duration, abandon func(error)) {
	if ask == nil && len(s.plan.Outages) == 0 {
		return
	}
	s.injector = &injector{
		outages: outages{s.plan.Outages, make([]int, len(s.plan.Outages))},
		ask:     ask, elapsed: elapsed, abandon: abandon, asked: map[Line]int{},
	}
	if s.answered == nil && ask != nil {
		s.answered = map[Line]said{}
	}
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

// Injects reports whether faults may be injected, by somebody or by an outage.
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
	if j.ask != nil {
		if in := j.ask(p); in != nil {
			j.told.Strikes++
			return in
		}
	}
	in := j.outages.at(&p)
	if in != nil {
		in.note()
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

// meet answers a request with an injection. Where it cannot, the run is given up; what
// the scenario itself says is in error.
func (a *asking) meet(ctx context.Context, in *Injection) (wire.WireScript, error) {
	if in.Wrong != "" {
		script, err := a.lay(ctx, in.Wrong)
		if err != nil {
			err = a.injector.unfit(err.Error())
		}
		return script, err
	}
	e := in.Entry(a.Declared)
	script, err := a.disturb(ctx, in, e)
	switch {
	case in.written != nil:
		a.answer.Entry = e
	case err != nil:
		err = a.injector.unfit(err.Error())
	case a.answer.Unchanged:
		err = a.injector.unfit(cmp.Or(a.answer.Why, "it makes no difference to the answer"))
	case in.Fault.Compressed && !takesGzip(a.Call.Request.Header):
		err = a.injector.unfit("the program takes no compressed answer")
	default:
		a.answer.Entry = e
	}
	return script, err
}

// takesGzip reports whether a client takes an answer that is compressed with gzip: one
// that says nothing takes any (RFC 9110 §12.5.3).
func takesGzip(h http.Header) bool {
	said := h.Values("Accept-Encoding")
	if len(said) == 0 {
		return true
	}
	for coding := range strings.SplitSeq(strings.ToLower(strings.Join(said, ",")), ",") {
		name, weight, _ := strings.Cut(coding, ";")
		if name = strings.TrimSpace(name); name == "gzip" || name == "x-gzip" || name == "*" {
			weight = strings.ReplaceAll(weight, " ", "")
			return strings.Trim(strings.TrimPrefix(weight, "q="), "0.") != "" || weight == ""
		}
	}
	return false
}

// errNothing says that a fault needs an answer to disturb where there is none.
var errNothing = errors.New("there is no answer that it could disturb")

// disturb is what a request meets that an injection strikes.
func (a *asking) disturb(ctx context.Context, in *Injection, e *plan.Entry) (wire.WireScript, error) {
	next, err := a.upcoming(ctx)
	switch {
	case err != nil:
		return wire.WireScript{}, fmt.Errorf("what it would disturb cannot be played: %w", err)
	case next.response == nil && in.Looks():
		return wire.WireScript{}, errNothing
	}
	a.answer.Use = next.use
	if in.written == nil && a.Posed && in.Fault.Spares != nil {
		if why := in.Fault.Spares(a.strike(e, a.Call, next.response)); why != "" {
			return wire.WireScript{}, errors.New(why)
		}
	}
	meta := wire.Meta{Step: a.Call.Step, Attempt: a.Call.Attempt, By: "script", CostUSD: next.cost}
	if in.written != nil {
		meta.Pos = wire.Pos{File: a.plan.Place, Line: e.Rng.Start.Line, Column: e.Rng.Start.Column}
	}
	return a.struckBy(e, a.Call, next.response, meta)
}

// InjectPart asks what strikes a call of an actor, or a part of one, nil for
// nothing. Its word is that of [faults.Kind]; of its addresses the first is the most
// specific.
func (s *Sources) InjectPart(addresses []string, word string, iteration int) *Injection {
	if s.injector == nil {
		return nil
	}
	return s.injector.next(Point{Address: addresses[0], less: addresses[1:], Iteration: iteration, part: word})
}

// PartUnfit gives the run up, because an injected fault means nothing where it strikes.
func (s *Sources) PartUnfit(why string) error { return s.injector.unfit(why) }
