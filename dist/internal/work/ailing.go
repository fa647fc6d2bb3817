package work

import (
	"context"
	"fmt"
	"time"
)

// A Machine error is why a unit could not be begun that lies with the machine of the
// worker: another one may be able to.
type Machine struct{ Err error }

func (m *Machine) Error() string { return m.Err.Error() }

func (m *Machine) Unwrap() error { return m.Err }

// An ailment is how often in a row units of a run could not be begun here, and until
// when none is tried.
type ailment struct {
	tries int
	until time.Time
}

// restFor is how long a worker takes no units of a run after the first one that it could
// not begin, twice as long after each further one; and triesMax of them in a row are
// the last.
const (
	restFor  = time.Second
	triesMax = 3
)

// ails gives back a unit that this machine cannot begin. A worker that fails at once
// would otherwise take more units than those that run them.
func (w *Worker) ails(ctx context.Context, h *held, why error) error {
	w.mu.Lock()
	a := w.ailing[h.run.ID]
	if a == nil {
		a = &ailment{}
		w.ailing[h.run.ID] = a
	}
	if now := w.now(); !now.Before(a.until) { // what others of its slots had meanwhile is the same try
		a.until = now.Add(restFor << a.tries)
		a.tries++
	}
	tries := a.tries
	w.mu.Unlock()
	if tries >= triesMax {
		return w.refuse(ctx, h, fmt.Errorf("this machine could begin none of the last %d units that it tried: %w", tries, why))
	}
	fmt.Fprintf(w.o.Log, "note: %s cannot be begun here: %s\n", h.unit, why)
	return w.giveBack(ctx, h)
}

// well forgets that units of a run could not be begun.
func (w *Worker) well(run string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.ailing, run)
}

// rested says when the first of the runs whose units could not be begun may be tried
// again; nil where there is none.
func (w *Worker) rested() <-chan time.Time {
	w.mu.Lock()
	var first time.Time
	for run, a := range w.ailing {
		if w.refused[run] == "" && (first.IsZero() || a.until.Before(first)) {
			first = a.until
		}
	}
	w.mu.Unlock()
	if first.IsZero() {
		return nil
	}
	return w.after(first.Sub(w.now()))
}
