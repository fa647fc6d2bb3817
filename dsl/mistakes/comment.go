package mistakes

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

const summaryComment = "Wrong comment"

// openComment is where a comment begins that has no end, nil where all have one. The
// lexer takes its two signs for operators, which never stand side by side otherwise.
func openComment(path string, src []byte) *hcl.Range {
	tokens, _ := hclsyntax.LexConfig(src, path, hcl.InitialPos)
	for i, t := range tokens[:max(0, len(tokens)-1)] {
		next := tokens[i+1]
		if t.Type == hclsyntax.TokenSlash && next.Type == hclsyntax.TokenStar && t.Range.End.Byte == next.Range.Start.Byte {
			at := hcl.RangeBetween(t.Range, next.Range)
			return &at
		}
	}
	return nil
}

// withoutOpenComment says of a comment without an end that it has none, and nothing else
// of what stands in it: how far it was meant to go nobody knows. What the parser says of
// the blocks around it goes with it.
func withoutOpenComment(diags hcl.Diagnostics, src []byte) hcl.Diagnostics {
	if !slices.ContainsFunc(diags, func(d *hcl.Diagnostic) bool { return d.Subject != nil && rewrites[d.Summary] != nil }) {
		return diags
	}
	at := openComment(fileOf(diags), src)
	if at == nil {
		return diags
	}
	kept := slices.DeleteFunc(slices.Clone(diags), func(d *hcl.Diagnostic) bool {
		return d.Subject != nil && (d.Subject.End.Byte > at.Start.Byte || d.Summary == "Unclosed configuration block")
	})
	return append(kept, &hcl.Diagnostic{
		Severity: hcl.DiagError, Summary: summaryComment, Subject: at,
		Detail: "The comment that begins here has no */ before the file ends. A comment of one line begins with # or //.",
	})
}

func fileOf(diags hcl.Diagnostics) string {
	for _, d := range diags {
		if d.Subject != nil {
			return d.Subject.Filename
		}
	}
	return ""
}
