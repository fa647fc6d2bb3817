package observe

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// An Asked is an attempt of a step as it asked and as it ended.
type Asked struct {
	N       int
	Request *event.Request
	End     *event.AttemptEnd
}

// Asked are the attempts of a step that have ended, in their order.
func (s *StepResult) Asked() []Asked {
	var list []Asked
	for _, a := range s.attempts {
		if a.request != nil && !a.open {
			list = append(list, Asked{a.n, a.request, a.response})
		}
	}
	return list
}

// AllSucceeded reports whether a program asked and every attempt ended in success.
func (s *StepResult) AllSucceeded() bool {
	return s.asked != nil && len(s.attempts) > 0 && !slices.ContainsFunc(s.attempts, func(a *attemptResult) bool { return a.open || a.outcome != read.StatusSuccess })
}

// AllFailed reports whether a program asked twice or more in one call, and every attempt
// ended in failure, with nothing that told the attempts apart: no idempotency key and no count.
func (s *StepResult) AllFailed() bool {
	return s.asked != nil && len(s.attempts) > 1 && len(s.asked.calls) == 1 && !slices.ContainsFunc(s.attempts, func(a *attemptResult) bool {
		return a.open || a.outcome != "failure" || a.asker == nil || a.asker.IdempotencyKey != "" || a.asker.RetryCount != nil
	})
}

// SucceededLast reports whether the last attempt of a program succeeded, and none before it.
func (s *StepResult) SucceededLast() bool {
	n := len(s.attempts)
	return s.asked != nil && slices.IndexFunc(s.attempts, func(a *attemptResult) bool { return a.outcome == read.StatusSuccess }) == n-1 && n > 0
}

// Stopped is why no further round followed a failed one, "" where none failed.
func (s *StepResult) Stopped() string { return s.stop }

// LastAnswer is the answer on which a program went on last: its entry of the script, or its
// interaction of the recording, from 1, and which of the two it is, as an attempt says; 0 where
// it is of neither.
func (s *StepResult) LastAnswer() (entry int, by string) {
	if s.asked == nil || len(s.attempts) == 0 {
		return 0, ""
	}
	a := s.attempts[len(s.attempts)-1]
	if a.open || a.response == nil || a.response.By != "script" && a.response.By != "cassette" || a.outcome != "success" {
		return 0, ""
	}
	return a.response.Entry, a.response.By
}

// Reworded is the first call of a program that asks what one that failed just before
// in its lane asked, but for a number or a word that counts its attempts, with what is
// different in the two; 0 for none.
func (s *StepResult) Reworded() (call int, was, now string) {
	for _, l := range s.askedFor().lanes {
		for i := 1; i < len(l.calls); i++ {
			before, after := l.calls[i-1], l.calls[i]
			if before.status() != read.StatusFailed {
				continue
			}
			p, q := before.attempts[len(before.attempts)-1].request, after.attempts[0].request
			if p == nil || q == nil || p.Method != q.Method || p.URL != q.URL || p.Tool != q.Tool {
				continue
			}
			if was, now, counts := countsOn(p.Body+" "+p.Statement, q.Body+" "+q.Statement); counts {
				return after.n, was, now
			}
		}
	}
	return 0, "", ""
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
		case small, named && err == nil, isAttemptWord(w), len(w) >= 8 && strings.ContainsAny(w, "0123456789"):
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
