package exchange

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// outages are those that the scenario declares, with how often each has struck. They
// strike where an injector does, at the points that it leaves.
type outages struct {
	list    []*plan.Outage
	strikes []int
}

// at is the first outage that strikes a point, nil for none.
func (o *outages) at(p *Point) *Injection {
	i := slices.IndexFunc(o.list, func(o *plan.Outage) bool {
		return o.Covers(p.addresses(), p.Target, p.Provider, p.At) && p.Meets(o.Entry.Fault)
	})
	if i < 0 {
		return nil
	}
	e := o.list[i].Entry
	return &Injection{Fault: e.Fault, Args: e.Args, After: e.After, HasAfter: e.HasAfter, written: e, note: func() { o.strikes[i]++ }}
}

// Outage is what strikes a call at addresses now, the most specific first, nil for
// nothing: of an actor where step is nil. Nothing is noted of it.
func (s *Sources) Outage(addresses []string, step *plan.Step, target *plan.Target, word string) *plan.Entry {
	if s.injector == nil {
		return nil
	}
	p := Point{Address: addresses[0], less: addresses[1:], At: s.injector.elapsed(), step: step, part: word}
	if target != nil {
		p.Target, p.Provider = target.Name, target.Provider.Name
	}
	if in := s.injector.outages.at(&p); in != nil {
		return in.written
	}
	return nil
}

// An Unmet is an outage that breaks the gate unfired_fault, with why.
type Unmet struct {
	Text string
	Rng  hcl.Range
}

// UnmetOutages are those that nobody met, counted among all that the scenario injects.
func (s *Sources) UnmetOutages(n *Injections) []Unmet {
	if s.injector == nil {
		return nil
	}
	var list []Unmet
	for i, o := range s.injector.outages.list {
		u := Use{Entry: o.Entry, Used: s.injector.outages.strikes[i], Calls: s.injector.outages.strikes[i], Want: 1, Pending: s.pending[o.Entry], Vain: s.vain[o.Entry], Why: s.why[o.Entry]}
		if n.Add(o.Rng, u.Fired() > 0, o.Optional) {
			list = append(list, Unmet{u.outageText(o), o.Rng})
		}
	}
	return list
}

// outageText says why nobody met an outage.
func (u Use) outageText(o *plan.Outage) string {
	name := fmt.Sprintf("the outage %q (%s of %s, %s)", o.Entry.Outage, o.Entry.Fault.Name, o.Where(), o.When())
	switch {
	case u.Calls == 0:
		return name + " met nobody: there was no attempt that it could strike.\nhint: look at when the attempts begin, and let it begin earlier or end later (from, to), or set optional = true"
	case u.Vain > 0:
		why, hint := u.vainly()
		return fmt.Sprintf("%s made no difference: %d of %d calls %s.\nhint: %s, or set optional = true", name, u.Vain, u.Calls, why, hint)
	}
	return fmt.Sprintf("%s never fired: %d of %d calls ended before its after = %s was over.\nhint: shorten after, lengthen the deadline that ended the call, use the fault timeout where silence is meant, or set optional = true",
		name, u.Pending, u.Calls, u.Entry.After)
}

// FromOutage reports whether it is an outage of the scenario that strikes. Whoever
// asks meets it, in whatever order they come.
func (in *Injection) FromOutage() bool { return in.written != nil }
