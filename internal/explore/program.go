package explore

import (
	"slices"

	"github.com/scenario-lang/scenario/interp"
)

// A Flaky is what broke under a set and did not break again: none of the program's
// doing under that set alone.
type Flaky struct {
	Find
	// Times of Of runs broke it.
	Times, Of int
}

// repeats reports whether a program that broke something under a set breaks it again, 2
// times of 2. What it does not is noted, once each.
func (s *search) repeats(key findKey, p *interp.Problem, o *outcome) bool {
	if s.world.Program == nil {
		return true
	}
	times, made := s.times(key, o.set, 2)
	if times == 2 {
		return true
	}
	if made == 2 {
		s.flaky(Find{Oracle: p.Kind, Name: p.Name, Message: MessageOf(p), Range: p.Range, Set: o.set}, times+1, 3)
	}
	return false
}

// flaky notes what a program broke in so many of some runs, once each.
func (s *search) flaky(f Find, times, of int) {
	if !slices.ContainsFunc(s.report.Flaky, func(known Flaky) bool { return known.key() == f.key() }) {
		s.report.Flaky = append(s.report.Flaky, Flaky{f, times, of})
	}
}

// How often a find has to come again where a program does not repeat itself: so often that
// what comes every second time never does. On the real clock each of them takes time.
const (
	againVirtual = 20
	againReal    = 10
)

// reconfirm makes the finds of a program again that was seen not to repeat itself: two
// times more may be chance. What fails once is flaky.
func (s *search) reconfirm() {
	p := s.world.Program
	if p == nil || s.report.Account.Diverged == 0 || s.report.Unsteady != nil {
		return
	}
	most := againReal
	if p.Virtual {
		most = againVirtual
	}
	s.report.Finds = slices.DeleteFunc(s.report.Finds, func(f *Find) bool {
		for n := range most {
			if f.Known {
				break
			}
			if times, made := s.times(f.key(), f.Set, 1); made == 1 && times == 0 {
				s.flaky(*f, 3+n, 4+n)
				return true
			}
		}
		return false
	})
}

// comesAgain reports whether each of n further runs of a program with a set breaks the
// same.
func (s *search) comesAgain(key findKey, set Set, n int) bool {
	if s.world.Program == nil {
		return true
	}
	times, _ := s.times(key, set, n)
	return times == n
}

// times counts of n further runs with a set those that break the same. Fewer are made
// where the search is interrupted, and no fewer where its time is over.
func (s *search) times(key findKey, set Set, n int) (times, made int) {
	for range n {
		o := s.play(set)
		if o.interrupted {
			break
		}
		made++
		if o.shows(key) {
			times++
		}
	}
	s.report.Account.Shrinking += made
	return times, made
}

// shows reports whether something is broken in a run that says something.
func (o *outcome) shows(key findKey) bool {
	if o.unfit != "" || o.unanswered != "" || o.undecided || o.interrupted {
		return false
	}
	return slices.ContainsFunc(o.broken, func(p interp.Problem) bool { return keyOf(&p) == key && o.tells(&p) })
}

// divergedFrom reports whether a run had asked something else than another one before
// its last strike, or never came there. A program that asks in no order does.
func (o *outcome) divergedFrom(parent *outcome) bool {
	if o.last < 0 {
		return true
	}
	same := func(a, b interp.Point) bool {
		return a.Address == b.Address && a.Lane == b.Lane && a.N == b.N && a.Target == b.Target && a.Stream == b.Stream && a.Turn == b.Turn
	}
	return len(parent.points) <= o.last || !slices.EqualFunc(o.points[:o.last+1], parent.points[:o.last+1], same)
}

// strayed notes whether a run of a program did not repeat the one that its set is made
// from.
func (s *search) strayed(o *outcome) bool {
	if s.world.Program == nil || o.undecided {
		return false
	}
	parent := s.base
	if len(o.set) > 1 {
		parent = s.parents[o.set[:len(o.set)-1].String()]
	}
	o.diverged = parent == nil || o.divergedFrom(parent)
	if len(o.set) == 1 && s.MaxK > 1 {
		s.parents[o.set.String()] = o
	}
	return o.diverged
}

// recheck makes the run without a fault once more and reports whether it is as the
// scenario says, and, where a busy machine is no excuse, asks as much as the first one.
func (s *search) recheck() bool {
	points, r := s.world.bare()
	s.report.Account.Rechecks++
	if r.Interrupted {
		return true
	}
	if r.Verdict == interp.Pass && (!s.world.Program.Virtual || len(points) == len(s.base.points)) {
		s.hold()
		s.comparer.confirm()
		return true
	}
	s.report.Unsteady = r
	s.withdraw()
	return false
}

// hold keeps what is known, as the program is what it was.
func (s *search) hold() {
	s.steady.finds, s.steady.account = len(s.report.Finds), s.report.Account.clone()
	s.steady.idle, s.steady.unmet = slices.Clone(s.idle), slices.Clone(s.unmet)
}

// withdraw takes back what was found, and counted, since the program was last known to be
// what it was. What it survives cannot be told apart any more.
func (s *search) withdraw() {
	s.idle, s.unmet = s.steady.idle, s.steady.unmet
	s.comparer.withdraw()
	s.report.Withdrawn = s.report.Finds[s.steady.finds:]
	s.report.Finds = s.report.Finds[:s.steady.finds]
	now := s.report.Account
	a := s.steady.account.clone()
	a.Void = now.Runs - a.Runs
	a.Runs, a.Shrinking, a.Rechecks = now.Runs, now.Shrinking, now.Rechecks
	for i, l := range now.Levels {
		if i == len(a.Levels) {
			a.Levels = append(a.Levels, Level{})
		}
		a.Levels[i].Sets = l.Sets
	}
	s.report.Account = a
	s.report.Survival = Survival{}
}

// due reports whether it is time for the run without a fault once more, and makes that:
// the search has to end where it is not green.
func (s *search) due(atEnd bool) (ends bool) {
	p := s.world.Program
	if p == nil || p.Recheck == 0 || s.report.Unsteady != nil {
		return s.report.Unsteady != nil
	}
	made := s.report.Account.Runs - s.rechecked
	if made < p.Recheck && !(atEnd && made > 1) {
		return false
	}
	s.rechecked = s.report.Account.Runs
	return !s.recheck()
}

// tooLong is the rule that a silence breaks which the search ends.
const tooLong = "a program gives up within two minutes"

// silenced reports whether the search ends a silence of a set.
func (s Set) silenced() bool {
	return slices.ContainsFunc(s, func(x Strike) bool { return x.HasAfter && x.After == patience })
}
