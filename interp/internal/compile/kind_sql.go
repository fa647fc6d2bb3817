package compile

import (
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/compile/vacuous"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// sqlKind sends a statement.
type sqlKind struct{ basicKind }

func (sqlKind) family(*dsl.Block) string { return "sql" }

// warn implements stepKind: it warns of a retry that is weaker than it looks, because
// nothing tells whether a statement changes anything.
func (sqlKind) warn(wc *workflowCompiler, s *plan.Step) {
	if why, attr := vacuous.Parameters(s); why != "" {
		at := s.Block.DefRange
		if a := s.Block.Attr(attr); a != nil {
			at = a.Expr.Range()
		}
		wc.Warnf(at, "Arguments that the statement does not have", "%s", why)
	}
	if args := s.Block.Expr("args"); args != nil {
		if v, written := dsl.Literal(args); written && !v.IsNull() && v.Type().IsPrimitiveType() {
			wc.Errorf(args.Range(), "Wrong value", "The attribute \"args\" is a list, one value for each of $1, $2, …: write args = [%s].", dsl.Excerpt(args))
		}
	}
	retry := s.Block.Attr("retry")
	if s.Block.Attr("idempotent") != nil {
		return // it is given, if with a mistake
	}
	if s.Idempotent != nil || s.Retry.MaxRetries == 0 || retry == nil {
		return
	}
	wc.Warnf(retry.Range, "Retry that may not repeat", "A statement may have had an effect, so the retry %q tries again only where it was not sent: no connection, no session, no connection free. Set idempotent = true where it may be sent twice, as most queries may, false where this is meant.",
		s.Retry.Name)
}
