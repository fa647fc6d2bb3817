package interp

import (
	"context"
	"iter"
)

// driveStep does what a block of the scenario does that is a step: it stands beside
// the workflow, and nothing of that waits for it.
func (r *run) driveStep(ctx context.Context, d *driver) {
	hall := r.hall(&workflow{taxonomy: d.step.taxonomy})
	ctx, cancel := r.clock.WithCancelCause(ctx)
	defer cancel(nil)
	r.drive.calls[d.name] = append(r.drive.calls[d.name], cancel)
	hall.runStep(ctx, &stepState{node: d.node})
	r.markOver(d.what(), d.name)
}

// standing are the results of the blocks that are steps, which conditions read
// as the calls, fanouts and classifications of the scenario.
func (o *observed) standing(p *Plan) {
	for _, d := range p.drivers {
		if d.node != nil {
			o.calls[d.name] = []*stepResult{o.steps[d.name]}
		}
	}
}

// driver is the block of a name that has a result.
func (p *Plan) driver(name string) *driver {
	for _, d := range p.drivers {
		if d.name == name && contains(callBlocks, d.what()) {
			return d
		}
	}
	return nil
}

// stepsUnder yields the names of the workflow's steps, and of the blocks of a
// type that are steps.
func (p *Plan) stepsUnder(typ string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for name := range p.workflow.index {
			if !yield(name) {
				return
			}
		}
		for _, d := range p.drivers {
			if d.node != nil && d.what() == typ && !yield(d.name) {
				return
			}
		}
	}
}
