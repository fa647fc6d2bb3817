package sched

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/wire"
)

// Five blocking calls run at once: each waits until all five have begun, so
// one after the other they would never end.
func TestExternalCallsOverlap(t *testing.T) {
	noLeak(t)
	s := NewReal()
	var begun sync.WaitGroup
	begun.Add(5)
	all := make(chan struct{})
	go func() {
		begun.Wait()
		close(all)
	}()
	ended := 0
	err := s.Run(func(ctx context.Context) {
		ctx, cancel := s.WithTimeout(ctx, time.Minute)
		defer cancel()
		var calls []*Task
		for i := range 5 {
			calls = append(calls, s.Go(ctx, "call", i, func(ctx context.Context) {
				s.External(ctx, "a live call", func() {
					begun.Done()
					select {
					case <-all:
					case <-ctx.Done():
						t.Error("the calls did not overlap")
					}
				})
				ended++
			}))
		}
		for _, call := range calls {
			_ = call.Wait(context.Background())
		}
	})
	if err != nil || ended != 5 {
		t.Errorf("%d ended: %v", ended, err)
	}
}

// On the real clock tasks wake in the order of their instants, and real time
// passes.
func TestRealClockWaits(t *testing.T) {
	s := NewReal()
	began := time.Now()
	var order []int
	err := s.Run(func(ctx context.Context) {
		for i := range 3 {
			s.Go(ctx, "sleeper", i, func(ctx context.Context) {
				_ = s.Sleep(ctx, time.Duration(3-i)*time.Millisecond)
				order = append(order, i)
			})
		}
	})
	if err != nil || len(order) != 3 || order[0] != 2 || order[2] != 0 {
		t.Errorf("woke in the order %v: %v", order, err)
	}
	if passed := time.Since(began); passed < 3*time.Millisecond || s.Elapsed() < 3*time.Millisecond {
		t.Errorf("%v passed, the scheduler says %v", passed, s.Elapsed())
	}
	if s.Now().Before(began) {
		t.Errorf("it is %v", s.Now())
	}
}

// A call beside the tasks sees a deadline of the scheduler on its context's
// channel, also through a standard child made on its own goroutine.
func TestExternalSeesTheDeadline(t *testing.T) {
	noLeak(t)
	s := NewReal()
	var got error
	err := s.Run(func(ctx context.Context) {
		ctx, cancel := s.WithTimeoutCause(ctx, time.Millisecond, errWhy)
		defer cancel()
		s.External(ctx, "a live call", func() {
			child, stop := context.WithCancel(ctx)
			defer stop()
			<-child.Done()
			got = errors.Join(child.Err(), context.Cause(child))
		})
	})
	if err != nil || !errors.Is(got, context.DeadlineExceeded) || !errors.Is(got, errWhy) {
		t.Errorf("call: %v, run: %v", got, err)
	}
}

// Post brings a cancellation into the run from another goroutine; a call
// beside the tasks keeps a run of hanging tasks from being a deadlock.
func TestPostFromAnotherGoroutine(t *testing.T) {
	noLeak(t)
	s := NewReal()
	var slept error
	err := s.Run(func(ctx context.Context) {
		ctx, cancel := s.WithCancel(ctx)
		hung := s.Go(ctx, "hung", 0, func(ctx context.Context) { slept = s.Sleep(ctx, wire.Forever) })
		s.External(ctx, "the user", func() { s.Post(cancel) })
		_ = hung.Wait(context.Background())
	})
	if err != nil || slept != context.Canceled {
		t.Errorf("slept: %v, run: %v", slept, err)
	}
}

// What was posted to a virtual run happens before its next event.
func TestPostToAVirtualRun(t *testing.T) {
	s := New()
	j := &journal{s: s}
	s.Post(func() { j.add("posted before") })
	err := s.Run(func(ctx context.Context) {
		s.Post(func() { j.add("posted") })
		_ = s.Sleep(ctx, second)
		j.add("slept")
	})
	if err != nil {
		t.Fatal(err)
	}
	j.want(t, "0 posted before", "0 posted", "1 slept")
}

// A panic in a call is one of its task, and the run waits for the other calls,
// whose contexts end, before any task is unwound.
func TestExternalPanics(t *testing.T) {
	noLeak(t)
	s := NewReal()
	callEnded := false
	err := s.Run(func(ctx context.Context) {
		s.Go(ctx, "other", 0, func(ctx context.Context) {
			ended := false
			defer func() { callEnded = ended }()
			s.External(ctx, "a live call", func() {
				<-ctx.Done()
				ended = true
			})
		})
		s.External(ctx, "a bad call", func() { panic(errWhy) })
	})
	if want := `task "main" panicked: ` + errWhy.Error(); err == nil || err.Error() != want || !errors.Is(err, errWhy) {
		t.Errorf("got %v, want %s", err, want)
	}
	if !callEnded {
		t.Error("a task was unwound while its call ran")
	}
}

// Nothing may take real time on a virtual clock.
func TestExternalOnAVirtualClockPanics(t *testing.T) {
	s := New()
	err := s.Run(func(ctx context.Context) { s.External(ctx, "a live call", func() { t.Error("it ran") }) })
	if err == nil || !strings.Contains(err.Error(), "External was called on a virtual clock (a live call)") {
		t.Errorf("got %v", err)
	}
}
