package openai

import (
	"context"
	"errors"
	"io"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
)

// readEvents hands the data of every event to take, which says whether the
// stream has ended as its protocol demands; the body is not read beyond that.
// marker names that end in messages. deltas is how often the model has said
// something so far: once it has, a broken connection is an interrupted stream.
func readEvents(ctx context.Context, body io.Reader, marker string, deltas *int, take func(data []byte) (ended bool, failed *failure.Failure)) *failure.Failure {
	events := providers.NewEventReader(providers.LimitBody(body))
	for {
		event, err := events.Next()
		if err == nil && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		if err != nil {
			return cutStream(err, marker, *deltas)
		}
		if ended, failed := take(event.Data); ended || failed != nil {
			return failed
		}
	}
}

// cutStream is a stream that ends before its end marker.
func cutStream(err error, marker string, deltas int) *failure.Failure {
	switch {
	case err == io.EOF:
		return incomplete("the stream ended without " + marker)
	case errors.Is(err, providers.ErrCutEvent):
		return incomplete("the stream ended inside an event, without " + marker)
	default:
		return providers.StreamFailure(err, deltas)
	}
}

func incomplete(message string) *failure.Failure {
	return &failure.Failure{Kind: failure.StreamIncomplete, Message: message}
}

func unreadable(err error, data []byte) *failure.Failure {
	return providers.Malformed("an event of the stream is not readable: %v: %s", err, providers.Excerpt(data))
}

// streamError is an error that the vendor reports inside a stream.
func streamError(e apiError) *failure.Failure {
	return &failure.Failure{Kind: e.kind(failure.StreamInterrupted), Message: "the stream reported an error: " + e.text()}
}
