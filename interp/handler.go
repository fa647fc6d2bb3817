package interp

import (
	"context"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/actor"
)

// sessionWork runs the workflow of a handler as the work of a session. One
// session of a handler does so at a time, as calls of a tool do: the steps have
// one place in their scripts and one result.
func (r *run) sessionWork(ctx context.Context, job actor.Job) (cty.Value, *failure.Failure) {
	work := r.plan.handlers[job.Target]
	busy := r.drive.busy[job.Target]
	if busy == nil {
		busy = r.clock.NewSemaphore(1)
		r.drive.busy[job.Target] = busy
	}
	if err := busy.Acquire(ctx, "an earlier session's work in "+work.node.name); err != nil {
		return null, cancelled(err)
	}
	defer busy.Release()
	hall := r.hall(work.node.step.inner)
	hall.via = job.Via
	s := &stepState{node: work.node, session: job.Session}
	given, attr := job.Arguments, "workflow"
	if work.inputs != nil {
		attr = "inputs"
		read := r.plan.static.NewChild()
		read.Variables = map[string]cty.Value{"arguments": job.Arguments}
		v, diags := work.inputs.Value(read)
		if diags.HasErrors() {
			return null, hall.broken(s, attr, diagText(diags))
		}
		given = v
	}
	return hall.within(ctx, s, attr, given)
}

// hall is the run around what belongs to no workflow of the scenario: it has no
// steps and never ends.
func (r *run) hall(taxonomyOf *workflow) *run {
	h := &run{stage: r.stage, workflow: &workflow{taxonomy: taxonomyOf.taxonomy}, inputs: cty.EmptyObjectVal}
	h.taxonomy = h.classifier()
	return h
}

// caller is the session that a run is the work of, if it is one's.
func (r *run) caller() actor.Via {
	for ; r != nil; r = r.parent {
		if r.via != (actor.Via{}) {
			return r.via
		}
	}
	return actor.Via{}
}
