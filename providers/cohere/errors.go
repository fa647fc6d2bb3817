package cohere

import (
	"cmp"
	"fmt"
	"net/http"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
	"github.com/scenario-lang/scenario/wire"
)

// An errorBody is the service's error: a text, and the id of the request.
type errorBody struct {
	ID      string `json:"id"`
	Message string `json:"message"`
}

// RenderError is the service's error object for a status, which has nothing but a
// text. A type is put before the message, because there is no other place for it.
func (Adapter) RenderError(in providers.Input, status int, typ, message string) wire.Response {
	return chat.Whole(status, "application/json", 0, errorBody{id, errorText(in.Model, status, typ, message)})
}

// RenderStreamError is the event by which the service reports an error inside a
// stream, which ends it.
func (Adapter) RenderStreamError(in providers.Input, typ, message string) []byte {
	data := chat.Encode(object{"type": ending, "delta": object{"finish_reason": "ERROR", "error": errorText(in.Model, http.StatusOK, typ, message)}})
	return providers.AppendEvent(nil, ending, data)
}

func errorText(model string, status int, typ, message string) string {
	return chat.TextError(typ, cmp.Or(message, usualError(model, status)))
}

func usualError(model string, status int) string {
	switch {
	case status == http.StatusUnauthorized:
		return "invalid api token"
	case status == http.StatusNotFound:
		return fmt.Sprintf("model '%s' not found, make sure the correct model ID was used and that you have access to the model.", cmp.Or(model, chat.DefaultModel))
	case status == http.StatusTooManyRequests:
		return "You are past the per minute request limit, please wait and try again later."
	case status == http.StatusServiceUnavailable, status == providers.StatusOverloaded:
		return "the service is overloaded, please try again later."
	case status >= 400 && status < 500:
		return "invalid request"
	default:
		return "internal server error"
	}
}

// errorKind is the kind of an error that the service says of in a text.
func errorKind(text string, other failure.Kind) failure.Kind {
	return chat.TextKind(text, []string{"request limit"}, nil, other)
}
