package drive

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/exchange"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/trace"
)

// Finish ends the run with a status, for "" that of what drove the program and
// success where nothing did: what is under way is cut, the closing gates look at
// what was left over, and the trace gets its end. Requests that come later have
// no answer. A second call does nothing.
func (r *Run) Finish(status string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over {
		return
	}
	r.over = true
	for _, x := range slices.Concat(r.unread, r.open) {
		if x.endpoint != nil && r.options.Way == plan.Embedded {
			r.gate(plan.GateOpenBody, fmt.Sprintf("attempt %d of endpoint %q was neither read to its end nor closed.\nhint: defer resp.Body.Close() right after the call", x.n, x.endpoint.Name), x.endpoint.Step.Rng)
		}
		x.end(true)
	}
	for _, e := range r.endpoints {
		switch {
		case e.n == 0 && !e.Step.Endpoint.Declared:
			r.emitOf(e, &event.StepEnd{Status: read.StatusSkipped, SkippedReason: "the program never called it"})
		case e.n > 0:
			r.emit(trace.Event{Step: e.Name, Payload: &event.StepEnd{Status: r.Obs.Steps[e.Name].Status, StatusCode: e.status, Answer: e.answer}})
		}
		r.mixtures(e)
	}
	r.closingGates()
	end := r.end
	if end == nil {
		end = &event.RunEnd{Status: read.StatusSuccess, RunID: event.RunID{Plan: r.plan}}
	}
	end.Status, end.CostUSD = cmp.Or(status, end.Status), r.Obs.Run.CostUSD.Float64()
	r.emit(trace.Event{Payload: end})
}

// mixtures warns of lanes whose order was chance, though nothing came of it.
func (r *Run) mixtures(e *endpoint) {
	for _, name := range read.SortedNames(e.lanes) {
		l := e.lanes[name]
		switch {
		case !l.mixed || len(l.entries) < 2 || apart(l.entries):
		case e.Step.Endpoint.ByArrival:
			r.warn(fmt.Sprintf("requests of endpoint %q overlapped in %s, and the order in which they arrived decided which entry each got, as concurrent = \"arrival\" allows: another run may differ", e.Name, laneName(l)))
		default:
			r.warn(fmt.Sprintf("requests of endpoint %q overlapped in %s, and its entries are given by order: it made no difference this time.\nhint: tell the requests apart, for example lane = request.body", e.Name, laneName(l)))
		}
	}
}

// apart reports whether no request fits two of some entries, so that the order of the requests decides nothing: any
// two ask for another value at one place.
func apart(entries map[*plan.Entry]bool) bool {
	const most = 100
	list := slices.Collect(maps.Keys(entries))
	if len(list) > most {
		return false
	}
	for i, a := range list {
		for _, b := range list[:i] {
			if !slices.ContainsFunc(a.Match.Leaves, func(x plan.Leaf) bool {
				return !x.Pattern && slices.ContainsFunc(b.Match.Leaves, func(y plan.Leaf) bool {
					return !y.Pattern && slices.Equal(x.Path, y.Path) && !x.Want.RawEquals(y.Want)
				})
			}) {
				return false
			}
		}
	}
	return true
}

// closingGates looks at what answered less often than it says, and for something
// that the scenario checks. Where the code of a test drives, that asserts itself, and
// needs no checks of the file; those that there are have to be observed.
// Where a workflow drives, its end has told already.
func (r *Run) closingGates() {
	const hint = "\nhint: say what must hold, at least expect \"run\" { status = \"success\" }; or allow = [\"no_assertion\"]"
	checks := r.plan.ChecksItself
	switch way := r.options.Way; {
	case way == plan.Exec && r.end == nil && !checks(plan.Exec):
		r.gate(plan.GateNoAssertion, "the scenario checks nothing that a program shows: it has no expect, assert, snapshot or invariant block of its own about that."+hint, r.place())
	case way == plan.Embedded && !checks(plan.Embedded) && (checks(plan.Exec) || checks(plan.Interpreted)):
		r.gate(plan.GateNoAssertion, "a Go test observes nothing of what the scenario checks: that shows only where a program is started, or where the workflow is interpreted."+hint, r.place())
	}
	var n exchange.Injections
	for _, u := range r.sources.UsesOfLanes(r.lanesOf) {
		if gate := n.Use(u); gate != "" {
			r.gate(gate, u.Text(), u.Entry.Rng)
		}
	}
	for _, o := range r.sources.UnmetOutages(&n) {
		r.gate(plan.GateUnfiredFault, o.Text, o.Rng)
	}
	if text, at := n.Idle(); text != "" {
		r.gate(plan.GateUnfiredFault, text, at)
	}
	for _, it := range r.sources.UnusedInteractions() {
		r.gate(plan.GateUnusedInteraction, r.sources.UnusedText(it), r.plan.Recording.Rng)
	}
}

// lanesOf lists the lanes that were opened at an address, one without a name
// where there are none.
func (r *Run) lanesOf(address string) []exchange.Line {
	var list []exchange.Line
	for _, e := range r.endpoints {
		if e.Name != address && address != "*" {
			continue
		}
		for _, name := range read.SortedNames(e.lanes) {
			list = append(list, exchange.Line{Step: e.Name, Lane: name})
		}
	}
	return list
}
