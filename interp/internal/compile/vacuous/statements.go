package vacuous

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

var (
	// changing is the beginning of a statement that changes rows and returns none
	// but by RETURNING.
	changing  = pattern.New(`(?is)^\s*(insert|update|delete|merge)\b`)
	returning = pattern.New(`(?i)\breturning\b`)
	parameter = pattern.New(`\$([0-9]+)`)
	quotes    = pattern.New(`'[^']*'`)
)

// Rows warns of replies with rows to a statement for which no server returns any.
func Rows(s *plan.Script, steps []*plan.Step) (diags hcl.Diagnostics) {
	if len(steps) == 0 {
		return nil
	}
	for _, st := range steps {
		if q, ok := statement(st); !ok || !changing().MatchString(q) || returning().MatchString(q) {
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

// selected is the list of a query that selects from a table.
var (
	selected = pattern.New(`(?is)^\s*select\s+(.+?)\s+from\b`)
	column   = pattern.New(`(?is)^(?:[a-z_][a-z_0-9$]*\.)*([a-z_][a-z_0-9$]*)(?:\s+as\s+([a-z_][a-z_0-9$]*)|\s+([a-z_][a-z_0-9$]*))?$`)
	named    = pattern.New(`(?is)\s+as\s+([a-z_][a-z_0-9$]*)$`)
)

// Columns warns of replies whose rows have columns that a query does not select, or
// lack one that it does, as far as its list says what they are called.
func Columns(s *plan.Script, steps []*plan.Step) (diags hcl.Diagnostics) {
	if len(steps) != 1 {
		return nil
	}
	q, ok := statement(steps[0])
	if !ok {
		return nil
	}
	names := columnsOf(q)
	if names == nil {
		return nil
	}
	for _, e := range s.Entries {
		if e.Reply == nil || len(e.Reply.Rows) == 0 {
			continue
		}
		var given []string
		for _, c := range e.Reply.Columns {
			given = append(given, strings.ToLower(c.Name))
		}
		if slices.Equal(slices.Sorted(slices.Values(given)), slices.Sorted(slices.Values(names))) {
			continue
		}
		diags = append(diags, &hcl.Diagnostic{
			Severity: hcl.DiagWarning, Summary: "Columns that no server returns", Subject: e.Rng.Ptr(),
			Detail: fmt.Sprintf("The query of step %q selects %s, and the rows of the reply have %s. A server returns what is selected: give the rows those columns.", s.Address, strings.Join(names, ", "), strings.Join(given, ", ")),
		})
	}
	return diags
}

// columnsOf are the names of the columns that a query selects, nil where one of
// them is not plain to see.
func columnsOf(query string) (names []string) {
	m := selected().FindStringSubmatch(query)
	if m == nil || strings.ContainsAny(m[1], "\"'") || regexp.MustCompile(`(?i)^(distinct|all)\b|\b(select|union|case)\b`).MatchString(m[1]) {
		return nil
	}
	for _, part := range topLevel(m[1]) {
		part = strings.TrimSpace(part)
		if c := column().FindStringSubmatch(part); c != nil {
			names = append(names, strings.ToLower(cmp.Or(c[2], c[3], c[1])))
		} else if c := named().FindStringSubmatch(part); c != nil {
			names = append(names, strings.ToLower(c[1]))
		} else {
			return nil
		}
	}
	return names
}

// topLevel are the parts of a list between the commas outside of parentheses.
func topLevel(list string) (parts []string) {
	depth, from := 0, 0
	for i, r := range list {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				parts, from = append(parts, list[from:i]), i+1
			}
		}
	}
	return append(parts, list[from:])
}

// foreignParameter is a parameter as drivers for other databases write it, where a value
// stands: ? behind a column is an operator of JSONB, and : behind a number a part of an array.
var foreignParameter = pattern.New(`(?i)(?:^|[(,=<>+*/|-]|\b(?:like|ilike|limit|offset|between|and|or|not|values|set|select|then|else|when|in|returning))\s*(\?|%s|:[a-z_]\w*)`)

// Parameters says what is wrong with the arguments of a statement, "" where they are
// as many as it has parameters, or not known yet, and the attribute that is to be changed.
func Parameters(s *plan.Step) (why, attr string) {
	q, ok := statement(s)
	if !ok {
		return "", ""
	}
	given := 0
	if e := s.Args["args"]; e != nil {
		list, written := dsl.Bare(e.Expr).(*hclsyntax.TupleConsExpr)
		if !written {
			return "", ""
		}
		given = len(list.Exprs)
	}
	most := 0
	bare := quotes().ReplaceAllString(q, "")
	for _, m := range parameter().FindAllStringSubmatch(bare, -1) {
		n, _ := strconv.Atoi(m[1])
		most = max(most, n)
	}
	if given == most || strings.Contains(q, "$$") {
		return "", ""
	}
	foreign := ""
	if m := foreignParameter().FindStringSubmatch(strings.ReplaceAll(bare, "::", " ")); m != nil {
		foreign = m[1]
	}
	switch {
	case most == 0 && foreign != "":
		return fmt.Sprintf("The statement has %s in the place of a parameter, which is for other databases: a server refuses that. Write $1 for the first of args, $2 for the second.", foreign), "query"
	case most == 0:
		return fmt.Sprintf("The statement has no parameter, and args has %d: a server refuses that. Write $1 where the first value belongs.", given), "args"
	}
	return fmt.Sprintf("The statement has parameters up to $%d, and args has %d: a server refuses that. Write one value for each of $1, $2, ….", most, given), "args"
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
