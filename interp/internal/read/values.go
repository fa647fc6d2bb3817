package read

import (
	"sort"
	"strconv"
	"sync"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/policy"
	"github.com/scenario-lang/scenario/schema"
)

// The statuses of a step and of a run.
const (
	StatusSuccess   = "success"
	StatusFailed    = "failed"
	StatusTimeout   = "timeout"
	StatusSkipped   = "skipped"
	StatusCancelled = "cancelled"
	StatusAborted   = "aborted"
	StatusPartial   = "partial"
)

// OneOf is a text that is one of a few words, so that a comparison with any
// other word is a mistake that is found before anything runs.
func OneOf(list ...string) *schema.Shape {
	s := *TextShape
	s.OneOf = list
	return &s
}

// domain is a text that is one of the words of a file's taxonomies.
func domain(name string) *schema.Shape {
	s := *TextShape
	s.Domain = name
	return &s
}

// The domains of words that a file declares itself.
const (
	DomainMode     = "mode"
	DomainCategory = "category"
)

// Words lists the words of a shape for people, each in quotes: "a", "b" or "c".
func Words(s *schema.Shape) string {
	quoted := make([]string, len(s.OneOf))
	for i, w := range s.OneOf {
		quoted[i] = strconv.Quote(w)
	}
	return schema.Or(quoted...)
}

func wordsOf[T ~string](list ...T) []string {
	out := make([]string, len(list))
	for i, w := range list {
		out[i] = string(w)
	}
	return out
}

// The words of results.
var (
	StepStatusShape = OneOf(StatusSuccess, StatusFailed, StatusTimeout, StatusSkipped, StatusCancelled, StatusAborted)
	RunStatusShape  = OneOf(StatusSuccess, StatusPartial, StatusFailed, StatusTimeout, StatusCancelled)
	kindShape       = OneOf(FailureKinds()...)
	causeShape      = OneOf(wordsOf(failure.Refused, failure.Reset, failure.DNS, failure.TLS, failure.EOF, failure.Signal)...)
	severityShape   = OneOf(failure.Severities()...)
	StageShape      = OneOf(wordsOf(failure.Stages()...)...)
	StateShape      = OneOf(wordsOf(policy.Closed, policy.Open, policy.HalfOpen)...)
	ReasonShape     = OneOf(policy.Reasons()...)
	StopShape       = OneOf(policy.StopUsedUp, policy.StopNotRetryable, policy.StopNotIdempotent, policy.StopRetryAfter, policy.StopTerminal, policy.StopCancelled)
	OutcomeShape    = OneOf("success", "failure", "cancelled")
	HintShape       = OneOf("retry_all", "retry_with_backoff", "resume_from_checkpoint", "retry_failed")
)

// SortedNames lists the keys of a map in order.
func SortedNames[T any](m map[string]T) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// FailureKinds lists the typed kinds of failures.
var FailureKinds = sync.OnceValue(func() []string {
	var names []string
	for _, k := range failure.Kinds() {
		names = append(names, string(k))
	}
	return names
})

// Contains is slices.Contains for strings.
func Contains(list []string, s string) bool {
	for _, e := range list {
		if e == s {
			return true
		}
	}
	return false
}
