package policy

import (
	"context"
	"fmt"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/sched"
)

// BulkheadKind bounds how many calls of a target are under way at once.
var BulkheadKind = &Kind{Name: "bulkhead", Reason: "bulkhead", Failure: failure.Overloaded, Read: readBulkhead}

// BulkheadConfig bounds how many calls are under way and how many wait.
type BulkheadConfig struct {
	MaxConcurrent int
	MaxQueue      int

	ownAttrs
}

func readBulkhead(d Declaration) Config { return NewBulkheadConfig(d) }

// NewBulkheadConfig reads the block of a bulkhead, which a step can have as well
// as a target.
func NewBulkheadConfig(d Declaration) *BulkheadConfig {
	return &BulkheadConfig{MaxConcurrent: max(1, d.Int("max_concurrent")), MaxQueue: d.Int("max_queue"), ownAttrs: ownOf(d, "max_queue")}
}

// Kind implements Config.
func (*BulkheadConfig) Kind() *Kind { return BulkheadKind }

// JSON implements Config.
func (cfg *BulkheadConfig) JSON() []Member {
	return []Member{{"max_concurrent", cfg.MaxConcurrent}, {"max_queue", cfg.MaxQueue}}
}

// Text implements Config.
func (cfg *BulkheadConfig) Text() string {
	return fmt.Sprintf("%d at once, %d waiting", cfg.MaxConcurrent, cfg.MaxQueue)
}

// Guard implements Config.
func (cfg *BulkheadConfig) Guard(h Host) Guard {
	return NewBulkhead(h.Clock, fmt.Sprintf("target %q", h.Target), *cfg)
}

// A Bulkhead admits calls first come, first served.
type Bulkhead struct {
	cfg   BulkheadConfig
	slots *sched.Semaphore
	why   string
}

// NewBulkhead returns a bulkhead; owner is for the text of a deadlock.
func NewBulkhead(clock *sched.Scheduler, owner string, cfg BulkheadConfig) *Bulkhead {
	return &Bulkhead{cfg: cfg, slots: clock.NewSemaphore(cfg.MaxConcurrent), why: "the bulkhead of " + owner}
}

// Enter waits for a place. ok is false when the queue is full; err is the
// context's. After ok and no error, Leave must be called.
func (b *Bulkhead) Enter(ctx context.Context) (ok bool, err error) {
	if b.slots.InUse() >= b.cfg.MaxConcurrent && b.slots.Waiting() >= b.cfg.MaxQueue {
		return false, nil
	}
	return true, b.slots.Acquire(ctx, b.why)
}

// Leave gives the place back.
func (b *Bulkhead) Leave() { b.slots.Release() }

// Admit implements Guard.
func (b *Bulkhead) Admit(ctx context.Context, _ Call) (Pass, string, error) {
	switch ok, err := b.Enter(ctx); {
	case err != nil:
		return nil, "", err
	case !ok:
		return nil, "the bulkhead is full", nil
	}
	return b, "", nil
}

// Ended implements Pass.
func (b *Bulkhead) Ended(Dial) {}
