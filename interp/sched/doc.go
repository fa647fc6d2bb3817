// Package sched runs cooperative tasks on a virtual clock.
//
// Exactly one task runs at a time, until it waits; then the clock jumps to the
// next event. Events are ordered by instant, [Class], owner and the order in
// which they were scheduled, so a program of tasks always
// runs the same way, and a simulated day costs what its events cost.
//
//	s := sched.New()
//	err := s.Run(func(ctx context.Context) {
//		t := s.Go(ctx, "answer", 0, func(ctx context.Context) {
//			_ = s.Sleep(ctx, 3*time.Second)
//		})
//		_ = t.Wait(ctx)
//	})
//
// What tasks must keep to:
//
//   - They wait through the scheduler alone. A task that blocks in a channel, a
//     socket or a contended mutex stops every other task and the clock, and
//     nothing here can notice it.
//   - They derive contexts with the scheduler's own With functions. A context
//     from context.WithCancel and its like would not wake a sleeper; waiting on
//     one panics. context.WithValue and context.WithoutCancel are fine.
//   - They do not wait inside an iter.Pull iterator of their own: a task waits
//     on the coroutine it was started on.
//   - They let the panic that unwinds them pass (see [Unwinding]).
//
// [NewReal] gives the same scheduler on the real clock; there
// [Scheduler.External] runs a blocking call beside the tasks. [NewShared] is for
// tasks that take turns with other goroutines, too. Except for
// [Scheduler.Post] and the methods of contexts (but not their cancel
// functions), nothing here may be called from another goroutine.
package sched
