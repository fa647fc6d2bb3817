package dsl

import (
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

const diagnosed = `scenario "a b" {
	assert "x" {
    condition = step.änwser.status == "漢字" && true
  }
}
top = 1
`

func rangeOf(file, text string) *hcl.Range {
	start := strings.Index(diagnosed, text)
	pos := func(b int) hcl.Pos {
		return hcl.Pos{Line: 1 + strings.Count(diagnosed[:b], "\n"), Column: 1, Byte: b}
	}
	return &hcl.Range{Filename: file, Start: pos(start), End: pos(start + len(text))}
}

// A diagnostic shows the place with the block around it, the source with the
// wrong part underlined by what a terminal shows, and the detail wrapped, with
// hints as they are; all in the order of files and lines.
func TestWriteDiagnostics(t *testing.T) {
	diags := hcl.Diagnostics{
		{Severity: hcl.DiagError, Summary: "No place"},
		{Severity: hcl.DiagWarning, Summary: "Old", Detail: "Not wrapped.", Subject: rangeOf("b.hcl", "top")},
		{Severity: hcl.DiagError, Summary: "Empty", Subject: rangeOf("b.hcl", "assert \"x\" {\n    condition")},
		{Severity: hcl.DiagError, Summary: "Unknown name", Detail: "No step is declared by that name, and this sentence is long enough to be wrapped.\nhint: a line that is to be copied stays as it is, however long it may be, so that it can be copied", Subject: rangeOf("a.hcl", `änwser`)},
		{Severity: hcl.DiagError, Summary: "Never equal", Detail: "One.", Subject: rangeOf("a.hcl", `"漢字" && true`)},
		{Severity: hcl.DiagError, Summary: "No source", Subject: rangeOf("c.hcl", "top")},
	}
	src := map[string][]byte{"a.hcl": []byte(diagnosed), "b.hcl": []byte(diagnosed)}
	want := `Error: Unknown name
  on a.hcl line 3, in scenario "a b":
  3:     condition = step.änwser.status == "漢字" && true
                          ^^^^^^
No step is declared by that name, and this
sentence is long enough to be wrapped.
hint: a line that is to be copied stays as it is, however long it may be, so that it can be copied

Error: Never equal
  on a.hcl line 3, in scenario "a b":
  3:     condition = step.änwser.status == "漢字" && true
                                           ^^^^^^^^^^^^^^
One.

Error: Empty
  on b.hcl line 2, in scenario "a b":
  2: 	assert "x" {
     	^^^^^^^^^^^^
  3:     condition = step.änwser.status == "漢字" && true

Warning: Old
  on b.hcl line 6:
  6: top = 1
     ^^^
Not wrapped.

Error: No source
  on c.hcl line 6:

Error: No place
`
	var got strings.Builder
	WriteDiagnostics(&got, diags, src, WriteOptions{Width: 45})
	if d := cmp.Diff(want, got.String()); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// Colour is only where it is asked for.
func TestWriteDiagnosticsInColor(t *testing.T) {
	diags := hcl.Diagnostics{{Severity: hcl.DiagError, Summary: "Wrong", Subject: rangeOf("a.hcl", "top")}}
	var got strings.Builder
	WriteDiagnostics(&got, diags, map[string][]byte{"a.hcl": []byte(diagnosed)}, WriteOptions{Color: true})
	want := "\x1b[1;31mError:\x1b[0m \x1b[1mWrong\x1b[0m\n  on a.hcl line 6:\n  6: top = 1\n     \x1b[1;31m^^^\x1b[0m\n"
	if got.String() != want {
		t.Errorf("%q", got.String())
	}
}

// What a file holds cannot steer the terminal, and a long part of it is cut.
func TestWriteDiagnosticsIsSafe(t *testing.T) {
	src := "a = \"\x1b[2J\u202e\"\n" + strings.Repeat("b = 1\n", 20)
	diags := hcl.Diagnostics{{Severity: hcl.DiagError, Summary: "Wrong \x1b[2J", Subject: &hcl.Range{Filename: "a\x07.hcl", Start: hcl.InitialPos, End: hcl.Pos{Byte: len(src)}}}}
	diags = append(diags, &hcl.Diagnostic{Summary: "Beyond", Subject: &hcl.Range{Filename: "a\x07.hcl", Start: hcl.Pos{Line: 99, Byte: 9999}, End: hcl.Pos{Byte: 3}}})
	var got strings.Builder
	WriteDiagnostics(&got, diags, map[string][]byte{"a\x07.hcl": []byte(src)}, WriteOptions{})
	if strings.ContainsAny(got.String(), "\x1b\x07\u202e") {
		t.Errorf("control characters: %q", got.String())
	}
	if n := strings.Count(got.String(), "b = 1"); n != maxSnippet-1 {
		t.Errorf("%d more lines of source, want %d", n, maxSnippet-1)
	}
}

// Of a very long line only the part around the subject is shown, and the marks
// stand below it.
func TestWriteDiagnosticsCutsLongLines(t *testing.T) {
	src := strings.Repeat("x", 5000) + "HERE" + strings.Repeat("y", 5000)
	diags := hcl.Diagnostics{{Severity: hcl.DiagError, Summary: "Wrong", Subject: &hcl.Range{Filename: "a.hcl", Start: hcl.Pos{Line: 1, Byte: 5000}, End: hcl.Pos{Line: 1, Byte: 5004}}}}
	var got strings.Builder
	WriteDiagnostics(&got, diags, map[string][]byte{"a.hcl": []byte(src)}, WriteOptions{})
	lines := strings.Split(got.String(), "\n")
	if len(lines) != 5 || len(lines[2]) > 200 || strings.Index(lines[3], "^^^^")+len("…")-1 != strings.Index(lines[2], "HERE") {
		t.Errorf("%s", got.String())
	}
}

// Every file can be parsed, diagnosed and written, whatever is in it.
func FuzzWriteDiagnostics(f *testing.F) {
	f.Add("on \"a\" { reply { content = 'x } }\n")
	f.Add("x = \"${a\n")
	f.Add("\x1b[2J 漢字 = \t“\n")
	f.Fuzz(func(t *testing.T, text string) {
		src := []byte(text)
		if _, deep := tooDeep(&lexer{path: "a", src: src}); deep || len(src) > 1000 {
			return
		}
		_, diags := hclsyntax.ParseConfig(src, "a.hcl", hcl.InitialPos)
		if _, kept := Parse("a.hcl", src); diags.HasErrors() && !kept.HasErrors() {
			t.Fatalf("%q: all errors are left out: %v", text, diags)
		}
		var b strings.Builder
		WriteDiagnostics(&b, diags, map[string][]byte{"a.hcl": src}, WriteOptions{})
		if len(diags) > 0 && !strings.HasPrefix(b.String(), "Error: ") {
			t.Fatalf("%q: %s", text, b.String())
		}
		if strings.ContainsAny(b.String(), "\x1b\x00\r") {
			t.Fatalf("%q: a control character is written: %q", text, b.String())
		}
	})
}

// Shows that a mistake in a very long line costs no more than one in a shorter one: a line may have one in each word.
func TestLongLinesCostNoMore(t *testing.T) {
	allocated := func(words int) uint64 {
		src := []byte("x = [" + strings.Repeat("wörd, ", words) + "]")
		at := len(src)/2 - 1
		for !utf8.RuneStart(src[at]) {
			at++
		}
		d := &hcl.Diagnostic{Severity: hcl.DiagError, Summary: "Wrong", Subject: &hcl.Range{
			Filename: "a", Start: hcl.Pos{Line: 1, Column: at, Byte: at}, End: hcl.Pos{Line: 1, Column: len(src), Byte: len(src)},
		}}
		p := printer{sources: map[string][]byte{"a": src}, parsed: map[string]*hcl.File{}}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		p.snippet(d, "")
		runtime.ReadMemStats(&after)
		if text := p.out.String(); !utf8.ValidString(text) || strings.Contains(text, "\uFFFD") {
			t.Errorf("a character is cut: %q", text)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	short, long := allocated(1_000), allocated(100_000)
	if long > 2*short+4096 {
		t.Errorf("%d bytes for a line of 1,000 words, and %d for one of 100,000", short, long)
	}
}
