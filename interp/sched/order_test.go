package sched

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// Events of one instant run by class, then owner order, then the order of
// scheduling, whatever order they were scheduled in.
func TestOrderAtOneInstant(t *testing.T) {
	type want struct {
		class Class
		order int
		n     int
	}
	var all []want
	for class := Completion; class <= Deadline; class++ {
		for _, order := range []int{-1, 0, 1, 7, min(1<<40, orderMax)} {
			for n := range 3 {
				all = append(all, want{class, order, n})
			}
		}
	}
	for seed := range uint64(20) {
		var got []want
		counts := map[want]int{}
		shuffled := slices.Clone(all)
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(all), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		play(t, func(ctx context.Context, s *Scheduler, _ *journal) {
			for _, w := range shuffled {
				group := want{class: w.class, order: w.order}
				w.n = counts[group]
				counts[group]++
				s.At(w.class, w.order, second, func() { got = append(got, w) })
			}
			_ = s.Sleep(ctx, 2*second)
		})
		if !slices.Equal(got, all) {
			t.Fatalf("seed %d: got %v, want %v", seed, got, all)
		}
	}
}

// The same order holds for tasks: those that sleep, those that start, and
// contexts that expire at one instant.
func TestOrderOfTasks(t *testing.T) {
	j := play(t, func(ctx context.Context, s *Scheduler, j *journal) {
		s.Go(ctx, "hung", 0, func(ctx context.Context) {
			ctx, cancel := s.WithTimeout(ctx, second)
			defer cancel()
			j.add("hung: %v", s.Sleep(ctx, 5*second))
		})
		s.Go(ctx, "retry", 1, func(ctx context.Context) {
			_ = s.SleepAs(ctx, Start, second)
			j.add("retry")
		})
		for _, order := range []int{3, 2} {
			s.Go(ctx, "reply", order, func(ctx context.Context) {
				_ = s.Sleep(ctx, second)
				j.add("reply %d", order)
			})
		}
	})
	j.want(t, "1 reply 2", "1 reply 3", "1 retry", "1 hung: context deadline exceeded")
}

// Tasks start in owner order, not in the order they were made, and after what
// is complete at that instant.
func TestStartsFollowOwnerOrder(t *testing.T) {
	j := play(t, func(ctx context.Context, s *Scheduler, j *journal) {
		for _, order := range []int{2, 0, 1, 0} {
			s.Go(ctx, "step", order, func(context.Context) { j.add("start %d", order) })
		}
		s.At(Completion, 9, 0, func() { j.add("completion") })
		j.add("main goes on")
	})
	j.want(t, "0 main goes on", "0 completion", "0 start 0", "0 start 0", "0 start 1", "0 start 2")
}

// A completion that a start brings about without spending time comes before
// the next start.
func TestZeroTimeWorkEndsBeforeTheNextStart(t *testing.T) {
	j := play(t, func(ctx context.Context, s *Scheduler, j *journal) {
		for i, name := range []string{"a", "b"} {
			s.Go(ctx, name, i, func(ctx context.Context) {
				j.add("%s starts", name)
				s.At(Completion, i, 0, func() { j.add("%s is done", name) })
			})
		}
		_ = s.Sleep(ctx, second)
	})
	j.want(t, "0 a starts", "0 a is done", "0 b starts", "0 b is done")
}

// A reply due exactly at a deadline still counts, one nanosecond later it does
// not; also when the task of the deadline is declared first.
func TestReplyAtTheDeadlineCounts(t *testing.T) {
	j := play(t, func(ctx context.Context, s *Scheduler, j *journal) {
		ctx, cancel := s.WithTimeout(ctx, second)
		defer cancel()
		s.Go(ctx, "in time", 1, func(ctx context.Context) {
			j.add("in time: %v, %v", s.Sleep(ctx, second), ctx.Err())
		})
		s.Go(ctx, "late", 0, func(ctx context.Context) {
			j.add("late: %v", s.Sleep(ctx, second+1))
		})
		_ = s.Sleep(context.Background(), 3*second)
	})
	j.want(t, "1 in time: <nil>, <nil>", "1 late: context deadline exceeded")
}

// Of two deadlines at one instant the first to strike lets its task finish
// before the second strikes: a cancelled wait is a completion.
func TestCancelledWaitsAreCompletions(t *testing.T) {
	j := play(t, func(ctx context.Context, s *Scheduler, j *journal) {
		for i, name := range []string{"a", "b"} {
			s.Go(ctx, name, i, func(ctx context.Context) {
				ctx, cancel := s.WithTimeout(ctx, second)
				defer cancel()
				s.AfterFunc(ctx, func() { j.add("%s strikes", name) })
				_ = s.Sleep(ctx, 2*second)
				j.add("%s ends", name)
			})
		}
	})
	j.want(t, "1 a strikes", "1 a ends", "1 b strikes", "1 b ends")
}

// Sleepers of one cancelled context resume in owner order, not in the order
// they went to sleep.
func TestCancelledSleepersResumeInOwnerOrder(t *testing.T) {
	j := play(t, func(ctx context.Context, s *Scheduler, j *journal) {
		ctx, cancel := s.WithCancel(ctx)
		for _, order := range []int{2, 0, 1} {
			s.Go(ctx, "sleeper", order, func(ctx context.Context) {
				_ = s.Sleep(ctx, time.Duration(3-order)*time.Millisecond)
				j.add("%d: %v", order, s.Sleep(ctx, time.Hour))
			})
		}
		_ = s.Sleep(ctx, second)
		cancel()
	})
	j.want(t, "1 0: context canceled", "1 1: context canceled", "1 2: context canceled")
}

// A sleeper that is cancelled at the instant it was due, before its turn, gets
// the error; after its turn it does not.
func TestCancelAtTheInstantOfTheWake(t *testing.T) {
	j := play(t, func(ctx context.Context, s *Scheduler, j *journal) {
		ctx, cancel := s.WithCancel(ctx)
		for _, order := range []int{0, 2} {
			s.Go(ctx, "sleeper", order, func(ctx context.Context) { j.add("%d: %v", order, s.Sleep(ctx, second)) })
		}
		s.At(Completion, 1, second, cancel)
	})
	j.want(t, "1 0: <nil>", "1 2: context canceled")
}

// A sleep of no time neither waits nor lets others run, and tells that the
// context has ended; as a Start it takes its turn.
func TestSleepOfNoTime(t *testing.T) {
	j := play(t, func(ctx context.Context, s *Scheduler, j *journal) {
		s.At(Completion, -5, 0, func() { j.add("event") })
		_, _ = s.Sleep(ctx, 0), s.Sleep(ctx, -second)
		j.add("no turn was given")
		_ = s.SleepAs(ctx, Start, 0)
		j.add("a turn was given")
		ctx, cancel := s.WithCancel(ctx)
		cancel()
		j.add("%v", errors.Join(s.Sleep(ctx, 0)))
	})
	j.want(t, "0 no turn was given", "0 event", "0 a turn was given", "0 context canceled")
}

// A stopped event does not happen, one that repeats itself does not prolong
// the run, and stopping twice does no harm.
func TestAtStops(t *testing.T) {
	j := play(t, func(ctx context.Context, s *Scheduler, j *journal) {
		stop := s.At(Start, 0, second, func() { j.add("stopped") })
		var beat func()
		beat = func() {
			j.add("beat")
			s.At(Start, 0, second, beat)
		}
		s.At(Start, 0, second, beat)
		stop()
		stop()
		_ = s.Sleep(ctx, 2500*time.Millisecond)
	})
	j.want(t, "1 beat", "2 beat")
}

// The virtual clock starts at 2000-01-01T00:00:00Z and stands still while a
// task runs.
func TestVirtualEpoch(t *testing.T) {
	play(t, func(ctx context.Context, s *Scheduler, _ *journal) {
		if got := s.Now().Format(time.RFC3339Nano); got != "2000-01-01T00:00:00Z" {
			t.Errorf("start at %s", got)
		}
		_ = s.Sleep(ctx, 90*time.Minute+1)
		if got := s.Now().Format(time.RFC3339Nano); got != "2000-01-01T01:30:00.000000001Z" {
			t.Errorf("later at %s", got)
		}
	})
}

// A simulated day costs exactly the events that a simulated second does.
func TestDayCostsWhatASecondCosts(t *testing.T) {
	events := func(unit time.Duration) uint64 {
		s := New()
		err := s.Run(func(ctx context.Context) {
			for i := range 10 {
				s.Go(ctx, "ticker", i, func(ctx context.Context) {
					for range 100 {
						_ = s.Sleep(ctx, unit/100)
					}
				})
			}
		})
		if err != nil || s.Elapsed() != unit {
			t.Fatalf("ended at %v: %v", s.Elapsed(), err)
		}
		return s.Events()
	}
	inSecond, inDay := events(second), events(24*time.Hour)
	if inSecond != inDay || inSecond != 10*100+11 {
		t.Errorf("events: %d in a second, %d in a day, want 1011 (sleeps and starts) in both", inSecond, inDay)
	}
}
