// Package layout lays out files in the one style, and says whether two texts are the same but
// for their layout.
package layout

import (
	"bytes"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
)

// maxFormatRounds bounds how often the result is formatted again. One round
// nearly always suffices.
const maxFormatRounds = 8

// Format lays out a file in the one style: indentation by two spaces, equals
// signs of neighbouring lines below each other, one newline at the end. Lines end
// with carriage returns where every line of the file does, and without elsewhere.
// It changes white space only and gives the
// same text when it is applied to its own result. A file whose layout cannot
// be settled, such as one that is not finished, is returned as it is.
func Format(src []byte) []byte {
	current := src
	for range maxFormatRounds {
		next := tidyEnd(hclwrite.Format(unixLines(current)))
		if bytes.Equal(next, current) {
			break
		}
		current = next
	}
	settled := bytes.Equal(tidyEnd(hclwrite.Format(current)), current)
	if ofWindows(src) {
		current = bytes.ReplaceAll(current, []byte("\n"), []byte("\r\n"))
	}
	if !sameTokens(src, current) || !settled {
		return src
	}
	return current
}

// ofWindows reports whether all lines of a text end with a carriage return.
func ofWindows(src []byte) bool {
	lines := bytes.Count(src, []byte("\n"))
	return lines > 0 && lines == bytes.Count(src, []byte("\r\n"))
}

// unixLines takes out the carriage returns of line ends. One inside a heredoc
// would be part of the text, so a file with both is left alone by sameTokens.
func unixLines(src []byte) []byte { return bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n")) }

func tidyEnd(src []byte) []byte {
	trimmed := bytes.TrimRight(src, " \t\n")
	if len(trimmed) == 0 {
		return nil
	}
	return append(slices.Clip(trimmed), '\n')
}

// sameTokens reports whether two texts are the same but for white space
// between their tokens and empty lines.
func sameTokens(a, b []byte) bool {
	return slices.EqualFunc(significant(a), significant(b), sameToken)
}

// SameText reports whether two files say the same in the same order: white space, ends of lines
// and commas aside, which stand between attributes.
func SameText(a, b []byte) bool { return slices.EqualFunc(said(a), said(b), sameToken) }

func sameToken(x, y hclsyntax.Token) bool { return x.Type == y.Type && bytes.Equal(x.Bytes, y.Bytes) }

// said are the tokens without what stands between attributes: ends of lines, and
// commas.
func said(src []byte) hclsyntax.Tokens {
	return slices.DeleteFunc(significant(src), func(t hclsyntax.Token) bool {
		return t.Type == hclsyntax.TokenNewline || t.Type == hclsyntax.TokenComma
	})
}

// significant are the tokens with the ends of lines reduced to one for any
// number of them, and a comment's own taken out of it.
func significant(src []byte) hclsyntax.Tokens {
	all, _ := hclsyntax.LexConfig(src, "", hcl.InitialPos)
	var kept hclsyntax.Tokens
	newline := func() {
		if n := len(kept); n > 0 && kept[n-1].Type != hclsyntax.TokenNewline {
			kept = append(kept, hclsyntax.Token{Type: hclsyntax.TokenNewline})
		}
	}
	for _, t := range all {
		switch t.Type {
		case hclsyntax.TokenNewline:
			newline()
		case hclsyntax.TokenComment:
			text := bytes.TrimRight(t.Bytes, "\r\n")
			kept = append(kept, hclsyntax.Token{Type: t.Type, Bytes: bytes.TrimRight(text, " \t")})
			if len(text) < len(t.Bytes) {
				newline()
			}
		case hclsyntax.TokenEOF:
			newline()
		default:
			kept = append(kept, t)
		}
	}
	return kept
}
