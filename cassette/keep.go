package cassette

import (
	"net/http"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/cassette/redact"
)

// keptRequest and keptResponse are the header fields that a recording
// keeps. Every other one is dropped: what nobody has looked at may carry a secret,
// and most of it is about the connection.
var (
	keptRequest  = []string{"Accept", "Content-Type"}
	keptResponse = []string{
		"Content-Type", "Content-Encoding", "Location", "Retry-After", "Retry-After-Ms", "X-Should-Retry",
	}
	// keptPrefixes are the quotas that providers report.
	keptPrefixes = []string{"X-Ratelimit-", "Anthropic-Ratelimit-"}
	// requestIDs name one request at the provider, or one session. They stay as
	// placeholders, as clients look for them.
	requestIDs = []string{"X-Request-Id", "Request-Id", "X-Goog-Request-Id", "Apim-Request-Id", "Mcp-Session-Id"}
)

// keptHeader is a header as it is stored: the fields of a list and those that
// are named, without credentials.
func keptHeader(r *redact.Redactor, h http.Header, list, named []string) http.Header {
	kept := http.Header{}
	for name, values := range h {
		name = http.CanonicalHeaderKey(name)
		isID := slices.Contains(requestIDs, name)
		if !isID && !keeps(name, list, named) {
			continue
		}
		for _, v := range values {
			if isID && v != "" && !redact.IsPlaceholder(v) {
				v = redact.Placeholder(v)
			}
			kept[name] = append(kept[name], redact.HideTokens(r.Header(name, v)))
		}
	}
	return kept
}

func keeps(name string, list, named []string) bool {
	if slices.Contains(list, name) || slices.ContainsFunc(named, func(n string) bool { return strings.EqualFold(n, name) }) {
		return true
	}
	return slices.ContainsFunc(keptPrefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}

// KeptRequestHeader is the header of a request as a recording keeps it, without
// credentials.
func KeptRequestHeader(r *redact.Redactor, h http.Header) http.Header {
	return keptHeader(r, h, keptRequest, nil)
}

// KeptResponseHeader is [KeptRequestHeader] for the header of an answer.
func KeptResponseHeader(r *redact.Redactor, h http.Header) http.Header {
	return keptHeader(r, h, keptResponse, nil)
}
