package failure

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/internal/pattern"
)

var (
	// namedStatus finds a number that the text itself calls an HTTP status:
	// "HTTP 429", "HTTP/1.1 503", "status code: 429", "http_status=500".
	namedStatus = pattern.New(`(?i)\b(?:http(?:/[0-9](?:\.[0-9])?)?|(?:http[ _]?)?status)(?:[ _](?:error|status|code))*[ :=]{1,3}([1-5][0-9]{2})\b`)
	// reasonedStatus finds a number before words that may be its reason.
	reasonedStatus = pattern.New(`\b([1-5][0-9]{2}) ([A-Za-z][A-Za-z '-]*)`)
)

// hasMessageStatus reports whether a message names an HTTP status that match
// accepts. A bare number is none: "room 429" is a room.
func hasMessageStatus(message string, match func(code int) bool) bool {
	for _, m := range namedStatus().FindAllStringSubmatch(message, -1) {
		if code, _ := strconv.Atoi(m[1]); match(code) {
			return true
		}
	}
	for _, m := range reasonedStatus().FindAllStringSubmatch(message, -1) {
		if code, _ := strconv.Atoi(m[1]); match(code) && hasReason(m[2], code) {
			return true
		}
	}
	return false
}

// hasReason reports whether words begin with the standard reason of a status.
func hasReason(words string, code int) bool {
	reason := http.StatusText(code)
	if reason == "" || len(words) < len(reason) || !strings.EqualFold(words[:len(reason)], reason) {
		return false
	}
	return Word(words, reason)
}
