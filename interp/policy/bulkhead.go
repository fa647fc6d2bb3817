package policy

import (
	"context"

	"github.com/scenario-lang/scenario/interp/sched"
)

// BulkheadConfig bounds how many calls are under way and how many wait.
type BulkheadConfig struct {
	MaxConcurrent int
	MaxQueue      int
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
