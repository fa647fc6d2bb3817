package queue

import (
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/scenario-lang/scenario/dist/internal/job"
)

// Shows that the only lane of a run has no filter, with which the server would look at all
// units that wait for each that it hands out, that it takes the place of one with a filter,
// and that of several lanes each hands out its own units.
func TestFiltersOfLanes(t *testing.T) {
	q, err := Embedded(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	for _, c := range []struct {
		run       string
		exclusive []string
		want      []string
	}{
		{"alone", nil, []string{""}},
		{"shared", []string{"db", "gpu"}, []string{"scenario.work.shared.any.*", "scenario.work.shared.x1.*", "scenario.work.shared.x2.*"}},
	} {
		r := &job.Run{ID: c.run, Units: 1, AckWait: time.Minute, Exclusive: c.exclusive}
		if err := q.Prepare(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		if c.exclusive == nil {
			before := jetstream.ConsumerConfig{Durable: job.Lane(0), FilterSubject: job.LaneSubjects(r.ID, job.Lane(0)), AckPolicy: jetstream.AckExplicitPolicy, AckWait: r.AckWait, MaxDeliver: -1, MaxAckPending: -1, MaxWaiting: slotsMax}
			if _, err := q.JS.UpdateConsumer(t.Context(), job.WorkStream(r.ID), before); err != nil {
				t.Fatal(err)
			}
			if err := q.Lanes(t.Context(), r); err != nil {
				t.Fatal(err)
			}
		}
		for i, want := range c.want {
			consumer, err := q.JS.Consumer(t.Context(), job.WorkStream(r.ID), job.Lane(i))
			if err != nil {
				t.Fatal(err)
			}
			if got := consumer.CachedInfo().Config.FilterSubject; got != want {
				t.Errorf("lane %d of the run %s has the filter %q, not %q", i, c.run, got, want)
			}
		}
	}
}
