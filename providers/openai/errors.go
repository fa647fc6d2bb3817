package openai

import (
	"cmp"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
	"github.com/scenario-lang/scenario/wire"
)

// RenderError is the vendor's error object for a status, with the type, code
// and words that the API's documentation has for it.
func (Adapter) RenderError(in providers.Input, status int, typ, message string) wire.Response {
	usual := usualError(status)
	if typ != "" && typ != usual.typ {
		usual.typ, usual.code = typ, ""
	}
	body := errorBody{Error: apiError{
		Message: cmp.Or(message, usual.message),
		Type:    usual.typ,
		Code:    json.RawMessage("null"),
	}}
	if usual.code != "" {
		body.Error.Code = chat.Encode(usual.code)
	}
	return whole(status, providers.Output{}, body)
}

type vendorError struct{ typ, code, message string }

func usualError(status int) vendorError {
	const invalid = "invalid_request_error"
	switch {
	case status == http.StatusUnauthorized:
		return vendorError{invalid, "invalid_api_key", "Incorrect API key provided."}
	case status == http.StatusPaymentRequired:
		return vendorError{"insufficient_quota", "insufficient_quota", "You exceeded your current quota, please check your plan and billing details."}
	case status == http.StatusForbidden:
		return vendorError{"permission_error", "permission_denied", "You are not allowed to use this resource."}
	case status == http.StatusNotFound:
		return vendorError{invalid, "model_not_found", "The model does not exist or you do not have access to it."}
	case status == http.StatusTooManyRequests:
		return vendorError{"requests", "rate_limit_exceeded", "Rate limit reached for requests."}
	case status == http.StatusServiceUnavailable:
		return vendorError{"server_error", "", "The server is temporarily unable to handle the request."}
	case status == providers.StatusOverloaded:
		return vendorError{"overloaded_error", "overloaded", "The engine is currently overloaded, please try again later."}
	case status >= 400 && status < 500:
		return vendorError{invalid, "", "The request is not valid."}
	default:
		return vendorError{"server_error", "", "The server had an error while processing your request."}
	}
}

// kind tells rate limits and overload from everything else, which is other:
// by the words of type and code, or by a code that is a status.
func (e apiError) kind(other failure.Kind) failure.Kind {
	words := strings.ToLower(e.Type + " " + e.code())
	switch {
	case strings.Contains(words, "rate_limit"), hasWord(words, "429"):
		return failure.RateLimit
	case strings.Contains(words, "overloaded"), hasWord(words, "529"):
		return failure.Overloaded
	default:
		return other
	}
}

func hasWord(words, word string) bool {
	for w := range strings.FieldsSeq(words) {
		if w == word {
			return true
		}
	}
	return false
}

// code is the error's code as text, whether the host sent a string or a number.
func (e apiError) code() string {
	if text, ok := providers.PlainString(e.Code); ok {
		return text
	}
	var text string
	if providers.DecodeJSON(e.Code, &text) == nil {
		return text
	}
	return string(e.Code)
}

// documented are the vendor's types of errors, and those that compatible hosts took
// over, by the status that each comes with.
var documented = map[string]int{
	"invalid_request_error": http.StatusBadRequest,
	"authentication_error":  http.StatusUnauthorized,
	"insufficient_quota":    http.StatusPaymentRequired,
	"permission_error":      http.StatusForbidden,
	"not_found_error":       http.StatusNotFound,
	"timeout_error":         http.StatusRequestTimeout,
	"server_error":          http.StatusInternalServerError,
	"api_error":             http.StatusInternalServerError,
	"internal_error":        http.StatusInternalServerError,
	"internal_server_error": http.StatusInternalServerError,
	"service_unavailable":   http.StatusServiceUnavailable,
}

// stands is the status that the error's type is documented with, or that its code
// is; 0 for others.
func (e apiError) stands() int {
	if status := documented[e.Type]; status > 0 {
		return status
	}
	if code, err := strconv.Atoi(e.code()); err == nil && code >= 400 && code < 600 {
		return code
	}
	return documented[e.code()]
}

// errorInside is an error object in an answer whose status promised success.
func errorInside(e apiError, status int) *failure.Failure {
	return chat.ErrorInside(e.kind(failure.HTTPStatus), status, e.stands(), e.text())
}

// streamError is one in the midst of a stream.
func streamError(e apiError) *failure.Failure {
	return chat.ErrorEvent(e.kind(failure.StreamInterrupted), e.text())
}

// text is what the error says, for a message.
func (e apiError) text() string {
	name := e.Type
	if name == "" {
		name = cmp.Or(e.code(), "error")
	}
	if e.Message == "" {
		return name
	}
	return name + ": " + e.Message
}
