package vacuous

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

var (
	// changing is the beginning of a statement that changes rows and returns none
	// but by RETURNING.
	changing  = regexp.MustCompile(`(?is)^\s*(insert|update|delete|merge)\b`)
	returning = regexp.MustCompile(`(?i)\breturning\b`)
	parameter = regexp.MustCompile(`\$([0-9]+)`)
	quotes    = regexp.MustCompile(`'[^']*'`)
)

// Rows warns of replies with rows to a statement for which no server returns any.
func Rows(s *plan.Script, steps []*plan.Step) (diags hcl.Diagnostics) {
	if len(steps) == 0 {
		return nil
	}
	for _, st := range steps {
		if q, ok := statement(st); !ok || !changing.MatchString(q) || returning.MatchString(q) {
			return nil
		}
	}
	for _, e := range s.Entries {
		if e.Reply != nil && len(e.Reply.Rows) > 0 {
			diags = append(diags, &hcl.Diagnostic{
				Severity: hcl.DiagWarning, Summary: "Rows that no server returns", Subject: e.Rng.Ptr(),
				Detail: fmt.Sprintf("The statement of step %q changes rows and has no RETURNING, so a server tells how many they are and returns none. Write RETURNING in the statement, or affected in the place of rows.", s.Address),
			})
		}
	}
	return diags
}

// Parameters says what is wrong with the arguments of a statement, "" where they are
// as many as it has parameters, or not known yet.
func Parameters(s *plan.Step) string {
	q, ok := statement(s)
	if !ok {
		return ""
	}
	given := 0
	if e := s.Args["args"]; e != nil {
		list, written := dsl.Bare(e.Expr).(*hclsyntax.TupleConsExpr)
		if !written {
			return ""
		}
		given = len(list.Exprs)
	}
	most := 0
	for _, m := range parameter.FindAllStringSubmatch(quotes.ReplaceAllString(q, ""), -1) {
		n, _ := strconv.Atoi(m[1])
		most = max(most, n)
	}
	if given == most || strings.Contains(q, "$$") {
		return ""
	}
	return fmt.Sprintf("The statement has parameters up to $%d, and args has %d: a server refuses that.", most, given)
}

// statement is the query of a step, where it is written out.
func statement(s *plan.Step) (string, bool) {
	if s.Kind != plan.KindSQL || s.Args["query"] == nil {
		return "", false
	}
	v, ok := dsl.Literal(dsl.Bare(s.Args["query"].Expr))
	if !ok || v.Type() != cty.String || v.IsNull() {
		return "", false
	}
	return v.AsString(), true
}
