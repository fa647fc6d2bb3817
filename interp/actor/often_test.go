package actor_test

import (
	"context"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/interp/actor"
)

// Shows that a run which ends because something of a registry comes too often
// says what that is, and which attribute to change.
func TestTooOften(t *testing.T) {
	for _, c := range []struct {
		heartbeat, sweep time.Duration
		want             string
	}{
		{time.Nanosecond, time.Second, `the run had its limit of 1000 events at 997ns, last for the heartbeat of actor "a" every 1ns (heartbeat_every of registry "r"): that is due too often for a run of this length`},
		{time.Second, time.Nanosecond, `the run had its limit of 1000 events at 997ns, last for the sweep of registry "r" every 1ns (sweep_every): that is due too often for a run of this length`},
	} {
		s := newStage(&actor.Spec{
			Actors:     []*actor.ActorSpec{{Name: "a", Registry: "r", MaxHops: 8}},
			Registries: []*actor.RegistrySpec{{Name: "r", TTL: time.Second, QuarantineAfter: 2 * time.Second, SweepEvery: c.sweep, HeartbeatEvery: c.heartbeat}},
		})
		s.clock.EventLimit = 1000
		err := s.clock.Run(func(ctx context.Context) {
			s.world.Start(ctx)
			_ = s.clock.Sleep(ctx, time.Hour)
		})
		if err == nil || err.Error() != c.want {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
}
