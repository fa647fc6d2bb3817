package pages

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Blocks come with their language, comment and line; what stands between them
// does not matter, and a comment that no block follows is an error.
func TestBlocks(t *testing.T) {
	page := "# T\n\n<!-- file: a b.hcl -->\n```hcl\nx = 1\n\n```\ntext\n<!-- a remark -->\n<!-- service: s -->\n<!-- folder: a/b -->\n<!-- image: a/b.svg -->\ntext\n```sh\nls\n```\n"
	got, err := Blocks(page)
	want := []Block{
		{Line: 4, Language: "hcl", Directive: "file", Argument: "a b.hcl", Text: "x = 1\n\n", Offset: strings.Index(page, "x = 1")},
		{Line: 10, Directive: "service", Argument: "s", Offset: strings.Index(page, "<!-- folder")},
		{Line: 11, Directive: "folder", Argument: "a/b", Offset: strings.Index(page, "<!-- image")},
		{Line: 12, Directive: "image", Argument: "a/b.svg", Offset: strings.Index(page, "text\n```sh")},
		{Line: 14, Language: "sh", Text: "ls\n", Offset: strings.Index(page, "ls")},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	for _, bad := range []string{"```hcl\n", "<!-- file: a -->\ntext\n```\n```\n"} {
		if got, err := Blocks(bad); err == nil {
			t.Errorf("%q gives %v", bad, got)
		}
	}
}

// Lines change where they stand once, and only there.
func TestPatch(t *testing.T) {
	got, err := Patch("a\nb\n\nc\n", " a\n-b\n+B\n\n c\n")
	if got != "a\nB\n\nc\n" || err != nil {
		t.Errorf("%q %v", got, err)
	}
	for _, diff := range []string{"-x\n", "-a\n", "a\n"} {
		if got, err := Patch("a\na\n", diff); err == nil {
			t.Errorf("%q gives %q", diff, got)
		}
	}
}

// A line is split as a shell splits it, and what needs a shell is refused.
func TestParseCommand(t *testing.T) {
	for line, want := range map[string]Command{
		"scenario test a":             {Words: []string{"scenario", "test", "a"}},
		`A=b c --run 'x y' "" # note`: {Env: []string{"A=b"}, Words: []string{"c", "--run", "x y", ""}},
		"c a=b":                       {Words: []string{"c", "a=b"}},
	} {
		if got, err := ParseCommand(line); cmp.Diff(want, got) != "" || err != nil {
			t.Errorf("%s: %v %v", line, got, err)
		}
	}
	for _, line := range []string{"a | b", "a 'b", "a > b", "a && b"} {
		if c, err := ParseCommand(line); err == nil {
			t.Errorf("%s: %v", line, c)
		}
	}
}

// A line of three dots stands for any number of lines, also none.
func TestElided(t *testing.T) {
	for _, c := range []struct {
		page string
		want bool
	}{
		{"a\n…\nc\n", true},
		{"…\nc\n", true},
		{"a\n…\n", true},
		{"a\nb\n…\nc\n", true},
		{"a\n…\nx\n", false},
		{"b\n…\nc\n", false},
		{"a\n…\nb\n", false},
	} {
		if got := Elided(c.page, "a\nb\nc\n"); got != c.want {
			t.Errorf("%q: %v", strings.ReplaceAll(c.page, "\n", " "), got)
		}
	}
}

// A block stands in a text whole, or in pieces that follow each other.
func TestStands(t *testing.T) {
	for block, want := range map[string]bool{
		"b\nc\n":     true,
		"a\n…\nc\n":  true,
		"a\n…\nd\n":  true,
		"c\n…\na\n":  false,
		"a\nc\n":     false,
		"a\n…\nb2\n": false,
		"c\n…\nc\n":  false,
	} {
		if got := Stands("a\nb\nc\nd\n", block); got != want {
			t.Errorf("%q: %v", block, got)
		}
	}
}
