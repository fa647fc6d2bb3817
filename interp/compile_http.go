package interp

import (
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/providers"
)

// warnOfMethod warns of a retry that a request's method makes weaker than it
// looks, where the file does not say that it is meant.
func (wc *workflowCompiler) warnOfMethod(s *step) {
	method := s.block.Attr("method")
	if s.kind != "http" || s.idempotent != nil || s.retry.MaxRetries == 0 || method == nil || !isLiteral(method.Expr) {
		return
	}
	headers := s.block.Attr("headers")
	if headers != nil && !isLiteral(headers.Expr) {
		return // an Idempotency-Key may be among them
	}
	v, diags := method.Expr.Value(nil)
	if diags.HasErrors() || v.Type() != cty.String || v.IsNull() || s.mayRepeat(providers.Input{Method: strings.ToUpper(v.AsString())}) {
		return
	}
	wc.warnf(method.Range, "Retry that may not repeat", "A %s may have had an effect, so its retry %q tries again only after a failure from before it was sent, 429 and 503. Set idempotent = true where the program sends it again all the same, false where this is meant.",
		strings.ToUpper(v.AsString()), s.retry.Name)
}
