package adaptertest

import (
	"context"
	"io"
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/wire"
)

// A Played is what became of one attempt.
type Played struct {
	Out    providers.Output
	Failed *failure.Failure
	// Chunks are the deltas that reached the consumer.
	Chunks []string
	// Elapsed is the virtual time that the attempt took.
	Elapsed time.Duration
	// Unclosed says that the answer's body was left open.
	Unclosed bool
}

// Deadline is how long an attempt waits for its answer.
const Deadline = time.Hour

// Play sends in's request through a script and parses what comes back, with
// an adapter and a clock of its own, under a deadline.
func Play(a providers.Adapter, in providers.Input, script wire.WireScript) (Played, error) {
	var p Played
	clock := NewClock()
	ctx, cancel := clock.WithTimeout(context.Background(), Deadline)
	defer cancel()
	req, err := a.Request(ctx, in)
	if err != nil {
		return p, err
	}
	resp, err := script.RoundTrip(clock, req)
	body := &closeWitness{}
	if resp != nil {
		body.ReadCloser, resp.Body = resp.Body, body
	}
	p.Out, p.Failed = a.Parse(ctx, in, resp, err, clock.Now, func(c providers.Chunk) error {
		p.Chunks = append(p.Chunks, c.Content)
		return nil
	})
	p.Elapsed = clock.Elapsed()
	p.Unclosed = resp != nil && !body.closed
	return p, nil
}

type closeWitness struct {
	io.ReadCloser
	closed bool
}

func (c *closeWitness) Close() error {
	c.closed = true
	return c.ReadCloser.Close()
}
