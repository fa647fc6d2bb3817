package interp

import (
	"context"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/sql"
)

// sql sends one statement, round by round.
func (r *run) sql(ctx context.Context, s *stepState) *failure.Failure {
	args, f := r.arguments(s)
	if f != nil {
		return f
	}
	in := providers.Input{Statement: args.String("query")}
	switch list := args.value("args").(type) {
	case nil:
	case []any:
		in.Args = list
	default:
		return r.broken(s, "args", "must be a tuple, one value for each of $1, $2, …")
	}
	out, f := r.rounds(ctx, s, in, 0)
	if f == nil {
		s.result.rowsOf(out)
	}
	return f
}

// rowsOf takes over what a database answered: its output is the rows, or the
// count of a statement that returns none.
func (o *stepOutcome) rowsOf(out providers.Output) {
	o.answered, o.affected = out.Complete, out.Affected
	o.rows = dsl.CtyValue(sql.Objects(out))
	switch {
	case out.Rows != nil:
		o.value = o.rows
	case out.Affected != nil:
		o.value = cty.NumberIntVal(int64(*out.Affected))
	}
}

// asked is what the trace tells of the statement of an attempt.
func asked(in providers.Input) string { return byName.Text(in.Statement) }

// warnOfStatement warns of a retry that is weaker than it looks, because
// nothing tells whether a statement changes anything.
func (wc *workflowCompiler) warnOfStatement(s *step) {
	retry := s.block.Attr("retry")
	if s.kind != "sql" || s.idempotent != nil || s.retry.MaxRetries == 0 || retry == nil {
		return
	}
	wc.warnf(retry.Range, "Retry that may not repeat", "A statement may have had an effect, so the retry %q tries again only where it was not sent: no connection, no session, no connection free. Set idempotent = true where it may be sent twice, as most queries may, false where this is meant.",
		s.retry.Name)
}

// database is the address of a database without a password, which belongs into
// no file and would show in every plan.
func (c *compiler) database(r dsl.Reader, base string) string {
	bare, had := sql.WithoutPassword(base)
	if had {
		c.warnf(r.Range("base_url"), "Password in an address", "The password in base_url is dropped, so that no plan, trace or recording shows it. To dial the database, put the whole connection string into a variable of the environment and name that with dsn_env.")
	}
	return bare
}
