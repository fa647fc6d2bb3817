package engine

import (
	"context"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/actor"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// sessionWork runs the workflow of a handler as the work of a session. One
// session of a handler does so at a time, as calls of a tool do: the steps have
// one place in their scripts and one result.
func (r *run) sessionWork(ctx context.Context, job actor.Job) (cty.Value, *failure.Failure) {
	work := r.plan.Handlers[job.Target]
	busy := r.scheduled.busy[job.Target]
	if busy == nil {
		busy = r.Clock.NewSemaphore(1)
		r.scheduled.busy[job.Target] = busy
	}
	if err := busy.Acquire(ctx, "an earlier session's work in "+work.Node.Name); err != nil {
		return read.Null, cancelled(err)
	}
	defer busy.Release()
	hall := r.hall(work.Node.Step.Inner)
	hall.via = job.Via
	s := &stepState{Node: work.Node, session: job.Session}
	given, attr := job.Arguments, "workflow"
	if work.Inputs != nil {
		attr = "inputs"
		need := r.Obs.Static().NewChild()
		need.Variables = map[string]cty.Value{"arguments": job.Arguments}
		v, diags := dsl.Evaluate(work.Inputs, need)
		if diags.HasErrors() {
			return read.Null, hall.broken(s, attr, plan.DiagText(diags))
		}
		given = v
	}
	return hall.within(ctx, s, attr, given)
}

// hall is the run around what belongs to no workflow of the scenario: it has no
// steps and never ends.
func (r *run) hall(taxonomyOf *plan.Workflow) *run {
	h := &run{execution: r.execution, workflow: &plan.Workflow{Taxonomy: taxonomyOf.Taxonomy}, inputs: cty.EmptyObjectVal}
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
