package anthropic

import (
	"cmp"
	"net/http"
	"strings"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/wire"
)

// RenderError is the vendor's error object for a status, with the type that
// the API's documentation has for it.
func (Adapter) RenderError(in providers.Input, status int, typ, message string) wire.Response {
	usual := usualError(status, typ)
	return whole(status, providers.Output{}, errorBody{
		Type:      typeError,
		Error:     apiError{Type: cmp.Or(typ, usual.Type), Message: cmp.Or(message, usual.Message)},
		RequestID: "req_scenario",
	})
}

// RenderStreamError is an error in the midst of a stream, which is an event of
// its own name.
func (a Adapter) RenderStreamError(in providers.Input, typ, message string) []byte {
	if streamsAsAmazon(in) {
		return amazonError(typ, message)
	}
	return providers.AppendEvent(nil, typeError, a.RenderError(in, http.StatusOK, typ, message).Body())
}

// documented are the vendor's errors by the status that each comes with.
var documented = []struct {
	status int
	apiError
}{
	{http.StatusBadRequest, apiError{Type: "invalid_request_error", Message: "The request is not valid."}},
	{http.StatusUnauthorized, apiError{Type: "authentication_error", Message: "invalid x-api-key"}},
	{http.StatusPaymentRequired, apiError{Type: "billing_error", Message: "There is an issue with your billing or payment information."}},
	{http.StatusForbidden, apiError{Type: "permission_error", Message: "Your API key does not have permission to use the specified resource."}},
	{http.StatusNotFound, apiError{Type: "not_found_error", Message: "The requested resource was not found."}},
	{http.StatusRequestEntityTooLarge, apiError{Type: "request_too_large", Message: "Request exceeds the maximum size"}},
	{http.StatusTooManyRequests, apiError{Type: "rate_limit_error", Message: "This request would exceed your rate limit."}},
	{http.StatusInternalServerError, apiError{Type: "api_error", Message: "Internal server error"}},
	{http.StatusGatewayTimeout, apiError{Type: "timeout_error", Message: "The request timed out while processing."}},
	{providers.StatusOverloaded, apiError{Type: "overloaded_error", Message: "Overloaded"}},
}

// usualError is the error of a type, or where none is given of a status. An
// undocumented status has the error of its class's most general one.
func usualError(status int, typ string) apiError {
	for _, e := range documented {
		if e.Type == typ || (typ == "" && e.status == status) {
			return e.apiError
		}
	}
	if status >= 400 && status < 500 {
		return usualError(http.StatusBadRequest, "")
	}
	return usualError(http.StatusInternalServerError, "")
}

// An apiError is the vendor's error object, or that of a host that serves its
// models: Vertex AI's has a code and a status in place of the type.
type apiError struct {
	Type    string `json:"type"`
	Message string `json:"message"`
	Status  string `json:"status,omitempty"`
	Code    int    `json:"code,omitempty"`
}

// UnmarshalJSON takes a string in place of the object, and passes over a code
// that is no number.
func (e *apiError) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		return providers.DecodeJSON(data, &e.Message)
	}
	var said struct {
		Type, Message, Status string
		Code                  any
	}
	if err := providers.DecodeJSON(data, &said); err != nil {
		return err
	}
	code, _ := said.Code.(float64)
	*e = apiError{Type: said.Type, Message: said.Message, Status: said.Status, Code: int(code)}
	return nil
}

// kind tells rate limits and overload from everything else, which is other.
func (e apiError) kind(other failure.Kind) failure.Kind {
	switch {
	case strings.Contains(e.Type, "rate_limit"), e.Status == "RESOURCE_EXHAUSTED", e.Code == http.StatusTooManyRequests:
		return failure.RateLimit
	case strings.Contains(e.Type, "overloaded"), e.Code == providers.StatusOverloaded:
		return failure.Overloaded
	default:
		return other
	}
}

// stands is the status that the error's type is documented with, or that a host
// names; 0 for a type that is in no documentation.
func (e apiError) stands() int {
	for _, d := range documented {
		if d.Type == e.Type {
			return d.status
		}
	}
	if e.Code >= 400 {
		return e.Code
	}
	return 0
}

// text is what the error says, for a message.
func (e apiError) text() string {
	name := cmp.Or(e.Type, e.Status, "error")
	if e.Message == "" {
		return name
	}
	return name + ": " + e.Message
}
