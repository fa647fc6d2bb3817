package interp

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/scenario-lang/scenario/dsl"
)

// diagnose compiles a file and returns its errors.
func diagnose(path string, src []byte) hcl.Diagnostics {
	file, diags := dsl.Parse(path, src)
	switch {
	case file == nil:
	case diags.HasErrors():
		diags = append(diags, Independent(file, diags)...)
	default:
		_, more := Compile(file, Options{})
		diags = append(diags, more...)
	}
	var errs hcl.Diagnostics
	for _, d := range diags {
		if d.Severity == hcl.DiagError {
			errs = append(errs, d)
		}
	}
	return errs
}

// Each file of testdata/wrong.txtar is complained about on the lines that say
// so, in those words, and nowhere else.
func TestWrongFiles(t *testing.T) {
	wrongFiles(t, "testdata/wrong.txtar", 40)
}

// What a file expands to is checked as if it were written out, and the instance
// that is wrong is named.
func TestWrongExpansions(t *testing.T) { wrongFiles(t, "testdata/wrong_expand.txtar", 20) }

// Actors, and what a scenario does by itself, are checked as a whole before
// anything runs.
func TestWrongActors(t *testing.T) { wrongFiles(t, "testdata/wrong_actor.txtar", 8) }

// Fanouts and classifiers are checked as a whole before anything runs.
func TestWrongFanouts(t *testing.T) { wrongFiles(t, "testdata/wrong_fanout.txtar", 20) }

// Who comes from another language or tool writes its words; each is answered
// with the word of this one.
func TestWrongWords(t *testing.T) { wrongFiles(t, "testdata/wrong_words.txtar", 50) }

func wrongFiles(t *testing.T, name string, least int) {
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if len(archive.Files) < least {
		t.Fatalf("the archive has %d files only", len(archive.Files))
	}
	world := archive.Files[0].Data
	for _, f := range archive.Files[1:] {
		t.Run(f.Name, func(t *testing.T) {
			src := append(bytes.Clone(world), f.Data...)
			wanted := wants(src)
			for _, d := range diagnose("wrong.scenario.hcl", src) {
				if d.Subject == nil {
					t.Errorf("a diagnostic without a place: %s: %s", d.Summary, d.Detail)
					continue
				}
				if !wanted.take(d.Subject.Start.Line, d.Summary, d.Detail) {
					t.Errorf("line %d: not wanted: %s | %s", d.Subject.Start.Line, d.Summary, d.Detail)
				}
			}
			for line, list := range wanted {
				for _, w := range list {
					t.Errorf("line %d: missing: %s", line, w)
				}
			}
		})
	}
}

// wantList holds what must be said on each line.
type wantList map[int][]string

const wantMark = "# want: "

func wants(src []byte) wantList {
	list := wantList{}
	for i, line := range strings.Split(string(src), "\n") {
		if _, text, ok := strings.Cut(line, wantMark); ok {
			list[i+1] = append(list[i+1], strings.Split(text, " && ")...)
		}
	}
	return list
}

// take removes the expectation that a diagnostic meets and reports whether
// there was one.
func (w wantList) take(line int, summary, detail string) bool {
	for i, text := range w[line] {
		s, phrase, _ := strings.Cut(text, " | ")
		if s == summary && strings.Contains(detail, phrase) {
			w[line] = append(w[line][:i:i], w[line][i+1:]...)
			return true
		}
	}
	return false
}

// A checker gets a planted fault that it must find: a wrong phrase, a wrong
// line and a missing complaint are all noticed.
func TestWantsAreTaken(t *testing.T) {
	list := wants([]byte("a\nb # want: Summary | phrase\n"))
	for _, c := range []struct {
		line            int
		summary, detail string
		want            bool
	}{{1, "Summary", "a phrase", false}, {2, "Other", "a phrase", false}, {2, "Summary", "none", false}, {2, "Summary", "a phrase", true}, {2, "Summary", "a phrase", false}} {
		if got := list.take(c.line, c.summary, c.detail); got != c.want {
			t.Errorf("%v: %v", c, got)
		}
	}
}

// The limits of one file are met exactly, and one beyond each
// is an error that says so.
func TestFileLimits(t *testing.T) {
	nested := func(n int) []byte {
		// The body of the block is the first level.
		return []byte("locals {\n  a = " + strings.Repeat("[", n-1) + strings.Repeat("]", n-1) + "\n}\n")
	}
	steps := func(n int) []byte {
		var b strings.Builder
		b.WriteString("workflow \"w\" {\n")
		for i := range n {
			fmt.Fprintf(&b, "  step \"wait\" \"s%d\" { for = \"1s\" }\n", i)
		}
		b.WriteString("}\n")
		return []byte(b.String())
	}
	sized := func(n int) []byte {
		src := bytes.Repeat([]byte("#"), n)
		src[n-1] = '\n'
		return src
	}
	for _, c := range []struct {
		name  string
		exact []byte
		above []byte
		want  string
	}{
		{"size", sized(4 << 20), sized(4<<20 + 1), "4 MiB"},
		{"nesting", nested(100), nested(101), "100 levels"},
		{"steps", steps(10000), steps(10001), "10000 steps"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diags := diagnose("big.scenario.hcl", c.exact); len(diags) > 0 {
				t.Errorf("the limit itself: %v", diags)
			}
			diags := diagnose("big.scenario.hcl", c.above)
			if len(diags) != 1 || !strings.Contains(diags[0].Detail, c.want) {
				t.Errorf("one beyond: got %v, want one error about %s", diags, c.want)
			}
		})
	}
}

// Brackets inside of texts and comments nest nothing: a suite of malformed
// bodies is no deep file.
func TestBracketsInTexts(t *testing.T) {
	var b strings.Builder
	b.WriteString("locals {\n")
	for i := range 300 {
		fmt.Fprintf(&b, "  a%d = \"{ [ (\" # :( [\n", i)
	}
	b.WriteString("  long = <<-EOT\n" + strings.Repeat("    {[(\n", 300) + "  EOT\n}\n")
	if diags := diagnose("texts.scenario.hcl", []byte(b.String())); len(diags) > 0 {
		t.Error(diags)
	}
}

// Whatever nests is bounded, with brackets or without, and however it hides:
// the parser recurses, and a file must not end the process.
func TestDeepFiles(t *testing.T) {
	const n = 20000
	for name, expr := range map[string]string{
		"not":                          strings.Repeat("!", n) + "true",
		"minus":                        strings.Repeat("- ", n) + "1",
		"conditional":                  strings.Repeat("true ? 1 : ", n) + "1",
		"conditional of texts":         strings.Repeat(`true ? "a" : `, n) + "1",
		"conditional of comparisons":   strings.Repeat("1 == 1 ? 1 : ", n) + "1",
		"conditional of tuples":        strings.Repeat("true ? [1, 2] : ", n) + "1",
		"conditional of objects":       strings.Repeat("true ? {a = 1} : ", n) + "1",
		"plus":                         strings.Repeat("1 + ", n) + "1",
		"attributes":                   "var" + strings.Repeat(".a", n),
		"indexes":                      "var" + strings.Repeat("[1 + 1]", n),
		"splats":                       "var" + strings.Repeat("[*]", n),
		"attribute splats":             "var" + strings.Repeat(".*", n),
		"brackets":                     strings.Repeat("[", n),
		"brackets behind texts":        strings.Repeat(`["]", `, n),
		"brackets behind comments":     strings.Repeat("[ /* ] */ ", n),
		"brackets behind line ends":    strings.Repeat("[ # ]\n", n),
		"brackets in a template":       `"${` + strings.Repeat(`["}", `, n),
		"brackets behind a lone quote": strings.Repeat("/* \" */ [ /* \" */ ", n),
		"brackets in heredocs":         strings.Repeat("<<A\n\"${[ \"x\", ", n/16),
		"brackets behind escapes":      `"` + strings.Repeat(`$${`, n) + `" == ` + strings.Repeat("[", n),
		"templates":                    strings.Repeat(`"${`, n),
		"directives":                   `"` + strings.Repeat("%{ if true }", n) + `"`,
		"loops":                        `"` + strings.Repeat("%{ for a in [] }", n) + `"`,
	} {
		t.Run(name, func(t *testing.T) {
			want := "Nesting is too deep"
			switch name {
			case "plus", "indexes":
				want = "Expression is too deep" // the parser loops, all others recurse
			case "attributes":
				want = "Unknown name" // nothing recurses
			}
			diags := diagnose("deep.scenario.hcl", []byte("locals {\n  a = "+expr+"\n}\n"))
			if len(diags) != 1 || diags[0].Summary != want {
				t.Errorf("got %.300s, want %s", diags.Error(), want)
			}
		})
	}
}

// Shows that a file of the largest size that is allowed is refused or explained,
// whatever it is full of, without a look at each place for every other: each of
// these took a minute or more, or all of the stack.
func TestFullFiles(t *testing.T) {
	const size = 3 << 20
	full := func(s string) string { return strings.Repeat(s, size/len(s)) }
	for name, c := range map[string]struct{ text, want string }{
		"sums":               {"locals {\n  a = 1" + full(" + 1") + "\n}\n", "Nesting is too deep"},
		"comparisons":        {"locals {\n  a = 1" + full("==1") + "\n}\n", "Nesting is too deep"},
		"paths":              {"locals {\n  a = var" + full(".a") + "\n}\n", "Nesting is too deep"},
		"digits":             {"locals {\n  a = " + full("7") + "\n}\n", "Too long to read"},
		"lines of a heredoc": {"locals {\n  a = <<-EOT\n" + full("a ${1} b\n") + "EOT\n}\n", "Too long to read"},
		"an open heredoc":    {"locals {\n  a = <<-EOT\n" + full("a ${1} b\n"), "Too long to read"},
		"escapes in a text":  {"locals {\n  a = \"" + full("$${ ") + "\"\n}\n", "Too long to read"},
		"unknown blocks":     {full("bloc \"x\" {}\n"), "Too many errors"},
		"unknown attributes": {"workflow \"w\" {\n" + numbered(60_000, "  at%d = 1\n") + "}\n", "Too many errors"},
		"one attribute":      {"workflow \"w\" {\n" + full("  at = 1\n") + "}\n", "Too many errors"},
	} {
		diags := diagnose("full.scenario.hcl", []byte(c.text))
		said := slices.ContainsFunc(diags, func(d *hcl.Diagnostic) bool { return d.Summary == c.want })
		if !said || len(diags) > 1100 {
			t.Errorf("%s: %d diagnostics, none of them says %s", name, len(diags), c.want)
		}
	}
}

// numbered is a text n times, each with its number.
func numbered(n int, line string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, line, i)
	}
	return b.String()
}

// A file that is no text, or is cut anywhere, is diagnosed and never trusted:
// whatever is left of the first example either compiles or complains.
func TestCutFiles(t *testing.T) {
	src, err := os.ReadFile("testdata/first.scenario.hcl")
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; n < len(src); n += 7 {
		file, diags := dsl.Parse("cut.scenario.hcl", src[:n])
		if file == nil {
			continue
		}
		_, more := Compile(file, Options{})
		for _, d := range append(diags, more...) {
			if d.Summary == "" || d.Subject == nil {
				t.Fatalf("cut at %d: a diagnostic without words or place: %+v", n, d)
			}
		}
	}
}

// A text that meets a word of a closed set has to be one of its members: in every
// operator, function and filter, through locals, variables, choices and
// expansions, and in what an expect block gives. What comes from outside may be
// anything.
func TestWrongClosedWords(t *testing.T) { wrongFiles(t, "testdata/wrong_closed.txtar", 7) }
