package engine

import (
	"context"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
)

// sqlKind sends a statement.
type sqlKind struct{ serviceKind }

// perform sends one statement, round by round.
func (sqlKind) perform(ctx context.Context, r *run, s *stepState) *failure.Failure {
	args, f := r.arguments(s)
	if f != nil {
		return f
	}
	in := providers.Input{Statement: args.String("query")}
	switch list := args.Value("args").(type) {
	case nil:
	case []any:
		in.Args = list
	default:
		return r.broken(s, "args", "must be a list, one value for each of $1, $2, …")
	}
	out, f := r.rounds(ctx, s, in, 0)
	if f == nil {
		sqlKind{}.answer(&s.result, out)
	}
	return f
}

// answer implements stepKind: the output is the rows, or the
// count of a statement that returns none.
func (sqlKind) answer(o *stepOutcome, out providers.Output) {
	if v := o.recall.TellAnswer("sql", &o.Answer, out); v != cty.NilVal {
		o.value = v
	}
}
