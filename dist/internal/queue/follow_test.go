package queue

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Shows that a follower hands on what is there and what comes, in order, and that one which
// does not hear any more, for whatever reason, hears again, from where it was.
func TestFollowerThatIsDeaf(t *testing.T) {
	q, publish := filled(t)
	publish("before")
	f, came := followed(t, q, "s")
	publish("after")
	if all := upTo(came, 2); !slices.Equal(all, []string{"before", "after"}) {
		t.Fatalf("heard %q", all)
	}
	f.mu.Lock()
	f.listening.Stop()
	f.mu.Unlock()
	publish("deaf")
	publish("still")
	if all := upTo(came, 2); !slices.Equal(all, []string{"deaf", "still"}) {
		t.Errorf("heard %q", all)
	}
}

// followed is a follower of a stream with what it passes on.
func followed(t *testing.T, q *Queue, stream string) (*Follower, <-chan string) {
	t.Helper()
	came := make(chan string, 10)
	f, err := q.follow(t.Context(), time.Millisecond, stream, false, func(m jetstream.Msg) { came <- string(m.Data()) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Stop)
	return f, came
}

// upTo are the next so many messages, fewer where they do not come.
func upTo(came <-chan string, n int) (all []string) {
	for range n {
		select {
		case one := <-came:
			all = append(all, one)
		case <-time.After(time.Minute):
			return all
		}
	}
	return all
}

// filled is a queue in this process with a stream, and what publishes there.
func filled(t *testing.T) (*Queue, func(string)) {
	t.Helper()
	q, err := Embedded(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	create(t, q)
	return q, func(what string) {
		t.Helper()
		if _, err := q.JS.Publish(t.Context(), "s."+what, []byte(what)); err != nil {
			t.Fatal(err)
		}
	}
}

// create makes the stream, and asks again where the server cannot: it says that a stream is
// gone before its files are, and makes none of that name in between.
func create(t *testing.T, q *Queue) {
	t.Helper()
	ctx, done := context.WithTimeout(t.Context(), time.Minute)
	defer done()
	for {
		_, err := q.JS.CreateStream(ctx, jetstream.StreamConfig{Name: "s", Subjects: []string{"s.*"}})
		var said *jetstream.APIError
		switch {
		case err == nil:
			return
		case ctx.Err() != nil || !errors.As(err, &said) || said.ErrorCode != storeNotMade:
			t.Fatal(err)
		}
	}
}

// storeNotMade is the server's number for a stream that it could not create
// (JSStreamCreateErrF).
const storeNotMade = 10049

// Shows that a follower of a stream that has lost messages hears those that come now: they
// have numbers that were there before.
func TestFollowerOfAStreamThatLostMessages(t *testing.T) {
	q, publish := filled(t)
	for _, one := range []string{"a", "b", "c"} {
		publish(one)
	}
	_, came := followed(t, q, "s")
	upTo(came, 3)
	if err := q.JS.DeleteStream(t.Context(), "s"); err != nil {
		t.Fatal(err)
	}
	create(t, q)
	publish("d")
	if all := upTo(came, 1); !slices.Equal(all, []string{"d"}) {
		t.Errorf("heard %q", all)
	}
}

// A numbered message is what a follower asks of one.
type numbered struct {
	jetstream.Msg
	n uint64
}

func (m numbered) Metadata() (*jetstream.MsgMetadata, error) {
	return &jetstream.MsgMetadata{Sequence: jetstream.SequencePair{Stream: m.n}}, nil
}

// Shows that what two consumers deliver, as where one was only slow, is passed on once and
// in order.
func TestFollowerPassesOnOnce(t *testing.T) {
	var all []uint64
	f := &Follower{take: func(m jetstream.Msg) { all = append(all, m.(numbered).n) }}
	for _, n := range []uint64{1, 2, 1, 2, 4, 3, 5} {
		f.heard(numbered{n: n})
	}
	if !slices.Equal(all, []uint64{1, 2, 4, 5}) {
		t.Errorf("it passes on %v", all)
	}
}

// Shows that a follower gives what it has not heard more time with each consumer that
// delivered nothing, up to a limit, and is as quick as at first once it has heard something.
func TestFollowerIsPatient(t *testing.T) {
	w := wait{most: 1}
	looks := func() (n int) {
		for n = 1; !w.enough(); n++ {
		}
		return n
	}
	for _, want := range []int{2, 3, 5, 9, 17, 17} {
		if n := looks(); n != want {
			t.Errorf("it looks %d times, want %d", n, want)
		}
	}
	w.over()
	if n := looks(); n != 2 {
		t.Errorf("after it has heard something it looks %d times", n)
	}
}

// Shows that a follower does not look for messages that a stream has had and has no more, as
// where all have expired: it keeps the consumer that it has, and hears what comes then.
func TestFollowerOfAStreamThatIsEmptyAgain(t *testing.T) {
	q, publish := filled(t)
	publish("gone")
	s, err := q.JS.Stream(t.Context(), "s")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	f, came := followed(t, q, "s")
	for _, c := range []struct {
		seen, want uint64
	}{{0, 0}, {1, 1}, {2, 1}} { // who has heard 2 of 1 has heard what the server has lost
		if there, err := f.there(t.Context(), c.seen); err != nil || there != c.want {
			t.Errorf("behind %d it is told of %d, want %d: %v", c.seen, there, c.want, err)
		}
	}
	publish("new")
	if all := upTo(came, 1); !slices.Equal(all, []string{"new"}) {
		t.Errorf("heard %q", all)
	}
	if there, err := f.there(t.Context(), 1); err != nil || there != 2 {
		t.Errorf("behind 1 it is told of %d, want 2: %v", there, err)
	}
}

// Shows that a follower that is stopped leaves nothing on the server.
func TestFollowerLeavesNothing(t *testing.T) {
	q, publish := filled(t)
	publish("a")
	f, came := followed(t, q, "s")
	upTo(came, 1)
	f.Stop()
	s, err := q.JS.Stream(t.Context(), "s")
	if err != nil {
		t.Fatal(err)
	}
	if n := s.CachedInfo().State.Consumers; n != 0 {
		t.Errorf("%d consumers are left", n)
	}
}

// Shows that what is asked over a connection that was ended for good is answered with why,
// also before the client has told it.
func TestAskOverAClosedConnection(t *testing.T) {
	q, err := Embedded(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	q.Conn.Close()
	_, err = q.Run(t.Context(), "r")
	var trouble *Trouble
	if !errors.As(err, &trouble) || err.Error() != "the connection to the queue at this process is closed" {
		t.Errorf("%T: %v", err, err)
	}
}
