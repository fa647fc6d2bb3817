package mistaken

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

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
	r := &run{o: o, events: events}
	r.read()
	list = r.uncommitted()
	for _, e := range r.endpoints {
		list = slices.Concat(list, r.repeated(e), r.unsent(e))
	}
	if r.open {
		return list
	}
	for _, e := range r.endpoints {
		list = slices.Concat(list, r.together(e), r.patient(e), r.hurried(e))
		for _, other := range r.endpoints {
			if other != e {
				list = append(list, r.unwaited(e, other)...)
			}
		}
	}
	return append(list, r.delayed()...)
}

// A run is what a program asked.
type run struct {
	o         *observe.Observed
	events    []trace.Event
	endpoints []*endpoint // in the order of their first request
	open      bool        // some request has no end
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

// path is how conditions read an endpoint.
func (r *run) path(e *endpoint) string {
	if s := r.o.Steps[e.name]; s != nil && s.Step.Endpoint != nil && s.Step.Endpoint.Declared {
		return "endpoint." + e.name
	}
	return "step." + e.name
}

// reads reports whether a condition reads an attribute of one of some names, of whatever it is.
func reads(e hclsyntax.Expression, names ...string) (found bool) {
	in := func(t hcl.Traversal) {
		for i := range t {
			name, _ := read.AttrName(t, i)
			found = found || slices.Contains(names, name)
		}
	}
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		switch x := e.(type) {
		case *hclsyntax.ScopeTraversalExpr:
			in(x.Traversal)
		case *hclsyntax.RelativeTraversalExpr:
			in(x.Traversal)
		}
	})
	return found
}
