package report

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Shows the commands that GitHub Actions reads: where, what, and the text with
// its line breaks, an allowed gate as a notice, and paths from the root of the
// repository.
func TestGitHub(t *testing.T) {
	want := `::error file=sub/a.scenario.hcl,line=3,endLine=5,col=5,title=two%3A assert "backs off"::it waits too long%0A├ [for a in step.answer.attempts : a.at_ms] = [0, 2000]%0A[1]: 2000, want 1000
::error file=sub/a.scenario.hcl,line=1,title=two%3A gate "no_assertion"::nothing is <checked>%0Ahint: check something
::notice file=sub/b.scenario.hcl,line=4,title=four%3A allowed "unused_reply"::one is left
`
	based := func(w io.Writer, o Options) Reporter { o.Base = "sub/"; return GitHub(w, o) }
	if diff := cmp.Diff(want, written(t, based, entries(), nil)); diff != "" {
		t.Error(diff)
	}
}

// Shows that no text of a scenario or an answer begins a command of its own:
// each line is one of ours, with as many properties as it should have.
func TestGitHubHostile(t *testing.T) {
	out := written(t, GitHub, hostileEntries(), nil)
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) != 4 {
		t.Errorf("%d lines", len(lines))
	}
	for _, l := range lines {
		if strings.ContainsAny(l, "\r") || !strings.HasPrefix(l, "::error file=") && !strings.HasPrefix(l, "::notice file=") {
			t.Errorf("%q", l)
		}
		properties, _, _ := strings.Cut(l[2:], "::")
		for p := range strings.SplitSeq(properties, ",") {
			if strings.Count(p, ":") > 0 || !strings.Contains(p, "=") {
				t.Errorf("property %q", p)
			}
		}
	}
}

// Shows the summary for a page: the counts as a table, and each failure as code
// whose fence nothing in it ends.
func TestMarkdown(t *testing.T) {
	out := written(t, Markdown, entries(), nil)
	for _, want := range []string{
		"## scenario: fail\n",
		"| 2 | 1 | 0 | 1 | 1m4.001s |\n",
		"### fail: two\n\na.scenario.hcl:1, virtual 1m1.001s\n\n```\nassert \"backs off\"  a.scenario.hcl:3\n3 │",
		"Allowed: unused\\_reply in four (b.scenario.hcl)\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("lacks %q:\n%s", want, out)
		}
	}
	closing := hostileEntries()
	closing[0].Result.Problems[0].Message = "```\n<b>out</b>\n````\n<b>of it</b>"
	fence := ""
	for l := range strings.Lines(written(t, Markdown, closing, nil)) {
		l = strings.TrimSuffix(l, "\n")
		switch {
		case fence == "" && strings.HasPrefix(l, "```"):
			fence = l
		case l == fence:
			fence = ""
		case fence == "" && strings.Contains(l, "<b>"):
			t.Errorf("markup gets through: %q", l)
		}
	}
	if fence != "" {
		t.Errorf("the fence %q is not closed", fence)
	}
}

// Shows that a summary stays below what GitHub takes, and says what it left
// out.
func TestMarkdownIsBounded(t *testing.T) {
	var many []Entry
	for range 400 {
		e := entries()[1]
		long := *e.Result
		long.Problems = append(long.Problems[:1:1], long.Problems[0])
		long.Problems[1].Message = strings.Repeat("long ", 1000)
		e.Result = &long
		many = append(many, e)
	}
	out := written(t, Markdown, many, nil)
	if len(out) > 1<<20 || !strings.HasSuffix(out, " more are not shown.\n") {
		t.Errorf("%d bytes, ends %q", len(out), out[len(out)-60:])
	}
	if shown := strings.Count(out, "### fail: two"); !strings.Contains(out, fmt.Sprintf("\n%d scenarios more", 400-shown)) {
		t.Errorf("%d are shown: %q", shown, out[len(out)-60:])
	}
}
