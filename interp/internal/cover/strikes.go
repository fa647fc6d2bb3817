package cover

import (
	"cmp"
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/trace"
)

// A Strike is what struck an address of a run, as far as it is one kind of fault, or
// failures without a fault of one group.
type Strike struct {
	Address string
	Group   faults.Group
	// At is the first instant of it.
	At time.Duration
	// Fault is the kind, with the arguments of the first; nil for failures that a
	// recording or a reply has.
	Fault    *faults.Kind
	Args     schema.Values
	After    time.Duration
	HasAfter bool
	// Lines are those of its faults, replies and outages in the scenario's file.
	Lines []int

	entries map[*plan.Entry]bool
}

// Scripted reports whether the scenario itself brought it about: its scripts or its
// outages.
func (s *Strike) Scripted() bool { return len(s.entries) > 0 }

// Strikes are those of a run of the plan, in the order in which they came.
func Strikes(p *plan.Plan, events []trace.Event) []*Strike {
	f := &finder{plan: p, found: map[[3]string]*Strike{}}
	for i := range events {
		e := &events[i]
		switch x := e.Payload.(type) {
		case *event.Fault:
			f.fault(e, x)
		case *event.AttemptEnd:
			if x.FaultType == "" && x.Outcome == "failure" && x.Failed != nil {
				f.failure(e, x)
			}
		}
	}
	return f.list
}

// finder finds the strikes of a run.
type finder struct {
	plan  *plan.Plan
	list  []*Strike
	found map[[3]string]*Strike
}

func (f *finder) strike(address string, k *faults.Kind, g faults.Group, at time.Duration) *Strike {
	key := [3]string{address, string(g)}
	if k != nil {
		key[2] = k.Name
	}
	s := f.found[key]
	if s == nil {
		s = &Strike{Address: address, Group: g, Fault: k, At: at, entries: map[*plan.Entry]bool{}}
		f.found[key] = s
		f.list = append(f.list, s)
	}
	return s
}

// fault notes a fault of a script.
func (f *finder) fault(e *trace.Event, x *event.Fault) {
	kind := faults.Lookup(x.FaultType)
	if kind == nil {
		return
	}
	address := cmp.Or(e.Step, e.Call)
	entry, part := f.entryAt(x.Line)
	if part != "" {
		address = part
	}
	if entry == nil {
		s := f.strike(address, kind, kind.GroupOf(kind.Usual()), e.At)
		s.Args = kind.Usual()
		return
	}
	s := f.strike(address, kind, kind.GroupOf(entry.Args), e.At)
	if len(s.entries) == 0 {
		s.Args, s.After, s.HasAfter = entry.Args, entry.After, entry.HasAfter
	}
	s.add(entry)
}

func (s *Strike) add(e *plan.Entry) {
	if !s.entries[e] {
		s.entries[e] = true
		s.Lines = append(s.Lines, e.Rng.Start.Line)
	}
}

// entryAt is the entry of a line, of a script or an outage, and the address where that
// is for a part of an actor.
func (f *finder) entryAt(line int) (e *plan.Entry, part string) {
	for _, o := range f.plan.Outages {
		if o.Entry.Rng.Start.Line == line {
			return o.Entry, o.Address
		}
	}
	for _, sc := range f.plan.Scripts {
		for _, e := range sc.Entries {
			if e.Rng.Start.Line == line {
				if sc.Part != nil {
					return e, sc.Address
				}
				return e, ""
			}
		}
	}
	return nil, ""
}

// failure notes an attempt that failed without a fault: by a reply, or as it was
// recorded.
func (f *finder) failure(e *trace.Event, x *event.AttemptEnd) {
	g := groupOf(x)
	if g == "" {
		return
	}
	s := f.strike(e.Step, nil, g, e.At)
	if sc := f.plan.ScriptFor(e.Step, e.Target); x.By == "script" && sc != nil && x.Entry > 0 && x.Entry <= len(sc.Entries) {
		s.add(sc.Entries[x.Entry-1])
	}
}

// groupOf is the group of a failure by what was observed of it, "" where its caller
// had ended it.
func groupOf(x *event.AttemptEnd) faults.Group {
	switch failure.Kind(x.Kind) {
	case failure.Cancelled:
		return ""
	case failure.RateLimit:
		return faults.GroupRateLimit
	case failure.Overloaded:
		return faults.GroupServer
	case failure.HTTPStatus:
		return faults.GroupOfStatus(x.StatusCode)
	case failure.Timeout:
		return faults.GroupLate
	case failure.Connection:
		return faults.GroupConnection
	case failure.StreamInterrupted, failure.StreamIncomplete:
		return faults.GroupCut
	case failure.MalformedResponse:
		return faults.GroupGarbled
	}
	return faults.GroupOwn
}
