package match

import (
	"net/http"
	"slices"
	"strings"
)

// IgnoredHeaders returns the header fields in which two requests differ that m takes for the
// same, without those that m compares, that change from one client or request to the next by
// nature, and that hidden says something was taken out of. A recording without any tells of
// none. Of a request to a model, what only one of the two sends does not count.
func (m Match) IgnoredHeaders(recorded, actual Request, hidden func(string) bool) []FieldDiff {
	if len(recorded.Header) == 0 {
		return nil
	}
	model := asksModel(m.object(recorded), pathOf(recorded))
	named := func(h, other http.Header) (list []field) {
		h, other = canonical(h), canonical(other)
		names := make([]string, 0, len(h))
		for name := range h {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, key := range names {
			values := h[key]
			_, both := other[key]
			if Varies(key) || slices.ContainsFunc(m.Headers, func(n string) bool { return strings.EqualFold(n, key) }) ||
				model && !both || slices.ContainsFunc(slices.Concat(values, other[key]), hidden) {
				continue
			}
			list = append(list, field{"header " + key, strings.Join(values, ", ")})
		}
		return list
	}
	return diffOf(named(recorded.Header, actual.Header), named(actual.Header, recorded.Header), Differ{})
}

// canonical is a header with the names of its fields as Go writes them.
func canonical(h http.Header) http.Header {
	out := make(http.Header, len(h))
	for name, values := range h {
		out[http.CanonicalHeaderKey(name)] = values
	}
	return out
}

// Varies reports whether the field of a header is another one in each client or request by
// nature: it says who asks and over which connection, traces and dates it, or is a credential.
func Varies(name string) bool {
	name = strings.ToLower(name)
	if slices.Contains(varying, name) {
		return true
	}
	return slices.ContainsFunc(varyingFamilies, func(part string) bool { return strings.HasPrefix(name, part) }) ||
		slices.ContainsFunc(varyingEnds, func(part string) bool { return strings.HasSuffix(name, part) })
}

var (
	varying = []string{
		"accept", "accept-charset", "accept-encoding", "accept-language", "authorization", "b3", "baggage", "cache-control",
		"connection", "content-encoding", "content-length", "content-type", "cookie", "date", "dnt", "expect", "forwarded",
		"host", "keep-alive", "origin", "pragma", "priority", "proxy-authorization", "referer", "request-id", "te", "traceparent",
		"tracestate", "trailer", "transfer-encoding", "upgrade", "upgrade-insecure-requests", "user-agent", "via",
		"x-client-name", "x-client-version", "x-real-ip", "x-requested-with", "mcp-protocol-version", "mcp-session-id", "last-event-id",
	}
	varyingFamilies = []string{"sec-", "x-stainless-", "x-forwarded-", "x-b3-", "x-amz-", "amz-sdk-", "x-goog-api-client", "x-datadog-", "x-cloud-trace", "x-ms-client-", "cf-", "uber-trace-id", "sentry-"}
	varyingEnds     = []string{"-key", "-token", "-secret", "-signature", "-password", "-auth", "-authorization", "-timestamp", "-time", "-date", "-nonce", "-request-id", "-correlation-id", "-trace-id", "-span-id", "-session", "-session-id", "-user-agent", "-cookie"}
)
