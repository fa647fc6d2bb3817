package dsl

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/stdlib"
)

// absurdNumbers complains about number literals that no float64 can hold. The
// language computes with exponents of any size, and writing such a number out,
// as a text or a message does, takes longer than anyone waits.
func absurdNumbers(body *hclsyntax.Body, src []byte) hcl.Diagnostics {
	if !mayBeAbsurd(src) {
		return nil
	}
	return hclsyntax.VisitAll(body, func(n hclsyntax.Node) hcl.Diagnostics {
		l, ok := n.(*hclsyntax.LiteralValueExpr)
		if !ok || l.Val.IsNull() || l.Val.Type() != cty.Number || !l.Val.IsKnown() { // the parser has refused what is not known
			return nil
		}
		if stdlib.InRange(l.Val) && !l.Val.AsBigFloat().IsInf() {
			return nil
		}
		return hcl.Diagnostics{{
			Severity: hcl.DiagError, Summary: "Number out of range", Subject: l.SrcRange.Ptr(),
			Detail: "Numbers reach from about 1e-308 to 1e308.",
		}}
	})
}

// mayBeAbsurd looks for an exponent of three digits or more, so that files
// without one, which are nearly all, are not walked.
func mayBeAbsurd(src []byte) bool {
	for i := 1; i < len(src); i++ {
		if src[i]|0x20 != 'e' || !isDigit(src[i-1]) && src[i-1] != '.' {
			continue
		}
		digits := 0
		for j := i + 1; j < len(src) && (isDigit(src[j]) || j == i+1 && (src[j] == '+' || src[j] == '-')); j++ {
			if isDigit(src[j]) {
				digits++
			}
		}
		if digits >= 3 {
			return true
		}
	}
	return false
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
