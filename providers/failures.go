package providers

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/scenario-lang/scenario/failure"
)

// A typedError is an error value that names its own type, and possibly a mode:
// the one fault without a form on the wire carries both to the engine as a
// program's own exception would.
type typedError interface {
	error
	FailureType() string
	FailureMode() string
}

// TransportFailure says what an error of a round trip, or of reading a body,
// was observed as. An error that names its own type is an exception; where it
// names a mode too, it is the standard taxonomy's; one that only the caller's own
// taxonomy knows has nothing but its code set.
func TransportFailure(err error) *failure.Failure {
	var typed typedError
	if !errors.As(err, &typed) {
		f := failure.FromTransport(err)
		if errors.Is(err, ErrTooLarge) {
			f = failure.Failure{Kind: failure.MalformedResponse, Message: err.Error()}
		}
		return &f
	}
	f := &failure.Failure{Kind: failure.Exception, Type: typed.FailureType(), Message: typed.Error(), Chain: failure.Beneath(typed)}
	if stacked, ok := typed.(interface{ FailureStack() string }); ok {
		f.Stack = stacked.FailureStack()
	}
	if code := typed.FailureMode(); code != "" {
		if f.Mode = failure.Lookup(code); f.Mode == nil {
			f.Mode = &failure.Mode{Code: code}
		}
	}
	return f
}

// StreamFailure is TransportFailure for an error inside a stream. Once a delta
// of the answer has arrived, a broken connection is an interrupted stream; a
// timeout, a cancellation and unreadable bytes stay what they are.
func StreamFailure(err error, deltas int) *failure.Failure {
	f := TransportFailure(err)
	if deltas == 0 || (f.Kind != failure.Connection && f.Kind != failure.Exception) {
		return f
	}
	return &failure.Failure{
		Kind:    failure.StreamInterrupted,
		Message: fmt.Sprintf("the stream broke after %s: %s", count(deltas, "delta"), f.Message),
		Chain:   f.Chain, Stack: f.Stack,
	}
}

// StatusFailure says what an answer with an unwanted status was observed as.
// detail is what the provider said about it, "" where it said nothing.
func StatusFailure(resp *http.Response, detail string, now func() time.Time) *failure.Failure {
	f := &failure.Failure{
		Kind:       failure.StatusKind(resp.StatusCode),
		StatusCode: resp.StatusCode,
		Message:    strings.TrimSpace("HTTP " + strconv.Itoa(resp.StatusCode) + " " + http.StatusText(resp.StatusCode)),
	}
	if detail != "" {
		f.Message += ": " + detail
	}
	f.RetryAfter, f.HasRetryAfter = failure.RetryAfter(resp.Header, now())
	return f
}

// StatusOverloaded is what providers of language models answer when they have
// no capacity left for anybody; it is in no registry.
const StatusOverloaded = 529

// Malformed is an answer that cannot be understood; why says what was expected
// and what came.
func Malformed(format string, args ...any) *failure.Failure {
	return &failure.Failure{Kind: failure.MalformedResponse, Message: fmt.Sprintf(format, args...)}
}

// Stopped is a stream that its consumer stopped reading, with the consumer's
// own error.
func Stopped(err error) *failure.Failure {
	return &failure.Failure{Kind: failure.Cancelled, Message: err.Error()}
}

// Excerpt quotes the beginning of a body for a message.
func Excerpt(body []byte) string {
	const most = 120
	if len(body) <= most {
		return fmt.Sprintf("%q", body)
	}
	cut := body[:most]
	for i := 0; i < utf8.UTFMax && len(cut) > 0 && !utf8.RuneStart(body[len(cut)]); i++ {
		cut = cut[:len(cut)-1]
	}
	return fmt.Sprintf("%q… (%d bytes)", cut, len(body))
}

// ErrorText finds what an error body says: the message of an error object, an
// error that is a string, a message, or else the beginning of the text.
func ErrorText(body []byte) string {
	var said struct {
		Error   json.RawMessage
		Message string
	}
	if DecodeJSON(body, &said) != nil {
		return plainText(body)
	}
	var object struct{ Message string }
	var text string
	switch {
	case DecodeJSON(said.Error, &object) == nil && object.Message != "":
		return object.Message
	case DecodeJSON(said.Error, &text) == nil && text != "":
		return text
	case said.Message != "":
		return said.Message
	default:
		return plainText(body)
	}
}

func plainText(body []byte) string {
	text := strings.Join(strings.Fields(string(body[:min(len(body), 400)])), " ")
	if text == "" {
		return ""
	}
	return Excerpt([]byte(text))
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// NoResponse is err, or where a transport broke its contract and returned
// neither a response nor an error, an error that says so.
func NoResponse(err error) error {
	if err == nil {
		return errors.New("the transport returned neither a response nor an error")
	}
	return err
}
