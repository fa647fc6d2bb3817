package dsl

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	words "github.com/scenario-lang/scenario/dsl/spelling"
	"github.com/scenario-lang/scenario/dsl/wording"
	"github.com/scenario-lang/scenario/internal/pattern"
)

// InWords puts what the evaluator of expressions says into the words of the
// language. What it does not know stays as it is.
func InWords(diags hcl.Diagnostics) hcl.Diagnostics {
	all := make(hcl.Diagnostics, len(diags))
	for i, d := range diags {
		all[i] = d
		if summary, detail := evaluated(d); summary != "" {
			changed := *d
			changed.Summary, changed.Detail = summary, detail
			all[i] = &changed
		}
	}
	return all
}

// evaluated puts what the evaluator says of a value into the words of the
// language: what is wrong, why, and what to write instead. It returns "" for
// what it does not know.
func evaluated(d *hcl.Diagnostic) (summary, detail string) {
	switch d.Summary {
	case "Invalid function argument":
		return summaryUnfit, unfitting(d)
	case "Variables not allowed":
		return noReference(d)
	case "Error in function call":
		return summaryNoResult, resultless(d)
	case "Duplicate object key":
		if key := firstQuoted(d.Detail); key != "" && strings.Contains(d.Detail, "'for'") {
			return "Attribute made twice", fmt.Sprintf("The for expression makes the attribute %s more than once, and an object has it once. Make the names differ, or gather the values of one name in a list with … behind the value: { for x in xs : name => x... }.", key)
		}
	case "Invalid template interpolation value":
		if strings.Contains(d.Detail, "is null") {
			return "Null in a string", "This is null, which cannot be written into a string. Give another value for that case: coalesce(…, \"none\")."
		}
	case "Null value as key", "Invalid object key expression":
		if strings.Contains(d.Detail, "null") {
			return "Null as a name", "This is null, and an attribute needs a name. Say what it is called instead: coalesce(…, \"none\")."
		}
	case "Inconsistent conditional result types":
		return "Conditional of two kinds", "The two results of a conditional have different types, such as a string and a list. Give both the same type, or null for one of them."
	case "Iteration over null value":
		return "Nothing to go over", "A for expression goes over this, and it is null. Where it may be: coalesce(…, [])."
	case "Operation failed":
		switch why := strings.TrimPrefix(d.Detail, operationPrefix); {
		case strings.Contains(why, noDivision):
			return summaryZero, zeroDetail
		case strings.HasPrefix(why, "the two sides"):
			return "Comparison can never hold", wording.Sentence(why)
		}
	}
	return "", ""
}

// noReference explains a name where nothing can be referred to: mostly it is a string
// without quotes, or what another language calls a value.
func noReference(d *hcl.Diagnostic) (summary, detail string) {
	e, ok := d.Expression.(*hclsyntax.ScopeTraversalExpr)
	if !ok {
		return "", ""
	}
	name := e.Traversal.RootName()
	if said := words.LiteralFor(name); said != "" && len(e.Traversal) == 1 {
		return summaryNothing, fmt.Sprintf("There is no %q here.%s", name, said)
	}
	said := fmt.Sprintf("There is no %q here: no reference can stand in this place.", name)
	if len(e.Traversal) == 1 {
		said += " A string is written in quotes: " + wording.Quote(name) + "."
	}
	return summaryNothing, said
}

const (
	summaryNothing  = "Unknown reference"
	operationPrefix = "Error during operation: "
	noDivision      = "there is no division by zero"
	summaryZero     = "Division by zero"
	zeroDetail      = "Nothing can be divided by zero. Where the divisor may be zero, say what the result is then: n == 0 ? 0 : x / n."
)

var (
	unfit    = pattern.New(`^Invalid value for "[^"]*" parameter: (.*?)\.?$`)
	failed   = pattern.New(`^Call to function "[^"]*" failed: (.*?)\.?$`)
	needs    = pattern.New(`^(.+) required, but have (\w+)$`)
	inQuotes = pattern.New(`"(?:[^"\\]|\\.)*"`)
)

func firstQuoted(text string) string { return inQuotes().FindString(text) }

// unfitting says what is wrong with an argument of a function.
func unfitting(d *hcl.Diagnostic) string {
	return unfits(functionOf(d), lastMatch(unfit(), d.Detail))
}

// summaryUnfit and summaryNoResult are what two failures of a call are called.
const (
	summaryUnfit    = "Argument that does not fit"
	summaryNoResult = "Function without a result"
)

func unfits(name, why string) string {
	if m := needs().FindStringSubmatch(why); m != nil {
		why = fmt.Sprintf("it is %s, and %s is needed", article(m[2]), article(m[1]))
	}
	if strings.HasPrefix(why, "must ") {
		why = "it " + why
	}
	if !strings.HasSuffix(why, "?") { // a name that was probably meant
		why += "."
	}
	if name == "" {
		return "The function cannot use this: " + why
	}
	return fmt.Sprintf("%s cannot use this: %s%s", name, why, signature(name))
}

// resultless says why a function has no result for arguments that fit.
func resultless(d *hcl.Diagnostic) string {
	return noResult(functionOf(d), lastMatch(failed(), d.Detail))
}

func noResult(name, why string) string {
	switch why {
	case "EOF", "unexpected EOF":
		why = "the string ends before the value does"
	}
	if name == "" {
		return fmt.Sprintf("The function has no result for this: %s.", why)
	}
	if strings.HasPrefix(name, "sut.") {
		return why + "." // the program's words, which no signature explains
	}
	return fmt.Sprintf("%s has no result for this: %s.%s Where that may be, try(%s(…), null) is null then.", name, why, signature(name), name)
}

// lastMatch is what the expression captures, the whole text where it does not
// match.
func lastMatch(re *regexp.Regexp, text string) string {
	if m := re.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return strings.TrimSuffix(text, ".")
}

// functionOf is the function whose call a diagnostic is about, "" where it does
// not tell.
func functionOf(d *hcl.Diagnostic) string {
	if call, ok := hcl.DiagnosticExtra[hclsyntax.FunctionCallDiagExtra](d); ok {
		return call.CalledFunctionName()
	}
	return ""
}

// article puts a or an before a type of value, in the words of the language.
func article(kind string) string {
	switch kind {
	case "list of string", "set of string":
		return "a list of strings"
	case "object", "any single type":
		return "an " + kind
	}
	for _, begins := range []string{"a ", "an "} {
		if strings.HasPrefix(kind, begins) {
			return kind
		}
	}
	return "a " + kind
}
