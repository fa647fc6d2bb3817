package anthropic

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
	"github.com/scenario-lang/scenario/wire"
)

// Bedrock streams messages in Amazon's own encoding: the payload of each message is
// an object with the JSON of one of the vendor's events in Base64
// (https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModelWithResponseStream.html).

// amazonEvent is the type of the messages that hold events.
const amazonEvent = "chunk"

type amazonChunk struct {
	Bytes []byte `json:"bytes"`
}

func readAmazonStream(ctx context.Context, in providers.Input, resp *http.Response, out providers.Output, sink func(providers.Chunk) error) (providers.Output, *failure.Failure) {
	r := &streamReader{Answer: chat.Answer{Out: out, Sink: sink}, of: in.ThoughtOf(format)}
	failed := r.amazon(ctx, providers.NewAmazonReader(providers.LimitBody(resp.Body)))
	return r.result(failed == nil), failed
}

// amazon takes every message. Like a stream of the vendor's own it ends with
// message_stop, without waiting for the end of the body.
func (r *streamReader) amazon(ctx context.Context, messages *providers.AmazonReader) *failure.Failure {
	for {
		m, err := messages.Next()
		if err == nil && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		switch {
		case errors.Is(err, providers.ErrAmazonStream):
			return providers.Malformed("%v", err)
		case err != nil:
			return r.Cut(err)
		case m.Kind != "event":
			return exception(m)
		case m.Type != amazonEvent:
			continue
		}
		var chunk amazonChunk
		if err := providers.DecodeObject(m.Payload, &chunk); err != nil {
			return chat.Unreadable(err, m.Payload)
		}
		if done, failed := r.Take(chunk.Bytes); done || failed != nil {
			return failed
		}
	}
}

// exceptions are what Bedrock reports inside a stream, with the word of the
// vendor's own interface for it, and what each is observed as.
var exceptions = []struct {
	name, word, message string
	kind                failure.Kind
}{
	{"throttlingException", "rate_limit_error", "Too many requests, please wait before trying again.", failure.RateLimit},
	{"serviceUnavailableException", "overloaded_error", "The service is temporarily unavailable.", failure.Overloaded},
	{"validationException", "invalid_request_error", "The request is not valid.", failure.StreamInterrupted},
	{"modelTimeoutException", "timeout_error", "The request took too long to process.", failure.StreamInterrupted},
	{"modelStreamErrorException", "", "The model could not go on.", failure.StreamInterrupted},
	{"internalServerException", "api_error", "The service had an error of its own.", failure.StreamInterrupted},
}

// exception is a message that is no event.
func exception(m providers.AmazonMessage) *failure.Failure {
	var body struct {
		Message string `json:"message"`
	}
	_ = providers.DecodeObject(m.Payload, &body) // its type says enough
	kind := failure.StreamInterrupted
	for _, e := range exceptions {
		if strings.EqualFold(e.name, m.Type) {
			kind = e.kind
		}
	}
	return chat.ErrorEvent(kind, strings.TrimSuffix(cmp.Or(m.Type, m.Kind)+": "+body.Message, ": "))
}

// amazonError is an exception as a message; typ is the vendor's word or Bedrock's.
func amazonError(typ, message string) []byte {
	name, usual := "modelStreamErrorException", ""
	for _, e := range exceptions {
		if typ != "" && (strings.EqualFold(e.name, typ) || e.word == typ) || e.name == name && usual == "" {
			name, usual = e.name, e.message
		}
	}
	return providers.AppendAmazon(nil, "exception", name, chat.Encode(map[string]string{"message": cmp.Or(message, usual)}))
}

// streamsAsAmazon reports whether the answers to an input stream in Amazon's
// encoding.
func streamsAsAmazon(in providers.Input) bool {
	to, err := hostOf(in)
	return err == nil && to.oneAddress
}

func isAmazon(resp *wire.Response) bool {
	return slices.ContainsFunc(resp.Header, func(f wire.Field) bool {
		return strings.EqualFold(f.Name, "Content-Type") && strings.HasPrefix(strings.ToLower(f.Value), providers.AmazonStream)
	})
}

// labelAmazon says what a part is that is one message.
func labelAmazon(part []byte) wire.PartKind {
	var chunk amazonChunk
	m, err := providers.NewAmazonReader(bytes.NewReader(part)).Next()
	if err != nil || m.Type != amazonEvent || providers.DecodeObject(m.Payload, &chunk) != nil {
		return wire.PartEvent
	}
	return label(chunk.Bytes)
}

// addAmazon adds an event in Amazon's encoding.
func (s *stream) addAmazon(kind wire.PartKind, event any) {
	s.AddAmazon(kind, amazonEvent, chat.Encode(amazonChunk{chat.Encode(event)}))
}
