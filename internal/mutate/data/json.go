package data

import (
	"strconv"
	"strings"
)

// A jsonReader reads JSON, with comments, single quotes, names without quotes and a comma at the end.
type jsonReader struct {
	text string
	at   int
	end  int
}

// json reads a part of the text. It is false for what is no JSON.
func (f *file) json(from, to int) (*node, bool) {
	r := &jsonReader{f.source, from, to}
	if strings.HasPrefix(r.text[from:to], "\ufeff") {
		r.at += len("\ufeff")
	}
	n, ok := r.value(0)
	if !ok || !r.space() || r.at < r.end {
		return nil, false
	}
	return n, true
}

// space goes on to the next byte that says something, and is false for a comment that does not end.
func (r *jsonReader) space() bool {
	for r.at < r.end {
		rest := r.text[r.at:r.end]
		switch {
		case strings.IndexByte(" \t\r\n", rest[0]) >= 0:
			r.at++
		case strings.HasPrefix(rest, "//"):
			i := strings.IndexByte(rest, '\n')
			if i < 0 {
				i = len(rest)
			}
			r.at += i
		case strings.HasPrefix(rest, "/*"):
			i := strings.Index(rest[2:], "*/")
			if i < 0 {
				return false
			}
			r.at += i + 4
		default:
			return true
		}
	}
	return true
}

// next is the next byte that says something, 0 at the end.
func (r *jsonReader) next() byte {
	if !r.space() || r.at >= r.end {
		return 0
	}
	return r.text[r.at]
}

func (r *jsonReader) value(depth int) (*node, bool) {
	c := r.next()
	n := &node{from: r.at}
	switch {
	case c == 0 || depth > deepest:
		return nil, false
	case c == '{' || c == '[':
		n.kind = object
		end := byte('}')
		if c == '[' {
			n.kind, end = array, ']'
		}
		r.at++
		if !r.below(n, end, depth) {
			return nil, false
		}
	case c == '"' || c == '\'':
		n.kind = word
		if !r.quoted() {
			return nil, false
		}
	default:
		w := r.bare()
		switch {
		case w == "true" || w == "false":
			n.kind = boolean
		case w == "null" || w == "NaN" || strings.HasSuffix(w, "Infinity") && w != "":
		case w != "" && (w[0] == '-' || w[0] == '+' || w[0] == '.' || w[0] >= '0' && w[0] <= '9'):
			n.kind = number
		default:
			return nil, false
		}
	}
	n.to = r.at
	return n, true
}

// below reads what is in an object or an array, to its end.
func (r *jsonReader) below(n *node, end byte, depth int) bool {
	var begins []int // where each member begins, with its name
	first := r.at
	for {
		c := r.next()
		if c == end {
			break
		}
		begin := r.at
		key := ""
		if n.kind == object {
			if c == '"' || c == '\'' {
				if !r.quoted() {
					return false
				}
				key = unquoted(r.text[begin:r.at])
			} else if key = r.bare(); key == "" {
				return false
			}
			if r.next() != ':' {
				return false
			}
			r.at++
		}
		b, ok := r.value(depth + 1)
		if !ok {
			return false
		}
		b.up, b.key, b.index = n, key, len(n.below)
		n.below, begins = append(n.below, b), append(begins, begin)
		switch r.next() {
		case ',':
			r.at++
		case end:
		default:
			return false
		}
	}
	for i, b := range n.below {
		switch {
		case i+1 < len(n.below):
			b.cutFrom, b.cutTo = begins[i], begins[i+1]
		case i > 0: // with the comma before it
			b.cutFrom, b.cutTo = n.below[i-1].to, b.to
		default:
			b.cutFrom, b.cutTo = first, r.at
		}
	}
	r.at++
	return true
}

// quoted reads a text in quotes.
func (r *jsonReader) quoted() bool {
	quote := r.text[r.at]
	for r.at++; r.at < r.end; r.at++ {
		switch r.text[r.at] {
		case quote:
			r.at++
			return true
		case '\\':
			r.at++
		}
	}
	return false
}

// bare reads a word without quotes.
func (r *jsonReader) bare() string {
	from := r.at
	for r.at < r.end && strings.IndexByte(" \t\r\n,:{}[]\"'/", r.text[r.at]) < 0 {
		r.at++
	}
	return r.text[from:r.at]
}

// unquoted is a name without its quotes.
func unquoted(text string) string {
	if s, err := strconv.Unquote(text); err == nil {
		return s
	}
	return text[1 : len(text)-1]
}

// records makes the changes of a file with a JSON value a line: a line is left out, and what is in it is changed.
func (f *file) records() {
	for _, l := range f.lines() {
		if l.blank() {
			continue
		}
		f.add(LeftOut, l.from, l.next, "", nil)
		if n, ok := f.json(l.from, l.to); ok {
			f.tree(n)
		}
	}
}
