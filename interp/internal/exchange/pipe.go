package exchange

import (
	"context"
	"errors"
	"net/http"

	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// A Pipe carries the messages of a live run to a server that is a process: the
// request's body is what is written to its standard input, and the answer's
// body what it writes to its standard output. The process is started with the
// first message. A Pipe is used from several goroutines at once.
type Pipe interface {
	http.RoundTripper
	// Close ends the process, and returns when it has ended.
	Close() error
}

var errNoPipes = errors.New("this run starts no processes")

// transport carries what an attempt sends: the network, or the pipe to a
// process, which all attempts on one provider share.
func (s *Sources) transport(p *plan.Provider) (http.RoundTripper, error) {
	if p.Command == nil {
		return s.live.Transport, nil
	}
	if s.live.Pipe == nil {
		return nil, errNoPipes
	}
	pipe := s.pipes[p.Name]
	if pipe == nil {
		pipe = s.live.Pipe(p.Command)
		if s.pipes == nil {
			s.pipes = map[string]Pipe{}
		}
		s.pipes[p.Name] = pipe
	}
	return pipe, nil
}

// hangUp ends the process behind a provider, where there is one: a session that
// is gone is opened anew with a new process.
func (s *Sources) hangUp(ctx context.Context, provider string) {
	pipe := s.pipes[provider]
	if pipe == nil {
		return
	}
	delete(s.pipes, provider)
	s.clock.External(ctx, "the end of a process", func() { _ = pipe.Close() })
}

// Close ends all processes of the run. What a process says of its own end is no
// part of the result.
func (s *Sources) Close() {
	for _, pipe := range s.pipes {
		_ = pipe.Close()
	}
}
