package explore

import (
	"fmt"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/providers/wrong"
	"github.com/scenario-lang/scenario/schema"
)

// A Strike is a fault at one point of a run, or an outage: the same fault at every
// point of a place from an instant on.
type Strike struct {
	// Address, Lane and N are those of the point, N is 0 in an outage.
	Address, Lane string
	N             int
	// Events are what happens, in its order, nil for a fault and a wrong answer: one
	// event, or one and its way back.
	Events []interp.Occurrence
	// single says that events are tried without a fault beside them.
	single bool
	// Fault is nil for a wrong answer, and Wrong how that is wrong.
	Fault    *faults.Kind
	Wrong    wrong.Way
	Args     schema.Values
	After    time.Duration
	HasAfter bool
	// Outage is nil for a fault at one point.
	Outage *Outage
	// rank is that of the [faults.Trial].
	rank int
}

// An Outage says where nothing works, from when to when.
type Outage = interp.Reach

// Kind is what --kinds and --except call it.
func (s *Strike) Kind() string {
	switch {
	case s.Events != nil && s.Events[0].What == "cancel":
		return KindCancel
	case s.Events != nil:
		return KindEvent
	case s.Outage != nil:
		return KindOutage
	case s.Wrong != "":
		return KindWrong
	}
	return s.Fault.Name
}

// What --kinds and --except call strikes that are no fault of one kind at one point.
const (
	KindOutage = "outage"
	KindWrong  = "wrong"
	KindEvent  = "event"
	// KindCancel is tried where it is asked for: whoever cancels is who asks.
	KindCancel = "cancel"
)

// alone reports whether a strike is tried alone, and not in pairs.
func (s *Strike) alone() bool {
	return s.Wrong != "" || s.single || s.isDelay() || s.Fault != nil && s.Fault.Lies
}

// silent reports whether a strike is silence until somebody gives it up.
func (s *Strike) silent() bool { return s.Fault != nil && s.Fault.Silent }

// meets reports whether the strike is at a point. An event is at none.
func (s *Strike) meets(p *interp.Point) bool {
	if s.Events != nil {
		return false
	}
	if s.Outage != nil {
		return p.Within(s.Outage) && p.Meets(s.Fault)
	}
	return p.Address == s.Address && p.Lane == s.Lane && p.N == s.N
}

// group is what whoever asks meets.
func (s *Strike) group() faults.Group {
	switch {
	case s.Events != nil:
		return ""
	case s.Wrong != "":
		return faults.GroupWrong
	}
	return s.Fault.GroupOf(s.Args)
}

// begun reports whether the strike has begun at a point.
func (s *Strike) begun(p *interp.Point) bool {
	return s.meets(p) || s.Events != nil && p.At >= s.Events[0].At
}

// injection is what is injected where the strike is.
func (s *Strike) injection() *interp.Injection {
	return &interp.Injection{Fault: s.Fault, Wrong: s.Wrong, Args: s.Args, After: s.After, HasAfter: s.HasAfter}
}

// String says what strikes where.
func (s *Strike) String() string {
	if s.Events != nil {
		return s.What()
	}
	if o := s.Outage; o != nil {
		return fmt.Sprintf("all of %s %s: %s", o.Where(), o.When(), s.What())
	}
	where := s.Address
	if s.Lane != "" {
		where += fmt.Sprintf(" (lane %q)", s.Lane)
	}
	return fmt.Sprintf("%s, attempt %d: %s", where, s.N, s.What())
}

// What says what strikes, as briefly as can be understood.
func (s *Strike) What() string {
	if s.Events != nil {
		return happens(s.Events)
	}
	if s.Wrong != "" {
		return s.Wrong.String()
	}
	text := s.Fault.Brief(s.Args)
	if s.HasAfter {
		text += fmt.Sprintf(" after %s", s.After)
	}
	return text
}

// A Set is what one run is given.
type Set []Strike

// String says what strikes where, all of it.
func (s Set) String() string {
	list := make([]string, len(s))
	for i := range s {
		list[i] = s[i].String()
	}
	return strings.Join(list, "; ")
}

// at is what strikes at a point, nil for nothing. Of two that do it is the later,
// which was added to a run with the other.
func (s Set) at(p *interp.Point) *interp.Injection {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i].meets(p) {
			return s[i].injection()
		}
	}
	return nil
}
