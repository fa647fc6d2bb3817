package gemini

import (
	"cmp"
	"net/http"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/wire"
)

// RenderError is Google's error object for a status, with the canonical code
// that the API's documentation has for it. An error inside a 200 names the
// status that its code stands for. The words of other vendors for a rate limit
// and for overload are translated.
func (Adapter) RenderError(in providers.Input, status int, typ, message string) wire.Response {
	code := status
	typ = cmp.Or(spelledErrors[typ], typ)
	if code < 400 {
		code = statusOf(typ)
	}
	usual := usualError(code)
	return whole(status, providers.Output{}, errorBody{Error: apiError{
		Code: code, Message: cmp.Or(message, usual.Message), Status: cmp.Or(typ, usual.Status),
	}})
}

var spelledErrors = map[string]string{
	"rate_limit_error":    "RESOURCE_EXHAUSTED",
	"rate_limit_exceeded": "RESOURCE_EXHAUSTED",
	"overloaded_error":    "UNAVAILABLE",
}

// The statuses of Google's canonical codes, those that its APIs send.
var canonical = []apiError{
	{Code: 400, Status: "INVALID_ARGUMENT", Message: "Request contains an invalid argument."},
	{Code: 401, Status: "UNAUTHENTICATED", Message: "Request had invalid authentication credentials."},
	{Code: 403, Status: "PERMISSION_DENIED", Message: "The caller does not have permission."},
	{Code: 404, Status: "NOT_FOUND", Message: "Requested entity was not found."},
	{Code: 409, Status: "ABORTED", Message: "The operation was aborted."},
	{Code: 429, Status: "RESOURCE_EXHAUSTED", Message: "Resource has been exhausted (e.g. check quota)."},
	{Code: 499, Status: "CANCELLED", Message: "The operation was cancelled."},
	{Code: 500, Status: "INTERNAL", Message: "An internal error has occurred. Please retry."},
	{Code: 501, Status: "UNIMPLEMENTED", Message: "Operation is not implemented, or supported, or enabled."},
	{Code: 503, Status: "UNAVAILABLE", Message: "The model is overloaded. Please try again later."},
	{Code: 504, Status: "DEADLINE_EXCEEDED", Message: "Deadline expired before operation could complete."},
	{Code: providers.StatusOverloaded, Status: "UNAVAILABLE", Message: "The model is overloaded. Please try again later."},
}

func usualError(code int) apiError {
	for _, e := range canonical {
		if e.Code == code {
			return e
		}
	}
	if code >= 400 && code < 500 {
		return apiError{Status: "FAILED_PRECONDITION", Message: "The request is not valid."}
	}
	return apiError{Status: "INTERNAL", Message: "An internal error has occurred. Please retry."}
}

// statusOf is the HTTP status of a canonical code, 500 for another word.
func statusOf(word string) int {
	for _, e := range canonical {
		if e.Status == word {
			return e.Code
		}
	}
	return http.StatusInternalServerError
}

type errorBody struct {
	Error apiError `json:"error"`
}

// UnmarshalJSON takes the object out of the array in which a stream's methods
// send it.
func (b *errorBody) UnmarshalJSON(data []byte) error {
	type object errorBody
	var list []object
	if providers.DecodeJSON(data, &list) == nil && len(list) > 0 {
		*b = errorBody(list[0])
		return nil
	}
	return providers.DecodeJSON(data, (*object)(b))
}

// An apiError is Google's error object.
type apiError struct {
	Code    int           `json:"code"`
	Message string        `json:"message"`
	Status  string        `json:"status"`
	Details []errorDetail `json:"details,omitempty"`
}

// An errorDetail is read where it says when to try again.
type errorDetail struct {
	RetryDelay string `json:"retryDelay,omitempty"`
}

// UnmarshalJSON passes over a detail of another shape.
func (d *errorDetail) UnmarshalJSON(data []byte) error {
	var said struct{ RetryDelay any }
	if providers.DecodeJSON(data, &said) == nil {
		d.RetryDelay, _ = said.RetryDelay.(string)
	}
	return nil
}

// kind tells rate limits and overload from everything else, which is other.
func (e apiError) kind(other failure.Kind) failure.Kind {
	switch {
	case e.Status == "RESOURCE_EXHAUSTED", e.Code == http.StatusTooManyRequests:
		return failure.RateLimit
	case e.Status == "UNAVAILABLE", e.Code == http.StatusServiceUnavailable, e.Code == providers.StatusOverloaded:
		return failure.Overloaded
	default:
		return other
	}
}

// stands is the status that the error names, or that its canonical code has.
func (e apiError) stands() int {
	if e.Code >= 400 || e.Status == "" {
		return e.Code
	}
	return statusOf(e.Status)
}

// text is what the error says, for a message.
func (e apiError) text() string {
	name := cmp.Or(e.Status, "error")
	if e.Message == "" {
		return name
	}
	return name + ": " + e.Message
}

// retryAfter is the wait that Google asks for in the body, where it sends no
// header for it (google.rpc.RetryInfo): seconds, as "3.5s".
func (e apiError) retryAfter() (time.Duration, bool) {
	for _, d := range e.Details {
		seconds, ok := strings.CutSuffix(d.RetryDelay, "s")
		if !ok {
			continue
		}
		header := http.Header{"Retry-After": {seconds}}
		if wait, ok := failure.RetryAfter(header, time.Time{}); ok {
			return wait, true
		}
	}
	return 0, false
}

// observed gives a failure that this error is the wait that it asks for.
func (e apiError) observed(f *failure.Failure) *failure.Failure {
	f.RetryAfter, f.HasRetryAfter = e.retryAfter()
	return f
}
