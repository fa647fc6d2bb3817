package collect

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"sync"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/scenario-lang/scenario/dist/internal/job"
	"github.com/scenario-lang/scenario/dist/internal/queue"
)

// A Spool holds the results of a run in a file, so that memory does not grow with them.
// It is safe for concurrent use.
type Spool struct {
	file    *os.File
	results *queue.Follower

	mu    sync.Mutex
	moved *sync.Cond
	// at is where the result of each position lies.
	at   []span
	end  int64
	done int
	err  error
	// again counts units that were handed out more than once, by worker that then
	// made the result; lost are the positions of those that nobody ended.
	again int
	lost  int
}

// A span is a part of the file, of length 0 for none.
type span struct {
	from   int64
	length int32
	unrun  bool
}

// Open begins to gather the results of a run in a file of a directory.
func Open(ctx context.Context, q *queue.Queue, r *job.Run) (*Spool, error) {
	f, err := os.CreateTemp("", "scenario-dist-*.results")
	if err != nil {
		return nil, err
	}
	_ = os.Remove(f.Name()) // it lasts as long as it is open, where the system allows
	s := &Spool{file: f, at: make([]span, r.Units)}
	s.moved = sync.NewCond(&s.mu)
	if s.results, err = q.Follow(ctx, job.ResultStream(r.ID), false, s.take); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// take keeps a result. After a restart of the server it may come twice.
func (s *Spool) take(m jetstream.Msg) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.moved.Broadcast()
	position := job.PositionOf(m.Subject())
	if position < 1 || position > len(s.at) || s.at[position-1].length > 0 || s.err != nil {
		return
	}
	if _, err := s.file.WriteAt(m.Data(), s.end); err != nil {
		s.err = fmt.Errorf("cannot keep the results: %w", err)
		return
	}
	kind := m.Headers().Get(job.KindHeader)
	s.at[position-1] = span{s.end, int32(len(m.Data())), kind == job.KindUnrun}
	s.end += int64(len(m.Data()))
	s.done++
	if n, _ := strconv.Atoi(m.Headers().Get(job.DeliveryHeader)); n > 1 {
		s.again++
	}
	if kind == job.KindLost {
		s.lost++
	}
}

// Wait waits for the result of a position.
func (s *Spool) Wait(ctx context.Context, position int) error {
	stop := context.AfterFunc(ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.moved.Broadcast()
	})
	defer stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.at[position-1].length == 0 && s.err == nil && ctx.Err() == nil {
		s.moved.Wait()
	}
	if s.err == nil && s.at[position-1].length == 0 {
		return context.Cause(ctx)
	}
	return s.err
}

// Line waits for the result of a position and is its line.
func (s *Spool) Line(ctx context.Context, position int) ([]byte, error) {
	if err := s.Wait(ctx, position); err != nil {
		return nil, err
	}
	s.mu.Lock()
	at := s.at[position-1]
	s.mu.Unlock()
	line := make([]byte, at.length)
	_, err := s.file.ReadAt(line, at.from)
	return line, err
}

// Told is what a run came to beside its results.
type Told struct{ Done, Again, Lost int }

// Told is what is known so far.
func (s *Spool) Told() Told {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Told{s.done, s.again, s.lost}
}

// Close removes the file.
func (s *Spool) Close() {
	if s.results != nil {
		s.results.Stop()
	}
	_ = s.file.Close()
	_ = os.Remove(s.file.Name()) // where it could not be removed while it was open
}
