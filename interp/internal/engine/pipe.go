package engine

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
func (st *execution) transport(p *plan.Provider) (http.RoundTripper, error) {
	if p.Command == nil {
		return st.live.Transport, nil
	}
	if st.live.Pipe == nil {
		return nil, errNoPipes
	}
	pipe := st.pipes[p.Name]
	if pipe == nil {
		pipe = st.live.Pipe(p.Command)
		if st.pipes == nil {
			st.pipes = map[string]Pipe{}
		}
		st.pipes[p.Name] = pipe
	}
	return pipe, nil
}

// hangUp ends the process behind a provider, where there is one: a session that
// is gone is opened anew with a new process.
func (a *attempt) hangUp(ctx context.Context) {
	st, name := a.call.r.execution, a.target.Provider.Name
	pipe := st.pipes[name]
	if pipe == nil {
		return
	}
	delete(st.pipes, name)
	st.Clock.External(ctx, "the end of a process", func() { _ = pipe.Close() })
}

// hangUp ends all processes of the run. What a process says of its own end is
// no part of the result.
func (st *execution) hangUp() {
	for _, pipe := range st.pipes {
		_ = pipe.Close()
	}
}
