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
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/trace"
)

const ofKept = "it holds because the answers, delays and timeouts take so long: it would hold if nothing waited between an answer and the next attempt, so it shows nothing of such a wait.\nhint: count from the end of the one before, such as …attempts[1].at_ms - …attempts[0].ended_ms, or let the answers take less time than the limit"

// relative is the attribute that is a time from the start of a step, and absolute are those from the
// start of the run.
const relative = "at_ms"

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

// Runs are the other runs of one in which one attempt followed the other: that in which nothing waits
// between them, and that in which answers take next to no time either. None where attempts overlap.
func Runs(o *observe.Observed) []otherwise.Run {
	r := &run{events: o.Log.Events(), names: map[string]int{}, waits: map[[2]string]bool{}}
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
	}}
}

// A run is what came of a scenario, with the steps and endpoints that made its attempts.
type run struct {
	events []trace.Event
	// names has how many attempts each of them made, and waits are the pairs of which one made an attempt
	// and the other the next one: whether some time passed between them each time.
	names map[string]int
	waits map[[2]string]bool
}

// read reports whether there were attempts, and no two at once.
func (r *run) read() bool {
	last, ended, open := "", time.Duration(0), false
	for i := range r.events {
		e := &r.events[i]
		switch e.Payload.(type) {
		case *event.AttemptStart:
			if open || e.Step == "" {
				return false
			}
			if r.names[e.Step]++; last != "" && last != e.Step {
				pair := [2]string{last, e.Step}
				always, known := r.waits[pair]
				r.waits[pair] = (always || !known) && e.At-ended >= time.Millisecond
			}
			open = true
		case *event.AttemptEnd:
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
			took = during
		case *event.AttemptEnd:
			took = between
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
	roots := map[string]bool{}
	for t := range dsl.Variables(c) {
		root := t.RootName()
		if !read.IsObserved(root) {
			continue
		}
		name, named := read.AttrName(t, 1)
		if !named || root != "step" && root != "endpoint" {
			return false
		}
		roots[name] = true
	}
	words := map[string]bool{}
	for name := range read.Names(c) {
		words[name] = true
	}
	var of []string
	attempts := 0
	for name, n := range r.names {
		root, inner, nested := strings.Cut(name, ".")
		if roots[root] && (!nested || words[inner[strings.LastIndexByte(inner, '.')+1:]]) {
			of, attempts = append(of, name), n
		}
	}
	switch {
	case len(of) == 0:
		return false
	case len(of) == 1:
		return attempts > 1 && (places(c, []string{relative}) > 0 || places(c, absolute) > 1)
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
