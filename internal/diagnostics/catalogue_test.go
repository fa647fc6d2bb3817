package diagnostics

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/rogpeppe/go-internal/txtar"
)

// The file of each entry is complained about on the line that says so, in
// those words, and nowhere else.
func TestEntries(t *testing.T) {
	for _, e := range Entries() {
		t.Run(e.Slug, func(t *testing.T) {
			if e.Shown != "" {
				checkShown(t, &e)
				return
			}
			wanted := e.wants()
			if len(wanted) != 1 && e.Slug != "too-many-errors" {
				t.Fatalf("the file wants complaints on %d lines, and an entry is one mistake", len(wanted))
			}
			for _, problem := range compare(e.Diagnose(), wanted) {
				t.Error(problem)
			}
		})
	}
}

// checkShown holds an entry without a file against the test that it names.
func checkShown(t *testing.T, e *Entry) {
	src, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(e.Shown)))
	if err != nil || !strings.Contains(string(src), e.Summary) {
		t.Errorf("%s does not show %q (%v)", e.Shown, e.Summary, err)
	}
}

func compare(diags hcl.Diagnostics, wanted map[string][]string) (problems []string) {
	for _, d := range diags {
		if d.Subject == nil {
			problems = append(problems, "a diagnostic without a place: "+d.Error())
			continue
		}
		if !take(wanted, d) {
			problems = append(problems, "not wanted: "+d.Error())
		}
	}
	for _, list := range wanted {
		for _, w := range list {
			problems = append(problems, "missing: "+w)
		}
	}
	return problems
}

// take removes the expectation that a diagnostic meets and reports whether
// there was one.
func take(wanted map[string][]string, d *hcl.Diagnostic) bool {
	line := place(d.Subject.Filename, d.Subject.Start.Line)
	for i, text := range wanted[line] {
		summary, phrase, _ := strings.Cut(text, " | ")
		if summary == d.Summary && strings.Contains(d.Detail, phrase) {
			wanted[line] = append(wanted[line][:i:i], wanted[line][i+1:]...)
			return true
		}
	}
	return false
}

// A message has what a reader needs: the place, the line, and a detail of
// whole sentences.
func TestMessagesAreWhole(t *testing.T) {
	for _, e := range Entries() {
		if e.Shown != "" {
			continue
		}
		for _, d := range e.Diagnose() {
			detail := strings.TrimSpace(d.Detail)
			last := detail[strings.LastIndexByte(detail, '\n')+1:]
			if !strings.HasPrefix(last, "hint:") && !strings.HasPrefix(last, "}") && !strings.ContainsAny(detail[len(detail)-1:], ".?}`") {
				t.Errorf("%s: the detail does not end: %s", e.Slug, d.Detail)
			}
			if strings.HasSuffix(d.Summary, ".") || strings.Contains(d.Detail, "%!") {
				t.Errorf("%s: %s | %s", e.Slug, d.Summary, d.Detail)
			}
		}
	}
}

// A checker gets planted faults that it must find: a complaint too many, one
// too few, one in other words, and an archive that is not in order.
func TestEntriesFindOffenders(t *testing.T) {
	const src = "a # want: Summary | phrase\nb\n"
	said := func(line int, summary, detail string) *hcl.Diagnostic {
		return &hcl.Diagnostic{Summary: summary, Detail: detail, Subject: &hcl.Range{Filename: File, Start: hcl.Pos{Line: line}}}
	}
	for name, c := range map[string]struct {
		diags hcl.Diagnostics
		want  int
	}{
		"as wanted":   {hcl.Diagnostics{said(1, "Summary", "a phrase.")}, 0},
		"nothing":     {nil, 1},
		"twice":       {hcl.Diagnostics{said(1, "Summary", "a phrase."), said(1, "Summary", "a phrase.")}, 1},
		"other line":  {hcl.Diagnostics{said(2, "Summary", "a phrase.")}, 2},
		"other words": {hcl.Diagnostics{said(1, "Summary", "none.")}, 2},
		"no place":    {hcl.Diagnostics{{Summary: "Summary", Detail: "a phrase."}}, 2},
	} {
		if got := compare(c.diags, (&Entry{Source: []byte(src)}).wants()); len(got) != c.want {
			t.Errorf("%s: %q, want %d problems", name, got, c.want)
		}
	}
	for name, text := range map[string]string{
		"twice":      "-- a --\n# means: x\n# do: y\nz # want: S\n-- a --\n# means: x\n# do: y\nz # want: S\n",
		"no do":      "-- a --\n# means: x\nz # want: S\n",
		"no summary": "-- a --\n# means: x\n# do: y\nz\n",
		"stray file": "-- a --\n# means: x\n# do: y\nz # want: S\n-- b/c --\n",
	} {
		if _, err := read(txtar.Parse([]byte(text)).Files); err == nil {
			t.Errorf("%s: the archive is read", name)
		}
	}
}
