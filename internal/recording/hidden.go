package recording

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/dsl"
)

// withoutSecrets is a sut block as a draft may have it: what its env and its command give
// the program under the name of a credential is a placeholder, as the draft of what the
// program sent has one.
func withoutSecrets(sut *hclwrite.Block) *hclwrite.Block {
	src := sut.BuildTokens(nil).Bytes()
	parsed, diags := hclsyntax.ParseConfig(src, "sut", hcl.InitialPos)
	if diags.HasErrors() {
		return sut
	}
	var values []string
	_ = hclsyntax.VisitAll(parsed.Body.(*hclsyntax.Body), func(n hclsyntax.Node) hcl.Diagnostics {
		switch n := n.(type) {
		case *hclsyntax.ObjectConsExpr:
			for _, item := range n.Items {
				if name, value := literal(item.KeyExpr), literal(item.ValueExpr); name != "" {
					values = append(values, redact.EnvironmentCredentials([]string{name + "=" + value})...)
				}
			}
		case *hclsyntax.TupleConsExpr:
			var words []string
			for _, e := range n.Exprs {
				words = append(words, literal(e))
			}
			values = append(values, redact.EnvironmentCredentials(redact.Arguments(words))...)
		}
		return nil
	})
	hide := redact.New(values).Recording()
	tokens := sut.BuildTokens(nil)
	changed := false
	for _, t := range tokens {
		if t.Type != hclsyntax.TokenQuotedLit && t.Type != hclsyntax.TokenStringLit {
			continue
		}
		if shown := hide.Text(string(t.Bytes)); shown != string(t.Bytes) {
			t.Bytes, changed = []byte(shown), true
		}
	}
	if !changed {
		return sut
	}
	file, diags := hclwrite.ParseConfig(tokens.Bytes(), "sut", hcl.InitialPos)
	if diags.HasErrors() || len(file.Body().Blocks()) != 1 {
		return sut
	}
	return file.Body().Blocks()[0]
}

// literal is the text of an expression that is one and reads nothing; "" for any other.
func literal(e hclsyntax.Expression) string {
	v, diags := dsl.Evaluate(e, nil)
	if diags.HasErrors() || v.IsNull() || !v.IsKnown() || v.Type() != cty.String {
		return ""
	}
	return v.AsString()
}
