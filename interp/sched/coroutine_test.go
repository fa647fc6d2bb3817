package sched

import (
	"context"
	"runtime"
	"testing"
	"time"
)

// Tasks that follow each other share a coroutine, those that live together do
// not, and none is left when the run has ended, however it ends.
func TestCoroutinesAreUsedAgain(t *testing.T) {
	before := runtime.NumGoroutine()
	s := New()
	used := map[*coroutine]int{}
	task := func(context.Context) { used[s.current.co]++ }
	err := s.Run(func(ctx context.Context) {
		for range 5 {
			if err := s.Go(ctx, "in turn", 0, task).Wait(ctx); err != nil {
				t.Error(err)
			}
		}
		if len(used) != 1 {
			t.Errorf("five tasks in turn ran on %d coroutines", len(used))
		}
		clear(used)
		for range 5 {
			s.Go(ctx, "together", 0, func(ctx context.Context) {
				task(ctx)
				_ = s.Sleep(ctx, time.Second)
			})
		}
		_ = s.Sleep(ctx, time.Minute)
		if len(used) != 5 {
			t.Errorf("five tasks together ran on %d coroutines", len(used))
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.spare) != 0 || runtime.NumGoroutine() > before {
		t.Errorf("%d coroutines are spare, %d goroutines more than before", len(s.spare), runtime.NumGoroutine()-before)
	}
}

// A task that panicked leaves no coroutine behind, its own or another.
func TestCoroutineAfterPanic(t *testing.T) {
	before := runtime.NumGoroutine()
	s := New()
	err := s.Run(func(ctx context.Context) {
		s.Go(ctx, "first", 0, func(context.Context) { panic("lost") })
		s.Go(ctx, "second", 1, func(context.Context) { t.Error("a task started after the run had failed") })
		_ = s.Sleep(ctx, time.Second)
	})
	if err == nil || runtime.NumGoroutine() > before {
		t.Errorf("got %v and %d goroutines more than before", err, runtime.NumGoroutine()-before)
	}
}
