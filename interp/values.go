package interp

import (
	"slices"
	"sync"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/policy"
	"github.com/scenario-lang/scenario/schema"
)

// oneOf is a text that is one of a few words, so that a comparison with any
// other word is a mistake that is found before anything runs.
func oneOf(list ...string) *schema.Shape {
	s := *textShape
	s.OneOf = list
	return &s
}

// domain is a text that is one of the words of a file's taxonomies.
func domain(name string) *schema.Shape {
	s := *textShape
	s.Domain = name
	return &s
}

const (
	domainMode     = "mode"
	domainCategory = "category"
)

func wordsOf[T ~string](list ...T) []string {
	out := make([]string, len(list))
	for i, w := range list {
		out[i] = string(w)
	}
	return out
}

// The words of results.
var (
	stepStatusShape = oneOf(statusSuccess, statusFailed, statusTimeout, statusSkipped, statusCancelled, statusAborted)
	runStatusShape  = oneOf(statusSuccess, statusPartial, statusFailed, statusTimeout, statusCancelled)
	kindShape       = oneOf(failureKinds()...)
	causeShape      = oneOf(wordsOf(failure.Refused, failure.Reset, failure.DNS, failure.TLS, failure.EOF, failure.Signal)...)
	severityShape   = oneOf(failure.Severities()...)
	stageShape      = oneOf(wordsOf(failure.Stages()...)...)
	stateShape      = oneOf(wordsOf(policy.Closed, policy.Open, policy.HalfOpen)...)
	reasonShape     = oneOf("circuit_open", "rate_limit", "bulkhead")
	stopShape       = oneOf(policy.StopUsedUp, policy.StopNotRetryable, policy.StopNotIdempotent, policy.StopRetryAfter, policy.StopTerminal, policy.StopCancelled)
	outcomeShape    = oneOf("success", "failure", "cancelled")
	hintShape       = oneOf("retry_all", "retry_with_backoff", "resume_from_checkpoint", "retry_failed")
)

// values are the words of the domains: those of all taxonomies that a workflow
// of the file may have.
func (c *compiler) values() map[string][]string {
	if len(c.file.Body.All("taxonomy")) == 0 {
		return standardValues()
	}
	return valuesOf(c.taxonomies)
}

// standardValues are the words of the taxonomies that every file has.
var standardValues = sync.OnceValue(func() map[string][]string { return valuesOf(standardTaxonomies) })

func valuesOf(taxonomies map[string]*taxonomy) map[string][]string {
	set := map[string][]string{}
	add := func(name, word string) {
		if !slices.Contains(set[name], word) {
			set[name] = append(set[name], word)
		}
	}
	for _, name := range sortedNames(taxonomies) {
		for _, m := range taxonomies[name].known.Modes() {
			add(domainMode, m.Code)
			add(domainCategory, m.Category)
		}
	}
	return set
}
