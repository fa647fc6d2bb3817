package explore

import (
	"cmp"
	"iter"
	"path"
	"slices"
	"sync"
	"time"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp"
)

// What a search of the interpreter tries where nobody says otherwise: sets of so many
// strikes, in so many runs.
const (
	UsualK    = 2
	UsualRuns = 20_000
)

// Options bound a search.
type Options struct {
	// GoOn says, in the words of the caller, how to try what a search that ended early
	// left out.
	GoOn string
	// MaxK is the largest set that is tried, 1 or 2, and Runs how many runs may be
	// made.
	MaxK, Runs int
	// Kinds are the only kinds that are tried, all where it is empty, and Except
	// those that are not: kinds of faults, "outage", "wrong", and names of gates.
	Kinds, Except []string
	// Address, where not "", is a pattern of [path.Match] that addresses have to
	// match.
	Address string
	// All reports every least set, and not one for each oracle and name.
	All bool
	// NoStandard does not hold runs to [StandardRules], unless the file imports it.
	NoStandard bool
	// Parallel is how many runs are made at one time.
	Parallel int
	// Known reports whether it is known already that an oracle of this name tells of a
	// set, which has a name as in [Find.Breaks]; nil for no.
	Known func(oracle, name, breaks string) bool
	// Done ends the search once it is closed; nil for never.
	Done <-chan struct{}
	// Progress, where not nil, is told after each run how far the search is, by one
	// goroutine at a time.
	Progress func(Progress)

	// unmerged has the second level strike every run, and not one of each behaviour, and
	// forgetful has the search keep no points for it.
	unmerged, forgetful bool
}

// tries reports whether a kind is wanted.
func (o *Options) tries(kind string) bool {
	return (len(o.Kinds) == 0 || slices.Contains(o.Kinds, kind)) && !slices.Contains(o.Except, kind)
}

// strikes reports whether an address is wanted.
func (o *Options) strikes(address string) bool {
	if o.Address == "" {
		return true
	}
	ok, _ := path.Match(o.Address, address)
	return ok
}

// A Report is what a search found out about one scenario.
type Report struct {
	World *World
	// Base is the run without a fault. It is all there is where that does not pass.
	Base *interp.Result
	// Points are those of that run.
	Points   []interp.Point
	Finds    []*Find
	Survival Survival
	Account  Account
	// Idle are the invariants that no run evaluated.
	Idle []interp.InvariantCount
	// Unmet are those whose premise no run met.
	Unmet []interp.InvariantCount
	// Tolerated says that a run met what the scenario tolerates.
	Tolerated bool
	// Interrupted says that the search was ended from outside.
	Interrupted bool
	// Flaky are what a program broke and did not break again.
	Flaky []Flaky
	// Unsteady is the run without a fault that was made again and was not green, nil
	// where each was, and Withdrawn what was found since the one before.
	Unsteady  *interp.Result
	Withdrawn []*Find
	// Agreement says how far a program does what its model does, nil where it has none.
	Agreement *Agreement
	// Uncompared says why it is not compared with the one that it has, "" where it is.
	Uncompared string
}

// Pass reports whether the run without a fault was as the scenario says.
func (r *Report) Pass() bool { return r.Base.Verdict == interp.Pass }

// An Account says what was tried, and what was not.
type Account struct {
	// Runs are all that were made, the one without a fault included, and Behaviours
	// how many of them something can tell apart. Merged were as another one.
	Runs, Behaviours, Merged int
	// Bases are the first runs without a fault, one for each scenario.
	Bases int
	// Shrinking are the runs that made finds smaller, or made them again, and Rechecks
	// those without a fault after the first; Runs does not count them.
	Shrinking, Rechecks int
	// Unfit did not apply; Unanswered led to a call that nothing answers; Undecided
	// were ended by the search.
	Unfit, Unanswered, Undecided int
	// Diverged had asked something else before the fault than without it. Missed are those
	// of them that never came to the point of the fault: Levels does not count them as
	// tried.
	Diverged, Missed int
	// Void were made after a program was last known to be what it was: Levels does not
	// count them either.
	Void int
	// Levels are the sets of each size: how many there are, and how many were tried.
	Levels []Level
	// Beyond is about how many triples there are, 0 where nobody knows.
	Beyond int
	// Unanswerable are the first messages about calls without an answer.
	Unanswerable []string
	// Open are the first sets of the undecided.
	Open []string
}

// clone is a copy that shares nothing.
func (a *Account) clone() Account {
	c := *a
	c.Levels, c.Unanswerable, c.Open = slices.Clone(a.Levels), slices.Clone(a.Unanswerable), slices.Clone(a.Open)
	return c
}

// openMax bounds the undecided sets that are named.
const openMax = 3

// A Level is all sets of one size.
type Level struct {
	Sets  int `json:"sets"`
	Tried int `json:"tried"`
}

// Complete reports whether all that was asked for was tried.
func (a *Account) Complete() bool {
	return !slices.ContainsFunc(a.Levels, func(l Level) bool { return l.Tried < l.Sets })
}

// Tried is how many sets were tried, of all that were asked for.
func (a *Account) Tried() (tried, sets int) {
	for _, l := range a.Levels {
		tried, sets = tried+l.Tried, sets+l.Sets
	}
	return tried, sets
}

// search is one search under way.
type search struct {
	*Options
	world     *World
	reader    reader
	catalogue catalogue
	cast      *cast
	figures   *figures
	// limit is at how many events a run ends, and room how many those have together that
	// are made at one time.
	limit, room int
	// points is how many points are kept of the runs of one strike, and kept how many are.
	points, kept int
	report       *Report
	base         *outcome
	seen         map[behaviour]*node
	order        []*node // in which they were met
	// alike are runs of a program whose trace is that of an earlier one: what it
	// remembers may not be.
	alike []*node
	finds map[findKey]*Find
	// later are the sets that are tried at the end of the level under way.
	later []Set
	// ending are those of them that were made already.
	ending map[string]bool
	// silences are, of each attempt that was silent in a run, the instants of that.
	silences map[spot][]time.Duration
	// ends are when the attempts of each address end without a fault.
	ends map[string][]time.Duration
	// idle are the invariants that no run has evaluated yet.
	idle []interp.InvariantCount
	// unmet are the implications whose premise no run has met so far.
	unmet []interp.InvariantCount
	// rechecked counts the runs up to the last one without a fault.
	rechecked int
	// steady is what was known when a program was last seen to be what it was.
	steady struct {
		finds       int
		account     Account
		idle, unmet []interp.InvariantCount
	}
	// parents are the runs of a program with one strike, by that.
	parents  map[string]*outcome
	progress progress
	// comparer is the model of a program, nil where there is none.
	comparer *comparer
}

// A node stands for all runs of one behaviour. Of its members it keeps the one
// whose last fault came first, because that has the most points behind it.
type node struct{ *outcome }

func newSearch(w *World, o *Options) *search {
	o.Parallel = max(1, o.Parallel)
	points := pointsKept
	if o.forgetful {
		points = 0
	}
	return &search{
		Options: o, world: w, reader: newReader(w.Plan).of(w), report: &Report{World: w}, room: eventsHeld, points: points,
		seen: map[behaviour]*node{}, finds: map[findKey]*Find{}, ending: map[string]bool{}, parents: map[string]*outcome{},
		silences: map[spot][]time.Duration{}, progress: progress{tell: o.Progress},
	}
}

// Explore searches a world.
func Explore(w *World, o Options) *Report {
	s := newSearch(w, &o)
	if !s.begin() {
		return s.report
	}
	singles, n := s.firstLevel()
	s.level(1, n, singles)
	delays := s.delays()
	s.level(1, len(delays), slices.Values(delays))
	events := s.events(s.base.instants)
	s.level(1, len(events), slices.Values(events))
	wrongs, n := s.wrongs()
	s.level(1, n, wrongs)
	if o.MaxK >= 2 {
		s.level(2, s.countPairs(), s.pairs())
	}
	s.report.Account.Beyond = s.beyond()
	s.due(true)
	s.reconfirm()
	s.conclude()
	return s.report
}

// beyond is about how many triples there are, once there are pairs. Triples are taken to
// come of pairs as pairs do of single strikes: of n strikes in a row there are n²/2 and
// n³/6. How many pairs there would be only the runs of a search for them tell.
func (s *search) beyond() int {
	levels := s.report.Account.Levels
	if len(levels) < 2 || levels[0].Sets == 0 {
		return 0
	}
	single, pairs := float64(levels[0].Sets), float64(levels[1].Sets)
	return int(2 * pairs * pairs / (3 * single))
}

// begin makes the run without a fault, and reports whether there is something to
// strike.
func (s *search) begin() bool {
	points, base := s.world.bare()
	s.report.Account.Runs, s.report.Account.Bases = 1, 1
	s.report.Base, s.report.Points = base, points
	s.report.Interrupted = s.report.Base.Interrupted
	s.base = &outcome{points: points, last: -1, promises: s.world.promised()}
	s.base.read(s.report.Base, s.reader, 0, !s.NoStandard, s.world.Program != nil)
	s.world.base = s.base
	s.figures = figuresOf(s.world.Plan)
	s.catalogue = catalogueOf(s.world, s.Options, s.figures, s.base.events)
	s.cast = castOf(s.world.Plan, s.figures, s.base.events)
	s.limit = limitOf(len(s.base.events))
	s.base.instants, s.ends = instantsOf(s.base.events), endsOf(s.base.events)
	s.seen[s.base.key] = &node{s.base}
	s.idle = slices.Clone(s.report.Base.Invariants)
	if s.world.Program == nil && standard(base) { // from here on by rules of Go, of which none is idle
		s.idle, s.NoStandard = slices.DeleteFunc(s.idle, isStandard), false
	}
	s.unmet = slices.Clone(s.report.Base.Invariants)
	s.evaluated(s.report.Base.Invariants)
	for _, p := range s.base.broken { // what is broken without a fault is none's doing
		s.finds[keyOf(&p)] = nil
	}
	if len(points) == 0 || s.report.Interrupted || !s.report.Pass() {
		return false
	}
	s.compareBase()
	if s.world.Program == nil { // what is read of its trace is read by now
		bare := *base
		bare.Events = nil
		s.report.Base, s.base.events = &bare, nil
	}
	s.hold()
	return true
}

// limitOf is at how many events a run ends whose world has so many without a fault.
func limitOf(events int) int { return min(500+40*events, max(eventsMax, 2*events)) }

// eventsMax is how many events the run without a fault may have, and others where those
// are more than twice as many: some tens of MiB.
const eventsMax = 50_000

// firstLevel are the sets of one strike in the order in which they are tried, and how many
// there are. Of a workflow they are made as they are asked for: there may be millions.
func (s *search) firstLevel() (sets iter.Seq[Set], n int) {
	if s.world.Program == nil {
		for range s.eachSingle() {
			n++
		}
		return s.eachSingle(), n
	}
	list := s.singles()
	return slices.Values(list), len(list)
}

// eachSingle are all sets of one strike: outages and faults by point.
func (s *search) eachSingle() iter.Seq[Set] {
	return func(yield func(Set) bool) {
		seen := map[Outage]bool{}
		for i := range s.base.points {
			p := &s.base.points[i]
			if !s.strikes(p.Address) {
				continue
			}
			for _, o := range s.outages(p) {
				if !seen[*o.Outage] && !yield(Set{o}) {
					return
				}
			}
			for _, o := range placesOf(s.world, p) {
				seen[o] = true
			}
			for _, x := range s.catalogue.at(p) {
				if !yield(Set{x}) {
					return
				}
			}
		}
	}
}

// singles are all sets of one strike in the order in which those of a program are tried.
func (s *search) singles() []Set {
	sets := slices.Collect(s.eachSingle())
	if p := s.world.Program; p != nil && !p.Virtual {
		s.promisingFirst(sets)
	}
	if p := s.world.Program; p != nil && p.First != "" {
		slices.SortStableFunc(sets, func(a, b Set) int { return cmp.Compare(first(b, p), first(a, p)) })
	}
	return sets
}

// first is 1 for the set that is tried first, and 0 for any other.
func first(set Set, p *Program) int {
	if set.String() == p.First {
		return 1
	}
	return 0
}

// placesOf are the outages that begin at a point. A program's endpoint that has the name
// of its provider is all of it.
func placesOf(world *World, p *interp.Point) []Outage {
	from := p.At
	if w := world.Program; w != nil && !w.Virtual {
		from = 0 // no instant of it comes twice
	}
	if world.Program != nil && p.Address == p.Provider {
		return []Outage{{Provider: p.Provider, From: from}}
	}
	list := []Outage{{Address: p.Address, From: from}}
	if p.Target != "" {
		list = append(list, Outage{Target: p.Target, From: from})
	}
	if p.Provider != "" && p.Provider != p.Target {
		list = append(list, Outage{Provider: p.Provider, From: from})
	}
	return list
}

// outages are the outages that begin at a point: refused, silence, 503, a wait.
func (s *search) outages(p *interp.Point) []Strike {
	if !s.tries(KindOutage) {
		return nil
	}
	var list []Strike
	for _, o := range placesOf(s.world, p) {
		list = append(list, s.catalogue.lasting(p, &o)...)
	}
	return list
}

// level tries all sets of a size, as far as the budget goes.
func (s *search) level(k, n int, sets iter.Seq[Set]) {
	if len(s.report.Account.Levels) < k {
		s.report.Account.Levels = append(s.report.Account.Levels, Level{})
	}
	l := &s.report.Account.Levels[k-1]
	l.Sets += n
	next, stop := iter.Pull(sets)
	defer stop()
	for s.report.Account.Runs < s.Runs && !s.report.Interrupted && !s.due(false) {
		batch := s.batch(next)
		if len(batch) == 0 {
			most := min(len(s.later), s.Runs-s.report.Account.Runs)
			batch, s.later = s.later[:most], s.later[most:]
			l.Sets += len(batch)
		}
		if len(batch) == 0 {
			break
		}
		s.progress.level(k, l, s.report.Finds)
		s.playAll(batch, func(o *outcome) bool {
			if o.interrupted {
				s.report.Interrupted = true
				return false
			}
			l.Tried++
			s.report.Tolerated = s.report.Tolerated || o.tolerated && s.base.succeeds()
			s.take(k, o)
			return true
		})
	}
}

// batch are the next sets that are tried at one time.
func (s *search) batch(next func() (Set, bool)) []Set {
	var list []Set
	most := min(32*s.Parallel, s.Runs-s.report.Account.Runs)
	if p := s.world.Program; p != nil && p.Recheck > 0 {
		most = min(most, p.Recheck)
	}
	if p := s.world.Program; p != nil && !p.Virtual {
		most = min(most, s.Parallel) // what is found is known at once, should the search be ended
	}
	for len(list) < most {
		set, ok := next()
		if !ok {
			break
		}
		list = append(list, set)
	}
	return list
}

// eventsHeld is how many events the runs that are made at one time have together, those
// that wait to be taken included: each keeps its own until then. One of them, with what is
// known of it, takes about a kilobyte, so that a search stays below 256 MiB.
const eventsHeld = 100_000

// playAll runs sets, several at one time, and has what became of them taken in their
// order, until take reports false. Nothing runs meanwhile.
func (s *search) playAll(sets []Set, take func(*outcome) bool) {
	for len(sets) > 0 {
		list := s.playSome(sets)
		for i, o := range list {
			list[i] = nil
			if !take(o) {
				return
			}
		}
		sets = sets[len(list):]
	}
}

// playSome runs the first of some sets, at least one, and as many more as it can hold
// the events of.
func (s *search) playSome(sets []Set) []*outcome {
	var mu sync.Mutex
	var list []*outcome
	held := 0 // by what has ended, and what may come to be of what has not
	begin := func() (i int, ok bool) {
		mu.Lock()
		defer mu.Unlock()
		if i = len(list); i == len(sets) || i > 0 && held+s.limit > s.room {
			return 0, false
		}
		held += s.limit
		list = append(list, nil)
		return i, true
	}
	end := func(i int, o *outcome) {
		mu.Lock()
		defer mu.Unlock()
		held += len(o.events) - s.limit
		list[i] = o
	}
	var wg sync.WaitGroup
	for range s.Parallel {
		wg.Go(func() {
			for i, ok := begin(); ok; i, ok = begin() {
				if s.ended() {
					end(i, &outcome{interrupted: true})
					continue
				}
				end(i, s.play(sets[i]))
				s.progress.step()
			}
		})
	}
	wg.Wait()
	return list
}

func (s *search) ended() bool {
	select {
	case <-s.Done:
		return true
	default:
		return false
	}
}

// take notes what became of a run. Its trace is let go where it is no find.
func (s *search) take(k int, o *outcome) {
	a := &s.report.Account
	a.Runs++
	switch {
	case o.unfit != "":
		a.Unfit++
		return
	case o.unanswered != "":
		a.Unanswered++
		if len(a.Unanswerable) < 3 && !slices.Contains(a.Unanswerable, o.unanswered) {
			a.Unanswerable = append(a.Unanswerable, o.unanswered)
		}
		return
	case o.undecided:
		a.Undecided++
		if len(a.Open) < openMax {
			a.Open = append(a.Open, o.set.String())
		}
	}
	if s.strayed(o) {
		a.Diverged++
		if o.last < 0 {
			a.Missed++
			a.Levels[k-1].Tried--
			return // nothing struck
		}
	}
	n := s.seen[o.key]
	switch {
	case n == nil:
		n = &node{o}
		s.seen[o.key] = n
		if k == 1 && !o.set[0].alone() {
			s.order = append(s.order, n)
		}
	case o.set[0].alone() && (s.unmerged || s.world.Program != nil):
	case s.unmerged:
		s.order = append(s.order, &node{o})
	case s.world.Program != nil:
		if k == 1 {
			s.alike = append(s.alike, &node{o})
		}
	default:
		a.Merged++
		if len(n.set) == len(o.set) && o.last >= 0 && (n.last < 0 || o.last < n.last) && !o.set[0].alone() {
			n.outcome = o
		}
	}
	s.evaluated(o.invariants)
	s.comparer.note(o)
	if !o.undecided {
		s.judge(o)
	}
	if k == 1 && s.base.succeeds() && !o.undecided {
		s.report.Survival.add(o, s.base)
	}
	if k == 1 {
		s.follow(o)
	} else {
		s.again(o)
	}
	if k == 1 && s.MaxK > 1 && s.world.Happen != nil && len(s.cast.actors) > 0 {
		o.instants = instantsOf(o.events)
	}
	o.events, o.invariants, o.struck = nil, nil, nil
	if o.pairing != nil {
		o.pairing.events, o.pairing.struck = nil, nil
	}
	if k == s.MaxK || s.world.Program == nil && o.set[0].alone() { // nothing follows
		o.points = nil
	}
	if n := s.seen[o.key]; s.world.Program == nil && (s.unmerged || n != nil && n.outcome == o) {
		s.remember(o)
	}
}

// follow notes what is tried because of a run of one strike.
func (s *search) follow(o *outcome) {
	s.again(o)
	s.silent(o)
	s.putOff(untilReaction(o))
	for _, set := range s.untilCount(o) {
		s.putOff(set)
	}
}

// patience is after how long a silence ends that nothing else has ended.
const patience = 10 * time.Minute

// again has a run that was stuck made once more, with an end to its silences, to see
// what comes behind them.
func (s *search) again(o *outcome) {
	if !o.stuck {
		return
	}
	set, changed := slices.Clone(o.set), false
	for i := range set {
		x := &set[i]
		if x.silent() && !x.HasAfter {
			x.Fault, x.Args, x.After, x.HasAfter = faults.Silence(), nil, patience, true
			changed = true
		}
	}
	if changed {
		s.putOff(set)
	}
}

// putOff has a set tried at the end of the level, once; nil is none.
func (s *search) putOff(set Set) {
	if set != nil && !s.ending[set.String()] {
		s.ending[set.String()] = true
		s.later = append(s.later, set)
	}
}

// evaluated notes which invariants a run has evaluated.
func (s *search) evaluated(list []interp.InvariantCount) {
	s.idle = without(s.idle, list, func(c interp.InvariantCount) bool { return c.Evaluated > 0 })
	s.unmet = without(s.unmet, list, func(c interp.InvariantCount) bool { return !c.Unmet })
}

// without are the invariants of a list of which those of a run do not say something.
func without(list, run []interp.InvariantCount, says func(interp.InvariantCount) bool) []interp.InvariantCount {
	return slices.DeleteFunc(list, func(of interp.InvariantCount) bool {
		return slices.ContainsFunc(run, func(c interp.InvariantCount) bool {
			return c.Name == of.Name && c.Range == of.Range && says(c)
		})
	})
}

// conclude completes the report.
func (s *search) conclude() {
	s.report.Idle, s.report.Unmet = s.idle, s.unmet
	if p := s.world.Program; (p == nil || p.Virtual) && s.report.Unsteady == nil { // no two real runs are alike
		s.report.Account.Behaviours = len(s.seen)
	}
	s.report.Survival.conclude()
	s.report.Agreement = s.comparer.agreement(s.report.Finds)
}
