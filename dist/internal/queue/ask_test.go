package queue

import (
	"context"
	"errors"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Shows that what the server did not answer is asked again until it does or nobody
// waits any more, and that what it refused is not.
func TestAsk(t *testing.T) {
	q, err := Embedded(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	asked := func(ctx context.Context, answers ...error) (n int, err error) {
		err = q.Ask(ctx, func(context.Context) error {
			n++
			return answers[min(n, len(answers))-1]
		})
		return n, err
	}
	for _, away := range []error{nats.ErrTimeout, nats.ErrNoResponders, nats.ErrDisconnected, jetstream.ErrNoStreamResponse, &jetstream.APIError{Code: 503}} {
		if n, err := asked(t.Context(), away, away, nil); n != 3 || err != nil {
			t.Errorf("%v: asked %d times, %v", away, n, err)
		}
	}
	full := &jetstream.APIError{Code: 503, Description: "maximum messages per subject exceeded"}
	for _, said := range []error{jetstream.ErrStreamNotFound, jetstream.ErrKeyExists, nats.ErrMaxPayload, full, errors.New("something else")} {
		if n, err := asked(t.Context(), said, nil); n != 1 || !errors.Is(err, said) {
			t.Errorf("%v: asked %d times, %v", said, n, err)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if n, err := asked(ended, nats.ErrTimeout); n != 1 || err == nil {
		t.Errorf("when nobody waits: asked %d times, %v", n, err)
	}
}
