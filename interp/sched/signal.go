package sched

import "context"

// A Signal wakes the tasks that wait for it. It has no memory: a task that
// waits after Fire waits for the next one.
type Signal struct {
	s       *Scheduler
	waiters []*Task
}

// NewSignal returns a signal that nobody waits for.
func (s *Scheduler) NewSignal() *Signal { return &Signal{s: s} }

// Wait waits for the next Fire, or until ctx ends, and returns ctx's error in
// the second case. why says in a deadlock what is waited for.
func (g *Signal) Wait(ctx context.Context, why string) error {
	t, c := g.s.caller(ctx, "Wait")
	if err := ctx.Err(); err != nil {
		return err
	}
	g.waiters = append(g.waiters, t)
	return t.park(c, why, g)
}

// Fire wakes all tasks that wait. They resume at this instant, in the class
// Completion and in the order of their tasks.
func (g *Signal) Fire() {
	waiters := g.waiters
	g.waiters = nil
	for _, t := range waiters {
		t.wake(Completion)
	}
}

func (g *Signal) withdraw(t *Task) { g.waiters = without(g.waiters, t) }

func (g *Signal) holder() string { return "" }
