package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/suite"
)

// validated is what `scenario validate --format json` says of the files of the
// working directory, a line for each diagnostic.
func validated(t *testing.T) []string {
	t.Helper()
	var out strings.Builder
	run([]string{"validate", "--format", "json"}, strings.NewReader(""), &out, io.Discard, noEnv)
	var said []string
	for line := range strings.Lines(out.String()) {
		var d struct {
			File, Severity, Summary, Detail string
			Line, Column                    int
		}
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		said = append(said, fmt.Sprintf("%s:%d:%d %s %s %s", d.File, d.Line, d.Column, d.Severity, d.Summary, d.Detail))
	}
	return said
}

func noEnv(string) (string, bool) { return "", false }

// checked is what the language server says of files, from absolute paths and
// from open.
func checked(t *testing.T, names []string, open func(string) ([]byte, bool)) []string {
	t.Helper()
	var said []string
	for _, name := range names {
		path, err := filepath.Abs(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range check((&cli.App{Env: noEnv}), t.Context(), &suite.Variables{}, suite.NewReads(suite.Disk()), path, open) {
			severity := "error"
			if d.Severity != hcl.DiagError {
				severity = "warning"
			}
			said = append(said, fmt.Sprintf("%s:%d:%d %s %s %s", d.Subject.Filename, d.Subject.Start.Line, d.Subject.Start.Column, severity, d.Summary, d.Detail))
		}
	}
	return said
}

// An editor shows word for word what validate prints, of files on disk and of
// texts that are not saved: those that can be read, that miss a cassette or a
// variable, and every prefix of one in which people stop typing.
func TestEditorSaysWhatValidateSays(t *testing.T) {
	t.Chdir(t.TempDir())
	files := map[string]string{
		"syntax":   "workflow \"w\" {\n  step \"value\" \"a\" { value = = 1 }\n}\n",
		"names":    strings.Replace(nvimFile, "max_retries", "max_retrys", 1),
		"cassette": strings.Replace(nvimFile, "  on \"classify\"", "  cassette { path = \"tapes/none.yaml\" }\n  on \"classify\"", 1),
		"variable": "variable \"x\" {}\nlocals { y = var.x }\n" + nvimFile,
		"utf16":    "\xff\xfea\x00",
		"empty":    "",
	}
	for n := 40; n < len(nvimFile); n += 97 {
		files[fmt.Sprintf("prefix%04d", n)] = nvimFile[:n]
	}
	var names []string
	for name, text := range files {
		names = append(names, name+suite.Suffix)
		if err := os.WriteFile(name+suite.Suffix, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(names)
	want := validated(t)
	if len(want) < 10 {
		t.Fatalf("validate said only %q", want)
	}
	nothing := func(string) ([]byte, bool) { return nil, false }
	sorted := func(list []string) []string { slices.Sort(list); return list }
	if got := sorted(checked(t, names, nothing)); !slices.Equal(got, sorted(want)) {
		t.Errorf("from disk: got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, name := range names {
		if err := os.WriteFile(name, []byte("this is not what the editor shows"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	unsaved := func(path string) ([]byte, bool) {
		text, ok := files[strings.TrimSuffix(filepath.Base(path), suite.Suffix)]
		return []byte(text), ok
	}
	if got := sorted(checked(t, names, unsaved)); !slices.Equal(got, want) {
		t.Errorf("from open documents: got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Standard output holds messages of the protocol and nothing else, also where
// a file is wrong, and the command ends with its client.
func TestLanguageServerCommand(t *testing.T) {
	t.Chdir(t.TempDir())
	send := func(b *strings.Builder, message string) {
		fmt.Fprintf(b, "Content-Length: %d\r\n\r\n%s", len(message), message)
	}
	for _, polite := range []bool{true, false} {
		var in, out, errs strings.Builder
		send(&in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`)
		if polite {
			send(&in, `{"jsonrpc":"2.0","id":2,"method":"shutdown"}`)
			send(&in, `{"jsonrpc":"2.0","method":"exit"}`)
		}
		code := run([]string{"lsp", "--stdio"}, strings.NewReader(in.String()), &out, &errs, noEnv)
		rest := out.String()
		for rest != "" {
			var size int
			if _, err := fmt.Sscanf(rest, "Content-Length: %d\r\n\r\n", &size); err != nil {
				t.Fatalf("no message: %q", rest)
			}
			_, rest, _ = strings.Cut(rest, "\r\n\r\n")
			if !json.Valid([]byte(rest[:size])) {
				t.Errorf("no JSON: %q", rest[:size])
			}
			rest = rest[size:]
		}
		if polite && (code != 0 || errs.Len() > 0) || !polite && code != 1 {
			t.Errorf("polite %t: code %d, %s", polite, code, errs.String())
		}
	}
}

// The task of docs/editors.md finds the place and the words in what validate
// prints for it.
func TestTaskPattern(t *testing.T) {
	page, err := os.ReadFile("../../docs/editors.md")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`"regexp": ("[^\n]*"),`).FindSubmatch(page)
	if m == nil {
		t.Fatal("the page has no pattern")
	}
	var pattern string
	if err := json.Unmarshal(m[1], &pattern); err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("a"+suite.Suffix, []byte("retry \"linear\" \"x\" {\n  max_retrys = 3\n}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	run([]string{"validate", "--format", "github"}, strings.NewReader(""), &out, io.Discard, noEnv)
	got := regexp.MustCompile("(?m)" + pattern).FindStringSubmatch(out.String())
	if len(got) != 7 || !slices.Equal(got[1:6], []string{"error", "a" + suite.Suffix, "2", "3", "Unknown attribute"}) || !strings.Contains(got[6], "max_retries") {
		t.Errorf("%q of %q", got, out.String())
	}
}
