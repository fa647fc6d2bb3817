package exchange

import (
	"fmt"
	"slices"
	"time"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// A Use is how often an entry answered, and how often it says.
type Use struct {
	Script *plan.Script
	Entry  *plan.Entry
	// Used is how often it answered the same step, Calls how often any.
	Used, Want, Calls int
	// Pending counts the calls that ended before its fault had come.
	Pending int
	// Vain counts those for which its fault made no difference, and Why says of the
	// first why, "" where nothing more is to be said of it.
	Vain int
	Why  string
	// OfProgram says that it is a program which asks.
	OfProgram bool
	// Last is the entry above it that answered the last call, nil where none did or where
	// the entries do not answer in their order.
	Last *plan.Entry
}

// Fired is how often a fault came and made a difference.
func (u Use) Fired() int { return min(u.Used, u.Calls-u.Pending-u.Vain) }

// Uses lists the entries of all scripts, but of those for a program, which are
// not there to be used by a workflow.
func (s *Sources) Uses() []Use {
	var list []Use
	declared := map[string]bool{}
	for _, n := range s.plan.Endpoints {
		if n.Step.Endpoint.Declared {
			declared[n.Name] = true
		}
	}
	for _, sc := range s.plan.Scripts {
		if declared[sc.Address] {
			continue
		}
		from, last := len(list), -1
		for i, e := range sc.Entries {
			u := Use{Script: sc, Entry: e, Want: max(e.Times, 1), Pending: s.pending[e], Vain: s.vain[e], Why: s.why[e]}
			for _, c := range s.ofScripts[sc] {
				u.Used = max(u.Used, c.used[i])
				u.Calls += c.used[i]
			}
			if u.Calls > 0 {
				last = i
			}
			list = append(list, u)
		}
		if last >= 0 && !slices.ContainsFunc(sc.Entries, (*plan.Entry).Selects) {
			for i := last + 1; i < len(sc.Entries); i++ {
				list[from+i].Last = sc.Entries[last]
			}
		}
	}
	return list
}

// Over notes that a call which an entry answered is over, so long after it was
// made, and reports whether that was before the fault of the entry had come. A
// fault that is a wait has come with its beginning.
func (s *Sources) Over(e *plan.Entry, after time.Duration) (pending bool) {
	if e == nil || e.Fault == nil || e.Fault.Slow || after >= e.After {
		return false
	}
	if s.pending == nil {
		s.pending = map[*plan.Entry]int{}
	}
	s.pending[e]++
	return true
}

// Met notes that a call met an answer, and whether it took that for a success. A
// fault made no difference where it left the answer as it was, or was there to make
// the call fail.
func (s *Sources) Met(a *Answer, succeeded bool) {
	e := a.Entry
	if e == nil || e.Fault == nil || !a.Unchanged && !(succeeded && e.Fault.Fails != nil && e.Fault.Fails(e.Args)) {
		return
	}
	if s.vain == nil {
		s.vain, s.why = map[*plan.Entry]int{}, map[*plan.Entry]string{}
	}
	if s.vain[e]++; s.why[e] == "" {
		s.why[e] = a.Why
	}
}

// UsesOfLanes lists them for a run in which a program asks: an entry has to
// answer so often in every lane that was opened at an address, as lanes tells,
// and in one without a name where none was.
func (s *Sources) UsesOfLanes(lanes func(address string) []Line) []Use {
	var list []Use
	for _, sc := range s.plan.Scripts {
		opened := lanes(sc.Address)
		var last *plan.Entry
		for i, e := range sc.Entries {
			u := Use{Script: sc, Entry: e, Want: max(e.Times, 1), Pending: s.pending[e], Vain: s.vain[e], Why: s.why[e], OfProgram: true, Last: last}
			for n, line := range opened {
				here := s.Cursor(line, sc).used[i]
				u.Calls += here
				if n == 0 || here < u.Used {
					u.Used = here
				}
			}
			if u.Calls > 0 {
				last = e
			}
			list = append(list, u)
		}
	}
	return list
}

// Text says of an entry that was not used enough how much of it took place, and
// what to do.
func (u Use) Text() string {
	if u.Used >= u.Want && u.Vain > 0 {
		return u.vainText()
	}
	if u.Used >= u.Want {
		return fmt.Sprintf("entry %d (%s) of the script for %q never fired: %d of %d calls ended before its after = %s was over.\nhint: shorten after, lengthen the deadline that ended the call, use the fault timeout where silence is meant, or set optional = true",
			u.Entry.N, u.Entry.What(), u.Script.Address, u.Pending, u.Calls, u.Entry.After)
	}
	if u.Used > 0 && u.Script.Address == "*" {
		return fmt.Sprintf("entry %d (%s) of the script for \"*\" answered no step more than %s, and says %d: every step has its own place in that script.\nhint: set times = %d if that is right, or optional = true",
			u.Entry.N, u.Entry.What(), times(u.Used), u.Want, u.Used)
	}
	return fmt.Sprintf("entry %d (%s) of the script for %q answered %d of %d calls.\nhint: %s",
		u.Entry.N, u.Entry.What(), u.Script.Address, u.Used, u.Want, u.hint())
}

// hint says what to do about an entry that answered too few calls.
func (u Use) hint() string {
	switch {
	case u.Used > 0:
		return fmt.Sprintf("set times = %d if that is right, or optional = true", u.Used)
	case u.Last != nil && u.OfProgram:
		return fmt.Sprintf("entry %d (%s) answered the last call: the program should have asked once more; if not, remove this entry, move it up, or set optional = true", u.Last.N, u.Last.What())
	case u.Last != nil:
		return fmt.Sprintf("entry %d (%s) answered the last call, and nothing asked again: move this entry up if it should come first, remove it, or set optional = true", u.Last.N, u.Last.What())
	case u.OfProgram:
		return "the program should have asked for it; if not, remove the entry, or set optional = true"
	}
	return fmt.Sprintf("nothing asked %q, or nothing that the entry is for: remove it, or set optional = true", u.Script.Address)
}

// times is how often something happened.
func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// vainText says that a fault made no difference.
func (u Use) vainText() string {
	why, hint := u.vainly()
	return fmt.Sprintf("entry %d (%s) of the script for %q made no difference: %d of %d calls %s.\nhint: %s, or set optional = true",
		u.Entry.N, u.Entry.What(), u.Script.Address, u.Vain, u.Calls, why, hint)
}

// vainly says what became of the calls, and what to do.
func (u Use) vainly() (why, hint string) {
	switch {
	case u.Why != "":
		return "got the same answer as without it, because " + u.Why, "let the fault strike an answer of which that is not so"
	case u.Entry.Fault.Slow:
		return "got its answer as soon as without it", "let the answer have several chunks, and the fault a wait"
	case u.Entry.Fault.Fails == nil || !u.Entry.Fault.Fails(u.Entry.Args):
		return "got the same answer as without it", "give it arguments that change the answer"
	}
	return "took its answer for a success", "a fault makes the call fail: write an answer that the step reads as a reply"
}

// UnusedResponses lists the turns of a response file that answered nothing.
func (s *Sources) UnusedResponses() []Use {
	p := s.plan.Responses
	if p == nil {
		return nil
	}
	var list []Use
	for _, sc := range p.Scripts {
		for i, e := range sc.Entries {
			used := 0
			for _, c := range s.ofScripts[sc] {
				used += c.used[i]
			}
			if used == 0 {
				list = append(list, Use{Script: sc, Entry: e, Want: 1})
			}
		}
	}
	return list
}

// UnusedInteractions lists the interactions of the cassette that answered
// nothing and are not recorded anew.
func (s *Sources) UnusedInteractions() []*cassette.Interaction {
	if s.player == nil {
		return nil
	}
	var list []*cassette.Interaction
	for _, it := range s.player.Unused() {
		if !s.live.First(it.Step) && !s.dialled[it.Step] {
			list = append(list, it)
		}
	}
	for _, i := range s.plan.Recording.Orphans {
		if it := s.plan.Recording.Cassette.Interactions[i]; !s.live.First(it.Step) {
			list = append(list, it)
		}
	}
	return list
}

// UnusedText says of an interaction that it answered nothing, and what to do.
func (s *Sources) UnusedText(it *cassette.Interaction) string {
	hint := fmt.Sprintf("remove it, or allow = [%q] in the scenario", plan.GateUnusedInteraction)
	if s.program {
		hint = fmt.Sprintf("`%s` records what is asked now in the place of all of it; or allow = [%q] in the scenario", s.plan.RecordAnew(), plan.GateUnusedInteraction)
	}
	whose := ""
	if it.Scenario != "" && it.Scenario != s.plan.Name {
		whose = fmt.Sprintf(", of the scenario %q, which the file does not have,", it.Scenario)
		hint = fmt.Sprintf("was the scenario renamed to %q? give it the recorded name again; otherwise %s", s.plan.Name, hint)
	}
	return fmt.Sprintf("interaction %d (%s %s) of %s%s was never asked for.\nhint: %s",
		it.Index, it.Method, it.ShownURL(), s.plan.Recording.Path, whose, hint)
}
