package actor

import (
	"context"
	"errors"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/wire"
)

var errPass = wire.ErrPass

// addresses are where a call's script may stand, the most specific first: the
// call's own name, then its target.
func (v *visit) addresses() []string {
	list := make([]string, 0, 2)
	if name := v.call.Origin.Name(); name != "" && !v.call.forwarded {
		list = append(list, name)
	}
	return append(list, v.call.Target.Address())
}

// next takes the entry that the call meets, nil for none.
func (v *visit) next() (*Strike, *failure.Failure) {
	s, err := v.w.env.Next(v.addresses(), v.call.Origin)
	switch {
	case errors.Is(err, errPass):
		return nil, nil
	case err != nil:
		return nil, unanswered(err)
	}
	return &s, nil
}

// met is what strikes the work, nil for nothing: what strikes before it has been
// met then. A connection that had ended before anything was sent on it is made
// anew, once: the call had certainly not reached its target.
func (v *visit) met(ctx context.Context) (*Strike, *failure.Failure) {
	strike, f := v.next()
	for strike != nil && strike.Early {
		var answer said
		if answer, f = v.play(ctx, *strike); f == nil {
			return nil, nil
		}
		if !answer.unsent || v.reconnected {
			return nil, f
		}
		v.reconnected = true
		strike, f = v.next()
	}
	return strike, f
}

// play lets the call meet bytes, and reads what comes of it.
func (v *visit) play(ctx context.Context, s Strike) (said, *failure.Failure) {
	answer, f := v.w.listen(ctx, v.call.Target.Actor, v.call.Target.Name, s)
	v.warning = answer.warning
	switch {
	case ctx.Err() != nil:
		return answer, v.ended(ctx)
	case s.Kills:
		v.actor.kill(CrashedIn(v.call.Origin.Name()), "")
		return answer, unavailable("%q crashed", v.actor.spec.Name)
	case f != nil && f.Kind == failure.Exception && v.actor.tool(v.call.Target.Name) != nil:
		f.Kind = failure.ToolError
	}
	return answer, f
}

// listen plays a script to its end and reads the answer.
func (w *World) listen(ctx context.Context, host, path string, s Strike) (said, *failure.Failure) {
	began := w.clock.Elapsed()
	answer, f := parse(s.Script.RoundTrip(w.clock, request(host, path).WithContext(ctx)))
	if s.Over != nil {
		s.Over(w.clock.Elapsed()-began, f == nil)
	}
	return answer, f
}

// ended is the failure of work whose context has ended from outside: by the
// actor's own death, or by whoever called, who may have died.
func (v *visit) ended(ctx context.Context) *failure.Failure {
	cause := context.Cause(ctx)
	if e := expulsion(cause); e != nil && e.killed && e.actor == v.actor.spec.Name {
		return unavailable("%q was killed", v.actor.spec.Name)
	}
	return &failure.Failure{Kind: failure.Cancelled, Message: "cancelled: " + cause.Error()}
}
