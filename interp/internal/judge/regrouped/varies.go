package regrouped

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/scenario-lang/scenario/internal/pattern"
)

// varies reports whether a part of a request is one that a program makes anew for each request, and
// not what it asks for: by its name, or as both values are a time, a number as long as one, or an
// id.
func varies(path, was, now string) bool {
	name := path[strings.LastIndexByte(path, '.')+1:]
	return ofRequest().MatchString(name) || isMade(was) && isMade(now)
}

// ofRequest finds names of what says something about a request, or how it is to be answered, and
// not what is asked for.
var ofRequest = pattern.New(`(?i)(^|[a-z0-9]_|-)(at|ts|time|timestamp|nonce|seed|model|temperature|attempts?|retry|retries|try|request_?id|trace_?id|correlation_?id|idempotency_?key)$|(Timestamp|Nonce|Attempts?|Retry|RequestId|TraceId|CorrelationId|At)$|^(top_p|max_tokens|max_completion_tokens|is_?retry)$`)

// isMade reports whether a value is a time, or a number or an id that is as long as one.
func isMade(v string) bool {
	if isDay(v) {
		return false
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", time.DateTime, time.RFC1123, time.RFC1123Z} {
		if _, err := time.Parse(layout, v); err == nil {
			return true
		}
	}
	if n, err := strconv.ParseFloat(v, 64); err == nil {
		return n >= 1e9 || n < 1 && len(v) > 8
	}
	return len(v) >= 8 && !strings.ContainsFunc(v, isBetween) && strings.ContainsAny(v, "0123456789")
}

// isDay reports whether a value is a day, which is something to ask for.
func isDay(v string) bool {
	_, err := time.Parse(time.DateOnly, v)
	return err == nil
}

// countsOn reports whether two texts are of the same words but for those that count
// attempts or name one, and which those are.
func countsOn(a, b string) (was, now string, counts bool) {
	left, right := strings.FieldsFunc(a, isBetween), strings.FieldsFunc(b, isBetween)
	gone, come := apart(left, right), apart(right, left)
	if len(gone)+len(come) == 0 || len(gone)+len(come) > mostCounting || len(gone) >= len(left) {
		return "", "", false
	}
	named := slices.ContainsFunc(right, isAttemptWord)
	for _, w := range slices.Concat(gone, come) {
		n, err := strconv.Atoi(w)
		switch small := err == nil && n < 10; {
		case small, named && err == nil, isAttemptWord(w), len(w) >= 8 && !isDay(w) && strings.ContainsAny(w, "0123456789"):
		case slices.Contains(counterWords, strings.ToLower(w)) && slices.ContainsFunc(come, isAttemptWord):
		default:
			return "", "", false
		}
	}
	return strings.Join(gone, " "), strings.Join(come, " "), true
}

// mostCounting is how many words may be different at most.
const mostCounting = 16

func isBetween(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' }

// apart are the words of a list that another has not as often.
func apart(list, other []string) (rest []string) {
	n := make(map[string]int, len(other))
	for _, w := range other {
		n[w]++
	}
	for _, w := range list {
		if n[w]--; n[w] < 0 {
			rest = append(rest, w)
		}
	}
	return rest
}

// isAttemptWord reports whether a word is about trying again.
func isAttemptWord(w string) bool {
	return slices.Contains([]string{"attempt", "attempts", "retry", "retries", "retrying", "try", "tries", "again"}, strings.ToLower(w))
}

// counterWords are words that often come with one.
var counterWords = []string{"first", "second", "third", "fourth", "fifth", "last", "number", "no", "of", "this", "is", "my", "the", "a", "an", "please", "once", "more", "time", "previous", "failed", "count"}
