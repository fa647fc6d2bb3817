package engine

import (
	"container/heap"
	"context"

	"github.com/scenario-lang/scenario/interp/internal/read"
)

// link makes the steps know each other, so that the end of one costs what
// depends on it and not what the workflow holds.
func (r *run) link() {
	for _, s := range r.steps {
		s.awaits = len(s.Step.After)
		for _, i := range s.Step.After {
			r.steps[i].dependants = append(r.steps[i].dependants, s.Step.Index)
		}
		for _, i := range s.Step.Asks() {
			r.steps[i].askers++
		}
		r.candidates.add(s.Step.Index)
	}
}

// advance starts or skips every step that can be, in declaration order, until
// nothing changes.
func (r *run) advance(ctx context.Context) {
	for r.candidates.Len() > 0 {
		s := r.steps[heap.Pop(&r.candidates).(int)]
		switch {
		case s.phase != waiting:
		case s.Step.Substitute && s.owner == nil:
			if s.askers == 0 {
				r.skip(s, r.substituteReason(s))
			}
		case s.awaits == 0:
			r.ready(ctx, s)
		}
	}
}

// ready starts a step whose dependencies have settled, or skips it.
func (r *run) ready(ctx context.Context, s *stepState) {
	blocked := r.blocked(s)
	switch {
	case blocked && s.cause != nil:
		r.skip(s, read.UpstreamFailed(s.cause.Name))
	case blocked || r.stopping != "":
		r.skip(s, r.stopping)
	default:
		r.start(ctx, s)
	}
}

// blocked reports whether a dependency keeps a step from running, and notes the
// failed ancestor that is fewest edges away, the first in declaration order,
// whatever failed first in time. One that was cancelled is named only where
// none failed as near.
func (r *run) blocked(s *stepState) bool {
	blocked := false
	for _, i := range s.Step.After {
		d := r.steps[i]
		if r.passable(d) {
			continue
		}
		blocked = true
		cause, far := d.cause, d.distance+1
		if status := r.Obs.Steps[d.Name].Status; status != read.StatusSkipped {
			cause, far = d, 1
		}
		if cause != nil && (s.cause == nil || far < s.distance || far == s.distance && r.before(cause, s.cause)) {
			s.cause, s.distance = cause, far
		}
	}
	return blocked
}

// before orders two failed steps at one distance.
func (r *run) before(a, b *stepState) bool {
	first := r.Obs.Steps[a.Name].Status == read.StatusCancelled
	second := r.Obs.Steps[b.Name].Status == read.StatusCancelled
	if first != second {
		return second
	}
	return a.Step.Index < b.Step.Index
}

// passable reports whether a settled step lets its dependants run.
func (r *run) passable(d *stepState) bool {
	res := r.Obs.Steps[d.Name]
	if r.Obs.Completed(res) {
		return true
	}
	switch res.SkippedReason {
	case read.SkippedByWhen, read.SkippedUnused, read.SkippedOffered:
		return true // it was not meant to run, which is no failure
	}
	return false
}

// freed tells the steps that waited for s, or stood by for it, that it has
// settled. A tool that was called settles with the last step that offers it.
func (r *run) freed(s *stepState) {
	for _, i := range s.dependants {
		if r.steps[i].awaits--; r.steps[i].awaits == 0 {
			r.candidates.add(i)
		}
	}
	for _, i := range s.Step.Asks() {
		asked := r.steps[i]
		if asked.askers--; asked.askers > 0 {
			continue
		}
		if asked.phase == running && asked.busy != nil {
			r.settle(asked)
		}
		r.candidates.add(i)
	}
}

// indexes is a heap of places in the order of declaration.
type indexes []int

func (x *indexes) add(i int) { heap.Push(x, i) }

// Len, Less, Swap, Push and Pop implement heap.Interface.
func (x indexes) Len() int { return len(x) }

func (x indexes) Less(i, j int) bool { return x[i] < x[j] }

func (x indexes) Swap(i, j int) { x[i], x[j] = x[j], x[i] }

// Push appends a place.
func (x *indexes) Push(v any) { *x = append(*x, v.(int)) }

// Pop removes the last place.
func (x *indexes) Pop() any {
	last := len(*x) - 1
	v := (*x)[last]
	*x = (*x)[:last]
	return v
}
