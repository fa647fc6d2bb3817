package trace

import (
	"bytes"
	"encoding/json"
	"iter"
	"reflect"
	"strconv"
)

// readCanonical reads a line that is written as this package writes it, without
// looking at anything twice. It believes the line, and finds by writing the event
// again whether it was right to: ok is false where the bytes are others.
func readCanonical(line []byte, empty func(Type) Payload) (e Event, ok bool) {
	head := reflect.ValueOf(&e).Elem()
	var rest []member
	for m := range membersOf(line) {
		i, known := headFields[m.key]
		switch {
		case !known:
			rest = append(rest, m)
		case !readPlain(head.Field(i), m.text):
			return Event{}, false
		}
	}
	e.Payload = empty(e.Type)
	if e.Payload == nil {
		return Event{}, false
	}
	list := func(yield func(string, json.RawMessage) bool) {
		for _, m := range rest {
			if !yield(m.key, m.text) {
				return
			}
		}
	}
	ok = codecOf(e.Payload).read(e.Payload, list) && bytes.Equal(e.AppendJSON(nil), line)
	return e, ok
}

// headFields are the members of an event that its payload does not have, by their
// names, as fields of an Event.
var headFields = func() map[string]int {
	fields := map[string]int{}
	for key, name := range map[string]string{
		"seq": "Seq", "at_ns": "At", "type": "Type", "step": "Step", "call": "Call", "actor": "Actor", "attempt": "Attempt",
		"round": "Round", "turn": "Turn", "iteration": "Iteration", "target": "Target",
	} {
		f, _ := reflect.TypeFor[Event]().FieldByName(name)
		fields[key] = f.Index[0]
	}
	return fields
}()

// A member is one of an object, its value as it is written.
type member struct {
	key  string
	text json.RawMessage
}

// membersOf are those of an object without spaces whose names need no escapes. Of
// other texts it gives something, as long as there is anything.
func membersOf(line []byte) iter.Seq[member] {
	return func(yield func(member) bool) {
		for at := 0; at+1 < len(line); {
			if line[at+1] != '"' {
				return
			}
			end := bytes.IndexByte(line[at+2:], '"')
			if end < 0 {
				return
			}
			key := string(line[at+2 : at+2+end])
			from := at + 2 + end + 2
			if from >= len(line) {
				return
			}
			to := from + valueEnd(line[from:])
			if !yield(member{key, line[from:to]}) {
				return
			}
			at = to
		}
	}
}

// valueEnd is where the value at the start of a text ends: before a comma or a
// bracket that is not its own.
func valueEnd(text []byte) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				return i
			}
		case ',':
			if depth == 0 {
				return i
			}
		}
	}
	return len(text)
}

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

// readPlain sets a string, an integer or a bool that is written without escapes,
// and reports whether it did.
func readPlain(v reflect.Value, text []byte) bool {
	if len(text) == 0 || v.Kind() == reflect.Pointer || reflect.PointerTo(v.Type()).Implements(unmarshaler) {
		return false
	}
	switch v.Kind() {
	case reflect.String:
		if n := len(text); n >= 2 && text[0] == '"' && text[n-1] == '"' && bytes.IndexByte(text, '\\') < 0 {
			v.SetString(string(text[1 : n-1]))
			return true
		}
	case reflect.Int, reflect.Int64, reflect.Int32:
		if n, err := strconv.ParseInt(string(text), 10, 64); err == nil && !v.OverflowInt(n) {
			v.SetInt(n)
			return true
		}
	case reflect.Uint64:
		if n, err := strconv.ParseUint(string(text), 10, 64); err == nil {
			v.SetUint(n)
			return true
		}
	case reflect.Bool:
		if s := string(text); s == "true" || s == "false" {
			v.SetBool(s == "true")
			return true
		}
	}
	return false
}
