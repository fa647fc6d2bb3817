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

// Fetch reads an object of a store. What is what it has, for the error where it is gone.
func Fetch(ctx context.Context, q *queue.Queue, store jetstream.ObjectStore, name, what string) (data []byte, err error) {
	err = q.Move(ctx, func(ctx context.Context) error {
		data, err = read(ctx, store, name)
		return err
	})
	if queue.Missing(err) {
		return nil, queue.Expired(what, err)
	}
	return data, err
}

// read reads an object once. If the connection is lost, or the server forgets that somebody
// reads, the client goes on waiting for ten minutes: nobody here waits for the client.
func read(ctx context.Context, store jetstream.ObjectStore, name string) ([]byte, error) {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	stall := time.AfterFunc(stallMax, func() { end(nats.ErrTimeout) })
	defer stall.Stop()
	type result struct {
		data []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		object, err := store.Get(ctx, name)
		if err != nil {
			done <- result{err: err}
			return
		}
		defer object.Close()
		data, err := io.ReadAll(&progress{object, stall})
		done <- result{data, err}
	}()
	select {
	case r := <-done:
		return r.data, r.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
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
