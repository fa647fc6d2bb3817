package queue

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/scenario-lang/scenario/internal/command/cli"
)

// Shows that who asks a server that does not answer is told so within a minute, and that
// who waits for results is not sent away.
func TestPatience(t *testing.T) {
	q, err := Embedded(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	now := time.Unix(0, 0)
	q.outage.now = func() time.Time { return now }
	asked := func(answers int) (n int, err error) {
		err = q.Ask(t.Context(), func(context.Context) error {
			if n++; n > answers {
				return nil
			}
			now = now.Add(25 * time.Second)
			return nats.ErrNoResponders
		})
		return n, err
	}
	n, err := asked(9)
	var exit *cli.ExitError
	if n != 3 || !errors.As(err, &exit) || exit.Code != cli.ExitInternal || err.Error() != "the queue at this process did not answer within 1m15s: JetStream does not run there" {
		t.Errorf("asked %d times: %v", n, err)
	}
	q.Wait()
	if n, err := asked(9); n != 10 || err != nil {
		t.Errorf("who waits has asked %d times: %v", n, err)
	}
}

// Shows that an outage is told once, after it has lasted for a while, and so is its end;
// that a short one is not told, and that one which ended and began again is another one.
func TestOutage(t *testing.T) {
	var said strings.Builder
	now := time.Unix(0, 0)
	var due []func()
	o := &outage{where: "nats://q", tell: &said, now: func() time.Time { return now }, after: func(d time.Duration, do func()) {
		if d != 2*time.Second {
			t.Errorf("it is told after %s", d)
		}
		due = append(due, do)
	}}
	pass := func(d time.Duration) {
		now = now.Add(d)
		for _, do := range due {
			do()
		}
		due = nil
	}
	o.goes(errors.New("refused"))
	now = now.Add(time.Second)
	o.ends()
	o.goes(context.Canceled) // another one
	due = due[:1]            // what was to be told of the first
	pass(time.Second)
	if said.String() != "" {
		t.Errorf("a short outage is told: %s", said.String())
	}
	o.ends()
	o.goes(context.Canceled) // what was asked when the connection was lost
	o.goes(errors.New("refused"))
	pass(2 * time.Second)
	o.goes(nats.ErrTimeout)
	pass(8 * time.Second)
	o.ends()
	o.ends()
	const want = "note: the queue at nats://q does not answer: refused. This waits until it does\nnote: the queue at nats://q answers again, after 10s\n"
	if said.String() != want {
		t.Errorf("it says\n%swant\n%s", said.String(), want)
	}
}

// Shows that what a server refuses is said in words, with where and what to do, and that
// what callers expect stays as it is.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		err  error
		said string // "" where it stays as it is
	}{
		{nats.ErrMaxPayload, "the queue at q does not accept a message as large as this one"},
		{&jetstream.APIError{Code: 400, ErrorCode: 10058, Description: "stream name already in use with a different configuration"}, "the queue at q refuses a request: stream name already in use with a different configuration"},
		{jetstream.ErrHandlerRequired, "a request to the queue at q failed: handler cannot be empty"},
		{jetstream.ErrKeyExists, ""},
		{jetstream.ErrKeyRevisionMismatch, ""},
		{jetstream.ErrStreamNotFound, ""},
		{jetstream.ErrObjectNotFound, ""},
		{jetstream.ErrNoKeysFound, ""},
		{&jetstream.APIError{Code: 503, ErrorCode: 10077, Description: "maximum messages per subject exceeded"}, ""},
		{context.Canceled, ""},
		{errors.New("the disk is on fire"), ""},
		{nil, ""},
	} {
		got := refusal("q", c.err)
		var exit *cli.ExitError
		switch {
		case c.said == "" && got != c.err, c.said != "" && (got.Error() != c.said || !errors.Is(got, c.err) || !errors.As(got, &exit) || exit.Code != cli.ExitInternal):
			t.Errorf("%v: %v, want %q", c.err, got, c.said)
		}
	}
}

// Shows which answers of a server say that it is full: those are told and not asked again.
func TestFull(t *testing.T) {
	for _, c := range []struct {
		code jetstream.ErrorCode
		text string
		full bool
	}{
		{10023, "insufficient resources", true},
		{10047, "insufficient storage resources available", true},
		{10028, "insufficient memory resources available", true},
		{10002, "resource limits exceeded for account", true},
		{10027, "maximum number of streams reached", true},
		{10077, "no space left on device", true},
		{10077, "maximum messages per subject exceeded", false},
		{10008, "JetStream system temporarily unavailable", false},
		{10059, "stream not found", false},
	} {
		err := error(&jetstream.APIError{Code: 503, ErrorCode: c.code, Description: c.text})
		full := full("q", err)
		if (full != nil) != c.full || full != nil && (!errors.Is(full, ErrFull) || !errors.Is(full, err) || away(err) || !strings.HasPrefix(full.Error(), "the queue at q is full: "+c.text)) {
			t.Errorf("%s: %v", c.text, full)
		}
	}
}
