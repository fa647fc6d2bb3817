package wire

import (
	"context"
	"errors"
	"net/http"
)

// A Call is one dial that needs an answer.
type Call struct {
	Scenario string
	Step     string
	// Attempt and Round count from 1 within the step; Turn (of a tool loop)
	// and Iteration (of a loop) are 0 where there is none.
	Attempt, Round, Turn, Iteration int
	// Target is the entry of the gateway that is dialled.
	Target string
	// Lane tells the callers of a step apart that ask at one time, "" where nothing
	// does.
	Lane string
	// Stream says that the step asked for a stream.
	Stream bool
	// Request is the request as it would be sent. Its body was read into Body
	// and can be read again.
	Request *http.Request
	Body    []byte
}

// ErrPass is returned by a Source that leaves a call to the next one.
var ErrPass = errors.New("wire: the call is left to the next source")

// A Source decides what a call meets. It returns ErrPass to leave the call to
// the next source of a [Chain]; any other error says why there is no answer.
type Source interface {
	Next(ctx context.Context, call Call) (WireScript, error)
}

// A Chain asks its sources in order; the first that does not pass decides.
type Chain []Source

// Next returns what the first source that does not pass answers, and ErrPass
// when all pass.
func (c Chain) Next(ctx context.Context, call Call) (WireScript, error) {
	for _, s := range c {
		script, err := s.Next(ctx, call)
		if !errors.Is(err, ErrPass) {
			return script, err
		}
	}
	return WireScript{}, ErrPass
}
