package mistakes

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl/wording"
	"github.com/scenario-lang/scenario/internal/pattern"
)

// maxSyntaxErrors bounds what is said of the syntax of one file. Who has that
// many mistakes corrects the first ones and looks again.
const maxSyntaxErrors = 10

// SummaryTooMany heads the error that stands for all beyond a limit.
const SummaryTooMany = "Too many errors"

// Causes leaves of the errors of a parser, in the order of the file, those
// that name a mistake of the author: not what only follows from an earlier
// one, nothing behind a text that is not closed, and not more than somebody
// reads. diags holds the errors of one file's syntax and no others, rewritten.
func Causes(diags hcl.Diagnostics, src []byte) hcl.Diagnostics {
	sorted := slices.Clone(diags)
	slices.SortStableFunc(sorted, func(a, b *hcl.Diagnostic) int { return startOf(a).Byte - startOf(b).Byte })
	var kept hcl.Diagnostics
	for _, d := range sorted {
		if !recovering(d, sorted, src) {
			kept = append(withoutUnquoted(kept, d, src), d)
		}
		if open(d) {
			break // what is text from here on and what is not, nobody knows
		}
	}
	return capped(kept)
}

// withoutUnquoted leaves out what the parser says of a line before it finds a string that
// does not end there: a quote is missing, and it may be the one in front of any word of
// that line.
func withoutUnquoted(kept hcl.Diagnostics, d *hcl.Diagnostic, src []byte) hcl.Diagnostics {
	at := startOf(d).Line
	first := slices.IndexFunc(kept, func(e *hcl.Diagnostic) bool { return startOf(e).Line == at })
	if d.Summary != summaryOpenText || first < 0 {
		return kept
	}
	d.Subject, d.Detail = kept[first].Subject, "A double quote is missing on this line: it has an odd number of them. Each string begins and ends with one."
	if strings.Contains(lineOf(src, startOf(d)), `"""`) {
		d.Detail = "There are no triple quotes. A string over several lines begins with <<EOT and ends with EOT on a line of its own."
	}
	return kept[:first]
}

// open reports whether an error is about a text or template without an end.
func open(d *hcl.Diagnostic) bool {
	switch d.Summary {
	case summaryOpenText, summaryOpenTemplate, "Unterminated string literal", "Unexpected end of template":
		return true
	}
	return false
}

// recovering reports whether an error is only the parser's, on its way back
// from another one.
func recovering(d *hcl.Diagnostic, all hcl.Diagnostics, src []byte) bool {
	at := startOf(d)
	for _, e := range all {
		if e == d || e.Summary == summaryTwice {
			continue
		}
		cause := startOf(e)
		if foreign(e) && !foreign(d) && cause.Line == at.Line {
			return true
		}
		if foreign(d) && cause.Line == at.Line {
			continue
		}
		if e.Summary == summaryQuotes && d.Summary == summaryCharacter && cause.Line == at.Line && cause.Byte < at.Byte {
			return true // it stands in what was meant to be a string
		}
		if wrongCharacter(e) && cause.Line == at.Line && (!wrongCharacter(d) || cause.Byte < at.Byte && e.Summary == d.Summary) {
			return true
		}
		if cause.Line == at.Line && d.Summary == "Invalid string literal" && e.Summary == summaryNoEquals {
			return true // it is no label
		}
		if cause.Line >= at.Line {
			continue
		}
		if unfinished(e) && within(src, cause, at) || strings.HasPrefix(e.Detail, yamlSaid) && deeper(src, cause, at) {
			return true
		}
		switch d.Summary {
		case SummaryOneLine:
			if !strings.Contains(lineOf(src, at), "{") {
				return true
			}
		case summaryUnclosed:
			return true
		case summaryTwice:
			if e.Summary == summaryNoEquals || e.Summary == summaryBrace || e.Summary == summaryNoBrace || e.Summary == summaryWritten {
				return true // of two blocks the parser made one
			}
		case summaryBrace:
			if d.Detail == tooManyBraces || d.Detail == tooManyAfterBlock || d.Detail == tooManyByIndent {
				return true
			}
		}
	}
	return false
}

// WithoutKeys leaves out the errors about names in quotes inside of a block that was meant
// to be an attribute with an object, in which they are right.
func WithoutKeys(diags hcl.Diagnostics, b *hclsyntax.Block) hcl.Diagnostics {
	return slices.DeleteFunc(slices.Clone(diags), func(d *hcl.Diagnostic) bool {
		at := startOf(d).Byte
		return d.Summary == summaryKey && at >= b.OpenBraceRange.Start.Byte && at <= b.CloseBraceRange.End.Byte
	})
}

// unfinished reports whether an error is about an expression that may go on on the next
// lines, of which the parser then reads each as an attribute of its own.
func unfinished(d *hcl.Diagnostic) bool {
	return d.Summary == summaryNoValue || d.Summary == "Unbalanced parentheses" || d.Summary == summaryComma
}

// within reports whether a line is a part of what begins on the line of a cause: it and
// all between are indented deeper, or equally deep as a line inside of brackets.
func within(src []byte, cause, at hcl.Pos) bool {
	lines := strings.Split(string(src), "\n")
	if at.Line > len(lines) {
		return false
	}
	opened := indent(lines[cause.Line-1])
	for _, line := range lines[cause.Line:at.Line] {
		if strings.TrimSpace(line) != "" && indent(line) < opened || indent(line) == opened && begins().MatchString(line) {
			return false
		}
	}
	return true
}

// begins is a line on which an attribute or a block begins.
var begins = pattern.New(`^\s*[A-Za-z_][\w-]*(?:\s*=[^=]|(?:\s+"[^"]*")*\s*\{)`)

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

func wrongCharacter(d *hcl.Diagnostic) bool {
	switch d.Summary {
	case summaryQuotes, summaryInvisible, summaryCharacter:
		return true
	}
	return false
}

// capped replaces everything beyond the limit by its number.
func capped(diags hcl.Diagnostics) hcl.Diagnostics {
	if len(diags) <= maxSyntaxErrors {
		return diags
	}
	rest := diags[maxSyntaxErrors:]
	return append(diags[:maxSyntaxErrors:maxSyntaxErrors], &hcl.Diagnostic{
		Severity: hcl.DiagError,
		Summary:  SummaryTooMany,
		Detail:   fmt.Sprintf("From here on there are %s of syntax in this file that are not shown. Correct those above first; some of these may follow from them.", wording.Count(len(rest), "more error")),
		Subject:  rest[0].Subject,
	})
}

// FirstBroken is where the parser lost the structure of the file: what it made
// of the rest cannot be relied on. It is beyond every file where it did not.
func FirstBroken(diags hcl.Diagnostics) hcl.Pos {
	first := hcl.Pos{Byte: math.MaxInt}
	for _, d := range diags {
		if at := startOf(d); d.Summary != summaryTwice && d.Severity == hcl.DiagError && at.Byte < first.Byte {
			first = at
		}
	}
	return first
}

func startOf(d *hcl.Diagnostic) hcl.Pos {
	if d.Subject == nil {
		return hcl.InitialPos
	}
	return d.Subject.Start
}

func lineOf(src []byte, at hcl.Pos) string {
	if at.Byte > len(src) {
		return ""
	}
	start := at.Byte
	for start > 0 && src[start-1] != '\n' {
		start--
	}
	line, _ := LineAt(src, start)
	return string(line)
}

// LineAt returns the line that starts at a byte, without its end, and where
// the next one starts.
func LineAt(src []byte, start int) (line []byte, next int) {
	end := bytes.IndexByte(src[start:], '\n')
	if end < 0 {
		return src[start:], len(src)
	}
	return bytes.TrimSuffix(src[start:start+end], []byte("\r")), start + end + 1
}

// opening is where the innermost heredoc, or template, begins that is open at a
// place: it may be far above. It is the place itself where none is found, where
// it is on the same line, which shows it anyway, and for a text in quotes,
// which is wrong at the end of its line.
func opening(at *hcl.Range, src []byte, summary string) *hcl.Range {
	tokens, _ := hclsyntax.LexConfig(src, at.Filename, hcl.InitialPos)
	var around []hclsyntax.Token
	for _, t := range tokens {
		if t.Range.Start.Byte >= at.Start.Byte {
			break
		}
		switch t.Type {
		case hclsyntax.TokenOQuote, hclsyntax.TokenOHeredoc, hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
			around = append(around, t)
		case hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc, hclsyntax.TokenTemplateSeqEnd:
			if len(around) > 0 {
				around = around[:len(around)-1]
			}
		}
	}
	for _, t := range slices.Backward(around) {
		heredoc := t.Type == hclsyntax.TokenOHeredoc
		if t.Type == hclsyntax.TokenOQuote || heredoc != (summary == summaryOpenText) {
			continue
		}
		if t.Range.Start.Line == at.Start.Line {
			return at
		}
		width := len(bytes.TrimRight(t.Bytes, "\r\n"))
		begin := t.Range
		begin.End = begin.Start
		begin.End.Byte += width
		begin.End.Column += width
		return &begin
	}
	return at
}
