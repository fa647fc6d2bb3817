// Package program explores programs in any language: a process and listeners of its own
// for every run, on the real clock.
package program

import (
	"sync"
	"time"

	"github.com/scenario-lang/scenario/internal/explore"
	"github.com/scenario-lang/scenario/internal/sut"
	"github.com/scenario-lang/scenario/interp"
)

// A run is cut at so many times the run without a fault, and not before it took so long.
const (
	slower   = 10
	shortest = 5 * time.Second
)

// recheck is after how many runs the one without a fault is made again.
const recheck = 25

// World is a scenario whose program a search starts again and again. Closing over ends
// the first run, the one without a fault; closing done ends the run under way, and every
// later one. Model is what it is compared with, nil for nothing.
func World(p *interp.Plan, o sut.Options, model *explore.World, over, done <-chan struct{}) *explore.World {
	w := &world{plan: p, options: o, over: over, done: done}
	return &explore.World{
		File: p.File, Line: p.Line, Name: p.Name, Plan: p.JSON(), Run: w.run,
		Program: &explore.Program{Recheck: recheck, Model: model},
	}
}

type world struct {
	plan       *interp.Plan
	options    sut.Options
	over, done <-chan struct{}

	mu sync.Mutex
	// usual is how long the run without a fault took, 0 before it was made.
	usual time.Duration
}

// run starts the program once.
func (w *world) run(inject func(interp.Point) *interp.Injection, events int) *interp.Result {
	o := w.options
	o.Inject, o.EventLimit, o.Interrupt, o.Timeout = inject, events, w.done, w.limit()
	if o.Timeout == 0 {
		o.Interrupt = w.over
	}
	r := sut.Play(w.plan, o)
	select {
	case <-o.Interrupt:
		r.Interrupted = true
	default:
		w.took(r.Elapsed)
	}
	return r.Result
}

// limit is how long a run may take, 0 for as long as its file says.
func (w *world) limit() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.usual == 0 {
		return 0
	}
	return max(slower*w.usual, shortest)
}

// took notes how long the first run took, which is the one without a fault.
func (w *world) took(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.usual == 0 {
		w.usual = d
	}
}
