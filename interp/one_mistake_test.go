package interp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// One mistake is one message: whatever name in a valid file is misspelt, what
// only follows from that is not reported, too. Where a name is read in several
// places and its declaration is what changed, each of those places is told.
func TestOneMistakeIsOneMessage(t *testing.T) {
	eachToken(t, []string{"testdata/first.scenario.hcl", "testdata/typical.scenario.hcl", "testdata/scored.scenario.hcl", "../scenarios/drive/idempotency.scenario.hcl", "../scenarios/drive/server.scenario.hcl"}, func(src []byte, tok hclsyntax.Token) {
		if tok.Type != hclsyntax.TokenIdent && tok.Type != hclsyntax.TokenQuotedLit {
			return
		}
		name := string(tok.Bytes)
		diags := diagnose("wrong.scenario.hcl", tokenReplaced(src, tok, name+"xx"))
		var said []string
		for _, d := range diags {
			if !strings.Contains(d.Detail, `"`+name+`"`) || !strings.Contains(d.Detail, `Did you mean "`+name+`xx"?`) {
				said = append(said, d.Error())
			}
		}
		if len(said) > 1 || len(said) == 1 && len(said) < len(diags) {
			t.Errorf("%s: %s misspelt: %d messages\n  %s", tok.Range, name, len(diags), strings.Join(said, "\n  "))
		}
	})
}

// One sign that is left out is one message, too: not one for the sign, another for the
// rest of the line, and a third for a block that cannot be read.
func TestOneMissingSignIsOneMessage(t *testing.T) {
	signs := map[hclsyntax.TokenType]bool{
		hclsyntax.TokenOBrace: true, hclsyntax.TokenCBrace: true, hclsyntax.TokenOBrack: true, hclsyntax.TokenCBrack: true, hclsyntax.TokenOParen: true, hclsyntax.TokenCParen: true,
		hclsyntax.TokenOQuote: true, hclsyntax.TokenCQuote: true, hclsyntax.TokenEqual: true, hclsyntax.TokenComma: true, hclsyntax.TokenDot: true,
	}
	eachToken(t, []string{"testdata/typical.scenario.hcl", "../scenarios/drive/idempotency.scenario.hcl", "../scenarios/drive/server.scenario.hcl"}, func(src []byte, tok hclsyntax.Token) {
		if !signs[tok.Type] {
			return
		}
		diags := diagnose("wrong.scenario.hcl", tokenReplaced(src, tok, ""))
		if len(diags) > 1 {
			t.Errorf("%s: without %s there are %d messages\n  %v", tok.Range, tok.Bytes, len(diags), diags.Errs())
		}
	})
}

// eachToken calls try for each token of some files, which are valid.
func eachToken(t *testing.T, paths []string, try func(src []byte, tok hclsyntax.Token)) {
	t.Helper()
	for _, path := range paths {
		src, err := os.ReadFile(filepath.FromSlash(path))
		if err != nil {
			t.Fatal(err)
		}
		if diags := diagnose("right.scenario.hcl", src); len(diags) > 0 {
			t.Fatalf("%s: %v", path, diags)
		}
		tokens, _ := hclsyntax.LexConfig(src, path, hcl.InitialPos)
		for _, tok := range tokens {
			try(src, tok)
		}
	}
}

func tokenReplaced(src []byte, tok hclsyntax.Token, by string) []byte {
	return []byte(string(src[:tok.Range.Start.Byte]) + by + string(src[tok.Range.End.Byte:]))
}
