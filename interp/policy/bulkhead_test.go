package policy

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/interp/sched"
)

// guest asks a bulkhead for a place at an instant and keeps it for a while.
type guest struct{ at, stays, patience time.Duration }

func visit(t *testing.T, cfg BulkheadConfig, guests []guest) []grant {
	t.Helper()
	clock := sched.New()
	b := NewBulkhead(clock, `target "primary"`, cfg)
	grants := make([]grant, len(guests))
	inside, most := 0, 0
	err := clock.Run(func(ctx context.Context) {
		for i, g := range guests {
			clock.Go(ctx, fmt.Sprintf("call %d", i), i, func(ctx context.Context) {
				_ = clock.Sleep(ctx, g.at)
				own := ctx
				if g.patience > 0 {
					var cancel context.CancelFunc
					own, cancel = clock.WithTimeout(ctx, g.patience)
					defer cancel()
				}
				ok, err := b.Enter(own)
				grants[i].At = clock.Elapsed()
				switch {
				case !ok:
					grants[i].Why = "full"
				case err != nil:
					grants[i].Why = "cancelled"
				default:
					inside++
					most = max(most, inside)
					_ = clock.Sleep(ctx, g.stays)
					inside--
					b.Leave()
				}
			})
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if most > cfg.MaxConcurrent {
		t.Errorf("%d calls were inside at once, at most %d may be", most, cfg.MaxConcurrent)
	}
	return grants
}

// max_concurrent calls are inside, max_queue wait in the order they came, and
// the next one is refused at once.
func TestBulkhead(t *testing.T) {
	s := time.Second
	full := func(at time.Duration) grant { return grant{At: at, Why: "full"} }
	for _, c := range []struct {
		name   string
		cfg    BulkheadConfig
		guests []guest
		want   []grant
	}{
		{"no queue", BulkheadConfig{MaxConcurrent: 1}, []guest{{stays: 10 * s}, {}, {at: 10 * s, stays: s}}, []grant{{}, full(0), {At: 10 * s}}},
		{
			"a queue of two, first come first served",
			BulkheadConfig{MaxConcurrent: 2, MaxQueue: 2},
			[]guest{{stays: 10 * s}, {stays: 6 * s}, {stays: 10 * s}, {stays: 10 * s}, {}},
			[]grant{{}, {}, {At: 6 * s}, {At: 10 * s}, full(0)},
		},
		{
			"one who leaves the queue makes room in it",
			BulkheadConfig{MaxConcurrent: 1, MaxQueue: 1},
			[]guest{{stays: 10 * s}, {patience: 3 * s}, {at: 2 * s}, {at: 4 * s, stays: s}, {at: 5 * s}},
			[]grant{{}, {At: 3 * s, Why: "cancelled"}, full(2 * s), {At: 10 * s}, full(5 * s)},
		},
		{
			"and his place is not lost",
			BulkheadConfig{MaxConcurrent: 1, MaxQueue: 2},
			[]guest{{stays: 10 * s}, {patience: 5 * s}, {stays: 10 * s}, {at: 6 * s, stays: s}},
			[]grant{{}, {At: 5 * s, Why: "cancelled"}, {At: 10 * s}, {At: 20 * s}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, visit(t, c.cfg, c.guests)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
