package sut

import (
	"path/filepath"
	"strings"
)

// A Copy is a directory that takes the place of another one, for the program and all that it is given.
// Both paths are absolute.
type Copy struct{ Of, At string }

// path is where a file or a directory is found: in the copy where it lies in what was copied.
func (c *Copy) path(name string) string {
	if c == nil {
		return name
	}
	abs, err := filepath.Abs(name)
	if err != nil {
		return name
	}
	rel, err := filepath.Rel(c.Of, abs)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return name
	}
	return filepath.Join(c.At, rel)
}

// text is a word of a command or a variable, with the paths in it as path has them.
func (c *Copy) text(s string) string {
	if c == nil || !strings.Contains(s, c.Of) {
		return s
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(s, c.Of)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		begins := before == "" && b.Len() == 0 || before != "" && !within(before[len(before)-1]) || strings.HasSuffix(before, "://")
		whole := begins && (after == "" || after[0] == '/' || after[0] == '\\' || !within(after[0]))
		if whole {
			b.WriteString(c.At)
		} else {
			b.WriteString(c.Of)
		}
		s = after
	}
}

// within reports whether a letter may be one of the name of a file, so that a path goes on there.
func within(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80 || strings.IndexByte("_-.~+@/\\", b) >= 0
}

// all are texts as text has each.
func (c *Copy) all(texts []string) []string {
	if c == nil {
		return texts
	}
	list := make([]string, len(texts))
	for i, s := range texts {
		list[i] = c.text(s)
	}
	return list
}

// values are variables as text has the value of each.
func (c *Copy) values(vars map[string]string) map[string]string {
	if c == nil {
		return vars
	}
	all := make(map[string]string, len(vars))
	for name, value := range vars {
		all[name] = c.text(value)
	}
	return all
}
