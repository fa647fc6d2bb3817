package report

import (
	"bytes"
	"encoding/xml"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// planted are errors of two files and one without a place.
func planted() []Diagnostic {
	return []Diagnostic{
		{Kind: InvalidFile, File: "dir/first.scenario.hcl", Line: 4321, Column: 1234, EndLine: 4322, Summary: "Unsuitable thing", Detail: "It does not fit.\nhint: take another one"},
		{Kind: BadCassette, File: "dir/second.scenario.hcl", Line: 77, Column: 99, EndLine: 77, Summary: "Damaged recording"},
		{Kind: CompilerCrash, Summary: "Nowhere to be found", Detail: "at all"},
	}
}

// rejected is a report of a suite of which nothing ran.
func rejected(t *testing.T, f Format, opts Options, all []Diagnostic) string {
	t.Helper()
	var b bytes.Buffer
	r := f.New(&b, opts)
	for _, d := range all {
		if err := r.Invalid(d); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Close(Summary{Incomplete: true}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Shows that a report of any format says of each error where it is and what it
// is, in their order, and that its first line is still that of the format.
func TestEveryFormatShowsDiagnostics(t *testing.T) {
	for _, f := range Formats() {
		for _, opts := range []Options{{}, {Quiet: true}, {Verbose: true}, {Plain: true}, {Scores: true}} {
			got := rejected(t, f, opts, planted())
			if !strings.HasPrefix(got, f.Start) {
				t.Errorf("%s begins %.40q", f.Name, got)
			}
			at := 0
			for _, want := range []string{
				"first.scenario.hcl", "4321", "1234", "Unsuitable thing", "It does not fit.", "take another one",
				"second.scenario.hcl", "77", "99", "Damaged recording",
				"Nowhere to be found", "at all",
			} {
				if !strings.Contains(got, want) {
					t.Errorf("%s with %+v lacks %q:\n%s", f.Name, opts, want, got)
				}
			}
			for _, d := range planted() {
				i := strings.Index(got, d.Summary)
				if i < at {
					t.Errorf("%s has %q before what stands above it", f.Name, d.Summary)
				}
				at = i
			}
		}
	}
}

// Shows that formats which count what they hold count errors as well.
func TestDiagnosticsAreCounted(t *testing.T) {
	var suites struct {
		Tests  int `xml:"tests,attr"`
		Errors int `xml:"errors,attr"`
		Suites []struct {
			Name   string     `xml:"name,attr"`
			Errors int        `xml:"errors,attr"`
			Cases  []struct{} `xml:"testcase>error"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(rejected(t, format(t, "junit"), Options{}, planted())), &suites); err != nil {
		t.Fatal(err)
	}
	if suites.Tests != 4 || suites.Errors != 4 || len(suites.Suites) != 4 {
		t.Errorf("JUnit counts %+v", suites)
	}
	for _, s := range suites.Suites {
		if s.Errors != 1 || len(s.Cases) != 1 {
			t.Errorf("JUnit counts %+v", s)
		}
	}
	if ctrf := rejected(t, format(t, "ctrf"), Options{}, planted()); !strings.Contains(ctrf, "\"tests\": 4,\n      \"passed\": 0,\n      \"failed\": 4,") {
		t.Errorf("CTRF counts\n%s", ctrf)
	}
	points, plan, bailed, err := readTAP(rejected(t, format(t, "tap"), Options{}, planted()))
	if err != nil || plan != "1..3" || !bailed || len(points) != 3 {
		t.Fatal(points, plan, bailed, err)
	}
	if diff := cmp.Diff(point{
		N: 1, Text: "dir/first.scenario.hcl:4321:1234: Unsuitable thing", Status: "error", Kinds: []string{"invalid_file"}, File: []string{"dir/first.scenario.hcl:4321"},
		Said: []string{"Unsuitable thing\nIt does not fit.\nhint: take another one"},
	}, points[0]); diff != "" {
		t.Error(diff)
	}
}

func format(t *testing.T, name string) Format {
	t.Helper()
	i := slices.IndexFunc(Formats(), func(f Format) bool { return f.Name == name })
	return Formats()[i]
}

// Shows that no text of a file ends what it stands in or reaches a terminal as
// a command.
func TestDiagnosticsAreSafeToPrint(t *testing.T) {
	all := []Diagnostic{{Kind: InvalidFile, File: hostile, Line: 1, Column: 1, Summary: hostile, Detail: hostile}}
	for _, f := range Formats() {
		got := rejected(t, f, Options{}, all)
		controls := "\x00\x1b\u009b\u202e\u2066"
		if f.Name == "merge" {
			controls = "\x00\x1b" // it is for a program
		}
		if i := strings.IndexAny(got, controls); i >= 0 {
			t.Errorf("%s lets a control character through: %q", f.Name, got[max(0, i-40):i+3])
		}
		if f.Name != "markdown" && strings.Contains(got, "\n::error::") {
			t.Errorf("%s lets a command of GitHub Actions through:\n%s", f.Name, got)
		}
	}
	if _, plan, _, err := readTAP(rejected(t, format(t, "tap"), Options{}, all)); err != nil || plan != "1..1" {
		t.Error(plan, err)
	}
	if err := xml.Unmarshal([]byte(rejected(t, format(t, "junit"), Options{}, all)), new(struct{})); err != nil {
		t.Error(err)
	}
}

// Shows that annotations stand at the lines of the file, in the repository.
func TestGitHubDiagnostic(t *testing.T) {
	want := "::error file=sub/dir/first.scenario.hcl,line=4321,endLine=4322,col=1234,title=Unsuitable thing::It does not fit.%0Ahint: take another one\n" +
		"::error file=sub/dir/second.scenario.hcl,line=77,col=99,title=Damaged recording::Damaged recording\n" +
		"::error title=Nowhere to be found::at all\n" +
		"::error title=scenario::The suite is incomplete: it was interrupted, could not be read, or broke a guarantee.\n"
	if diff := cmp.Diff(want, rejected(t, format(t, "github"), Options{Base: "sub/"}, planted())); diff != "" {
		t.Error(diff)
	}
}

// Shows that errors beyond what a comment may hold are counted.
func TestMarkdownBoundsDiagnostics(t *testing.T) {
	long := Diagnostic{Kind: InvalidFile, File: "a", Line: 1, Column: 1, Summary: "Too long", Detail: strings.Repeat("x", 100<<10)}
	got := rejected(t, format(t, "markdown"), Options{}, slices.Repeat([]Diagnostic{long}, 50))
	if len(got) > 500<<10 || !strings.HasSuffix(got, "30 errors more are not shown.\n") {
		t.Errorf("%d bytes, which end %q", len(got), got[len(got)-60:])
	}
}

// Shows that what was written for a merge, or as JSON, is read as it was.
func TestReadDiagnostic(t *testing.T) {
	for _, name := range []string{"merge", "json"} {
		var read []Diagnostic
		for line := range strings.Lines(rejected(t, format(t, name), Options{}, planted())) {
			if !strings.Contains(line, `"type":"diagnostic"`) {
				continue
			}
			d, err := ReadDiagnostic([]byte(line))
			if err != nil {
				t.Fatal(err)
			}
			read = append(read, d)
		}
		if diff := cmp.Diff(planted(), read); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	for _, line := range []string{``, `[]`, `{}`, `{"kind":"rain"}`, `{"kind":"invalid_file","line":"1"}`} {
		if _, err := ReadDiagnostic([]byte(line)); err == nil {
			t.Errorf("%s is read", line)
		}
	}
}

func FuzzReadDiagnostic(f *testing.F) {
	for _, d := range planted() {
		f.Add(d.Summary, d.Detail, d.File)
	}
	f.Add(hostile, hostile, hostile)
	f.Fuzz(func(t *testing.T, summary, detail, file string) {
		valid := func(s string) string { return strings.ToValidUTF8(s, "\uFFFD") } // no file has another text
		d := Diagnostic{Kind: InvalidFile, File: valid(file), Summary: valid(summary), Detail: valid(detail)}
		line, _, _ := strings.Cut(rejected(t, format(t, "json"), Options{}, []Diagnostic{d}), "\n")
		if read, err := ReadDiagnostic([]byte(line)); err != nil || read != d {
			t.Errorf("%+v is read as %+v: %v", d, read, err)
		}
		for _, format := range Formats() {
			rejected(t, format, Options{Plain: true}, []Diagnostic{d})
		}
	})
}
