package compile

import (
	"regexp"

	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/compile/uncompared"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// uncompared warns of what a cassette block hides or names so that nothing is
// compared, but not where the file is about to be recorded again.
func (sc *scenarioCompiler) uncompared(t *plan.Recording, b *dsl.Block) {
	if sc.Options.Recording {
		return
	}
	nothingLeft := false
	for _, f := range uncompared.Find(t, sc.p.Name, sc.p.Secrets.Alike) {
		switch f.Part {
		case "redact":
			nothingLeft = true
			sc.Warnf(b.First("redact").DefRange, "Nothing left to compare", "%s", f.Detail)
		case "all ignored":
			sc.Warnf(b.Attr("ignore").Expr.Range(), "Nothing left to compare", "%s", f.Detail)
		case "ignore":
			sc.Warnf(b.Attr("ignore").Expr.Range(), "Nothing to ignore", "%s", f.Detail)
		default:
			sc.Warnf(b.Attr("match_headers").Expr.Range(), "Header that no recording has", "%s", f.Detail)
		}
	}
	if !nothingLeft {
		sc.hidingWords(t, b.First("redact"))
	}
}

// hidingWords warns of patterns that hide more than secrets.
func (sc *scenarioCompiler) hidingWords(t *plan.Recording, b *dsl.Block) {
	for _, pattern := range t.Rules.Patterns {
		if uncompared.HidesWords(pattern) {
			sc.Warnf(dsl.Reader{Block: b}.Range("patterns"), "Pattern that hides ordinary words", "%q matches words of all sorts, and what is hidden is not compared: a request that asks for something else is answered as if it asked for what was recorded. Describe the values that are to be hidden, such as \\b\\d{4}-\\d{4}\\b.", pattern)
		}
	}
}

// rules are what the redact block of a cassette hides.
func (sc *scenarioCompiler) rules(b *dsl.Block) redact.Rules {
	block := b.First("redact")
	if block == nil {
		return redact.Rules{}
	}
	r := sc.Read(block)
	rules := redact.Rules{Headers: r.Strings("headers"), Query: r.Strings("query"), JSON: r.Strings("json")}
	for _, text := range r.Strings("patterns") {
		pattern, err := regexp.Compile(text)
		switch {
		case err != nil:
			r.EntryErrorf("patterns", text, "Wrong pattern", "%q is no regular expression: %v.", text, err)
		case pattern.MatchString(""):
			r.EntryErrorf("patterns", text, "Pattern that matches nothing", "%q matches the empty text, so it would hide nothing or everything. Say what must be there.", text)
		default:
			rules.Patterns = append(rules.Patterns, pattern)
		}
	}
	return rules
}
