package sched

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scenario-lang/scenario/wire"
)

// Tasks and other goroutines take turns on a stage: while the tasks wait for an
// instant, or for a call beside them, the others have it, and at no other time.
// The clock counts from where the others count from. Under the race detector.
func TestSharedStage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var stage sync.Mutex
		var notes []string
		start := time.Now()
		time.Sleep(time.Hour)
		s := NewShared(wire.System(), start, &stage)
		note := func(who string) { notes = append(notes, who) }
		go func() {
			for range 3 {
				time.Sleep(time.Second)
				stage.Lock()
				note("other at " + time.Since(start).String())
				stage.Unlock()
			}
		}()
		stage.Lock()
		err := s.Run(func(ctx context.Context) {
			note("task at " + s.Elapsed().String())
			_ = s.Sleep(ctx, 1500*time.Millisecond)
			note("task at " + s.Elapsed().String())
			s.External(ctx, "a live call", func() { time.Sleep(time.Second) })
			note("task at " + s.Elapsed().String())
			ctx, cancel := s.WithCancel(ctx)
			s.External(ctx, "somebody", func() { s.Post(cancel) })
			_ = s.Sleep(ctx, time.Hour)
		})
		stage.Unlock()
		time.Sleep(time.Second)
		stage.Lock()
		defer stage.Unlock()
		want := []string{"task at 1h0m0s", "other at 1h0m1s", "task at 1h0m1.5s", "other at 1h0m2s", "task at 1h0m2.5s", "other at 1h0m3s"}
		if err != nil || len(notes) != len(want) {
			t.Fatalf("%q, %v", notes, err)
		}
		for i := range want {
			if notes[i] != want[i] {
				t.Errorf("%q, want %q", notes[i], want[i])
			}
		}
	})
}
