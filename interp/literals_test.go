package interp

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl/dotted"
)

// idle are the literals of the suite that no scenario fails without, by file,
// scenario and literals, with the reason. Every other one has to matter.
var idle = []struct{ file, scenario, literals, why string }{
	{"failure-modes/retry", "CU5 jitter is a tenth up or down", "1 2 3 4 5 1000 2000 4000", "seeds, any of which will do, and what the waits must not be"},
	{"failure-modes/propagation", "CU7 the strategy of a workflow", "continue", "says for which instance the rest holds"},
	{"flow/choices", "a policy for each instance", "false true", "what is expected is computed from it, too"},
	{"services/classifier", "what is not in it", "5 true 5", "beside what is wrong with the answer"},
	{"services/classifier", "a rate limit, an error and a bad key are fallbacks, too", "401 429 500", "shows that it does not matter which"},
	{"services/classifier", "locals", "80 80", "beside what is wrong with the answer"},
	{"files/instances", "locals", "503 418", "any such status will do"},
	{"services/degradation", "BT13: a part of a message cannot be delivered, and the abort policy decides about the rest", "true false", "shows that these policies do not look at it"},
	{"services/degradation", "BT11: a classification that fails sends the whole message to general, with its text", "1", "stands for one block"},
	{"services/fanout", "V63 ordered, b is down and optional", "1 1", "stands for one block"},
	{"faults/lies", "wrong_record: somebody else's, with the balance of the right one", "Ann Bo", "what the answer must not be"},
	{"faults/lies", "contradiction: the tool was asked about Paris and answers about another city", "Paris", "what the answer must not be"},
	{"cookbook/schema_drift", "a changed answer is noticed", "1200", "the value of a field that nobody asks for"},
	{"cookbook/retry_after_ignored", "the wait is the server's", "503", "shows that it does not matter which"},
	{"cookbook/expired_token", "a 401 leads to one new session and one more request", "401", "stands for every status but 200"},
	{"services/validation", "BT28: the routing log after a route to an unavailable butler", "1 1", "stands for one block"},
}

// No figure in the suite is there for show: whatever number, word or truth value
// in an expectation is changed, or whatever number or truth value in a local or
// in the table that a scenario is multiplied by, a scenario fails. A literal that stands in
// several instances has to matter to one of them.
func TestFiguresMatter(t *testing.T) {
	if testing.Short() {
		t.Skip("changes every literal of the suite")
	}
	tried := 0
	for _, path := range suiteFiles(t) {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		literals := expectedLiterals(t, path, source)
		tried += len(literals)
		file := strings.TrimSuffix(strings.TrimPrefix(path, suiteDir+"/"), ".scenario.hcl")
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			unmoved := map[string][]string{}
			for _, l := range literals {
				if !l.matters(path) {
					unmoved[l.scenario] = append(unmoved[l.scenario], string(l.Bytes))
				}
			}
			for _, x := range idle {
				if x.file == file {
					if got := strings.Join(unmoved[x.scenario], " "); got != x.literals {
						t.Errorf("%q does not depend on %q; %q (%s) is what it should not depend on", x.scenario, got, x.literals, x.why)
					}
					delete(unmoved, x.scenario)
				}
			}
			for scenario, literals := range unmoved {
				t.Errorf("%q passes whatever stands in the place of %q", scenario, literals)
			}
		})
	}
	if tried < 2500 {
		t.Errorf("only %d literals were found", tried)
	}
}

// A literal is a figure in a scenario.
type literal struct {
	hclsyntax.Token
	scenario string
	// source is the file without its other scenarios, which would only cost
	// time.
	source string
}

// expectedLiterals lists the literals in what the scenarios of a file expect,
// and the numbers and truth values in the tables from which they take it: many
// a word there is what a failure says, and shows that nothing depends on it.
func expectedLiterals(t *testing.T, path string, source []byte) []literal {
	t.Helper()
	file, diags := dotted.ParseConfig(source, path, hcl.InitialPos)
	mustBeValid(t, diags)
	var all []literal
	blocks := file.Body.(*hclsyntax.Body).Blocks
	for _, b := range blocks {
		if b.Type == "locals" {
			for _, x := range b.Body.Attributes {
				all = append(all, figures(x.Expr, source, "locals", string(source), true)...)
			}
		}
		if b.Type != "scenario" {
			continue
		}
		only := without(blocks, b, source)
		in := func(x hclsyntax.Expression, table bool) {
			all = append(all, figures(x, source, b.Labels[0], only, table)...)
		}
		if x := b.Body.Attributes["for_each"]; x != nil {
			in(x.Expr, true)
		}
		for _, c := range b.Body.Blocks {
			kind := c.Type
			if kind == "dynamic" {
				kind = c.Labels[0]
			}
			for _, x := range attributesBelow(c) {
				switch {
				case kind == "matrix":
					in(x.Expr, true)
				case kind == "expect", kind == "assert" && x.Name == "condition":
					in(x.Expr, false)
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b literal) int { return a.Range.Start.Byte - b.Range.Start.Byte })
	return all
}

// figures are the literals of an expression, of a table without its words.
func figures(x hclsyntax.Expression, source []byte, scenario, only string, table bool) []literal {
	var all []literal
	for _, tok := range literalsOf(x.Range(), source) {
		if !table || tok.Type != hclsyntax.TokenQuotedLit {
			all = append(all, literal{tok, scenario, only})
		}
	}
	return all
}

// without is the source with blanks in the place of all scenarios but one.
func without(blocks hclsyntax.Blocks, but *hclsyntax.Block, source []byte) string {
	only := slices.Clone(source)
	for _, b := range blocks {
		if b.Type != "scenario" || b == but {
			continue
		}
		for i := b.TypeRange.Start.Byte; i < b.CloseBraceRange.End.Byte; i++ {
			if only[i] != '\n' {
				only[i] = ' '
			}
		}
	}
	return string(only)
}

func attributesBelow(b *hclsyntax.Block) []*hclsyntax.Attribute {
	var all []*hclsyntax.Attribute
	for _, a := range b.Body.Attributes {
		all = append(all, a)
	}
	for _, c := range b.Body.Blocks {
		all = append(all, attributesBelow(c)...)
	}
	return all
}

// literalsOf lists the numbers, words and truth values of an expression. What
// names a place is no figure: the keys of objects, the index of a tuple, and the
// labels of a count that is zero, as a count of anything else would be.
func literalsOf(r hcl.Range, source []byte) hclsyntax.Tokens {
	var literals hclsyntax.Tokens
	tokens, _ := hclsyntax.LexExpression(source[r.Start.Byte:r.End.Byte], r.Filename, r.Start)
	kind := func(i int) hclsyntax.TokenType {
		if i < 0 || i >= len(tokens) {
			return hclsyntax.TokenEOF
		}
		return tokens[i].Type
	}
	zero := 0 // the token at which the last such count ends
	for i, t := range tokens {
		switch t.Type {
		case hclsyntax.TokenOParen:
			if end := closing(tokens, i); kind(i-1) == hclsyntax.TokenIdent && string(tokens[i-1].Bytes) == "metric" &&
				kind(end+1) == hclsyntax.TokenEqualOp && kind(end+2) == hclsyntax.TokenNumberLit && string(tokens[end+2].Bytes) == "0" {
				zero = end
			}
		case hclsyntax.TokenNumberLit:
			value := kind(i-2) == hclsyntax.TokenIdent || kind(i-2) == hclsyntax.TokenCBrack || kind(i-2) == hclsyntax.TokenCParen
			if index := kind(i-1) == hclsyntax.TokenOBrack && value && string(tokens[i-2].Bytes) != "in"; !index {
				literals = append(literals, t)
			}
		case hclsyntax.TokenQuotedLit:
			if i < zero {
				continue
			}
			if key := kind(i+2) == hclsyntax.TokenEqual || kind(i+2) == hclsyntax.TokenColon; !key {
				literals = append(literals, t)
			}
		case hclsyntax.TokenIdent:
			if word := string(t.Bytes); word == "true" || word == "false" {
				literals = append(literals, t)
			}
		}
	}
	return literals
}

// closing is where the parenthesis closes that opens at i.
func closing(tokens hclsyntax.Tokens, i int) int {
	for depth := 0; i < len(tokens); i++ {
		switch tokens[i].Type {
		case hclsyntax.TokenOParen:
			depth++
		case hclsyntax.TokenCParen:
			depth--
		}
		if depth == 0 {
			return i
		}
	}
	return i
}

// matters reports whether some change of the literal makes an instance of its
// scenario fail. Where only certain words can stand in its place it becomes
// another of them; where nothing else can, the file is wrong, and that is found
// before anything runs.
func (l *literal) matters(path string) bool {
	tried, wrong := 0, false
	for others := l.others(); tried < len(others); tried++ {
		changed := l.source[:l.Range.Start.Byte] + others[tried] + l.source[l.Range.End.Byte:]
		plans, diags := tryCompile(path, changed)
		switch {
		case slices.ContainsFunc(plans, func(p *Plan) bool { return Run(p, RunOptions{}).Verdict != Pass }):
			return true
		case slices.ContainsFunc(diags, neverHolds):
			return true // it is refused before it can fail
		case diags.HasErrors() && tried == 0:
			others = append(others, l.sameSort(diags)...)
			wrong = len(others) == 1
		}
	}
	return wrong
}

// neverHolds reports whether a diagnostic is about a condition that is false
// whatever the run does, or about a number that its function cannot take.
func neverHolds(d *hcl.Diagnostic) bool {
	return d.Summary == "Constant condition" && strings.HasPrefix(d.Detail, "This is false") ||
		d.Summary == "Argument that does not fit" && strings.Contains(d.Detail, "it must not be negative")
}

// sameSort are the words that the diagnostics offer in place of a wrong one.
func (l *literal) sameSort(diags hcl.Diagnostics) []string {
	var words []string
	for _, d := range diags {
		_, offered, _ := strings.Cut(d.Detail, ", but ")
		offered, _, _ = strings.Cut(offered, " Did you mean")
		for _, m := range inQuotes.FindAllStringSubmatch(offered, -1) {
			if m[1] != string(l.Bytes) {
				words = append(words, m[1])
			}
		}
	}
	return words
}

// others are what the literal is changed to, until one matters: a number to its
// neighbour, then, as a bound or a tolerance may stand that, far away.
func (l *literal) others() []string {
	text := string(l.Bytes)
	switch l.Type {
	case hclsyntax.TokenQuotedLit:
		return []string{text + "x"}
	case hclsyntax.TokenIdent:
		return []string{strconv.FormatBool(text == "false")}
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil
	}
	var all []string
	for _, n := range []float64{f + 1, f / 1000, f + 1e9, f - 1e9} {
		all = append(all, strconv.FormatFloat(n, 'f', -1, 64))
	}
	return all
}
