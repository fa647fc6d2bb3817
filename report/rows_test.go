package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/interp"
)

// Shows that what rows leave to each other is told with the last one: a check that shows nothing in
// all rows, and that the scenario checks nothing where no row checks more. Nothing is told where
// one row has what the others lack, did not pass or did not run, and the scenarios of a file are
// kept apart.
func TestRowsToldTogether(t *testing.T) {
	problem := func(kind string, line int) interp.Problem {
		return interp.Problem{Kind: kind, Name: fmt.Sprint(line), Range: hcl.Range{Filename: "a.scenario.hcl", Start: hcl.Pos{Line: line}}}
	}
	// row is one of so many, at a line, whose checks at other lines show nothing; "empty" says that
	// it has no others, "allowed" that it may, "fails" that it did not pass.
	row := func(line, of int, how string, unmet ...int) *interp.Result {
		r := &interp.Result{Plan: &interp.Plan{File: "a.scenario.hcl", Line: line}, Verdict: interp.Pass}
		if how == "fails" {
			r.Verdict = interp.Fail
		}
		if len(unmet) == 0 {
			return r
		}
		r.Row = &interp.Row{Of: of, Allowed: how == "allowed"}
		for _, at := range unmet {
			r.Row.Unmet = append(r.Row.Unmet, problem("idle", at))
		}
		if how == "empty" || how == "allowed" {
			gate := problem("gate", line)
			r.Row.Empty = &gate
		}
		return r
	}
	for _, c := range []struct {
		name string
		rows []*interp.Result
		want string // of each: its verdict, and the lines of what is told of it
	}{
		{"in no row", []*interp.Result{row(1, 2, "empty", 5), row(1, 2, "empty", 5)}, "pass, fail 5 gate"},
		{"allowed", []*interp.Result{row(1, 2, "allowed", 5), row(1, 2, "allowed", 5)}, "pass, pass 5 gate"},
		{"beside other checks", []*interp.Result{row(1, 3, "", 5), row(1, 3, "empty", 5), row(1, 3, "", 5)}, "pass, pass, pass 5"},
		{"in one row", []*interp.Result{row(1, 2, "empty", 5), row(1, 2, "")}, "pass, pass"},
		{"two checks, of which each has its row", []*interp.Result{row(1, 2, "", 5), row(1, 2, "", 6)}, "pass, pass"},
		{"one of two checks", []*interp.Result{row(1, 2, "empty", 5, 6), row(1, 2, "", 6)}, "pass, pass 6"},
		{"a row fails", []*interp.Result{row(1, 2, "empty", 5), row(1, 2, "fails", 5)}, "pass, fail"},
		{"a row is left out", []*interp.Result{row(1, 3, "empty", 5), row(1, 3, "empty", 5)}, "pass, pass"},
		{"two checks at one place", []*interp.Result{row(1, 2, "", 6), row(1, 2, "empty", 5, 5)}, "pass, pass"},
		{"two scenarios", []*interp.Result{row(1, 2, "empty", 5), row(9, 2, "empty", 15), row(1, 2, "empty", 5), row(9, 2, "", 15)}, "pass, pass, fail 5 gate, pass 15"},
	} {
		var rows Rows
		var got []string
		for _, r := range c.rows {
			was := *r
			told, changed := rows.Add(r)
			text := string(told.Verdict)
			for _, p := range append(told.Relaxed, told.Problems...) {
				if p.Kind == "gate" {
					p.Name = p.Kind
				}
				text += " " + p.Name
			}
			got = append(got, text)
			if changed != (told != r) || changed && told.Row != nil || len(r.Problems) > 0 || r.Verdict != was.Verdict {
				t.Errorf("%s: changed %v: %+v", c.name, changed, r)
			}
		}
		if got := strings.Join(got, ", "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
