package dotted

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// root is what such names begin with.
const root = "sut"

// ParseConfig is hclsyntax.ParseConfig for files with such names.
func ParseConfig(src []byte, filename string, start hcl.Pos) (*hcl.File, hcl.Diagnostics) {
	if !mentions(src) {
		return hclsyntax.ParseConfig(src, filename, start)
	}
	tokens, _ := hclsyntax.LexConfig(src, filename, start)
	plain, names := joined(src, tokens, start)
	file, diags := hclsyntax.ParseConfig(plain, filename, start)
	if file == nil || names == nil {
		return file, diags
	}
	file.Bytes = src
	if body, ok := file.Body.(*hclsyntax.Body); ok {
		rename(body, names)
	}
	return file, diags
}

// ParseExpression is hclsyntax.ParseExpression for expressions with such names.
func ParseExpression(src []byte, filename string, start hcl.Pos) (hclsyntax.Expression, hcl.Diagnostics) {
	if !mentions(src) {
		return hclsyntax.ParseExpression(src, filename, start)
	}
	tokens, _ := hclsyntax.LexExpression(src, filename, start)
	plain, names := joined(src, tokens, start)
	e, diags := hclsyntax.ParseExpression(plain, filename, start)
	if e != nil && names != nil {
		rename(e, names)
	}
	return e, diags
}

// Plain is a source in which each such name is a single word, for who does not
// read calls.
func Plain(src []byte, filename string) []byte {
	if !mentions(src) {
		return src
	}
	tokens, _ := hclsyntax.LexConfig(src, filename, hcl.InitialPos)
	plain, _ := joined(src, tokens, hcl.InitialPos)
	return plain
}

// Written is a source again that [Plain] made plain, or a part of it.
func Written(plain []byte, filename string) []byte {
	const word = root + "_"
	if !bytes.Contains(plain, []byte(word)) {
		return plain
	}
	tokens, _ := hclsyntax.LexConfig(plain, filename, hcl.InitialPos)
	src := bytes.Clone(plain)
	for i, t := range tokens {
		called := i+1 < len(tokens) && tokens[i+1].Type == hclsyntax.TokenOParen
		if called && t.Type == hclsyntax.TokenIdent && bytes.HasPrefix(t.Bytes, []byte(word)) {
			src[t.Range.Start.Byte+len(root)] = '.'
		}
	}
	return src
}

// mentions reports whether a name may be in a source: most have none, and are
// not looked at again.
func mentions(src []byte) bool { return bytes.Contains(src, []byte(root+".")) }

// joined is a source in which each such name is one word to HCL, and the places
// where they begin.
func joined(src []byte, tokens hclsyntax.Tokens, start hcl.Pos) (plain []byte, names map[int]bool) {
	plain = src
	for i := range tokens {
		if !begins(tokens, i) {
			continue
		}
		if names == nil {
			plain, names = bytes.Clone(src), map[int]bool{}
		}
		plain[tokens[i+1].Range.Start.Byte-start.Byte] = '_'
		names[tokens[i].Range.Start.Byte] = true
	}
	return plain, names
}

// begins reports whether sut.NAME( stands at a token, without a gap in the name.
func begins(tokens hclsyntax.Tokens, i int) bool {
	if len(tokens) < i+4 || tokens[i].Type != hclsyntax.TokenIdent || string(tokens[i].Bytes) != root {
		return false
	}
	if i > 0 && tokens[i-1].Type == hclsyntax.TokenDot {
		return false
	}
	dot, word := tokens[i+1], tokens[i+2]
	return dot.Type == hclsyntax.TokenDot && word.Type == hclsyntax.TokenIdent && tokens[i+3].Type == hclsyntax.TokenOParen &&
		tokens[i].Range.End.Byte == dot.Range.Start.Byte && dot.Range.End.Byte == word.Range.Start.Byte
}

// rename gives the calls below a node the names that they have in the source.
func rename(n hclsyntax.Node, names map[int]bool) {
	_ = hclsyntax.VisitAll(n, func(n hclsyntax.Node) hcl.Diagnostics {
		if call, ok := n.(*hclsyntax.FunctionCallExpr); ok && names[call.NameRange.Start.Byte] {
			call.Name = root + "." + call.Name[len(root)+1:]
		}
		return nil
	})
}
