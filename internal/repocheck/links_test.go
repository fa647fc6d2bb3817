package repocheck

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

var (
	inlineLink = regexp.MustCompile(`\]\(<?([^()\s>]*)>?(?:\s+"[^"]*")?\)`)
	codeSpan   = regexp.MustCompile("`+[^`\n]*`+")
	scheme     = regexp.MustCompile(`^[a-z][a-z0-9+.-]*:`)
	headline   = regexp.MustCompile(`^#{1,6}\s+(.*?)\s*#*\s*$`)
	namedPlace = regexp.MustCompile(`<a (?:id|name)="([^"]+)"`)
)

// prose returns the lines of a Markdown file with those of fenced code blocks
// emptied, so that code is not read as links or headings.
func prose(text string) []string {
	fence := ""
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		bare := strings.TrimSpace(line)
		switch {
		case fence == "" && (strings.HasPrefix(bare, "```") || strings.HasPrefix(bare, "~~~")):
			fence, lines[i] = bare[:3], ""
		case fence != "":
			lines[i] = ""
			if strings.HasPrefix(bare, fence) {
				fence = ""
			}
		}
	}
	return lines
}

// anchors returns the fragments that a Markdown file can be linked by, as
// GitHub makes them.
func anchors(text string) map[string]bool {
	out := map[string]bool{}
	seen := map[string]int{}
	for _, line := range prose(text) {
		for _, m := range namedPlace.FindAllStringSubmatch(line, -1) {
			out[m[1]] = true
		}
		m := headline.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		name := slug(m[1])
		if n := seen[name]; n > 0 {
			out[fmt.Sprintf("%s-%d", name, n)] = true
		} else {
			out[name] = true
		}
		seen[name]++
	}
	return out
}

// slug is a heading's fragment: lower case, spaces to dashes, punctuation gone.
func slug(heading string) string {
	heading = inlineLink.ReplaceAllString(heading, "")
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}

// checkLinks finds the relative links of Markdown files that lead nowhere.
// Directories are known by the files they hold.
func checkLinks(files []*file) []string {
	known := map[string]*file{}
	for _, f := range files {
		known[f.Path] = f
		for d := path.Dir(f.Path); d != "."; d = path.Dir(d) {
			known[d] = nil
		}
	}
	var found []string
	for _, f := range files {
		if !strings.HasSuffix(f.Path, ".md") || strings.Contains(f.Path, "testdata/") {
			continue
		}
		for i, line := range prose(f.Text) {
			line = codeSpan.ReplaceAllString(line, "")
			for _, m := range inlineLink.FindAllStringSubmatch(line, -1) {
				if why := broken(f, m[1], known); why != "" {
					found = append(found, fmt.Sprintf("%s:%d: link %q: %s", f.Path, i+1, m[1], why))
				}
			}
		}
	}
	return found
}

// broken says what is wrong with a link, "" where it resolves or leaves the
// repository.
func broken(from *file, link string, known map[string]*file) string {
	if scheme.MatchString(link) {
		return ""
	}
	name, fragment, _ := strings.Cut(link, "#")
	target := from.Path
	if name != "" {
		target = path.Join(path.Dir(from.Path), name)
	}
	f, ok := known[target]
	switch {
	case target == ".":
		return ""
	case !ok:
		return "there is no " + target
	case fragment == "" || f == nil || !strings.HasSuffix(target, ".md"):
		return ""
	case !anchors(f.Text)[fragment]:
		return fmt.Sprintf("%s has no heading %q", target, fragment)
	}
	return ""
}

// Shows that every link between the repository's pages leads to a file, and to
// a heading where it names one.
func TestLinks(t *testing.T) {
	report(t, checkLinks(allFiles(t)))
}

// Shows that a dead link and a dead fragment are found, and that links in code
// and to the world outside are left alone.
func TestLinksFindOffenders(t *testing.T) {
	other := source(t, "docs/other.md", "# The `retry` block\n\n## Twice\n\n## Twice\n\n```\n# not a heading\n```\n")
	for _, c := range []struct{ name, text, want string }{
		{"good", "[a](other.md) [b](../docs) [c](./other.md#twice \"title\") [d](https://example.com/x)", ""},
		{"heading with code", "[a](other.md#the-retry-block)", ""},
		{"second of a name", "[a](other.md#twice-1)", ""},
		{"own heading", "# Here\n[a](#here)", ""},
		{"dead file", "[a](gone.md)", "there is no docs/gone.md"},
		{"dead image", "![a](gone.png)", "there is no docs/gone.png"},
		{"dead fragment", "[a](other.md#thrice)", `no heading "thrice"`},
		{"heading inside code", "[a](other.md#not-a-heading)", `no heading "not-a-heading"`},
		{"link inside code", "`[a](gone.md)`\n```\n[a](gone.md)\n```\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			expect(t, checkLinks([]*file{source(t, "docs/x.md", c.text), other}), c.want)
		})
	}
}
