package interp

import (
	"context"
	"errors"
	"slices"

	"github.com/scenario-lang/scenario/wire"
)

// hops reports whether redirects of what answered are followed. A recording has
// every hop of its client, and a fault may answer for all. A reply, like any
// other fault, is written as what the step is answered in the end.
func (s answers) hops() bool {
	switch e := s.a.entry; {
	case e == nil:
		return true
	case e.fault != nil:
		return e.fault.Hops
	default:
		return e.replay != nil && e.replay.interaction == 0
	}
}

// again answers a hop. It takes no entry of the script: a fault that answers
// hops strikes again without its wait, and what was recorded goes on with the
// cassette. A redirect that was recorded alone is passed on as it is.
func (s answers) again(ctx context.Context, call wire.Call) (wire.WireScript, error) {
	if e := s.a.entry; e != nil && e.fault != nil {
		return withoutWait(s.a.laid), nil
	}
	script, err := wire.Chain{tapeSource(s), liveSource(s)}.Next(ctx, call)
	var g *gateError
	if errors.As(err, &g) && g.gate != gateDrifted {
		return script, wire.ErrPass
	}
	return script, err
}

// withoutWait is a script whose first byte comes at once.
func withoutWait(s wire.WireScript) wire.WireScript {
	s.Delay = 0
	if len(s.Ops) > 0 {
		s.Ops = slices.Clone(s.Ops)
		s.Ops[0].Wait = 0
	}
	return s
}
