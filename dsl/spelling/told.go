package spelling

import (
	"cmp"
	_ "embed" // the table
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/scenario-lang/scenario/dsl/wording"
)

// Told says what to do instead of setting an attribute that a block of a type, or a value
// that is called so, does not have, "" for one of which nothing is known. value is what the
// attribute is set to, as it is written, "" for none.
func Told(block, attr, value string) string {
	text := told()[block+" "+snake(attr)]
	word, err := strconv.Unquote(value)
	if err != nil {
		word = "…"
	}
	return strings.NewReplacer("{value}", cmp.Or(value, "…"), "{text}", word, "{attr}", attr).Replace(text)
}

// toldWritten is the table of what to do instead, a line an attribute: text, and not code that
// builds a map in every program that embeds the language.
//
//go:embed told.txt
var toldWritten string

// told are the lines of the table, by the type of the block and the attribute.
var told = sync.OnceValue(func() map[string]string {
	lines := map[string]string{}
	for key, text := range entries(toldWritten) {
		block, attrs, _ := strings.Cut(key, " ")
		for attr := range strings.FieldsSeq(attrs) {
			lines[block+" "+attr] = text
		}
	}
	return lines
})

// Status is the HTTP status that is meant by a word which people take for a kind of faults, 0
// for any other.
func Status(word string) int {
	word = strings.ToLower(word)
	for _, prefix := range []string{"http_", "http", "status_", "error_"} {
		word = strings.TrimPrefix(word, prefix)
	}
	if n, err := strconv.Atoi(word); err == nil && n >= 400 && n < 600 {
		return n
	}
	return statuses[word]
}

// statuses are the statuses that are meant by words which people take for kinds of
// faults.
var statuses = map[string]int{
	"rate_limit": 429, "ratelimit": 429, "rate_limited": 429, "too_many_requests": 429, "throttled": 429, "throttle": 429,
	"server_error": 500, "internal_server_error": 500, "internal_error": 500, "bad_gateway": 502,
	"unavailable": 503, "service_unavailable": 503, "gateway_timeout": 504, "overloaded": 529,
	"unauthorized": 401, "forbidden": 403, "not_found": 404, "bad_request": 400,
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
