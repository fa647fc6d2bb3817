package compile

import (
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/providers"
)

// warnOfMethod warns of a retry that a request's method makes weaker than it
// looks, where the file does not say that it is meant.
func (wc *workflowCompiler) warnOfMethod(s *plan.Step) {
	method := s.Block.Attr("method")
	if s.Kind != "http" || s.Idempotent != nil || s.Retry.MaxRetries == 0 || method == nil || !plan.IsLiteral(method.Expr) {
		return
	}
	headers := s.Block.Attr("headers")
	if headers != nil && !plan.IsLiteral(headers.Expr) {
		return // an Idempotency-Key may be among them
	}
	v, diags := method.Expr.Value(nil)
	if diags.HasErrors() || v.Type() != cty.String || v.IsNull() || s.MayRepeat(providers.Input{Method: strings.ToUpper(v.AsString())}) {
		return
	}
	wc.warnf(method.Range, "Retry that may not repeat", "A %s may have had an effect, so its retry %q tries again only after a failure from before it was sent, 429 and 503. Set idempotent = true where the program sends it again all the same, false where this is meant.",
		strings.ToUpper(v.AsString()), s.Retry.Name)
}

// warnOfTool warns of a retry that is weaker than it looks, where the file does
// not say that it is meant.
func (wc *workflowCompiler) warnOfTool(s *plan.Step) {
	if s.Idempotent != nil || s.Retry.MaxRetries == 0 {
		return
	}
	wc.warnf(s.Args["tool"].Range, "Retry that may not repeat", "The tool may have had an effect, so its retry %q calls it again only after a failure from before it was called, 429, 503 and session_expired. Set idempotent = true where the program calls it again all the same, false where this is meant.",
		s.Retry.Name)
}

// warnOfStatement warns of a retry that is weaker than it looks, because
// nothing tells whether a statement changes anything.
func (wc *workflowCompiler) warnOfStatement(s *plan.Step) {
	retry := s.Block.Attr("retry")
	if s.Kind != "sql" || s.Idempotent != nil || s.Retry.MaxRetries == 0 || retry == nil {
		return
	}
	wc.warnf(retry.Range, "Retry that may not repeat", "A statement may have had an effect, so the retry %q tries again only where it was not sent: no connection, no session, no connection free. Set idempotent = true where it may be sent twice, as most queries may, false where this is meant.",
		s.Retry.Name)
}
