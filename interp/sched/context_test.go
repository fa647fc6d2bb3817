package sched

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/wire"
)

var errWhy = errors.New("the user had enough")

type traceKey struct{}

// A cancel wakes a task at the present instant, whatever it waits in.
func TestCancelWakesEveryWait(t *testing.T) {
	waits := []struct {
		name string
		wait func(ctx context.Context, s *Scheduler, hung *Task) error
	}{
		{"sleep", func(ctx context.Context, s *Scheduler, _ *Task) error { return s.Sleep(ctx, time.Hour) }},
		{"sleep as start", func(ctx context.Context, s *Scheduler, _ *Task) error { return s.SleepAs(ctx, Start, time.Hour) }},
		{"hang", func(ctx context.Context, s *Scheduler, _ *Task) error { return s.Sleep(ctx, wire.Forever) }},
		{"join", func(ctx context.Context, _ *Scheduler, hung *Task) error { return hung.Wait(ctx) }},
		{"semaphore", func(ctx context.Context, s *Scheduler, _ *Task) error { return s.NewSemaphore(0).Acquire(ctx, "x") }},
		{"signal", func(ctx context.Context, s *Scheduler, _ *Task) error { return s.NewSignal().Wait(ctx, "x") }},
		{"under a value", func(ctx context.Context, s *Scheduler, _ *Task) error {
			return s.Sleep(context.WithValue(ctx, traceKey{}, 1), time.Hour)
		}},
		{"under a child", func(ctx context.Context, s *Scheduler, _ *Task) error {
			ctx, cancel := s.WithTimeout(context.WithValue(ctx, traceKey{}, 1), 2*time.Hour)
			defer cancel()
			return s.Sleep(ctx, time.Hour)
		}},
	}
	for _, w := range waits {
		t.Run(w.name, func(t *testing.T) {
			j := play(t, func(ctx context.Context, s *Scheduler, j *journal) {
				hung := s.Go(ctx, "hung", 9, func(ctx context.Context) { _ = s.Sleep(ctx, 2*second) })
				ctx, cancel := s.WithCancel(ctx)
				s.Go(ctx, "waiter", 0, func(ctx context.Context) {
					j.add("%v", w.wait(ctx, s, hung))
					j.add("again: %v", w.wait(ctx, s, hung))
				})
				_ = s.Sleep(ctx, second)
				cancel()
				cancel()
			})
			j.want(t, "1 context canceled", "1 again: context canceled")
		})
	}
}

// Ended contexts say so like those of package context: error, cause, channel
// and deadline, for themselves and for what is below them.
func TestContextsMatchPackageContext(t *testing.T) {
	play(t, func(ctx context.Context, s *Scheduler, _ *journal) {
		parent, cancel := s.WithCancelCause(context.WithValue(ctx, traceKey{}, "v"))
		child, stop := s.WithTimeout(parent, time.Minute)
		defer stop()
		longer, stopLonger := s.WithTimeout(child, time.Hour)
		defer stopLonger()
		if _, ok := parent.Deadline(); ok {
			t.Error("a context without a deadline has one")
		}
		for _, c := range []context.Context{child, longer} {
			if d, ok := c.Deadline(); !ok || !d.Equal(s.Now().Add(time.Minute)) {
				t.Errorf("deadline %v %v, want the earlier one", d, ok)
			}
		}
		if longer.Value(traceKey{}) != "v" || longer.Err() != nil || Cause(longer) != nil {
			t.Errorf("before the end: %v %v %v", longer.Value(traceKey{}), longer.Err(), Cause(longer))
		}
		select {
		case <-longer.Done():
			t.Error("done before the end")
		default:
		}
		cancel(errWhy)
		cancel(errors.New("a second cause"))
		late, stopLate := s.WithCancel(child)
		defer stopLate()
		for _, c := range []context.Context{parent, child, longer, late, context.WithValue(child, traceKey{}, 0)} {
			<-c.Done()
			if c.Err() != context.Canceled || Cause(c) != errWhy || context.Cause(c) != errWhy {
				t.Errorf("after the end: %v %v %v", c.Err(), Cause(c), context.Cause(c))
			}
		}
	})
}

// A deadline gives DeadlineExceeded and its own cause; one without time strikes
// at once, one far beyond the clock never.
func TestDeadlines(t *testing.T) {
	play(t, func(ctx context.Context, s *Scheduler, _ *journal) {
		timed, cancel := s.WithTimeoutCause(ctx, second, errWhy)
		defer cancel()
		if err := s.Sleep(timed, wire.Forever); err != context.DeadlineExceeded || Cause(timed) != errWhy || s.Elapsed() != second {
			t.Errorf("%v %v at %v", err, Cause(timed), s.Elapsed())
		}
		atOnce, cancel := s.WithTimeout(ctx, 0)
		defer cancel()
		if atOnce.Err() != context.DeadlineExceeded || context.Cause(atOnce) != context.DeadlineExceeded {
			t.Errorf("without time: %v %v", atOnce.Err(), context.Cause(atOnce))
		}
		endless, cancel := s.WithTimeout(ctx, wire.Forever)
		defer cancel()
		if _, ok := endless.Deadline(); ok {
			t.Error("Forever is a deadline")
		}
	})
}

// Of two deadlines at one instant that one task set, the outer one strikes
// first: its cause is the one that counts.
func TestOuterDeadlineStrikesFirst(t *testing.T) {
	play(t, func(ctx context.Context, s *Scheduler, _ *journal) {
		outer, cancel := s.WithTimeoutCause(ctx, second, errWhy)
		defer cancel()
		inner, cancel := s.WithTimeoutCause(outer, second, errors.New("inner"))
		defer cancel()
		if _ = s.Sleep(inner, wire.Forever); Cause(inner) != errWhy {
			t.Errorf("cause %v", Cause(inner))
		}
	})
}

// Contexts that something else can end are refused with a message that says
// what to use, wherever a task could wait under one.
func TestForeignContextsPanic(t *testing.T) {
	noLeak(t)
	standard, stop := context.WithCancel(context.Background())
	defer stop()
	other, stopOther := New().WithCancel(context.Background())
	defer stopOther()
	below := func(ctx context.Context) context.Context {
		c, stop := context.WithCancel(ctx)
		t.Cleanup(stop)
		return c
	}
	foreign := map[string]func(ctx context.Context) context.Context{
		"alone":           func(context.Context) context.Context { return standard },
		"from ours":       func(ctx context.Context) context.Context { return below(ctx) },
		"under a value":   func(ctx context.Context) context.Context { return context.WithValue(below(ctx), traceKey{}, 1) },
		"other scheduler": func(context.Context) context.Context { return other },
	}
	uses := map[string]func(ctx context.Context, s *Scheduler){
		"Sleep":       func(ctx context.Context, s *Scheduler) { _ = s.Sleep(ctx, second) },
		"Acquire":     func(ctx context.Context, s *Scheduler) { _ = s.NewSemaphore(1).Acquire(ctx, "x") },
		"WithTimeout": func(ctx context.Context, s *Scheduler) { s.WithTimeout(ctx, second) },
		"Go":          func(ctx context.Context, s *Scheduler) { s.Go(ctx, "x", 0, func(context.Context) {}) },
	}
	for kind, derive := range foreign {
		for op, use := range uses {
			s := New()
			var end context.CancelFunc
			err := s.Run(func(ctx context.Context) {
				ctx, end = s.WithCancel(ctx)
				defer end()
				use(derive(ctx), s)
			})
			var panicked *PanicError
			if !errors.As(err, &panicked) || !strings.Contains(err.Error(), op+" was given a") {
				t.Errorf("%s with a context %s: %v", op, kind, err)
			}
		}
	}
}

// Contexts that nothing can end are accepted: they wait their time.
func TestContextsWithoutEndAreFine(t *testing.T) {
	play(t, func(ctx context.Context, s *Scheduler, _ *journal) {
		ctx, cancel := s.WithCancel(ctx)
		cancel()
		for _, c := range []context.Context{
			context.Background(), context.TODO(), context.WithoutCancel(ctx),
			context.WithValue(context.Background(), traceKey{}, 1),
		} {
			if err := s.Sleep(c, second); err != nil {
				t.Errorf("%v: %v", c, err)
			}
		}
	})
}

// Functions registered for the end of a context run once, in order, before
// anything else happens; a stopped one does not run.
func TestAfterFunc(t *testing.T) {
	j := play(t, func(ctx context.Context, s *Scheduler, j *journal) {
		ctx, cancel := s.WithCancel(ctx)
		s.AfterFunc(ctx, func() { j.add("first") })
		stop := s.AfterFunc(ctx, func() { j.add("stopped") })
		child, _ := s.WithCancel(ctx)
		s.AfterFunc(child, func() { j.add("child's") })
		s.AfterFunc(context.WithValue(ctx, traceKey{}, 1), func() { j.add("last") })
		j.add("stop: %v, again: %v", stop(), stop())
		cancel()
		j.add("cancelled")
		late := s.AfterFunc(ctx, func() { j.add("late") })
		j.add("stop late: %v", late())
		_ = s.SleepAs(context.Background(), Start, 0)
		j.add("end")
	})
	j.want(t, "0 stop: true, again: false", "0 first", "0 child's", "0 last", "0 cancelled", "0 stop late: false", "0 late", "0 end")
}

// Package context follows our contexts without a goroutine, and its children
// end with them at once.
func TestStandardChildrenStartNoGoroutine(t *testing.T) {
	noLeak(t)
	play(t, func(ctx context.Context, s *Scheduler, _ *journal) {
		ctx, cancel := s.WithCancelCause(ctx)
		before := stacks()
		child, stop := context.WithCancel(ctx)
		defer stop()
		stopFunc := context.AfterFunc(ctx, func() {})
		if now := stacks(); now > before { // one of another test may just have ended
			t.Errorf("%d goroutines, %d before", now, before)
		}
		stopFunc()
		cancel(errWhy)
		if child.Err() == nil || context.Cause(child) != errWhy {
			t.Errorf("child: %v, cause %v", child.Err(), context.Cause(child))
		}
	})
}

// http.Client over a transport that sleeps gives the deadline's error with
// Timeout() true, at the virtual instant, and starts no goroutine.
func TestHTTPClientOnVirtualTime(t *testing.T) {
	noLeak(t)
	play(t, func(ctx context.Context, s *Scheduler, _ *journal) {
		ctx, cancel := s.WithTimeout(ctx, 5*second)
		defer cancel()
		before, during := stacks(), 0
		client := &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			during = stacks()
			return nil, s.Sleep(r.Context(), wire.Forever)
		})}
		r, err := http.NewRequestWithContext(ctx, "GET", "http://example.test/", nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = client.Do(r)
		var timeout interface{ Timeout() bool }
		if !errors.Is(err, context.DeadlineExceeded) || !errors.As(err, &timeout) || !timeout.Timeout() || s.Elapsed() != 5*second {
			t.Errorf("%v at %v", err, s.Elapsed())
		}
		// Fewer is fine: one of an earlier test may end at any time.
		if during > before {
			t.Errorf("%d goroutines during the call, %d before", during, before)
		}
	})
}

type roundTrip func(r *http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// Of two deadlines at one instant that different tasks set, the one of the task
// declared first strikes first, whichever was set first or stands outside.
func TestDeadlinesStrikeInOwnerOrder(t *testing.T) {
	j := play(t, func(ctx context.Context, s *Scheduler, j *journal) {
		for _, order := range []int{2, 0, 1} {
			s.Go(ctx, "step", order, func(ctx context.Context) {
				_ = s.Sleep(ctx, time.Duration(3-order)*time.Millisecond)
				ctx, cancel := s.WithTimeout(ctx, second-s.Elapsed())
				defer cancel()
				s.AfterFunc(ctx, func() { j.add("%d strikes", order) })
				_ = s.Sleep(ctx, wire.Forever)
			})
		}
		s.Go(ctx, "outer", 4, func(ctx context.Context) {
			outer, cancel := s.WithTimeoutCause(ctx, second, errors.New("outer"))
			defer cancel()
			_ = s.Go(outer, "inner", 3, func(ctx context.Context) {
				inner, cancel := s.WithTimeoutCause(ctx, second, errors.New("inner"))
				defer cancel()
				_ = s.Sleep(inner, wire.Forever)
				j.add("cause %v", Cause(inner))
			}).Wait(context.Background())
		})
	})
	j.want(t, "1 0 strikes", "1 1 strikes", "1 2 strikes", "1 cause inner")
}

// A function for the end of a context that has none never runs.
func TestAfterFuncWithoutEnd(t *testing.T) {
	play(t, func(context.Context, *Scheduler, *journal) {
		if s := New(); !s.AfterFunc(context.Background(), func() { t.Error("it ran") })() {
			t.Error("stop says that it ran")
		}
	})
}
