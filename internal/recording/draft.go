package recording

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/cassette/convert"
	"github.com/scenario-lang/scenario/dsl"
)

// Draft is a scenario file with these blocks below a comment, as `scenario fmt` has it.
func Draft(head string, blocks []*convert.Block) []byte {
	f := hclwrite.NewEmptyFile()
	for _, line := range strings.Split(head, "\n") {
		f.Body().AppendUnstructuredTokens(comment(line))
	}
	for _, b := range blocks {
		f.Body().AppendNewline()
		writeBlock(f.Body(), b)
	}
	return dsl.Format(f.Bytes())
}

// comment is a line of a comment, whatever its text holds.
func comment(text string) hclwrite.Tokens {
	text = strings.TrimSpace("# " + strings.Join(strings.Fields(text), " "))
	return hclwrite.Tokens{{Type: hclsyntax.TokenComment, Bytes: []byte(text + "\n")}}
}

func writeBlock(body *hclwrite.Body, b *convert.Block) {
	for _, n := range b.Notes {
		body.AppendUnstructuredTokens(comment(n))
	}
	inner := body.AppendNewBlock(b.Type, b.Labels).Body()
	for _, a := range b.Attrs {
		inner.SetAttributeRaw(a.Name, valueTokens(a.Value))
	}
	for _, n := range b.Blocks {
		writeBlock(inner, n)
	}
}

// valueTokens are the tokens of a value, objects in the order of their members.
func valueTokens(v any) hclwrite.Tokens {
	switch v := v.(type) {
	case convert.Ref:
		return hclwrite.TokensForTraversal(traversal(string(v)))
	case convert.Expr:
		return hclwrite.TokensForIdentifier(string(v))
	case []any:
		items := make([]hclwrite.Tokens, len(v))
		for i, item := range v {
			items[i] = valueTokens(item)
		}
		return hclwrite.TokensForTuple(items)
	case []convert.Attr:
		return objectTokens(v)
	}
	return hclwrite.TokensForValue(scalar(v))
}

func objectTokens(members []convert.Attr) hclwrite.Tokens {
	items := make([]hclwrite.ObjectAttrTokens, len(members))
	for i, m := range members {
		name := hclwrite.TokensForValue(cty.StringVal(m.Name))
		if hclsyntax.ValidIdentifier(m.Name) {
			name = hclwrite.TokensForIdentifier(m.Name)
		}
		items[i] = hclwrite.ObjectAttrTokens{Name: name, Value: valueTokens(m.Value)}
	}
	return hclwrite.TokensForObject(items)
}

func traversal(text string) hcl.Traversal {
	root, name, _ := strings.Cut(text, ".")
	return hcl.Traversal{hcl.TraverseRoot{Name: root}, hcl.TraverseAttr{Name: name}}
}

func scalar(v any) cty.Value {
	switch v := v.(type) {
	case nil:
		return cty.NullVal(cty.DynamicPseudoType)
	case string:
		return cty.StringVal(v)
	case bool:
		return cty.BoolVal(v)
	case int:
		return cty.NumberIntVal(int64(v))
	case float64:
		return cty.NumberFloatVal(v)
	case convert.Number:
		if n, err := cty.ParseNumberVal(string(v)); err == nil {
			return n
		}
		return cty.StringVal(string(v))
	}
	panic(fmt.Sprintf("no value of a scenario file: %T", v))
}
