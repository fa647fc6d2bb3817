package bench

import (
	"context"
	"fmt"

	"github.com/scenario-lang/scenario/interp/sched"
)

// measure scores a system that is a function of Go, on the real clock, with as
// many cases beside each other as the spec says. Functions that do not return
// when their context ends are left behind. A panic of the system is the
// exception of its case; runtime.Goexit ends the run, as a cancellation does.
func measure(spec Spec, cases []Case, sut SUT, rubric Rubric) (*Report, error) {
	clock := sched.NewReal()
	type key struct {
		id string
		n  int
	}
	ended := map[key]Trial{}
	r := &Runner{
		Spec: spec, Cases: cases, Clock: clock, SUT: externalSUT(clock, sut), Rubric: externalRubric(clock, rubric),
		Ended: func(c Case, n int, t Trial) error { ended[key{c.ID, n}] = t; return nil },
	}
	var err error
	if broken := clock.Run(func(ctx context.Context) { err = r.Run(ctx) }); broken != nil {
		return nil, broken
	}
	report := Summarise(spec, cases, func(c Case, n int) (Trial, bool) { t, ok := ended[key{c.ID, n}]; return t, ok }, err)
	return report, err
}

// answered is what a function that runs beside the tasks gave.
type answered[T any] struct {
	value T
	err   error
}

// externalSUT runs a system that blocks beside the tasks of a real clock.
func externalSUT(clock *sched.Scheduler, sut SUT) SUT {
	return func(ctx context.Context, c Case, trial int) (Answer, error) {
		return external(ctx, clock, "the system under test", func() (Answer, error) { return sut(ctx, c, trial) })
	}
}

// externalRubric runs a rubric that blocks beside the tasks of a real clock.
func externalRubric(clock *sched.Scheduler, rubric Rubric) Rubric {
	return func(ctx context.Context, c Case, trial int, a Answer) (Score, error) {
		return external(ctx, clock, "the rubric", func() (Score, error) { return rubric(ctx, c, trial, a) })
	}
}

// beside runs f on a goroutine of its own and leaves it behind when ctx ends.
func external[T any](ctx context.Context, clock *sched.Scheduler, why string, f func() (T, error)) (T, error) {
	out := &answered[T]{err: fmt.Errorf("the function ended its goroutine: %w", context.Canceled)}
	ended := false
	clock.External(ctx, why, func() {
		done := make(chan struct{})
		go func() {
			defer close(done)
			defer func() {
				if p := recover(); p != nil {
					out.err = exceptionOf(p)
				}
			}()
			out.value, out.err = f()
		}()
		select {
		case <-done:
			ended = true
		case <-ctx.Done():
		}
	})
	if !ended {
		var none T
		return none, ctx.Err()
	}
	return out.value, out.err
}

// exceptionOf is a panic as the exception of a case.
func exceptionOf(p any) error {
	if err, ok := p.(error); ok {
		return &Exception{Type: fmt.Sprintf("%T", err), Message: err.Error()}
	}
	return &Exception{Type: "panic", Message: fmt.Sprint(p)}
}
