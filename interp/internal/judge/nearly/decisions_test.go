package nearly

import (
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/stdlib"
)

// Why a function or a keyword is none that compares a text with words.
const (
	numbers  = "it reads numbers, times or lengths"
	makes    = "it makes a text or a list; what that is compared with is looked at"
	chooses  = "it chooses by the place, or by what has a value"
	truths   = "it reads what is true or false; what made that is looked at"
	reads    = "it reads a text of a format, whatever words are in it"
	ofChecks = "checks alone may call it"
	outside  = "it reads files or the environment"
	nearness = "it measures how near two texts are, and says so itself"
	says     = "it says something of a schema, and nothing of a value"
	ofSchema = "other keywords of the same schema name it"
)

var functions = map[string]string{
	"abs": numbers, "ceil": numbers, "floor": numbers, "max": numbers, "min": numbers, "sum": numbers, "signum": numbers, "pow": numbers, "log": numbers,
	"approx": numbers, "percentile": numbers, "bca": numbers, "ms": numbers, "within": numbers, "timeadd": numbers, "formatdate": numbers, "range": numbers, "length": numbers, "tonumber": numbers,
	"similarity": nearness,
	"upper":      makes, "lower": makes, "title": makes, "trim": makes, "trimspace": makes, "trimprefix": makes, "trimsuffix": makes, "chomp": makes, "indent": makes, "split": makes, "join": makes, "replace": makes, "substr": makes, "format": makes, "formatlist": makes, "strrev": makes,
	"concat": makes, "flatten": makes, "keys": makes, "values": makes, "merge": makes, "reverse": makes, "sort": makes, "zipmap": makes, "tostring": makes,
	"jsonencode": makes, "base64encode": makes, "urlencode": makes, "sha256": makes, "sha256canonical": makes, "uuidv5": makes,
	"slice": chooses, "element": chooses, "coalesce": chooses, "compact": chooses, "one": chooses, "try": chooses, "can": chooses,
	"alltrue": truths, "anytrue": truths,
	"jsondecode": reads, "yamldecode": reads, "csvdecode": reads, "base64decode": reads,
	"file": outside, "fileset": outside, "env": outside,
}

// Shows that of each function of the language it is known whether it compares texts with words: it is looked at, or
// there is a reason not to.
func TestEveryFunctionIsADecisionOrNone(t *testing.T) {
	var names []string
	for _, f := range slices.Concat(stdlib.List(), stdlib.Environment()) {
		names = append(names, f.Name)
		_, looked := deciders[f.Name]
		if reason := functions[f.Name]; looked == (reason != "") {
			t.Errorf("%s: that it is looked at is %v, and the reason not to is %q", f.Name, looked, reason)
		}
		if f.Sig.Meets != nil && !looked {
			t.Errorf("%s compares its arguments, and is not looked at", f.Name)
		}
	}
	for _, f := range slices.Concat(stdlib.Queries(), stdlib.OfProgram()) {
		names = append(names, f.Name)
		if _, looked := deciders[f.Name]; looked {
			t.Errorf("%s is looked at: %s", f.Name, ofChecks)
		}
	}
	for name := range deciders {
		if !slices.Contains(names, name) {
			t.Errorf("%s is no function", name)
		}
	}
	for name := range functions {
		if !slices.Contains(names, name) {
			t.Errorf("%s is no function, and has a reason", name)
		}
	}
}

var keywords = map[string]string{
	"minimum": numbers, "maximum": numbers, "exclusiveMinimum": numbers, "exclusiveMaximum": numbers, "multipleOf": numbers,
	"minLength": numbers, "maxLength": numbers, "minItems": numbers, "maxItems": numbers, "minContains": numbers, "maxContains": numbers, "minProperties": numbers, "maxProperties": numbers,
	"format": reads, "contentEncoding": reads, "contentMediaType": reads, "contentSchema": reads, "type": reads,
	"uniqueItems": "it compares the elements with each other, and with no word",
	"required":    "properties looks at it", "dependentRequired": ofSchema,
	"$id": says, "$schema": says, "$comment": says, "$defs": says, "definitions": says, "$anchor": says, "$dynamicAnchor": says, "$dynamicRef": says, "$vocabulary": says, "title": says, "description": says, "default": says, "deprecated": says, "readOnly": says, "writeOnly": says, "examples": says,
}

// Shows the same of each keyword of JSON Schema.
func TestEveryKeywordIsADecisionOrNone(t *testing.T) {
	all := stdlib.SchemaWords()
	for _, name := range all {
		if looked, reason := keywordOf(name) != nil, keywords[name]; looked == (reason != "") {
			t.Errorf("%s: that it is looked at is %v, and the reason not to is %q", name, looked, reason)
		}
	}
	for name := range keywords {
		if !slices.Contains(all, name) {
			t.Errorf("%s is no keyword, and has a reason", name)
		}
	}
}

// Shows of each kind of step whether it compares by itself what a service said with words of the file.
func TestEveryKindOfStepIsADecisionOrNone(t *testing.T) {
	const expressions = "it decides by expressions alone"
	kinds := map[plan.Kind]string{
		plan.KindClassify: "", // the candidates of its classifier
		plan.KindLLM:      "a tool that a script calls and that is none of the step's is told of before the run",
		plan.KindHTTP:     expressions, plan.KindMCP: expressions, plan.KindSQL: expressions, plan.KindValue: expressions, plan.KindWait: expressions, plan.KindLoop: expressions,
		plan.KindWorkflow: expressions, plan.KindFanout: expressions, plan.KindSub: expressions, plan.KindCall: expressions,
	}
	for _, k := range plan.StepKinds() {
		if _, known := kinds[k]; !known {
			t.Errorf("%v: neither looked at, nor is there a reason not to", k)
		}
	}
}

// Shows which forms of a text are unlike those of all words that it could have been.
func TestForms(t *testing.T) {
	teams := []string{"parcels", "invoices", "people"}
	for _, c := range []struct {
		text  string
		words []string
		told  string
	}{
		{"Refund", teams, "capital letter"},
		{"REFUND", teams, "capital letter"},
		{"gbp", []string{"EUR", "USD"}, "in capital letters"},
		{"payout desk", teams, "no word has a blank"},
		{"refund", teams, ""},
		{"GBP", []string{"EUR", "USD"}, ""},
		{"Refund", []string{"parcels", "People"}, ""}, // one has a capital letter
		{"Refund", []string{"parcels"}, ""},           // one word is no form
		{"payout desk", []string{"parcels", "front desk"}, ""},
		{"O-23", []string{"o-17", "o-18"}, ""}, // an id
		{"I want my money back", teams, ""},    // a sentence
		{"What?", teams, ""},
		{" ", teams, ""},
		{"退款", teams, ""}, // letters that have no case
		{"Refund", []string{"退款", "发票"}, ""},
	} {
		if got := unlike(c.text, c.words); (got == "") != (c.told == "") || !strings.Contains(got, c.told) {
			t.Errorf("%q of %q: %q, want %q", c.text, c.words, got, c.told)
		}
	}
}
