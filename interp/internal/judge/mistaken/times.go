package mistaken

import (
	"slices"
	"time"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/trace"
)

// takes is how long the script lets the answer to an attempt take, and reports whether it says so: of
// an answer that comes in pieces, and of one that its client did not wait for, it does not.
func (e *endpoint) takes(a *attempt) (time.Duration, bool) {
	if e.script == nil || a.ended == nil || a.ended.By != "script" || a.ended.EndedBy != "server" || a.ended.Entry < 1 || a.ended.Entry > len(e.script.Entries) {
		return 0, false
	}
	entry, took := e.script.Entries[a.ended.Entry-1], time.Duration(0)
	if entry.HasAfter || entry.Replay != nil {
		return 0, false
	}
	if entry.Reply != nil {
		if entry.Reply.ChunkDelay > 0 {
			return 0, false
		}
		took = entry.Reply.Latency
	}
	if entry.Fault != nil && entry.Fault.Slow {
		by, is := entry.Args["by"].(time.Duration)
		if !is || entry.Fault.Name != "delay" {
			return 0, false
		}
		took += by
	}
	return took, true
}

// all is how long all answers of an endpoint take, and reports whether the script says so of each.
func (e *endpoint) all() (all time.Duration, known bool) {
	for _, a := range e.attempts {
		took, is := e.takes(a)
		if !is {
			return 0, false
		}
		all += took
	}
	return all, true
}

// later are the events of a run in which each answer of some endpoints, of all for none, takes so much
// longer.
func (r *run) later(by func(e *endpoint, a *attempt) time.Duration) (list []trace.Event) {
	ends, shift := map[int]time.Duration{}, time.Duration(0)
	for _, e := range r.endpoints {
		for _, a := range e.attempts {
			ends[a.end] = by(e, a)
		}
	}
	last := r.events[0].At
	for i := range r.events {
		now := r.events[i]
		switch p := now.Payload.(type) {
		case *event.AttemptEnd:
			if p.Served != nil {
				shift += ends[i]
			}
		case *event.SutEnd:
			ran := *p
			ran.Ran = max(0, p.Ran+shift)
			now.Payload = &ran
		}
		now.At = max(last, now.At+shift)
		last = now.At
		list = append(list, now)
	}
	return list
}

// readsOnly reports whether a condition reads something, and nothing of a run but results whose root
// and name are as a function says.
func readsOnly(e hclsyntax.Expression, of func(root, name string) bool) (some bool) {
	for t := range dsl.Variables(e) {
		root := t.RootName()
		if !read.IsObserved(root) {
			continue
		}
		name, _ := read.AttrName(t, 1)
		if some = true; !of(root, name) {
			return false
		}
	}
	queries := false
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		f, call := e.(*hclsyntax.FunctionCallExpr)
		queries = queries || call && read.IsQuery(f.Name)
	})
	return some && !queries
}

// readsOf reports whether a condition reads nothing of a run but some endpoints.
func readsOf(e hclsyntax.Expression, names ...string) bool {
	return readsOnly(e, func(root, name string) bool {
		return (root == "endpoint" || root == "step") && slices.Contains(names, name)
	})
}
