package work

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/dist/internal/bundle"
	"github.com/scenario-lang/scenario/dist/internal/job"
)

// Shows that a worker whose machine cannot begin units rests for one second and then for
// two, takes no further ones meanwhile, and leaves the run to others after the third in a
// row, with the reason; and that none of the units was lost or counted as handed out.
func TestWorkerOnASickMachine(t *testing.T) {
	made := bundle.NewBuilder()
	made.Empty(filepath.Join(t.TempDir(), "go.mod"))
	data, digest, err := made.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	b := lay(t, &job.Run{Units: 9, AckWait: time.Hour, Deliveries: 1, Bundle: digest})
	store, err := b.q.Bundles(t.Context())
	b.ok(err)
	_, err = store.PutBytes(t.Context(), digest, data)
	b.ok(err)
	for n := range 9 {
		b.unit(job.Unit{Run: "r", Position: n + 1, File: "f.scenario.hcl", Name: "s"})
	}
	full := filepath.Join(t.TempDir(), "full")
	b.ok(os.WriteFile(full, nil, 0o600)) // nothing can be unpacked into a file
	var log bytes.Buffer
	left := make(chan error, 1)
	b.w.plans.dir, b.w.o.Log, b.w.o.Left = full, &log, func(_ string, why error) { left <- why }
	now := time.Unix(1_000_000, 0)
	var rests []time.Duration
	b.w.now = func() time.Time { return now }
	b.w.after = func(d time.Duration) <-chan time.Time { // the only slot is here
		rests = append(rests, d)
		now = now.Add(d)
		c := make(chan time.Time, 1)
		c <- now
		return c
	}
	ctx, done := context.WithCancel(t.Context())
	worked := make(chan error, 1)
	go func() { worked <- b.w.Work(ctx) }()
	select {
	case why := <-left:
		if !strings.Contains(why.Error(), "none of the last 3 units") || !strings.Contains(why.Error(), "not a directory") {
			t.Errorf("it says %q", why)
		}
	case <-time.After(30 * time.Second):
		t.Error("the worker does not leave the run to others")
	}
	b.becomes(9, 0)
	done()
	b.ok(<-worked)
	if fmt.Sprint(rests) != "[1s 2s]" || strings.Count(log.String(), "cannot be begun here") != 2 || b.w.refused["r"] == "" {
		t.Errorf("it rested for %v and said\n%s", rests, &log)
	}
	for range 9 {
		m := b.handed()
		meta, err := m.Metadata()
		b.ok(err)
		if meta.NumDelivered != 1 {
			t.Errorf("a unit was handed out %d times", meta.NumDelivered)
		}
		b.q.Ends(m)
	}
}

// Shows that only failures in a row count: a unit that was begun lets the next failure
// be the first, and that failures of several slots at one time are one.
func TestFailuresInARow(t *testing.T) {
	b := lay(t, &job.Run{Units: 9, AckWait: time.Hour, Deliveries: 1})
	now := time.Unix(1_000_000, 0)
	b.w.now = func() time.Time { return now }
	fails := func() {
		t.Helper()
		b.unit(job.Unit{Run: "r", Position: 1})
		h, err := b.w.hold(t.Context(), b.handed(), "r")
		b.ok(err)
		b.ok(b.w.ails(t.Context(), h, &Machine{os.ErrPermission}))
	}
	for range 5 { // all at one time
		fails()
	}
	for range 3 {
		now = now.Add(time.Hour)
		fails()
		b.w.well("r")
	}
	if why := b.w.refused["r"]; why != "" {
		t.Errorf("it left the run to others: %s", why)
	}
	b = lay(t, &job.Run{Units: 1, AckWait: time.Hour, Deliveries: 1})
	b.w.ailing["r"] = &ailment{tries: triesMax - 1}
	b.unit(b.runnable())
	h, err := b.w.hold(t.Context(), b.handed(), "r")
	b.ok(err)
	if done, err := b.w.unit(t.Context(), h); !done || err != nil || b.w.ailing["r"] != nil {
		t.Errorf("a unit that was begun has not ended it: %v, %v, %v", done, err, b.w.ailing["r"])
	}
}
