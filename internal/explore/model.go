package explore

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/internal/explore/compare"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/trace"
)

// KindModel is the oracle of runs in which a program does otherwise than the workflow
// that describes it.
const KindModel = "model"

// An Agreement says how far a program does what its model does.
type Agreement struct {
	// Behaviours are those of the model under the sets that both were run with, and Agree
	// those in which the program never did otherwise. Runs are all that were compared.
	Behaviours int `json:"behaviours"`
	Agree      int `json:"agree"`
	Runs       int `json:"runs"`
	// K is the size of the largest set.
	K int `json:"k"`
}

// comparer is the model of a program, which is run with each set that the program is run with.
type comparer struct {
	world  *World
	model  *compare.Model
	reader reader
	// limit is at how many events a run of the model ends.
	limit int
	// apart are the sets under which they differ: what is added to one shows nothing.
	apart map[string]bool
	// compared are the runs that were, in order, and steady counts them up to the last
	// time that the program was known to be what it was.
	compared []*pairing
	steady   int
}

// A pairing is a run of a program beside one of its model under the same set.
type pairing struct {
	behaviour behaviour
	k         int
	// differs says that they do, key which find that is, and told that another oracle
	// tells of it.
	differs, told bool
	key           findKey
	// events are the trace of the model, until the run is judged, and struck what met a
	// strike in it.
	events []trace.Event
	struck map[spot]bool
}

// newComparer is the model of a world with these numbers, nil where it has none.
func newComparer(w *World, numbers *figures) *comparer {
	if w.Program == nil || w.Program.Model == nil {
		return nil
	}
	return &comparer{world: w.Program.Model, model: compare.New(w.Plan, w.Program.Virtual, numbers.deadlines), reader: newReader(w.Plan), apart: map[string]bool{}}
}

// compareBase compares the runs without a fault. Where they differ that is the find, and
// nothing else is compared.
func (s *search) compareBase() {
	if s.comparer = newComparer(s.world, s.figures); s.comparer == nil {
		return
	}
	s.comparer.compare(s.base)
	p := s.base.pairing
	if p == nil {
		s.comparer, s.report.Uncompared = nil, "the model does not come to an end by itself, or the program follows redirects"
		return
	}
	if why := unmade(p.events); why != "" {
		s.comparer, s.report.Uncompared = nil, why
		s.base.broken = slices.DeleteFunc(s.base.broken, func(b interp.Problem) bool { return b.Kind == KindModel })
		return
	}
	s.comparer.limit = limitOf(len(p.events))
	if p.differs {
		for i := range s.base.broken {
			if b := &s.base.broken[i]; b.Kind == KindModel && s.repeats(p.key, b, s.base) {
				names := brokenUnder(b, s.base)[0]
				s.add(b, s.base, s.knows(b, names), names[0])
				s.comparer = nil
				return
			}
		}
	}
	s.comparer.note(s.base)
}

// unmade says which request of a model could not even be made, as where its provider has
// no address, which the program knows by itself; "" for none.
func unmade(events []trace.Event) string {
	for i := range events {
		if e := &events[i]; e.Type == trace.StepEnd && e.Text("stage") == string(failure.Plan) {
			why, _, _ := strings.Cut(e.Text("message"), "\n")
			return fmt.Sprintf("%q of the model failed: %s", e.Step, why)
		}
	}
	return ""
}

// play runs a set, and the model of a program beside it. It is safe for concurrent use.
func (s *search) play(set Set) *outcome {
	o := s.world.play(set, s.reader, s.limit, !s.NoStandard)
	if s.comparer != nil && !s.comparer.covers(set) {
		s.comparer.compare(o)
	}
	return o
}

// covers reports whether a part of a set shows already that program and model differ.
func (b *comparer) covers(set Set) bool {
	return len(set) > 1 && slices.ContainsFunc(set, func(x Strike) bool { return b.apart[Set{x}.String()] })
}

// says reports whether a run came so far that it can be compared.
func (o *outcome) says() bool {
	return !o.interrupted && o.unfit == "" && o.unanswered == "" && !o.undecided && (len(o.set) == 0 || o.last >= 0)
}

// compare runs the model under the set of a run of the program, and notes in that where
// they differ.
func (b *comparer) compare(o *outcome) {
	if !o.says() {
		return
	}
	m := b.world.play(o.set, b.reader, b.limit, false)
	if !m.says() {
		return
	}
	d, known := b.model.First(compare.Run{Events: m.events, Stuck: m.stuck}, compare.Run{Events: o.events, Stuck: o.stuck})
	if !known {
		return
	}
	o.pairing = &pairing{behaviour: m.key, k: len(o.set), events: m.events, struck: m.struck}
	if d == nil {
		return
	}
	p := interp.Problem{
		Kind: KindModel, Name: nameOf(d, o.set), Message: fmt.Sprintf("%s: the model %s, the program %s", where(d, o.set), d.Model, unrepeated(d)), Range: b.place(d.Step),
	}
	o.pairing.differs, o.pairing.told, o.pairing.key = true, o.stuck, keyOf(&p)
	o.broken = append(o.broken, p)
}

// nameOf names a difference, once a step, thing and group of fault.
func nameOf(d *compare.Difference, set Set) string {
	name := fmt.Sprintf("%s: %s", cmp.Or(d.Step, "the run"), d.Thing)
	if g := groupOf(set); g != "" {
		name += " after " + string(g)
	}
	return name
}

// unrepeated says what the program does, without the verb that the model has already.
func unrepeated(d *compare.Difference) string {
	for _, verb := range []string{"asks it ", "asks ", "waits ", "ends in ", "sees ", "meets "} {
		if rest, ok := strings.CutPrefix(d.Program, verb); ok && strings.HasPrefix(d.Model, verb) {
			return rest
		}
	}
	return d.Program
}

// where says where a difference is, after what.
func where(d *compare.Difference, set Set) string {
	text := cmp.Or(d.Step, "the run")
	if len(set) == 0 {
		return text + " without a fault"
	}
	last := &set[len(set)-1]
	if last.Address != d.Step || last.Outage != nil {
		return text + " after " + last.String()
	}
	return text + " after " + last.What()
}

// groupOf is the group of the fault of a set that was added last, "" for none.
func groupOf(set Set) faults.Group {
	if len(set) == 0 {
		return ""
	}
	last := &set[len(set)-1]
	return last.group()
}

// place is where a step of the model is declared, else the scenario.
func (b *comparer) place(step string) hcl.Range {
	p := b.model.Place(step)
	if p.Line == 0 {
		p.Line = b.world.Line
	}
	at := hcl.Pos{Line: p.Line, Column: max(1, p.Column)}
	return hcl.Range{Filename: cmp.Or(p.File, b.world.File), Start: at, End: at}
}

// note counts a run that was compared.
func (b *comparer) note(o *outcome) {
	if b == nil || o.pairing == nil {
		return
	}
	b.compared = append(b.compared, o.pairing)
	if o.pairing.differs {
		b.apart[o.set.String()] = true
	}
}

// withdraw forgets what was compared since the program was known to be what it was.
func (b *comparer) withdraw() {
	if b != nil {
		b.compared = b.compared[:b.steady]
	}
}

// confirm notes that the program is what it was.
func (b *comparer) confirm() {
	if b != nil {
		b.steady = len(b.compared)
	}
}

// agreement counts the behaviours in which program and model agree: a difference counts
// that is a find, or that another oracle tells of.
func (b *comparer) agreement(finds []*Find) *Agreement {
	if b == nil || len(b.compared) == 0 {
		return nil
	}
	a := &Agreement{Runs: len(b.compared)}
	agree := map[behaviour]bool{}
	for _, p := range b.compared {
		a.K = max(a.K, p.k)
		found := slices.IndexFunc(finds, func(f *Find) bool { return p.differs && f.key() == p.key })
		if found >= 0 {
			finds[found].Times++
		}
		before, known := agree[p.behaviour]
		agree[p.behaviour] = (before || !known) && !(p.told || found >= 0)
	}
	a.Behaviours = len(agree)
	for _, ok := range agree {
		if ok {
			a.Agree++
		}
	}
	for _, f := range finds {
		if f.Oracle == KindModel {
			f.Of = a.Runs
		}
	}
	return a
}

// agreed adds up what several searches compared, nil where none did.
func agreed(reports []*Report) *Agreement {
	var sum *Agreement
	for _, r := range reports {
		a := r.Agreement
		if a == nil {
			continue
		}
		if sum == nil {
			sum = &Agreement{}
		}
		*sum = Agreement{sum.Behaviours + a.Behaviours, sum.Agree + a.Agree, sum.Runs + a.Runs, max(sum.K, a.K)}
	}
	return sum
}

// write tells of it in the account.
func (a *Agreement) write(b *strings.Builder) {
	if a != nil {
		fmt.Fprintf(b, "model and program agree in %s of %s of the model (k = %d)\n", Grouped(a.Agree), counted(a.Behaviours, "behaviour"), a.K)
	}
}
