package compile

import (
	"regexp"

	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/dsl"
)

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
