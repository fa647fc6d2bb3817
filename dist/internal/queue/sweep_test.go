package queue

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/scenario-lang/scenario/dist/internal/job"
)

// prepared creates what a queue has of runs, with a rate each, and announces those that it is
// to know of.
func prepared(t *testing.T, q *Queue, known bool, runs ...string) {
	t.Helper()
	for _, id := range runs {
		r := &job.Run{ID: id, Units: 1, AckWait: time.Minute, Benches: []job.Bench{{File: "f", Name: "b", Rate: 6000}}}
		if err := q.Prepare(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		if !known {
			continue
		}
		if err := q.Announce(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
}

// streamsOf are those that a queue has whose names have a text in them.
func streamsOf(t *testing.T, q *Queue, text string) (all []string) {
	t.Helper()
	streams := q.JS.StreamNames(t.Context())
	for name := range streams.Name() {
		if strings.Contains(name, text) {
			all = append(all, name)
		}
	}
	if err := streams.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return all
}

// Shows what a sweep removes: the streams and the rates of a run that the queue has forgotten,
// once they are old and empty, and nothing else.
func TestSweep(t *testing.T) {
	q, err := Embedded(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	prepared(t, q, true, "now", "known")
	prepared(t, q, false, "forgotten", "full")
	if _, err := q.JS.Publish(t.Context(), job.ResultSubject("full", 1), []byte("{}")); err != nil {
		t.Fatal(err)
	}
	for name, subject := range map[string]string{"scenario-work-theirs": "theirs.>", "of-others": "others.>"} {
		if _, err := q.JS.CreateStream(t.Context(), jetstream.StreamConfig{Name: name, Subjects: []string{subject}}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := q.Bundles(t.Context()); err != nil {
		t.Fatal(err)
	}
	all := streamsOf(t, q, "")
	for _, c := range []struct {
		name, run string
		age       time.Duration
		removed   []string
	}{
		{"young streams", "now", time.Hour, nil},
		{"a week is long", "now", keep, nil},
		{"who asks is forgotten", "forgotten", 0, nil},
		{"old streams", "now", 0, []string{
			"KV_scenario-rate-forgotten-1", "KV_scenario-rate-full-1", "scenario-extra-forgotten", "scenario-extra-full", "scenario-result-forgotten", "scenario-work-forgotten", "scenario-work-full",
		}},
	} {
		// The runs were told of after their streams were made, and before these were.
		prepared(t, q, true, "now")
		if c.age == keep {
			q.Sweep(t.Context(), c.run)
		} else {
			q.sweep(t.Context(), c.run, c.age)
		}
		left := streamsOf(t, q, "")
		removed := slices.DeleteFunc(slices.Clone(all), func(name string) bool { return slices.Contains(left, name) })
		if !slices.Equal(removed, c.removed) {
			t.Errorf("%s: removed are %q, want %q", c.name, removed, c.removed)
		}
	}
}

// Shows that a sweep removes a hundred streams at most, and that the next one goes on.
func TestSweepOfMuch(t *testing.T) {
	q, err := Embedded(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	for n := range sweepMost + 5 {
		id := fmt.Sprintf("forgotten%d", n)
		if _, err := q.JS.CreateStream(t.Context(), jetstream.StreamConfig{Name: job.WorkStream(id), Subjects: []string{job.WorkSubjects(id)}}); err != nil {
			t.Fatal(err)
		}
	}
	prepared(t, q, true, "now")
	for _, want := range []int{5, 0} {
		if q.sweep(t.Context(), "now", 0); len(streamsOf(t, q, "forgotten")) != want {
			t.Errorf("%d streams are left, want %d", len(streamsOf(t, q, "forgotten")), want)
		}
	}
}

// Shows that a sweep ends after ten seconds where the server does not answer, and that the
// queue is of use then. The time is that of the test.
func TestSweepOfASilentServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, q := script(t)
		begun := time.Now()
		q.Sweep(t.Context(), "now")
		if took := time.Since(begun); took != 10*time.Second || q.usable.Err() != nil {
			t.Errorf("it has ended after %s: %v", took, q.usable.Err())
		}
	})
}

// usersOf are queues of two users of one server: the first lacks a right.
func usersOf(t *testing.T, right string) (lacks, all *Queue) {
	t.Helper()
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true,
		Users: []*server.User{
			{Username: "all", Password: "p"},
			{Username: "lacks", Password: "p", Permissions: &server.Permissions{Publish: &server.SubjectPermission{Allow: []string{">"}, Deny: []string{right}}}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(s.Shutdown)
	if !s.ReadyForConnections(upMax) {
		t.Fatal("the server did not begin")
	}
	open := func(user string) *Queue {
		q, err := Open(Address{URL: strings.Replace(s.ClientURL(), "://", "://"+user+":p@", 1)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(q.Close)
		return q
	}
	return open("lacks"), open("all")
}

// Shows that who may write nothing cannot try whether a queue is full, and goes on using it.
func TestFullWithoutARight(t *testing.T) {
	q, _ := usersOf(t, "$KV.>")
	kv, err := q.Workers(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	if q.IsFull(t.Context(), kv, "key") {
		t.Error("it is full")
	}
	if took := time.Since(begun); took > askMax/2 {
		t.Errorf("it took %s", took)
	}
	if _, err := q.Entries(t.Context(), kv); err != nil || q.usable.Err() != nil {
		t.Errorf("%v, %v", err, q.usable.Err())
	}
}

// Shows that a user who may not list or delete streams goes on using the queue after a sweep,
// which ends at once, and that the same right is missed where something depends on it.
func TestSweepWithoutARight(t *testing.T) {
	for _, right := range []string{"$JS.API.STREAM.LIST", "$JS.API.STREAM.DELETE.>"} {
		t.Run(right, func(t *testing.T) {
			q, other := usersOf(t, right)
			prepared(t, q, false, "forgotten")
			prepared(t, q, true, "now")
			begun := time.Now()
			q.sweep(t.Context(), "now", 0)
			if took := time.Since(begun); took > sweepMax/2 {
				t.Errorf("it took %s", took)
			}
			if err := q.Conn.Flush(); err != nil {
				t.Fatal(err)
			}
			if r, err := q.Run(t.Context(), "now"); err != nil || r == nil || q.usable.Err() != nil {
				t.Errorf("the queue has %v, %v, %v", r, err, q.usable.Err())
			}
			if n := len(streamsOf(t, other, "forgotten")); n != 4 {
				t.Errorf("%d streams are left", n)
			}
			if err := q.Conn.PublishRequest(strings.Replace(right, ">", "x", 1), nats.NewInbox(), nil); err != nil {
				t.Fatal(err)
			}
			select {
			case <-q.usable.Done():
			case <-time.After(upMax):
				t.Error("the right is not missed")
			}
		})
	}
}
