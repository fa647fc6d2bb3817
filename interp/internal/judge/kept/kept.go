// Package kept tells the other runs of one in which nothing waits between an answer and what is asked
// next: a least time between two attempts that holds there is one that the answers keep alone.
//
//	why := otherwise.Of(observed, kept.Runs).Part(condition, needs)
package kept

import (
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/judge/otherwise"
	"github.com/scenario-lang/scenario/interp/internal/judge/premise"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/trace"
)

const ofKept = "it holds because the answers, delays and timeouts take so long: it would hold if nothing waited between an answer and the next attempt, so it shows nothing of such a wait.\nhint: count from the end of the one before, such as …attempts[1].at_ms - …attempts[0].ended_ms, or let the answers take less time than the limit"

// relative is the attribute that is a time from the start of a step, and absolute are those from the
// start of the run. ends are those at which an attempt was over.
const relative = "at_ms"

var ends = []string{"ended_ms", "ended_at_ms"}

var absolute = []string{"started_at_ms", "started_ms"}

// Asks reports whether a condition may ask for a least time between two attempts.
func Asks(e hclsyntax.Expression) (found bool) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		x, is := e.(*hclsyntax.BinaryOpExpr)
		found = found || is && premise.IsOrder(x.Op)
	})
	return found && places(e, append([]string{relative}, absolute...)) > 0
}

// places is how often an expression reads one of some attributes.
func places(e hclsyntax.Expression, names []string) (n int) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		var path hcl.Traversal
		switch x := e.(type) {
		case *hclsyntax.ScopeTraversalExpr:
			path = x.Traversal
		case *hclsyntax.RelativeTraversalExpr:
			path = x.Traversal
		}
		if len(path) > 0 {
			if last, is := path[len(path)-1].(hcl.TraverseAttr); is && slices.Contains(names, last.Name) {
				n++
			}
		}
	})
	return n
}

const ofOrder = "it holds of any run that asks one after the other: the next attempt begins when the one before it has ended, or later, also if nothing waits between them, so it shows nothing of a wait.\nhint: say how long the wait has to be at least, such as …attempts[1].at_ms - …attempts[0].ended_ms >= 1000"

// Runs are the other runs of one in which one attempt followed the other: that in which nothing waits
// between them, and that in which answers take next to no time either; and those in which an attempt
// begins before the one before it has ended. None where attempts overlap.
func Runs(o *observe.Observed) []otherwise.Run {
	r := &run{events: o.Log.Events(), serving: o.Plan.Sut.Serving(), asks: map[string]bool{}, names: map[string]int{}, waits: map[[2]string]bool{}, before: map[string]int{}}
	if o.Plan.BenchRun != nil || !r.read() {
		return nil
	}
	return []otherwise.Run{{
		Why: ofKept,
		Told: func() (events, apart [][]trace.Event) {
			next := func(took time.Duration) time.Duration { return min(took, max(time.Millisecond, took/1000)) }
			return [][]trace.Event{r.with(next, next)}, [][]trace.Event{r.with(
				func(took time.Duration) time.Duration { return took / 10 * 9 }, // a limit that is as long as they are may be one on them
				func(time.Duration) time.Duration { return 0 },
			)}
		},
		About: r.isOf,
		Part:  true,
		Hint:  true,
	}, {
		Why: ofOrder,
		Told: func() (events, apart [][]trace.Event) {
			same := func(took time.Duration) time.Duration { return took }
			waits := func(wait time.Duration) func(time.Duration) time.Duration {
				return func(time.Duration) time.Duration { return wait }
			}
			return [][]trace.Event{r.with(same, waits(-2*time.Millisecond)), r.with(same, waits(-time.Second))},
				[][]trace.Event{r.with(same, waits(0)), r.with(same, waits(7*time.Hour))}
		},
		About: func(c hclsyntax.Expression) bool { return r.inTurn(c, o.Driven()) },
		Part:  true,
		Hint:  true,
	}}
}

// inTurn reports whether a condition compares when attempts of one step or endpoint begin with when others
// end. A program may ask at once what it does not ask again: of an endpoint it is so where each attempt but
// the last one failed.
func (r *run) inTurn(c hclsyntax.Expression, driven bool) bool {
	if places(c, append([]string{relative}, absolute...)) == 0 || places(c, ends) == 0 {
		return false
	}
	of, known := r.of(c)
	return known && len(of) == 1 && r.names[of[0]] > 1 && (!driven || r.before[of[0]] == 0)
}

// A run is what came of a scenario, with the steps and endpoints that made its attempts.
type run struct {
	events []trace.Event
	// serving is the provider that the program is, nil for none. asks are the steps that ask it: their attempts
	// go on while the program asks, and are not looked at.
	serving *plan.Provider
	asks    map[string]bool
	// names has how many attempts each of them made, and waits are the pairs of which one made an attempt
	// and the other the next one: whether some time passed between them each time.
	names map[string]int
	waits map[[2]string]bool
	// before counts the successes of each behind which it asked again.
	before map[string]int
}

// read reports whether there were attempts, and no two at once.
func (r *run) read() bool {
	last, ended, open := "", time.Duration(0), false
	succeeded := map[string]bool{}
	for i := range r.events {
		e := &r.events[i]
		switch p := e.Payload.(type) {
		case *event.AttemptStart:
			if r.serving != nil && p.Request != nil && p.Provider == r.serving.Name && p.Asker == nil {
				r.asks[e.Step] = true
			}
			if r.asks[e.Step] {
				continue
			}
			if open || e.Step == "" {
				return false
			}
			if r.names[e.Step]++; last != "" && last != e.Step {
				pair := [2]string{last, e.Step}
				always, known := r.waits[pair]
				r.waits[pair] = (always || !known) && e.At-ended >= time.Millisecond
			}
			if open = true; succeeded[e.Step] {
				r.before[e.Step]++
			}
		case *event.AttemptEnd:
			if r.asks[e.Step] {
				continue
			}
			succeeded[e.Step] = p.Outcome == read.StatusSuccess
			last, ended, open = e.Step, e.At, false
		}
	}
	return len(r.names) > 0 && !open
}

// with are the events of the run in which what passed during attempts, and between them, took as long as
// two functions say.
func (r *run) with(during, between func(time.Duration) time.Duration) []trace.Event {
	list := slices.Clone(r.events)
	took, was, now := between, r.events[0].At, r.events[0].At
	for i := range list {
		e := &list[i]
		now += took(e.At - was)
		was, e.At = e.At, now
		switch p := e.Payload.(type) {
		case *event.AttemptStart:
			if !r.asks[e.Step] {
				took = during
			}
		case *event.AttemptEnd:
			if !r.asks[e.Step] {
				took = between
			}
		case *event.SutEnd:
			ran := *p
			ran.Ran = max(0, p.Ran-(was-now))
			e.Payload = &ran
		}
	}
	return list
}

// isOf reports whether a condition compares times of attempts of one step or endpoint, or of several
// between which something waited each time: where nothing did, that one waits for the other is what it shows.
func (r *run) isOf(c hclsyntax.Expression) bool {
	if !Asks(c) {
		return false
	}
	of, known := r.of(c)
	switch {
	case !known || len(of) == 0:
		return false
	case len(of) == 1:
		return r.names[of[0]] > 1 && (places(c, []string{relative}) > 0 || places(c, absolute) > 1)
	}
	waited := false
	for pair, always := range r.waits {
		if slices.Contains(of, pair[0]) && slices.Contains(of, pair[1]) {
			if !always {
				return false
			}
			waited = true
		}
	}
	return waited && places(c, absolute) > 1
}

// of are the steps and endpoints of whose attempts a condition may speak, and reports whether it reads nothing else.
func (r *run) of(c hclsyntax.Expression) (of []string, known bool) {
	roots := map[string]bool{}
	for t := range dsl.Variables(c) {
		root := t.RootName()
		if !read.IsObserved(root) {
			continue
		}
		name, named := read.AttrName(t, 1)
		if !named || root != "step" && root != "endpoint" {
			return nil, false
		}
		roots[name] = true
	}
	words := map[string]bool{}
	for name := range read.Names(c) {
		words[name] = true
	}
	for name := range r.names {
		root, inner, nested := strings.Cut(name, ".")
		if roots[root] && (!nested || words[inner[strings.LastIndexByte(inner, '.')+1:]]) {
			of = append(of, name)
		}
	}
	return of, true
}
