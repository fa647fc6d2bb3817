package main

import (
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/scenario-lang/scenario/interp/sched"
)

// switches is how many events a sample of a clock has.
const switches = 400_000

// clocks are tasks that sleep in turn, and the bare coroutines that they are
// made of.
func clocks() []work {
	var all []work
	for _, tasks := range []int{10, 1000} {
		all = append(all,
			work{fmt.Sprintf("clock/%d", tasks), func() (func() (int, error), error) {
				return func() (int, error) { return sleeps(tasks) }, nil
			}},
			work{fmt.Sprintf("pingpong/%d", tasks), func() (func() (int, error), error) {
				return func() (int, error) { return pingPong(tasks, switches, func() {}) }, nil
			}})
	}
	return append(all,
		work{"pending", func() (func() (int, error), error) { return pending, nil }},
	)
}

func sleeps(tasks int) (int, error) {
	s := sched.New()
	s.EventLimit = 0
	return switches, s.Run(func(ctx context.Context) {
		for i := range tasks {
			s.Go(ctx, "sleeper", i, func(ctx context.Context) {
				for range switches / tasks {
					_ = s.Sleep(ctx, time.Second)
				}
			})
		}
	})
}

// pingPong switches to coroutines and back, in turn, without a clock, a queue
// or a context, and does something at every switch.
func pingPong(tasks, n int, each func()) (int, error) {
	type turn struct {
		next func() (struct{}, bool)
		stop func()
	}
	var turns []turn
	for range tasks {
		next, stop := iter.Pull(func(yield func(struct{}) bool) {
			for yield(struct{}{}) {
				each()
			}
		})
		turns = append(turns, turn{next, stop})
	}
	for range n / tasks {
		for i := range turns {
			turns[i].next()
		}
	}
	for i := range turns {
		turns[i].stop()
	}
	return n, nil
}

// pending has a million events that are due at some time.
func pending() (int, error) {
	const n = 1_000_000
	s := sched.New()
	ran := 0
	err := s.Run(func(ctx context.Context) {
		for i := range n {
			s.At(sched.Completion, 0, time.Duration(i*7919%1_000_003), func() { ran++ })
		}
		_ = s.Sleep(ctx, time.Second)
	})
	if err == nil && ran != n {
		err = fmt.Errorf("%d of %d events ran", ran, n)
	}
	return n, err
}
