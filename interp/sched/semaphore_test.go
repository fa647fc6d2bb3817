package sched

import (
	"context"
	"slices"
	"testing"
	"time"
)

// Slots go first come, first served, and a grant is a start in the waiter's own
// order at the instant of the release.
func TestSemaphoreIsFIFO(t *testing.T) {
	j := play(t, func(ctx context.Context, s *Scheduler, j *journal) {
		lock := s.NewSemaphore(1)
		for _, order := range []int{2, 1, 0} {
			s.Go(ctx, "worker", order, func(ctx context.Context) {
				_ = s.Sleep(ctx, time.Duration(3-order)*time.Millisecond)
				if err := lock.Acquire(ctx, "lock"); err != nil {
					t.Error(err)
				}
				j.add("%d", order)
				_ = s.Sleep(ctx, second)
				lock.Release()
			})
		}
	})
	j.want(t, "0.001 2", "1.001 1", "2.001 0")
}

// A grant comes after the completions of its instant and in the order of the
// task that waits, not of the one that releases.
func TestGrantIsAStart(t *testing.T) {
	j := play(t, func(ctx context.Context, s *Scheduler, j *journal) {
		lock := s.NewSemaphore(1)
		_ = lock.Acquire(ctx, "lock")
		s.Go(ctx, "waiter", 3, func(ctx context.Context) {
			_ = lock.Acquire(ctx, "lock")
			j.add("granted")
		})
		s.At(Completion, 9, second, func() { j.add("completion") })
		s.At(Start, 2, second, func() { j.add("start 2") })
		s.At(Start, 4, second, func() { j.add("start 4") })
		_ = s.Sleep(ctx, second)
		lock.Release()
		if lock.TryAcquire() {
			t.Error("a slot that was granted could be taken")
		}
		j.add("released, %d in use, %d wait", lock.InUse(), lock.Waiting())
		_ = s.Sleep(ctx, second)
	})
	j.want(t, "1 released, 1 in use, 0 wait", "1 completion", "1 start 2", "1 granted", "1 start 4")
}

// A waiter that is cancelled leaves the queue; one that is cancelled between
// its grant and its turn passes the slot on. No slot is lost either way.
func TestCancelledWaiterLosesNoSlot(t *testing.T) {
	for _, atGrant := range []bool{false, true} {
		j := play(t, func(ctx context.Context, s *Scheduler, j *journal) {
			lock := s.NewSemaphore(1)
			_ = lock.Acquire(ctx, "lock")
			first, cancel := s.WithCancel(ctx)
			for i, ctx := range []context.Context{first, ctx} {
				s.Go(ctx, "waiter", i, func(ctx context.Context) {
					err := lock.Acquire(ctx, "lock")
					j.add("%d: %v", i, err)
					if err == nil {
						lock.Release()
					}
				})
			}
			_ = s.Sleep(ctx, second)
			if atGrant {
				lock.Release()
				cancel()
			} else {
				cancel()
				lock.Release()
			}
			_ = s.Sleep(ctx, second)
			j.add("%d in use, %d wait", lock.InUse(), lock.Waiting())
		})
		j.want(t, "1 0: context canceled", "1 1: <nil>", "2 0 in use, 0 wait")
	}
}

// A semaphore admits as many as its capacity, also without waiting, and a
// release without a slot is a programming error that names itself.
func TestSemaphoreCapacity(t *testing.T) {
	s := New()
	err := s.Run(func(context.Context) {
		pool := s.NewSemaphore(2)
		var admitted []bool
		for range 3 {
			admitted = append(admitted, pool.TryAcquire())
		}
		if !slices.Equal(admitted, []bool{true, true, false}) || pool.InUse() != 2 {
			t.Error("a pool of two did not admit exactly two")
		}
		pool.Release()
		pool.Release()
		pool.Release()
	})
	if want := `task "main" panicked: sched: a semaphore was released more often than it was acquired`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// A signal wakes the tasks that wait, in their order, and nobody later.
func TestSignal(t *testing.T) {
	j := play(t, func(ctx context.Context, s *Scheduler, j *journal) {
		signal := s.NewSignal()
		ctx, cancel := s.WithCancel(ctx)
		for _, order := range []int{1, 0} {
			s.Go(ctx, "waiter", order, func(ctx context.Context) {
				_ = s.Sleep(ctx, time.Duration(2-order)*time.Millisecond)
				j.add("%d: %v", order, signal.Wait(ctx, "news"))
				j.add("%d: %v", order, signal.Wait(ctx, "more news"))
			})
		}
		_ = s.Sleep(ctx, second)
		signal.Fire()
		_ = s.Sleep(ctx, second)
		cancel()
	})
	j.want(t, "1 0: <nil>", "1 1: <nil>", "2 0: context canceled", "2 1: context canceled")
}

// A join returns at the instant the task ends, and at once afterwards.
func TestJoin(t *testing.T) {
	j := play(t, func(ctx context.Context, s *Scheduler, j *journal) {
		task := s.Go(ctx, "work", 0, func(ctx context.Context) { _ = s.Sleep(ctx, second) })
		j.add("%s done: %v", task.Name(), task.Done())
		j.add("%v, done: %v", task.Wait(ctx), task.Done())
		ctx, cancel := s.WithCancel(ctx)
		cancel()
		j.add("%v", task.Wait(ctx))
	})
	j.want(t, "0 work done: false", "1 <nil>, done: true", "1 <nil>")
}
