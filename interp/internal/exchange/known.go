package exchange

import (
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/wire"
)

// A Known is a request that was asked before, as its vendor understands it. Reading,
// rendering and parsing depend on nothing else, so that what they came to is kept. It
// is shared by all that ask the same, and must not be changed but through its methods.
type Known struct {
	In      providers.Input
	replies []*Rendered
}

// A Rendered is a reply as one request is answered with it.
type Rendered struct {
	entry  *plan.Entry
	script wire.WireScript
	// Parsed is what the vendor's adapter makes of all of it, nil where nobody has asked.
	Parsed *Parsed
}

// A Parsed is an answer as its client understands it.
type Parsed struct {
	Output  providers.Output
	Status  int
	Headers map[string]string
	Failure *failure.Failure
}

// repliesMax bounds the replies that are kept of one request.
const repliesMax = 8

// reply is a reply as the request is answered with it, nil where none is kept.
func (k *Known) reply(vendor *providers.Vendor, e *plan.Entry) *Rendered {
	for _, r := range k.replies {
		if r.entry == e {
			return r
		}
	}
	r := &Rendered{entry: e, script: vendor.Adapter.Render(vendor.In, *e.Reply).Script(wire.Meta{})}
	if len(k.replies) < repliesMax {
		k.replies = append(k.replies, r)
	}
	return r
}

// Is reports whether a script is the reply as it was rendered, with nothing changed.
func (r *Rendered) Is(s wire.WireScript) bool {
	return s.Through == nil && len(s.Ops) > 0 && len(s.Ops) == len(r.script.Ops) && &s.Ops[0] == &r.script.Ops[0]
}
