package mistakes

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

const summaryBracket = "Bracket without its end"

// withoutOpenBracket says of a parenthesis or square bracket that has no end where it was
// opened, and nothing of what the parser meets behind it, which may be lines below: to it
// all of that is one expression. What is wrong on the same line before that comes first.
func withoutOpenBracket(diags hcl.Diagnostics, src []byte) hcl.Diagnostics {
	if !slices.ContainsFunc(diags, ofParser) || slices.ContainsFunc(diags, textOpen) {
		return diags
	}
	tokens, _ := hclsyntax.LexConfig(src, fileOf(diags), hcl.InitialPos)
	open, end := openBracket(tokens)
	if open == nil {
		return diags
	}
	behind := func(d *hcl.Diagnostic) bool { return ofParser(d) && d.Subject.End.Byte > open.Range.Start.Byte }
	first := end.Range.Start
	for _, d := range diags {
		if behind(d) && d.Subject.Start.Byte < first.Byte {
			first = d.Subject.Start
		}
	}
	line, _ := LineAt(src, open.Range.Start.Byte)
	within := open.Range.Start.Byte + len(bytes.TrimRight(withoutComment(line), " \t"))
	if !slices.ContainsFunc(diags, behind) || first.Byte < min(within, end.Range.Start.Byte) {
		return diags
	}
	kept := slices.DeleteFunc(slices.Clone(diags), func(d *hcl.Diagnostic) bool {
		return behind(d) || d.Summary == "Unclosed configuration block"
	})
	return append(kept, &hcl.Diagnostic{Severity: hcl.DiagError, Summary: summaryBracket, Subject: open.Range.Ptr(), Detail: bracketSaid(open, end, src)})
}

// bracketSaid says where the end of a bracket is missing.
func bracketSaid(open, end *hclsyntax.Token, src []byte) string {
	closing := closingOf(open.Type)
	said := fmt.Sprintf("The %s that opens here has no %s: ", open.Bytes, closing)
	_, next := LineAt(src, open.Range.Start.Byte)
	below, _ := LineAt(src, min(next, len(src)))
	switch {
	case end.Range.Start.Line == open.Range.Start.Line:
		return said + fmt.Sprintf("it is missing before the %s of this line.", bytes.TrimSpace(end.Bytes))
	case end.Range.Start.Line == open.Range.Start.Line+1 || len(bytes.TrimSpace(below)) == 0 || begins().Match(below) && open.Type == hclsyntax.TokenOParen:
		return said + "it is missing on this line."
	}
	return said + fmt.Sprintf("it is missing before line %d.", end.Range.Start.Line)
}

func closingOf(t hclsyntax.TokenType) string {
	if t == hclsyntax.TokenOParen {
		return ")"
	}
	return "]"
}

// openBracket finds the first parenthesis or square bracket that is open where something
// comes that cannot stand in it: the end of what is around it, of the file, or an
// attribute. It returns both, nil where each bracket has its end.
func openBracket(tokens hclsyntax.Tokens) (open, end *hclsyntax.Token) {
	var around []*hclsyntax.Token
	begins := true
	for i := range tokens {
		t := &tokens[i]
		var top *hclsyntax.Token
		if len(around) > 0 {
			top = around[len(around)-1]
		}
		bracket := top != nil && (top.Type == hclsyntax.TokenOParen || top.Type == hclsyntax.TokenOBrack)
		switch t.Type {
		case hclsyntax.TokenOParen, hclsyntax.TokenOBrack, hclsyntax.TokenOBrace, hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
			around = append(around, t)
		case hclsyntax.TokenCParen, hclsyntax.TokenCBrack, hclsyntax.TokenCBrace, hclsyntax.TokenTemplateSeqEnd:
			if top == nil || closes(top.Type) != t.Type && !bracket {
				return nil, nil // one too many: the parser reports it
			}
			if closes(top.Type) != t.Type {
				return top, t
			}
			around = around[:len(around)-1]
		case hclsyntax.TokenIdent:
			if bracket && begins && i+1 < len(tokens) && tokens[i+1].Type == hclsyntax.TokenEqual && top.Range.Start.Line < t.Range.Start.Line {
				return top, t
			}
		case hclsyntax.TokenEOF:
			if bracket {
				return top, t
			}
		}
		begins = t.Type == hclsyntax.TokenNewline || t.Type == hclsyntax.TokenComment
	}
	return nil, nil
}

func closes(t hclsyntax.TokenType) hclsyntax.TokenType {
	switch t {
	case hclsyntax.TokenOParen:
		return hclsyntax.TokenCParen
	case hclsyntax.TokenOBrack:
		return hclsyntax.TokenCBrack
	case hclsyntax.TokenOBrace:
		return hclsyntax.TokenCBrace
	}
	return hclsyntax.TokenTemplateSeqEnd
}

// ofParser reports whether a diagnostic is one that the parser made.
func ofParser(d *hcl.Diagnostic) bool { return d.Subject != nil && rewrites[d.Summary] != nil }

// textOpen reports whether the parser met a string without an end: which brackets stand in
// it nobody knows.
func textOpen(d *hcl.Diagnostic) bool {
	switch d.Summary {
	case "Invalid multi-line string", "Unterminated template string", "Unclosed template interpolation sequence":
		return true
	}
	return open(d)
}

// tooMany is the closing brace that by the indentation is one too many above a place,
// nil where none is: it stands deeper than what it closes.
func tooMany(at *hcl.Range, src []byte) *hcl.Range {
	var opened []int
	start := 0
	for n := 1; n < at.Start.Line && start < len(src); n++ {
		line, next := LineAt(src, start)
		text := string(withoutComment(line))
		opens, closes := braces(text)
		for range opens - closes {
			opened = append(opened, indent(text))
		}
		for i := range closes - opens {
			if len(opened) == 0 {
				return nil
			}
			if i == 0 && strings.TrimSpace(text) == "}" && indent(text) > opened[len(opened)-1] {
				lead := indent(text)
				return &hcl.Range{Filename: at.Filename, Start: hcl.Pos{Line: n, Column: lead + 1, Byte: start + lead}, End: hcl.Pos{Line: n, Column: lead + 2, Byte: start + lead + 1}}
			}
			opened = opened[:len(opened)-1]
		}
		start = next
	}
	return nil
}
