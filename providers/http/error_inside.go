package http

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
)

// errorInside finds an answer of JSON that is an error object and nothing
// else, under a status that promised success. An error beside
// other members belongs to a protocol above HTTP, as in JSON-RPC and GraphQL,
// and is the caller's to read.
func errorInside(status int, body []byte) *failure.Failure {
	var members map[string]json.RawMessage
	var said struct {
		Type    string
		Message string
	}
	if providers.DecodeJSON(body, &members) != nil || len(members) != 1 || providers.DecodeJSON(members["error"], &said) != nil || said.Message == "" {
		return nil
	}
	text := said.Message
	if said.Type != "" {
		text = said.Type + ": " + text
	}
	return &failure.Failure{
		Kind:       errorKind(said.Type),
		StatusCode: status,
		Message:    fmt.Sprintf("HTTP %d with an error inside: %s", status, text),
	}
}

func errorKind(typ string) failure.Kind {
	switch {
	case strings.Contains(typ, "rate_limit"):
		return failure.RateLimit
	case strings.Contains(typ, "overloaded"):
		return failure.Overloaded
	default:
		return failure.HTTPStatus
	}
}
