package sched

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/wire"
)

// stacks counts goroutines.
func stacks() int {
	dump := make([]byte, 1<<20)
	return strings.Count("\n"+string(dump[:runtime.Stack(dump, true)]), "\ngoroutine ")
}

// Two tasks that take two locks in opposite order end the run with an error
// that names each task, the lock it wants and the task that holds it.
func TestTwoLockDeadlock(t *testing.T) {
	noLeak(t)
	s := New()
	a, b := s.NewSemaphore(1), s.NewSemaphore(1)
	err := s.Run(func(ctx context.Context) {
		grab := func(name string, order int, first, then *Semaphore, firstName, thenName string) {
			s.Go(ctx, name, order, func(ctx context.Context) {
				_ = first.Acquire(ctx, firstName)
				_ = s.Sleep(ctx, second)
				_ = then.Acquire(ctx, thenName)
			})
		}
		grab("writer", 1, b, a, `lock "b"`, `lock "a"`)
		grab("reader", 0, a, b, `lock "a"`, `lock "b"`)
	})
	var deadlock *DeadlockError
	if !errors.As(err, &deadlock) {
		t.Fatalf("got %v", err)
	}
	want := &DeadlockError{At: second, Waits: []Wait{
		{Task: "reader", Why: `lock "b"`, Holder: "writer"},
		{Task: "writer", Why: `lock "a"`, Holder: "reader"},
	}}
	if diff := cmp.Diff(want, deadlock); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	message := `deadlock at 1s: nothing is due that could end a wait: ` +
		`task "reader" waits for lock "b", held by writer; task "writer" waits for lock "a", held by reader`
	if err.Error() != message {
		t.Errorf("got  %s\nwant %s", err, message)
	}
}

// A lock that ended with its task is said to be held by a task that has ended.
func TestDeadlockNamesALostLock(t *testing.T) {
	s := New()
	lock := s.NewSemaphore(1)
	err := s.Run(func(ctx context.Context) {
		_ = s.Go(ctx, "careless", 0, func(ctx context.Context) { _ = lock.Acquire(ctx, "lock") }).Wait(ctx)
		_ = lock.Acquire(ctx, "lock")
	})
	if err == nil || !strings.Contains(err.Error(), `task "main" waits for lock, held by careless (ended)`) {
		t.Errorf("got %v", err)
	}
}

// Every kind of wait without end says in a deadlock what it waits for; a hang
// schedules nothing that would hide it.
func TestDeadlockSaysWhy(t *testing.T) {
	noLeak(t)
	s := New()
	err := s.Run(func(ctx context.Context) {
		hung := s.Go(ctx, "hang", 0, func(ctx context.Context) { _ = s.Sleep(ctx, wire.Forever) })
		s.Go(ctx, "join", 1, func(ctx context.Context) { _ = hung.Wait(ctx) })
		s.Go(ctx, "signal", 2, func(ctx context.Context) { _ = s.NewSignal().Wait(ctx, "a signal nobody fires") })
	})
	var deadlock *DeadlockError
	if !errors.As(err, &deadlock) {
		t.Fatalf("got %v", err)
	}
	want := []Wait{{Task: "hang", Why: "the end of its context"}, {Task: "join", Why: `the end of task "hang"`}, {Task: "signal", Why: "a signal nobody fires"}}
	if diff := cmp.Diff(want, deadlock.Waits); diff != "" || deadlock.At != 0 {
		t.Errorf("at %v (-want +got):\n%s", deadlock.At, diff)
	}
}

// A handler of deadlocks that does something lets the run go on; one that only
// says so does not.
func TestOnDeadlock(t *testing.T) {
	for _, helps := range []bool{true, false} {
		s := New()
		var end context.CancelFunc
		asked := 0
		s.OnDeadlock(func(waits []Wait) bool {
			asked++
			if len(waits) != 1 || waits[0].Task != "main" {
				t.Errorf("asked about %v", waits)
			}
			if helps {
				end()
			}
			return true
		})
		var slept error
		err := s.Run(func(ctx context.Context) {
			ctx, end = s.WithCancel(ctx)
			slept = s.Sleep(ctx, wire.Forever)
		})
		var deadlock *DeadlockError
		if asked != 1 || helps != (err == nil) || helps != (slept == context.Canceled) || helps == errors.As(err, &deadlock) {
			t.Errorf("helps %v: asked %d times, slept %v, run %v", helps, asked, slept, err)
		}
	}
}

// A teardown runs the deferred functions of every parked task, the latest task
// first, with its context ended; one that waits there is unwound further, and
// a task that had not started never does.
func TestTeardownUnwinds(t *testing.T) {
	noLeak(t)
	s := New()
	j := &journal{s: s}
	err := s.Run(func(ctx context.Context) {
		defer j.add("main unwinds")
		for i, name := range []string{"a", "b"} {
			s.Go(ctx, name, i, func(ctx context.Context) {
				defer j.add("%s unwinds", name)
				defer func() {
					j.add("%s: context ended: %v", name, ctx.Err())
					s.Go(ctx, "too late", 0, func(context.Context) { j.add("too late starts") })
					for {
						_ = s.Sleep(context.Background(), second)
						j.add("slept while unwinding")
					}
				}()
				for {
					_ = s.Sleep(ctx, time.Hour) // an error here would be retried for ever
				}
			})
		}
		_ = s.Sleep(ctx, second)
		s.Go(ctx, "unstarted", 2, func(context.Context) { j.add("unstarted starts") })
		panic(errWhy)
	})
	if !errors.Is(err, errWhy) {
		t.Errorf("got %v", err)
	}
	j.want(t, "1 main unwinds", "1 b: context ended: context canceled", "1 b unwinds",
		"1 a: context ended: context canceled", "1 a unwinds")
}

// A panic of a task ends the run with its name, value and stack, also if it
// happens while the task unwinds because of something else.
func TestPanicsAreErrors(t *testing.T) {
	noLeak(t)
	s := New()
	err := s.Run(func(ctx context.Context) {
		s.Go(ctx, "bad", 0, func(ctx context.Context) {
			defer panic("in a deferred function")
			_ = s.Sleep(ctx, wire.Forever)
		})
	})
	var deadlock *DeadlockError
	var panicked *PanicError
	if !errors.As(err, &deadlock) || !errors.As(err, &panicked) {
		t.Fatalf("got %v", err)
	}
	if panicked.Task != "bad" || panicked.Value != "in a deferred function" || !strings.Contains(string(panicked.Stack), "TestPanicsAreErrors") {
		t.Errorf("got %v\n%s", panicked, panicked.Stack)
	}
}

// An event without a task may neither wait nor take the process down.
func TestEventsMustNotWait(t *testing.T) {
	noLeak(t)
	s := New()
	unwound := false
	err := s.Run(func(ctx context.Context) {
		defer func() { unwound = true }()
		s.At(Completion, 0, second, func() { _ = s.Sleep(ctx, second) })
		_ = s.Sleep(ctx, time.Hour)
	})
	if want := "an event panicked: sched: Sleep was called outside of a task"; err == nil || !strings.HasPrefix(err.Error(), want) || !unwound {
		t.Errorf("got %v, unwound %v", err, unwound)
	}
}

// Code that recovers from panics can tell the unwinding and let it pass.
func TestUnwindingCanBeTold(t *testing.T) {
	s := New()
	told := false
	err := s.Run(func(ctx context.Context) {
		defer func() {
			v := recover()
			told = Unwinding(v) && !Unwinding(errWhy) && !Unwinding(nil)
			panic(v)
		}()
		_ = s.Sleep(ctx, wire.Forever)
	})
	var deadlock *DeadlockError
	if !errors.As(err, &deadlock) || !told {
		t.Errorf("got %v, told %v", err, told)
	}
}

// runtime.Goexit in a task, which is what t.FailNow does, ends the caller of
// Run after all tasks were unwound, also those that do the same meanwhile.
func TestGoexitUnwindsTheOthers(t *testing.T) {
	noLeak(t)
	s := New()
	unwound, returned := 0, false
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = s.Run(func(ctx context.Context) {
			for i := range 3 {
				s.Go(ctx, "other", i, func(ctx context.Context) {
					defer runtime.Goexit()
					defer func() { unwound++ }()
					_ = s.Sleep(ctx, wire.Forever)
				})
			}
			_ = s.Sleep(ctx, second)
			runtime.Goexit()
		})
		returned = true
	}()
	<-ended
	if unwound != 3 || returned {
		t.Errorf("%d of 3 unwound, Run returned: %v", unwound, returned)
	}
}

// A scheduler runs once.
func TestRunOnce(t *testing.T) {
	s := New()
	if err := s.Run(func(context.Context) {}); err != nil {
		t.Fatal(err)
	}
	if err := s.Run(func(context.Context) { t.Error("ran again") }); err == nil {
		t.Error("no error")
	}
}

// Endless loops of each kind meet a limit, which names the task and does not
// move the clock past itself.
func TestLimits(t *testing.T) {
	noLeak(t)
	tests := []struct {
		name string
		loop func(ctx context.Context, s *Scheduler)
		want LimitError
	}{
		{
			"too far", func(ctx context.Context, s *Scheduler) { _ = s.Sleep(ctx, 200*365*24*time.Hour) },
			LimitError{Task: "loop", Limit: 100 * 365 * 24 * time.Hour},
		},
		{
			"overflow", func(ctx context.Context, s *Scheduler) { _ = s.Sleep(ctx, second); _ = s.Sleep(ctx, wire.Forever-1) },
			LimitError{Task: "loop", At: second, Limit: 100 * 365 * 24 * time.Hour},
		},
		{"sleeps of no time", func(ctx context.Context, s *Scheduler) {
			for {
				_ = s.Sleep(ctx, 0)
			}
		}, LimitError{Task: "loop", Events: 1000}},
		{"turns of no time", func(ctx context.Context, s *Scheduler) {
			for {
				_ = s.SleepAs(ctx, Start, 0)
			}
		}, LimitError{Task: "loop", Events: 1000}},
		{"heartbeats", func(ctx context.Context, s *Scheduler) {
			for {
				_ = s.Sleep(ctx, time.Millisecond)
			}
		}, LimitError{Task: "loop", At: 998 * time.Millisecond, Events: 1000}},
		{"joins of the ended", func(ctx context.Context, s *Scheduler) {
			for {
				s.Go(ctx, "child", 1, func(context.Context) {})
				_ = s.SleepAs(ctx, Start, 0)
			}
		}, LimitError{Task: "loop", Events: 1000}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := New()
			s.EventLimit = 1000
			err := s.Run(func(ctx context.Context) { s.Go(ctx, "loop", 0, func(ctx context.Context) { test.loop(ctx, s) }) })
			var got *LimitError
			if !errors.As(err, &got) {
				t.Fatalf("got %v", err)
			}
			if diff := cmp.Diff(&test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A deadlock names the tasks that hold slots now: not those that gave theirs
// back, nor those for which another task did.
func TestDeadlockNamesTheHoldersOfNow(t *testing.T) {
	s := New()
	pool := s.NewSemaphore(2)
	err := s.Run(func(ctx context.Context) {
		hold := func(name string, order int, release bool) {
			s.Go(ctx, name, order, func(ctx context.Context) {
				_ = pool.Acquire(ctx, "a slot")
				_ = s.Sleep(ctx, second)
				if release {
					pool.Release()
				}
				_ = s.Sleep(ctx, wire.Forever)
			})
		}
		hold("brief", 0, true)
		hold("careless", 1, false)
		hold("second", 2, false)
		_ = s.Sleep(ctx, 2*second)
		pool.Release() // on behalf of careless, the oldest
		s.Go(ctx, "third", 3, func(ctx context.Context) { _ = pool.Acquire(ctx, "a slot"); _ = s.Sleep(ctx, wire.Forever) })
		_ = s.Sleep(ctx, second)
		_ = pool.Acquire(ctx, "a slot")
	})
	var deadlock *DeadlockError
	if !errors.As(err, &deadlock) {
		t.Fatalf("got %v", err)
	}
	if got, want := deadlock.Waits[0], (Wait{Task: "main", Why: "a slot", Holder: "second, third"}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

// The messages of limits say what, when and for whom, also where no task is
// behind the event.
func TestLimitMessages(t *testing.T) {
	tests := []struct {
		main func(ctx context.Context, s *Scheduler)
		want string
	}{
		{func(ctx context.Context, s *Scheduler) {
			_ = s.Sleep(ctx, second)
			_ = s.Sleep(ctx, time.Hour)
		}, `the run stood at 1s and would have passed its limit of 1m0s for task "main": nothing is due before; wait for less, or without end`},
		{func(ctx context.Context, s *Scheduler) {
			ctx, cancel := s.WithTimeout(ctx, time.Hour)
			defer cancel()
			_ = s.Sleep(ctx, wire.Forever)
		}, `the run stood at 0s and would have passed its limit of 1m0s for task "main": nothing is due before; wait for less, or without end`},
		{func(ctx context.Context, s *Scheduler) {
			var beat func()
			beat = func() { s.At(Start, 0, time.Millisecond, beat) }
			beat()
			_ = s.Sleep(ctx, wire.Forever)
		}, `the run had its limit of 100 events at 99ms, last for task "(an event without a task)": a loop that waits probably never ends`},
		{func(ctx context.Context, s *Scheduler) {
			var beat func()
			beat = func() { s.AtNamed("the beat of a drum", Start, 0, time.Millisecond, beat) }
			beat()
			_ = s.Sleep(ctx, wire.Forever)
		}, `the run had its limit of 100 events at 99ms, last for the beat of a drum: that is due too often for a run of this length`},
	}
	for _, test := range tests {
		s := New()
		s.Limit, s.EventLimit = time.Minute, 100
		err := s.Run(func(ctx context.Context) { test.main(ctx, s) })
		if err == nil || err.Error() != test.want {
			t.Errorf("got  %v\nwant %s", err, test.want)
		}
	}
}

// A function that panics while the contexts end does not stop the teardown.
func TestPanicWhileContextsEnd(t *testing.T) {
	noLeak(t)
	s := New()
	unwound := false
	err := s.Run(func(ctx context.Context) {
		defer func() { unwound = true }()
		s.AfterFunc(ctx, func() { panic(errWhy) })
		_ = s.Sleep(ctx, wire.Forever)
	})
	var deadlock *DeadlockError
	if !errors.As(err, &deadlock) || !errors.Is(err, errWhy) || !unwound {
		t.Errorf("got %v, unwound %v", err, unwound)
	}
}
