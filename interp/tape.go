package interp

import (
	"fmt"
	"regexp"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/dsl"
)

// StaleCassette warns that the scenario's recording is older than its max_age
// allows, nil where it is not. now is the wall clock's: what is said is for
// people, and no part of a result.
func (p *Plan) StaleCassette(now time.Time) *hcl.Diagnostic {
	t := p.cassette
	if t == nil || t.maxAge <= 0 || t.cassette.RecordedAt.IsZero() || now.Sub(t.cassette.RecordedAt) <= t.maxAge {
		return nil
	}
	return &hcl.Diagnostic{
		Severity: hcl.DiagWarning, Summary: "Old recording", Subject: &t.rng,
		Detail: fmt.Sprintf("%s was recorded on %s, longer ago than its max_age allows. It is played all the same: record it again, or raise max_age.",
			t.path, t.cassette.RecordedAt.UTC().Format(time.DateOnly)),
	}
}

// rules are what the redact block of a cassette hides.
func (sc *scenarioCompiler) rules(b *dsl.Block) redact.Rules {
	block := b.First("redact")
	if block == nil {
		return redact.Rules{}
	}
	r := sc.read(block)
	rules := redact.Rules{Headers: r.Strings("headers"), Query: r.Strings("query"), JSON: r.Strings("json")}
	for _, text := range r.Strings("patterns") {
		pattern, err := regexp.Compile(text)
		switch {
		case err != nil:
			r.Errorf("patterns", "Wrong pattern", "%q is no regular expression: %v.", text, err)
		case pattern.MatchString(""):
			r.Errorf("patterns", "Pattern that matches nothing", "%q matches the empty text, so it would hide nothing or everything. Say what must be there.", text)
		default:
			rules.Patterns = append(rules.Patterns, pattern)
		}
	}
	return rules
}
