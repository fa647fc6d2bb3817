package work

import (
	"context"
	"io"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/scenario-lang/scenario/dist/internal/queue"
)

// stallMax is how long nothing of an object may arrive before it is asked for again.
const stallMax = 30 * time.Second

// Fetch is an object of a store. What is what it has, for the error where it is gone.
func Fetch(ctx context.Context, q *queue.Queue, store jetstream.ObjectStore, name, what string) (data []byte, err error) {
	err = Read(ctx, q, store, name, what, func(from io.Reader) error {
		data, err = io.ReadAll(from)
		return err
	})
	return data, err
}

// Read hands an object of a store to take as it arrives, and once more from its beginning
// where it did not arrive to its end. What is what it has, for the error where it is gone.
func Read(ctx context.Context, q *queue.Queue, store jetstream.ObjectStore, name, what string, take func(io.Reader) error) error {
	err := q.Move(ctx, func(ctx context.Context) error { return read(ctx, store, name, take) })
	if queue.Missing(err) {
		return queue.Expired(what, err)
	}
	return err
}

// read reads an object once. If the connection is lost, or the server forgets that somebody
// reads, the client goes on waiting for ten minutes: nobody here waits for the client.
func read(ctx context.Context, store jetstream.ObjectStore, name string, take func(io.Reader) error) error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	stall := time.AfterFunc(stallMax, func() { end(nats.ErrTimeout) })
	defer stall.Stop()
	from, to := io.Pipe()
	defer from.Close()
	defer context.AfterFunc(ctx, func() { _ = to.CloseWithError(context.Cause(ctx)) })()
	go func() {
		object, err := store.Get(ctx, name)
		if err == nil {
			defer object.Close()
			_, err = io.Copy(to, &progress{object, stall})
		}
		_ = to.CloseWithError(err)
	}()
	return take(from)
}

// A progress reader puts off a timer with every part that it reads.
type progress struct {
	from  io.Reader
	timer *time.Timer
}

func (p *progress) Read(b []byte) (int, error) {
	n, err := p.from.Read(b)
	if n > 0 {
		p.timer.Reset(stallMax)
	}
	return n, err
}
