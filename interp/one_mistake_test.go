package interp

import (
	"os"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// One mistake is one message: whatever name in a valid file is misspelt, what
// only follows from that is not reported, too. Where a name is read in several
// places and its declaration is what changed, each of those places is told.
func TestOneMistakeIsOneMessage(t *testing.T) {
	for _, path := range []string{"testdata/first.scenario.hcl", "testdata/typical.scenario.hcl"} {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		tokens, _ := hclsyntax.LexConfig(src, path, hcl.InitialPos)
		for _, tok := range tokens {
			if tok.Type != hclsyntax.TokenIdent && tok.Type != hclsyntax.TokenQuotedLit {
				continue
			}
			name := string(tok.Bytes)
			wrong := string(src[:tok.Range.Start.Byte]) + name + "xx" + string(src[tok.Range.End.Byte:])
			diags := diagnose("wrong.scenario.hcl", []byte(wrong))
			var said []string
			for _, d := range diags {
				if !strings.Contains(d.Detail, `"`+name+`"`) || !strings.Contains(d.Detail, `Did you mean "`+name+`xx"?`) {
					said = append(said, d.Error())
				}
			}
			if len(said) > 1 || len(said) == 1 && len(said) < len(diags) {
				t.Errorf("%s: %s misspelt: %d messages\n  %s", tok.Range, name, len(diags), strings.Join(said, "\n  "))
			}
		}
	}
}
