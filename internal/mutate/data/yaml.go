package data

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// A yamlReader makes nodes of those of the library, which says where each begins and not where it ends.
type yamlReader struct {
	*file
	begins []int // where each line begins
	made   int
}

// mostNodes bounds the nodes of a file, and longest the lines in which columns are counted.
const (
	mostNodes = 50_000
	longest   = 8 << 10
)

// yaml makes the changes of a file of YAML.
func (f *file) yaml() {
	r := &yamlReader{file: f, begins: []int{0}}
	for i, c := range f.text {
		if c == '\n' {
			r.begins = append(r.begins, i+1)
		}
	}
	roots, ok := decoded(f.text)
	if !ok {
		return
	}
	for i, doc := range roots {
		if len(doc.Content) == 0 {
			continue
		}
		end := len(f.text)
		if i+1 < len(roots) {
			end = r.offset(roots[i+1].Line, roots[i+1].Column)
		}
		begin := r.offset(doc.Content[0].Line, doc.Content[0].Column)
		if begin < 0 || end < begin {
			return
		}
		if at := bytes.Index(f.text[begin:end], []byte("\n---")); at >= 0 {
			end = begin + at + 1
		}
		if root := r.node(doc.Content[0], begin, end, 0); root != nil {
			f.tree(root)
		}
	}
}

// decoded are the documents of a text, false where it is no YAML.
func decoded(text []byte) (roots []*yaml.Node, ok bool) {
	defer func() {
		if recover() != nil { // the library's own; the text is taken for none that is known
			roots, ok = nil, false
		}
	}()
	d := yaml.NewDecoder(bytes.NewReader(text))
	for len(roots) < most {
		n := &yaml.Node{}
		err := d.Decode(n)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, false
		}
		roots = append(roots, n)
	}
	return roots, true
}

// offset is the byte of a place, -1 where there is none.
func (r *yamlReader) offset(line, column int) int {
	if line < 1 || line > len(r.begins) || column < 1 {
		return -1
	}
	from, to := r.begins[line-1], len(r.text)
	if line < len(r.begins) {
		to = r.begins[line]
	}
	if to-from > longest {
		return -1
	}
	at := from
	if line == 1 && strings.HasPrefix(r.source, "\ufeff") {
		at += len("\ufeff")
	}
	for range column - 1 {
		if at >= to {
			return -1
		}
		_, n := utf8.DecodeRune(r.text[at:to])
		at += n
	}
	return at
}

// node is nil for what is not read. It begins at from, and what follows it at to, or before that.
func (r *yamlReader) node(y *yaml.Node, from, to, depth int) *node {
	if r.made++; r.made > mostNodes || depth > deepest || from < 0 || to < from {
		return nil
	}
	n := &node{from: from, to: r.trimmed(from, to), anchored: y.Anchor != ""}
	flow := y.Style&yaml.FlowStyle != 0
	if flow && (y.Kind == yaml.MappingNode || y.Kind == yaml.SequenceNode) {
		n.to = r.closed(from, to)
	}
	switch y.Kind {
	case yaml.MappingNode:
		n.kind = object
		r.members(n, y, to, flow, depth)
	case yaml.SequenceNode:
		n.kind = array
		r.elements(n, y, to, flow, depth)
	case yaml.ScalarNode:
		r.scalar(n, y)
	}
	return n
}

// trimmed is where what is written from `from` on ends, without spaces and comments on lines of their own behind it.
func (r *yamlReader) trimmed(from, to int) int {
	for {
		to = from + len(strings.TrimRight(r.source[from:to], " \t\r\n"))
		begin := strings.LastIndexByte(r.source[from:to], '\n') + 1
		if begin == 0 || !strings.HasPrefix(strings.TrimLeft(r.source[from+begin:to], " \t"), "#") {
			return to
		}
		to = from + begin
	}
}

// closed is where the bracket ends that a node begins with, to where there is none.
func (r *yamlReader) closed(from, to int) int {
	depth, quote := 0, byte(0)
	for i := from; i < to; i++ {
		switch c := r.source[i]; {
		case quote != 0:
			if c == '\\' && quote == '"' {
				i++
			} else if c == quote {
				quote = 0
			}
		case (c == '"' || c == '\'') && (i == from || strings.IndexByte(" \t\n[{,:", r.source[i-1]) >= 0):
			quote = c
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			if depth--; depth <= 0 {
				return i + 1
			}
		}
	}
	return to
}

// members reads an object.
func (r *yamlReader) members(n *node, y *yaml.Node, to int, flow bool, depth int) {
	end := n.end(to, flow)
	for i := 0; i+1 < len(y.Content); i += 2 {
		key, value := y.Content[i], y.Content[i+1]
		begin, next := r.offset(key.Line, key.Column), end
		if i+2 < len(y.Content) {
			next = r.offset(y.Content[i+2].Line, y.Content[i+2].Column)
		}
		if key.Kind != yaml.ScalarNode || !r.below(n, value, begin, next, end, i+2 < len(y.Content), flow, depth) {
			return
		}
		n.below[len(n.below)-1].key = key.Value
	}
}

// elements reads a list.
func (r *yamlReader) elements(n *node, y *yaml.Node, to int, flow bool, depth int) {
	end := n.end(to, flow)
	begins := make([]int, len(y.Content)+1)
	for i, e := range y.Content {
		begins[i] = r.offset(e.Line, e.Column)
		if flow || begins[i] < 0 {
			continue
		}
		before := n.from
		if i > 0 {
			before = max(before, begins[i-1])
		}
		if begins[i] < before {
			return
		}
		dash := strings.LastIndex(r.source[before:begins[i]], "-") // a value behind it may have one: -1, or an anchor
		if dash < 0 {
			return
		}
		begins[i] = before + dash
	}
	begins[len(y.Content)] = end
	for i, e := range y.Content {
		if !r.below(n, e, begins[i], begins[i+1], end, i+1 < len(y.Content), flow, depth) {
			return
		}
		n.below[len(n.below)-1].index = i
	}
}

// end is where what is in a node ends.
func (n *node) end(to int, flow bool) int {
	if flow {
		return n.to - 1
	}
	return to
}

// below reads one value of an object or a list, which begins with its name or dash.
func (r *yamlReader) below(n *node, y *yaml.Node, begin, next, end int, more, flow bool, depth int) bool {
	from := r.offset(y.Line, y.Column)
	if begin < 0 || from < begin || next < from || next > end {
		return false
	}
	b := r.node(y, from, next, depth+1)
	if b == nil {
		return false
	}
	b.up = n
	b.cutFrom, b.cutTo = begin, next
	switch {
	case flow && more: // a value ends before the comma
		b.to = max(from, min(b.to, from+len(strings.TrimRight(r.source[from:next], ", \t\r\n"))))
	case flow && len(n.below) > 0:
		if comma := strings.LastIndexByte(r.source[n.below[len(n.below)-1].to:begin], ','); comma >= 0 {
			b.cutFrom = n.below[len(n.below)-1].to + comma
		}
	case !flow && !more:
		b.cutTo = r.trimmed(begin, next)
		if lineFrom := strings.LastIndexByte(r.source[:begin], '\n') + 1; strings.TrimSpace(r.source[lineFrom:begin]) == "" {
			b.cutFrom = lineFrom
			if i := strings.IndexByte(r.source[b.cutTo:], '\n'); i >= 0 {
				b.cutTo += i + 1
			}
		}
	}
	if b.anchored { // others stand for it
		n.anchored = true
		b.cutFrom, b.cutTo = 0, 0
	}
	n.below = append(n.below, b)
	return true
}

// scalar reads a value that has none in it.
func (r *yamlReader) scalar(n *node, y *yaml.Node) {
	switch {
	case y.Anchor != "" || y.Style&yaml.TaggedStyle != 0 || y.Style&yaml.FoldedStyle != 0:
		return
	case y.Style&yaml.LiteralStyle != 0:
		for at := n.from; at < n.to; { // each line of it
			i := strings.IndexByte(r.source[at:n.to], '\n')
			if i < 0 {
				return
			}
			at += i + 1
			to := len(r.source)
			if i = strings.IndexByte(r.source[at:], '\n'); i >= 0 {
				to = at + i + 1
			}
			if strings.TrimSpace(r.source[at:to]) != "" {
				r.add(LeftOut, at, to, "", nil)
			}
		}
		return
	case y.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		quote := r.source[n.from : n.from+min(1, n.to-n.from)]
		for i := n.from + 1; i < n.to; i++ {
			switch {
			case r.source[i] == '\\' && quote == `"`:
				i++
			case r.source[i:i+1] == quote && quote == "'" && i+1 < n.to && r.source[i+1] == '\'':
				i++
			case r.source[i:i+1] == quote:
				n.to, n.kind = i+1, word
				return
			}
		}
		return
	}
	if !strings.HasPrefix(r.source[n.from:n.to], y.Value) { // on several lines
		return
	}
	n.to = n.from + len(y.Value)
	switch y.Tag {
	case "!!int", "!!float":
		n.kind = number
	case "!!bool":
		n.kind = boolean
	case "!!str":
		n.kind = word
	}
}
