package dsl

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
// signs of neighbouring lines below each other, line ends without carriage
// returns, one newline at the end. It changes white space only and gives the
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
	if !sameTokens(src, current) || !bytes.Equal(tidyEnd(hclwrite.Format(current)), current) {
		return src
	}
	return current
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
	return slices.EqualFunc(significant(a), significant(b), func(x, y hclsyntax.Token) bool {
		return x.Type == y.Type && bytes.Equal(x.Bytes, y.Bytes)
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
