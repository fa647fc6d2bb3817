package bench

import (
	"context"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/interp/sched"
)

// begins runs four cases of 3 s each under a spec, and returns when each began.
func begins(t *testing.T, change func(*Spec), lost func(c Case, trial int) (bool, error)) (at []time.Duration, modes []string) {
	t.Helper()
	clock := sched.New()
	spec := Defaults()
	spec.Concurrency = 4
	change(&spec)
	r := Runner{
		Spec: spec, Cases: []Case{{ID: "a"}, {ID: "b"}, {ID: "c"}, {ID: "d"}}, Clock: clock, Lost: lost,
		SUT: func(ctx context.Context, _ Case, _ int) (Answer, error) {
			at = append(at, clock.Elapsed())
			return Answer{Output: []byte("{}")}, clock.Sleep(ctx, 3*time.Second)
		},
		Rubric: func(context.Context, Case, int, Answer) (Score, error) { return Score{Passed: true, Score: 1}, nil },
		Ended: func(_ Case, _ int, tr Trial) error {
			for _, m := range tr.FailureModes {
				modes = append(modes, m.Code+" "+m.Severity)
			}
			return nil
		},
	}
	if err := clock.Run(func(ctx context.Context) {
		if err := r.Run(ctx); err != nil {
			t.Error(err)
		}
	}); err != nil {
		t.Fatal(err)
	}
	return at, modes
}

// Shows that a rate spaces the beginnings of trials evenly, that exclusive runs one at
// a time, and that neither happens unasked.
func TestPaceOfTrials(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		name   string
		change func(*Spec)
		want   []time.Duration
	}{
		{"free", func(*Spec) {}, []time.Duration{0, 0, 0, 0}},
		{"60 a minute", func(p *Spec) { p.Rate = 60 }, []time.Duration{0, s, 2 * s, 3 * s}},
		{"a rate below the pace of one worker", func(p *Spec) { p.Rate, p.Concurrency = 6, 1 }, []time.Duration{0, 10 * s, 20 * s, 30 * s}},
		{"a rate above it", func(p *Spec) { p.Rate, p.Concurrency = 600, 1 }, []time.Duration{0, 3 * s, 6 * s, 9 * s}},
		{"exclusive", func(p *Spec) { p.Exclusive = "device" }, []time.Duration{0, 3 * s, 6 * s, 9 * s}},
	} {
		got, _ := begins(t, c.change, nil)
		if len(got) != len(c.want) {
			t.Fatalf("%s: %d trials began", c.name, len(got))
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s: trials began at %v, want %v", c.name, got, c.want)
				break
			}
		}
	}
}

// Shows that a trial that must not run twice and has begun before is lost without
// being begun, and that others do not ask.
func TestLostTrials(t *testing.T) {
	asked := 0
	lost := func(c Case, _ int) (bool, error) { asked++; return c.ID == "b", nil }
	at, modes := begins(t, func(p *Spec) { p.Idempotent = false }, lost)
	if len(at) != 3 || asked != 4 || len(modes) != 1 || modes[0] != "infrastructure.worker_lost block" {
		t.Errorf("%d trials began, %d were asked about, and the failures are %q", len(at), asked, modes)
	}
	asked = 0
	if at, _ = begins(t, func(*Spec) {}, lost); len(at) != 4 || asked != 0 {
		t.Errorf("of an idempotent bench %d trials began and %d were asked about", len(at), asked)
	}
}
