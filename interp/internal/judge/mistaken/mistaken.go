package mistaken

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/judge/otherwise"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/trace"
)

// Runs are the other runs of what was observed, none where no program was started. The events of what
// was observed are not changed.
func Runs(o *observe.Observed) (list []otherwise.Run) {
	events := o.Log.Events()
	if o.Way != plan.Exec || len(events) == 0 || events[0].Type != trace.RunStart {
		return nil
	}
	r := &run{o: o, events: events, words: map[string]bool{}}
	for _, a := range o.Plan.Asserts {
		r.noteWords(a.Condition)
	}
	for _, i := range o.Plan.Invariants {
		r.noteWords(i.Condition)
	}
	r.read()
	list = r.uncommitted()
	for _, e := range r.endpoints {
		list = slices.Concat(list, r.repeated(e), r.unsent(e))
	}
	if r.open {
		return list
	}
	for _, e := range r.endpoints {
		list = slices.Concat(list, r.together(e), r.patient(e), r.hurried(e), r.unwaited(e))
	}
	return append(list, r.delayed()...)
}

// A run is what a program asked.
type run struct {
	o         *observe.Observed
	events    []trace.Event
	endpoints []*endpoint // in the order of their first request
	open      bool        // some request has no end
	// words are the attributes that conditions of the scenario read, and the strings in them.
	words map[string]bool
}

// An endpoint is what a program asked in one place, in the order in which it did.
type endpoint struct {
	name     string
	script   *plan.Script // nil for none
	attempts []*attempt
}

// An attempt is a request, with the events at which it began and ended.
type attempt struct {
	n, start, end int
	asked         *event.AttemptStart
	ended         *event.AttemptEnd
}

func (a *attempt) succeeded() bool { return a.ended.Outcome == read.StatusSuccess }

func (r *run) read() {
	at, under := map[string]*endpoint{}, 0
	for i := range r.events {
		e := &r.events[i]
		switch p := e.Payload.(type) {
		case *event.AttemptStart:
			if p.Asker == nil {
				continue
			}
			if at[e.Step] == nil {
				at[e.Step] = &endpoint{name: e.Step, script: r.o.Plan.ScriptFor(e.Step, "")}
				r.endpoints = append(r.endpoints, at[e.Step])
			}
			at[e.Step].attempts = append(at[e.Step].attempts, &attempt{n: e.Attempt, start: i, asked: p})
			under++
		case *event.AttemptEnd:
			if p.Served == nil || at[e.Step] == nil {
				continue
			}
			if a := at[e.Step].numbered(e.Attempt); a != nil {
				a.end, a.ended = i, p
				under--
			}
		}
	}
	r.open = under != 0
}

func (e *endpoint) numbered(n int) *attempt {
	for _, a := range slices.Backward(e.attempts) {
		if a.n == n {
			return a
		}
	}
	return nil
}

// noteWords notes what a condition reads and says, so that a run is only thought of which some condition
// may be about.
func (r *run) noteWords(e hclsyntax.Expression) {
	for name := range read.Names(e) {
		r.words[name] = true
	}
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		if x, is := e.(*hclsyntax.LiteralValueExpr); is && x.Val.Type() == cty.String && !x.Val.IsNull() {
			r.words[strings.ToLower(x.Val.AsString())] = true
		}
	})
}

// reads reports whether some condition reads an attribute of one of some names, or says one.
func (r *run) reads(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return r.words[name] })
}

// path is how conditions read an endpoint.
func (r *run) path(e *endpoint) string {
	if s := r.o.Steps[e.name]; s != nil && s.Step.Endpoint != nil && s.Step.Endpoint.Declared {
		return "endpoint." + e.name
	}
	return "step." + e.name
}

// reads reports whether a condition reads an attribute of one of some names, of whatever it is.
func reads(e hclsyntax.Expression, names ...string) (found bool) {
	for name := range read.Names(e) {
		found = found || slices.Contains(names, name)
	}
	return found
}
