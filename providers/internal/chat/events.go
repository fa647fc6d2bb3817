package chat

import (
	"context"
	"errors"
	"io"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
)

// A Taker takes a stream event by event.
type Taker interface {
	// Take reads the data of one event. It reports whether the stream has ended
	// as its protocol demands.
	Take(data []byte) (ended bool, failed *failure.Failure)
	// Cut says what a stream is that ends before that, with the error of reading
	// on: io.EOF, [providers.ErrCutEvent] inside an event, or the transport's. It
	// is nil for a stream that may end there.
	Cut(err error) *failure.Failure
}

// ReadEvents hands over every event of a stream. It returns at the end that the
// protocol demands, without waiting for the end of the body, or with the failure
// that came first.
func ReadEvents(ctx context.Context, body io.Reader, to Taker) *failure.Failure {
	events := providers.NewEventReader(providers.LimitBody(body))
	for {
		event, err := events.Next()
		if err == nil && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		if err != nil {
			return to.Cut(err)
		}
		if ended, failed := to.Take(event.Data); ended || failed != nil {
			return failed
		}
	}
}

// Cut is [Taker.Cut] for a protocol with an end marker. deltas is how often the
// model has said something: once it has, a broken connection is an interrupted
// stream.
func Cut(err error, marker string, deltas int) *failure.Failure {
	switch {
	case err == io.EOF:
		return Incomplete("the stream ended without " + marker)
	case errors.Is(err, providers.ErrCutEvent):
		return Incomplete("the stream ended inside an event, without " + marker)
	default:
		return providers.StreamFailure(err, deltas)
	}
}

// Incomplete is a stream that ended too early and in good order.
func Incomplete(message string) *failure.Failure {
	return &failure.Failure{Kind: failure.StreamIncomplete, Message: message}
}

// Unreadable is an event that cannot be decoded.
func Unreadable(err error, data []byte) *failure.Failure {
	return providers.Malformed("an event of the stream is not readable: %v: %s", err, providers.Excerpt(data))
}

// ErrorEvent is an error that the vendor reports inside a stream.
func ErrorEvent(kind failure.Kind, text string) *failure.Failure {
	return &failure.Failure{Kind: kind, Message: "the stream reported an error: " + text}
}
