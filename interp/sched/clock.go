package sched

import (
	"context"
	"math"
	"time"

	"github.com/scenario-lang/scenario/wire"
)

var _ wire.Clock = (*Scheduler)(nil)

// ContextEnd is what a task waits for that sleeps without end.
const ContextEnd = "the end of its context"

// never is the instant that is not reached.
const never int64 = math.MaxInt64

// Now reports the time of the clock: virtual time, or the real one.
func (s *Scheduler) Now() time.Time {
	if s.real != nil {
		return s.real.start.Add(s.real.elapsed())
	}
	return epoch.Add(time.Duration(s.now))
}

// Elapsed reports the time since the start of the run, or since the scheduler
// was made while it does not run yet.
func (s *Scheduler) Elapsed() time.Duration { return time.Duration(s.instant()) }

// instant is Elapsed in the unit of the heap.
func (s *Scheduler) instant() int64 {
	if s.real != nil {
		return int64(s.real.elapsed())
	}
	return s.now
}

// after returns the instant d from now, or never if it is too far away.
func (s *Scheduler) after(d time.Duration) int64 {
	now := s.instant()
	if int64(d) > never-now {
		return never
	}
	return now + max(0, int64(d))
}

// Sleep waits for d, or until ctx ends, and returns ctx's error in the second
// case. It wakes in the class Completion. A d of zero or less returns
// ctx.Err() at once, without letting another task run; [wire.Forever] waits
// for ctx alone and schedules no event.
//
// A sleeper whose context ends before its turn resumes at that instant, in the
// class Completion and in the order of its task, with the context's error, even
// if its own time had come at that instant too. A deadline comes after all
// completions of its instant, so it never takes a reply away.
//
// Sleep panics when it is not called from a task, and when ctx can be
// cancelled by something else than this scheduler.
func (s *Scheduler) Sleep(ctx context.Context, d time.Duration) error {
	return s.SleepAs(ctx, Completion, d)
}

// SleepAs is [Scheduler.Sleep] with a class to wake in. In a class other than
// Completion a d of zero or less takes its turn among the events of the
// present instant.
func (s *Scheduler) SleepAs(ctx context.Context, class Class, d time.Duration) error {
	t, c := s.caller(ctx, "Sleep")
	if err := ctx.Err(); err != nil || d <= 0 && class == Completion {
		t.spin()
		return err
	}
	if d == wire.Forever {
		return t.park(c, ContextEnd, nil)
	}
	at := s.after(d)
	if s.skip(at, class, t.order) {
		return nil
	}
	s.schedule(&t.ev, at, class, t.order)
	return t.park(c, "the end of a sleep", nil)
}

// skip advances the clock in place of an event that would be the next to run,
// and reports whether it did: its task need not be left and resumed then.
func (s *Scheduler) skip(at int64, class Class, order int) bool {
	if s.real != nil || s.inbox.full.Load() || s.beyond(at) {
		return false
	}
	mine := entry{at: at, rank: rankOf(class, order), seq: s.seq + 1}
	if top := s.peek(); top != nil && !mine.before(top) {
		return false
	}
	s.events++
	s.now = at
	return true
}
