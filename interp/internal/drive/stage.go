package drive

import (
	"sync"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/interp/sched"
)

// Stage guards the run. Who holds it may append to Log, and no request is
// answered meanwhile.
func (r *Run) Stage() sync.Locker { return &r.mu }

// Tasks makes a scheduler for what drives the program: its tasks take turns with
// the requests of that, on the clock of the run. Whoever runs it holds the stage.
func (r *Run) Tasks() *sched.Scheduler { return sched.NewShared(r.options.Clock, r.start, &r.mu) }

// Drove says what became of the workflow that drove the program. The run ends so.
// Whoever calls it holds the stage.
func (r *Run) Drove(end *event.RunEnd) { r.end = end }

// Succeeded reports whether what drove the program came to a success. Whoever
// calls it holds the stage.
func (r *Run) Succeeded() bool { return r.end != nil && r.end.Status == read.StatusSuccess }
