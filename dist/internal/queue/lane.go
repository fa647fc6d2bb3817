package queue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
)

// A Lane takes units from a consumer, one at a time, and holds none back. It is for one
// goroutine.
type Lane struct {
	queue *Queue
	sub   *nats.Subscription
	// from is where units are asked for, and to where they come.
	from, to string
	// until is when the server forgets that it was asked, zero where it was not.
	until time.Time
}

// What a worker says of a unit that it has.
const (
	taken = "+ACK"
	works = "+WPI"
	ends  = "+TERM"
	next  = "+NXT "
)

// Taken says that a unit is done, Ends that it is none, and Works that the worker that
// has it lives. What does not arrive is said again, or the unit is handed out again.
func (q *Queue) Taken(m *nats.Msg) error { return q.Conn.Publish(m.Reply, []byte(taken)) }

// Ends is described at Taken.
func (q *Queue) Ends(m *nats.Msg) { _ = q.Conn.Publish(m.Reply, []byte(ends)) }

// Works is described at Taken.
func (q *Queue) Works(m *nats.Msg) { _ = q.Conn.Publish(m.Reply, []byte(works)) }

// Lane opens a lane of a stream.
func (q *Queue) Lane(stream, consumer string) (*Lane, error) {
	l := &Lane{queue: q, from: fmt.Sprintf("$JS.API.CONSUMER.MSG.NEXT.%s.%s", stream, consumer), to: q.Conn.NewInbox()}
	var err error
	l.sub, err = q.Conn.SubscribeSync(l.to)
	return l, err
}

// late is how much later than asked for the server may say that there is no unit.
const late = time.Second

// asks is what the server is asked, for so long.
func asks(wait time.Duration) []byte { return fmt.Appendf(nil, `{"batch":1,"expires":%d}`, wait) }

// Next waits for a unit, nil where none came in time, or the connection was lost.
func (l *Lane) Next(ctx context.Context, wait time.Duration) (*nats.Msg, error) {
	there, done := l.queue.connected(ctx)
	defer done()
	if now := time.Now(); l.waiting() == 0 && now.After(l.until) { // else it came later than it was asked for
		if err := l.queue.Conn.PublishRequest(l.from, l.to, asks(wait)); err != nil {
			return nil, err
		}
		l.until = now.Add(wait + late)
	}
	m, err := l.answer(there)
	switch {
	case err == nil:
	case ctx.Err() != nil: // what was asked for may still come
		return nil, nil
	case there.Err() != nil:
		l.until = time.Time{}
		return nil, nil
	case errors.Is(err, context.DeadlineExceeded):
		return nil, nil
	default:
		return nil, err
	}
	switch status := m.Header.Get("Status"); {
	case isUnit(m):
		return m, nil
	case status == "404" || status == "408": // there is none now
		return nil, nil
	case status == "503":
		return nil, nats.ErrNoResponders
	default:
		return nil, fmt.Errorf("the queue hands out nothing: %s %s", status, m.Header.Get("Description"))
	}
}

// answer waits for what the server says to what it was asked, until it has forgotten that.
// What it has said already is there at once.
func (l *Lane) answer(ctx context.Context) (*nats.Msg, error) {
	if l.waiting() == 0 {
		within, stop := context.WithDeadline(ctx, l.until)
		defer stop()
		ctx = within
	}
	m, err := l.sub.NextMsgWithContext(ctx)
	if err == nil {
		l.until = time.Time{}
	}
	return m, err
}

// isUnit reports whether the server hands out a unit, and does not say why it does not.
func isUnit(m *nats.Msg) bool { return m.Header.Get("Status") == "" || len(m.Data) > 0 }

// Asked reports whether something may come, or has, that was asked for and not taken: that
// has to be run next, as nobody says of it that its worker lives.
func (l *Lane) Asked() bool { return time.Now().Before(l.until) || l.waiting() > 0 }

// waiting is how many messages have come and were not taken.
func (l *Lane) waiting() int {
	n, _, _ := l.sub.Pending() // an error says that the lane is closed
	return n
}

// Taken says that a unit is done, and asks for the next one with the same message.
func (l *Lane) Taken(m *nats.Msg, wait time.Duration) error {
	l.until = time.Now().Add(wait + late)
	return l.queue.Conn.PublishRequest(m.Reply, l.to, append([]byte(next), asks(wait)...))
}

// Leave closes the lane. The server may be handing out a unit at this moment: in a lane that
// closes before it comes the unit would be lost, wait until its worker had been silent for too
// long, and count as handed out once more. So the lane stays open until the server has answered
// what it was asked, or has forgotten it, or the connection is lost. A unit that comes goes to
// back.
func (l *Lane) Leave(back func(*nats.Msg)) {
	defer l.Close()
	there, done := l.queue.connected(context.Background())
	defer done()
	for l.Asked() {
		m, err := l.answer(there)
		if err != nil {
			return
		}
		if isUnit(m) {
			back(m)
		}
	}
}

// Close closes the lane at once: a unit that the server is handing out is lost to it.
func (l *Lane) Close() { _ = l.sub.Unsubscribe() } // an error says that it is closed
