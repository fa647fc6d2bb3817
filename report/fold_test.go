package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/trace"
)

// Shows that a page has one gate that was broken in four places as one problem, and
// the three others in a line each.
func TestEqualGatesAreFolded(t *testing.T) {
	r := &interp.Result{Plan: &interp.Plan{Name: "s", File: "a.scenario.hcl", Line: 1}, Verdict: interp.Fail}
	for i := range 4 {
		p := interp.Problem{Kind: "gate", Name: "unused_interaction", Message: "interaction " + string(rune('1'+i)) + " answered nothing.\nhint: remove it"}
		p.Range = hcl.Range{Filename: "a.scenario.hcl", Start: hcl.Pos{Line: 10 + i}}
		r.Problems = append(r.Problems, p)
	}
	var page bytes.Buffer
	w := HTML(&page, Options{})
	s := Summary{}
	s.Add(r)
	if err := w.Add(Entry{Result: r}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(s); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(page.String(), "<h3>gate"); n != 1 {
		t.Errorf("the page has %d problems, want 1", n)
	}
	for _, want := range []string{"and in 3 other places", "a.scenario.hcl:11: interaction 2 answered nothing.", "a.scenario.hcl:13: interaction 4 answered nothing."} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// Shows that attributes are listed as people read a request and its answer, those
// that nobody thought of last and in their order.
func TestReadingOrder(t *testing.T) {
	var attrs []trace.Attr
	for _, key := range []string{"body", "by", "headers", "message", "method", "outcome", "status_code", "terminal", "url"} {
		attrs = append(attrs, trace.Attr{Key: key})
	}
	var got []string
	for _, a := range inReadingOrder(attrs) {
		got = append(got, a.Key)
	}
	if want := "method url outcome status_code message headers body by terminal"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}
