package ollama

import (
	"cmp"
	"fmt"
	"net/http"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
	"github.com/scenario-lang/scenario/wire"
)

type errorBody struct {
	Error string `json:"error"`
}

// RenderError is the server's error object for a status, which has nothing but
// a text. A type is put before the message, because there is no other place
// for it.
func (Adapter) RenderError(in providers.Input, status int, typ, message string) wire.Response {
	return whole(status, 0, errorBody{errorText(in.Model, status, typ, message)})
}

// RenderStreamError is the line by which the server reports an error inside a
// stream.
func (Adapter) RenderStreamError(in providers.Input, typ, message string) []byte {
	return append(chat.Encode(errorBody{errorText(in.Model, http.StatusOK, typ, message)}), '\n')
}

func errorText(model string, status int, typ, message string) string {
	return chat.TextError(typ, cmp.Or(message, usualError(model, status)))
}

func usualError(model string, status int) string {
	switch {
	case status == http.StatusUnauthorized:
		return "unauthorized"
	case status == http.StatusNotFound:
		return fmt.Sprintf("model %q not found", cmp.Or(model, chat.DefaultModel))
	case status == http.StatusTooManyRequests:
		return "too many requests"
	case status == http.StatusServiceUnavailable, status == providers.StatusOverloaded:
		return "server busy, too many pending requests"
	case status >= 400 && status < 500:
		return "invalid request"
	default:
		return "the model runner has stopped unexpectedly"
	}
}

// errorKind is the kind of an error that the server says of in a text.
func errorKind(text string, other failure.Kind) failure.Kind {
	return chat.TextKind(text, nil, []string{"server busy"}, other)
}
