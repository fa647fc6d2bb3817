package wire

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
)

// EditHead is the script with another head of its answer: value gives each field
// a new value, and fields are added at the end. All other bytes, and all waits,
// stay as they are. A script without a whole head that a client understands is
// returned as it is.
func (s WireScript) EditHead(value func(name, value string) string, add ...Field) WireScript {
	h := s.head()
	if h.status == 0 {
		return s
	}
	edits := fieldEdits(s.bytes(h.from, h.to), h.from, value)
	var text []byte
	for _, f := range add {
		text = append(append(append(append(text, f.Name...), ": "...), f.Value...), "\r\n"...)
	}
	if len(text) > 0 {
		end := h.to - len("\n")
		if b := s.bytes(end-1, end); b[0] == '\r' {
			end--
		}
		edits = append(edits, edit{end, end, text})
	}
	for _, e := range slices.Backward(edits) {
		s.Ops = spliced(s.Ops, e)
	}
	return s
}

// Closes reports whether the answer to a request of that method is the last on
// its connection by its own words: it says so, or only the end of the connection
// ends it.
func (s WireScript) Closes(method string) bool {
	h := s.head()
	if h.status == 0 {
		return false
	}
	if method != http.MethodHead && method != http.MethodConnect {
		return h.closes
	}
	_, closes, err := parseHead(s.bytes(h.from, h.to), &http.Request{Method: method})
	return err == nil && closes
}

// An edit replaces the bytes from one place of a script to another.
type edit struct {
	from, to int
	text     []byte
}

// fieldEdits are the changes to the values in a head that begins at a place.
func fieldEdits(text []byte, at int, value func(name, value string) string) []edit {
	var edits []edit
	for line := range bytes.Lines(text) {
		name, rest, ok := strings.Cut(strings.TrimRight(string(line), "\r\n"), ":")
		if ok {
			old := strings.TrimSpace(rest)
			if v := value(name, old); v != old {
				from := at + len(name) + 1 + strings.Index(rest, old)
				edits = append(edits, edit{from, from + len(old), []byte(v)})
			}
		}
		at += len(line)
	}
	return edits
}

// bytes are those that the script sends from one place to another.
func (s WireScript) bytes(from, to int) []byte {
	var all []byte
	for _, op := range s.Ops {
		if all = append(all, op.Data...); len(all) >= to {
			break
		}
	}
	return all[from:to]
}

// spliced are operations with an edit: the new text is sent with the first of the
// bytes that it replaces, or before which it stands.
func spliced(ops []Op, e edit) []Op {
	ops = slices.Clone(ops)
	at, placed := 0, false
	for i := range ops {
		data := ops[i].Data
		from, to := min(max(e.from-at, 0), len(data)), min(max(e.to-at, 0), len(data))
		at += len(data)
		here := !placed && e.from < at
		if from == to && !here {
			continue
		}
		var text []byte
		if here {
			text, placed = e.text, true
		}
		ops[i].Data = slices.Concat(data[:from], text, data[to:])
	}
	return ops
}
