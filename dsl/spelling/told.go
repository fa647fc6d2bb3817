package spelling

import (
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/dsl/wording"
)

// Told says what to do instead of setting an attribute that a block of a type does not have,
// "" for one of which nothing is known.
func Told(block, attr string) string { return told[block+" "+snake(attr)] }

// told says what to do instead where an attribute of other tools has no counterpart of its
// own, by the type of the block and the attribute.
var told = map[string]string{
	"step count":                           "A step that runs several times stands in a step \"loop\", whose max_iterations says how often; one for each element of a list is a sub of a step \"fanout\".",
	"reply count":                          "Set times to the number of requests that get this reply.",
	"fault count":                          "Set times to the number of requests that get this fault.",
	"cassette record":                      recordedBy,
	"cassette record_mode":                 recordedBy,
	"cassette mode":                        recordedBy,
	"cassette filter_headers":              "What is hidden beside all that always is stands in a block: `redact { headers = [\"X-Key\"] }`.",
	"cassette filter_query_parameters":     "What is hidden beside all that always is stands in a block: `redact { query = [\"key\"] }`.",
	"breaker slow_call_rate_threshold":     slowCalls,
	"breaker slow_call_duration_threshold": slowCalls,
	"match body":                           bodyMatched,
	"match body_patterns":                  bodyMatched,
	"match data":                           bodyMatched,
	"match payload":                        bodyMatched,
}

const (
	recordedBy  = "A test never records: `scenario record` and `scenario exec --live` write the file that path names, and tests play it."
	slowCalls   = "A call that is too slow counts as a failure where a timeout ends it: set the timeout of its step or provider."
	bodyMatched = "Members of a body of JSON are compared by json, `json = { name = \"value\" }`, and any text in it by a condition, `condition = strcontains(request.body, \"text\")`."
)

// Status is the HTTP status that is meant by a word which people take for a kind of faults, 0
// for any other.
func Status(word string) int { return statuses[strings.ToLower(word)] }

// statuses are the statuses that are meant by words which people take for kinds of
// faults.
var statuses = map[string]int{
	"rate_limit": 429, "ratelimit": 429, "rate_limited": 429, "too_many_requests": 429, "throttled": 429, "throttle": 429, "429": 429,
	"server_error": 500, "internal_server_error": 500, "internal_error": 500, "500": 500, "502": 502, "bad_gateway": 502,
	"unavailable": 503, "service_unavailable": 503, "503": 503, "504": 504, "gateway_timeout": 504, "overloaded": 529, "529": 529,
	"unauthorized": 401, "401": 401, "forbidden": 403, "403": 403, "not_found": 404, "404": 404, "bad_request": 400, "400": 400,
}

// Header is the header that is meant by an attribute called like one, "" for any
// other attribute.
func Header(attr string) string {
	words := strings.FieldsFunc(strings.ToLower(attr), func(r rune) bool { return r == '_' || r == '-' })
	switch name := strings.Join(words, "-"); {
	case slices.Contains([]string{"retry-after", "content-type", "content-length", "content-encoding", "authorization", "location", "set-cookie", "cookie", "etag", "cache-control", "user-agent", "accept", "www-authenticate"}, name),
		len(words) > 1 && (words[0] == "x" || words[0] == "ratelimit"):
		for i, w := range words {
			words[i] = wording.Capital(w)
		}
		return strings.Join(words, "-")
	}
	return ""
}
