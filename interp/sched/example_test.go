package sched_test

import (
	"context"
	"fmt"
	"time"

	"github.com/scenario-lang/scenario/interp/sched"
)

// A reply that is too late for its deadline, an hour of it, takes no time.
func Example() {
	s := sched.New()
	err := s.Run(func(ctx context.Context) {
		reply := s.Go(ctx, "reply", 0, func(ctx context.Context) {
			ctx, cancel := s.WithTimeout(ctx, time.Hour)
			defer cancel()
			fmt.Println(s.Sleep(ctx, 2*time.Hour))
		})
		_ = reply.Wait(ctx)
	})
	fmt.Println(s.Now().Format(time.TimeOnly), err)
	// Output:
	// context deadline exceeded
	// 01:00:00 <nil>
}
