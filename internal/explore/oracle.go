package explore

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/trace"
)

// A Find is a set of strikes under which something is broken that must hold in every
// run.
type Find struct {
	// Oracle is "invariant" or "gate", and Name that of the invariant or gate, or it is
	// [KindTolerates] or [KindModel]. Of the
	// code of a test it is [KindTest] or [KindPanic], and Name what it said.
	Oracle, Name string
	// Message says what was seen.
	Message string
	Range   hcl.Range
	Set     Set
	// Lost is what does not survive what it tolerates: the name of a block of the
	// scenario, "" for its run.
	Lost string
	// Known says that the caller knew it already.
	Known bool
	// Breaks are all sets under which the same was broken, as [brokenUnder] writes them, in
	// the order in which they were met; of a deadlock the addresses that wait without
	// end.
	Breaks []string
	// Events are the trace of the run, and Model that of the program's model where it
	// differs from that.
	Events, Model []trace.Event
	// struck and modelStruck are the attempts in them that met a strike.
	struck, modelStruck map[spot]bool
	// Reply is the wrong answer of the run, nil for none.
	Reply *interp.InjectedReply
	// Times of Of runs that were compared with the model differ so.
	Times, Of int
	// Emitted is the file that the find was written to, and Unwritten why it could
	// not be; both are "" where nobody asked for one.
	Emitted, Unwritten string
}

// K is how many strikes it takes.
func (f *Find) K() int { return len(f.Set) }

// A findKey says which finds are one.
type findKey struct{ oracle, name string }

// keyOf is that of a problem. What the code of a test says has the values of its run
// in it, so that it is known by its place. An expression that is broken is known by its
// place, too: one name for all of them would hide every one but the first.
func keyOf(p *interp.Problem) findKey {
	switch {
	case p.Kind == KindTest, p.Kind == KindPanic:
		return findKey{oracle: p.Kind, name: fmt.Sprintf("%s:%d", p.Range.Filename, p.Range.Start.Line)}
	case isBroken(p.Kind, p.Name):
		return findKey{oracle: p.Kind, name: fmt.Sprintf("%s %s:%d:%d", p.Name, p.Range.Filename, p.Range.Start.Line, p.Range.Start.Column)}
	}
	return findKey{oracle: p.Kind, name: p.Name}
}

// isBroken reports whether a problem is an expression of the file that could not be
// evaluated.
func isBroken(kind, name string) bool { return kind == "gate" && name == "broken_expression" }

func (f *Find) key() findKey {
	return keyOf(&interp.Problem{Kind: f.Oracle, Name: f.Name, Range: f.Range})
}

// judge holds a run against all that must hold in every one.
func (s *search) judge(o *outcome) {
	for i := range o.broken {
		p := &o.broken[i]
		switch {
		case !o.tells(p):
			continue
		case p.Kind == "gate" && slices.Contains(s.Except, p.Name):
			continue
		case o.set.silenced() && p.Name == tooLong:
			continue // it is ours that waits
		case (p.Name == "drifted" || p.Name == "unmatched_call") && p.Kind == "gate" && o.changed():
			continue // the program has to ask otherwise
		}
		s.found(p, o)
	}
}

// tells reports whether a problem says something about the program. The end of a run that is
// stuck is none of the program's, so what is broken there is not; but that it is stuck is,
// and a circle of waits, because of which it may be.
func (o *outcome) tells(p *interp.Problem) bool {
	return !o.stuck || isDeadlock(p) || p.Kind == "invariant" && p.Name == ruleCircle
}

// changed reports whether an answer that a program took for good had another content
// than without the strike.
func (o *outcome) changed() bool {
	if o.reply != nil {
		return true
	}
	return slices.ContainsFunc(o.events, func(e trace.Event) bool {
		if e.Type != trace.AttemptEnd || e.Text("outcome") != "success" {
			return false
		}
		k := faults.Lookup(e.Text("fault_type"))
		return k != nil && !k.Slow // what is slow has what it had
	})
}

// found notes a find, or what breaks one under another set.
func (s *search) found(p *interp.Problem, o *outcome) {
	key := keyOf(p)
	before, met := s.finds[key]
	if met && before == nil {
		return // it is broken without a fault
	}
	for _, under := range brokenUnder(p, o) {
		s.foundUnder(key, under, p, o)
	}
}

// foundUnder is found for one of the names that its set has.
func (s *search) foundUnder(key findKey, under []string, p *interp.Problem, o *outcome) {
	known := s.knows(p, under)
	before := s.earlier(key, known)
	switch {
	case before != nil && before.breaksUnder(under):
		return
	case before != nil && !s.All || before != nil && before.deadlock():
		before.Breaks = append(before.Breaks, under[0])
		return
	case s.All && s.covered(key, o.set):
		return
	}
	if !s.repeats(key, p, o) {
		return
	}
	found := o
	if o = s.shrink(key, o, known); o != found && !s.comesAgain(key, o.set, 2) {
		o = found
	}
	if i := slices.IndexFunc(o.broken, func(b interp.Problem) bool { return keyOf(&b) == key }); i >= 0 {
		p = &o.broken[i]
	}
	s.add(p, o, known, under[0])
}

// add adds a find to those of the report, with the name of the set that it was met under.
// Two sets that shrink to one are one find.
func (s *search) add(p *interp.Problem, o *outcome, known bool, under string) {
	key := keyOf(p)
	for _, f := range s.report.Finds {
		if f.key() == key && f.Known == known && f.Set.String() == o.set.String() {
			f.Breaks = append(f.Breaks, under)
			return
		}
	}
	f := &Find{Oracle: p.Kind, Name: p.Name, Message: MessageOf(p), Range: p.Range, Set: o.set, Events: o.events, struck: o.struck, Reply: o.reply, Known: known, Breaks: []string{under}}
	for _, list := range brokenUnder(p, o) {
		if !f.breaksUnder(list) && s.knows(p, list) == known {
			f.Breaks = append(f.Breaks, list[0])
		}
	}
	if p.Kind == KindTolerates && o.notKept != theRun {
		f.Lost = o.notKept
	}
	if p.Kind == KindModel {
		f.Model, f.modelStruck = o.pairing.events, o.pairing.struck
	}
	if s.finds[key] == nil {
		s.finds[key] = f
	}
	s.report.Finds = append(s.report.Finds, f)
}

// covered reports whether a part of a set breaks the same already.
func (s *search) covered(key findKey, set Set) bool {
	return slices.ContainsFunc(s.report.Finds, func(f *Find) bool {
		if f.key() != key || len(f.Set) >= len(set) {
			return false
		}
		return !slices.ContainsFunc(f.Set, func(x Strike) bool {
			return !slices.ContainsFunc(set, func(y Strike) bool { return x.String() == y.String() })
		})
	})
}

// MessageOf is what there is to say of a problem: what was seen, with the values.
func MessageOf(p *interp.Problem) string {
	var b strings.Builder
	if !p.Bare {
		b.WriteString(strings.TrimSpace(p.Message))
	}
	for _, o := range p.Operands {
		b.WriteString("\n" + o.Text + " = " + o.Value)
	}
	if p.Diff != "" {
		b.WriteString("\n" + strings.TrimRight(p.Diff, "\n"))
	}
	return strings.TrimPrefix(b.String(), "\n")
}

// Is reports whether a problem of another run is the find. What a run does not survive
// is written as an expectation.
func (f *Find) Is(p *interp.Problem) bool {
	name := cmp.Or(f.Lost, theRun)
	return keyOf(p) == f.key() || f.Oracle == KindTolerates && (p.Kind == "expect" && p.Name == name || p.Kind == "assert" && p.Name == assertOf(name))
}
