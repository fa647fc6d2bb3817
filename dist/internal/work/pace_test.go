package work

import (
	"context"
	"strconv"
	"sync"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/scenario-lang/scenario/dist/internal/job"
	"github.com/scenario-lang/scenario/money"
)

// A stored result is what the counting of costs asks of one.
type stored struct {
	jetstream.Msg
	position int
	sequence uint64
	bench    int
	usd      string
}

func (r stored) Subject() string { return job.ResultSubject("r", r.position) }

func (r stored) Headers() nats.Header {
	return nats.Header{job.BenchHeader: {strconv.Itoa(r.bench)}, job.CostHeader: {r.usd}}
}

func (r stored) Metadata() (*jetstream.MsgMetadata, error) {
	return &jetstream.MsgMetadata{Sequence: jetstream.SequencePair{Stream: r.sequence}}, nil
}

// Shows that costs are counted once for each result, for the bench that it is of, and
// exactly: ten cents ten times are a dollar, and a dollar is not more than one.
func TestSpending(t *testing.T) {
	s := &spending{counted: map[int]bool{}, usd: map[int]money.USD{}}
	s.moved = sync.NewCond(&s.mu)
	for i := range 10 {
		s.count(stored{position: i + 1, sequence: uint64(i + 1), bench: 1, usd: "0.1"})
	}
	s.count(stored{position: 3, sequence: 3, bench: 1, usd: "0.1"}) // shown again by a server that was restarted
	s.count(stored{position: 11, sequence: 11, bench: 2, usd: "5"})
	over := func(bench int, limit float64) bool { return s.over(t.Context(), 11, bench, limit) }
	if over(1, 1) || !over(1, 0.99) || !over(2, 4) || over(2, 5) || over(3, 0) {
		t.Errorf("counted are %v", s.usd)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	s.over(ended, 12, 1, 1) // does not wait for a result that does not come
}
