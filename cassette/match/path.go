package match

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A fieldPath is a place in what is compared, as a [FieldDiff] names it.
type fieldPath []pathStep

// A pathStep goes to a member, to an item of a list, or to all items of it.
type pathStep struct {
	member string
	item   int // -1 for all, where member is ""
	list   bool
}

// CheckPath says why a text is no path of [Match].Ignore, nil where it is one.
func CheckPath(text string) error {
	_, err := parsePath(text)
	return err
}

var errPath = errors.New(`a path is like body.metadata.trace_id, query.ts, body.messages[*].name or body["a name"]`)

// parsePath reads what [FieldDiff].Path is, and [*] for every item of a list.
func parsePath(text string) (fieldPath, error) {
	end := strings.IndexAny(text, ".[")
	if end < 0 {
		end = len(text)
	}
	root := text[:end]
	switch root {
	case "host":
		if end < len(text) {
			return nil, fmt.Errorf("%q: nothing is in the host", text)
		}
	case "query", "body":
	case "method", "path":
		return nil, fmt.Errorf("%q: requests that differ in the %s are never equal", text, root)
	default:
		inside, of := strings.CutPrefix(text, "request.")
		switch first, _, _ := strings.Cut(inside, "."); {
		case of && (first == "method" || first == "path"):
			return parsePath(inside)
		case of && (first == "host" || first == "query" || first == "body"):
			return nil, fmt.Errorf("%q: only requests are compared: write %s", text, inside)
		}
		return nil, fmt.Errorf("%q begins with none of host, query and body: write body.%s for a member of a JSON body", text, inside)
	}
	p := fieldPath{{member: root}}
	for rest := text[end:]; rest != ""; {
		step, n, err := parseStep(rest)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", text, err)
		}
		p, rest = append(p, step), rest[n:]
	}
	return p, nil
}

// parseStep reads the step that a text begins with, and returns its length.
func parseStep(text string) (pathStep, int, error) {
	if text[0] == '.' {
		n := 1
		for n < len(text) && isWord(text[n]) {
			n++
		}
		if n == 1 {
			return pathStep{}, 0, errPath
		}
		return pathStep{member: text[1:n]}, n, nil
	}
	if strings.HasPrefix(text, `["`) {
		quoted, err := strconv.QuotedPrefix(text[1:])
		if err != nil || !strings.HasPrefix(text[1+len(quoted):], "]") {
			return pathStep{}, 0, errPath
		}
		name, err := strconv.Unquote(quoted)
		return pathStep{member: name}, len(quoted) + 2, err
	}
	inside, _, closed := strings.Cut(text[1:], "]")
	if text[0] != '[' || !closed {
		return pathStep{}, 0, errPath
	}
	if inside == "*" {
		return pathStep{item: -1, list: true}, 3, nil
	}
	item, err := strconv.Atoi(inside)
	if err != nil || item < 0 {
		return pathStep{}, 0, errPath
	}
	return pathStep{item: item, list: true}, len(inside) + 2, nil
}

func isWord(c byte) bool {
	return c == '_' || c == '-' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// Compares reports whether m would compare something at a path of a request.
func (m Match) Compares(r Request, path string) bool {
	m.Ignore = nil
	with := m.Key(r)
	m.Ignore = []string{path}
	return m.Key(r) != with
}

// ignoring takes what is at the paths of m.Ignore out of fields, in place. What is
// no path, which [CheckPath] has refused, takes out nothing.
func (m Match) ignoring(fields []field) []field {
	for _, text := range m.Ignore {
		p, err := parsePath(text)
		for i := range fields {
			if err == nil {
				fields[i].mark(p)
			}
		}
	}
	if len(m.Ignore) == 0 {
		return fields
	}
	for i := range fields {
		fields[i].value = swept(fields[i].value)
	}
	return slices.DeleteFunc(fields, func(f field) bool {
		parameters, _ := f.value.(map[string]any)
		return f.value == missing{} || f.name == "query" && len(parameters) == 0
	})
}

// mark puts missing in the place of what is at a path. It is taken out when all
// paths were followed, as that moves the items of lists.
func (f *field) mark(p fieldPath) {
	at, err := parsePath(f.name)
	if err != nil {
		return // a field that nothing can be ignored of
	}
	if same := min(len(at), len(p)); slices.Equal(at[:same], p[:same]) {
		f.value = marked(f.value, p[same:])
	}
}

func marked(tree any, p fieldPath) any {
	if len(p) == 0 {
		return missing{}
	}
	switch tree := tree.(type) {
	case map[string]any:
		if v, ok := tree[p[0].member]; ok && !p[0].list {
			tree[p[0].member] = marked(v, p[1:])
		}
	case []any:
		for i, item := range tree {
			if p[0].list && (p[0].item < 0 || p[0].item == i) {
				tree[i] = marked(item, p[1:])
			}
		}
	}
	return tree
}

// swept is a tree without what is missing in it, in place.
func swept(tree any) any {
	switch tree := tree.(type) {
	case map[string]any:
		for name, v := range tree {
			if tree[name] = swept(v); v == any(missing{}) {
				delete(tree, name)
			}
		}
	case []any:
		list := tree[:0]
		for _, item := range tree {
			if item != any(missing{}) {
				list = append(list, swept(item))
			}
		}
		return list
	}
	return tree
}
