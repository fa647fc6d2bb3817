package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// An Encoded is a [Value] in its encoded form, as a trace file has it.
type Encoded []byte

// AppendJSON implements Value.
func (v Encoded) AppendJSON(dst []byte) []byte { return append(dst, v...) }

// errLine says that a line is none of a trace file.
var errLine = errors.New("this is no line of a trace")

// ReadHeader reads a line that [Header.AppendJSON] wrote.
func ReadHeader(line []byte) (Header, error) {
	var in struct {
		Trace          int
		File, Scenario string
		Seed           uint64
		Plan           string
		RunID          string `json:"run_id"`
	}
	if err := json.Unmarshal(line, &in); err != nil {
		return Header{}, fmt.Errorf("%w: %w", errLine, err)
	}
	if in.Trace != 1 {
		return Header{}, fmt.Errorf("%w of version 1, but of version %d", errLine, in.Trace)
	}
	return Header{File: in.File, Scenario: in.Scenario, Seed: in.Seed, Plan: in.Plan, RunID: in.RunID}, nil
}

// ReadEvent reads a line that [Event.AppendJSON] wrote. The payload is the one
// that empty gives for the type of the event, nil for a type that it does not
// know. Where the line says what that payload has no place for, the attributes
// are an [Attrs] with the values as they stand there, and so is a line that the
// payload would write otherwise. Encoding the event again gives the same bytes.
func ReadEvent(line []byte, empty func(Type) Payload) (Event, error) {
	if e, ok := readCanonical(line, empty); ok {
		return e, nil
	}
	return readAny(line, empty)
}

// readAny reads a line that anything may have written.
func readAny(line []byte, empty func(Type) Payload) (Event, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(line, &members); err != nil {
		return Event{}, fmt.Errorf("%w: %w", errLine, err)
	}
	var e Event
	if members["seq"] == nil || members["type"] == nil {
		return Event{}, errLine
	}
	for _, f := range []struct {
		key string
		to  any
	}{
		{"seq", &e.Seq},
		{"at_ns", &e.At},
		{"type", &e.Type},
		{"step", &e.Step},
		{"call", &e.Call},
		{"actor", &e.Actor},
		{"attempt", &e.Attempt},
		{"round", &e.Round},
		{"turn", &e.Turn},
		{"iteration", &e.Iteration},
		{"target", &e.Target},
	} {
		text, ok := members[f.key]
		delete(members, f.key)
		if !ok {
			continue
		}
		if err := json.Unmarshal(text, f.to); err != nil {
			return Event{}, fmt.Errorf("%w: %s: %w", errLine, f.key, err)
		}
	}
	e.Payload = empty(e.Type)
	if e.Payload != nil && codecOf(e.Payload).read(e.Payload, maps.All(members)) && bytes.Equal(e.AppendJSON(nil), line) {
		return e, nil
	}
	list := Attrs{}
	for _, key := range slices.Sorted(maps.Keys(members)) {
		list = append(list, Attr{key, readAttr(e.Payload, key, members[key])})
	}
	e.Payload = nil
	if len(list) > 0 {
		e.Payload = list
	}
	return e, nil
}

// read fills a payload from the members of an object, and reports whether it
// has a place for each.
func (c *codec) read(p Payload, members iter.Seq2[string, json.RawMessage]) bool {
	root := reflect.ValueOf(p).Elem()
	var nulls []string
	for key, text := range members {
		f := c.find(key)
		switch {
		case f != nil:
			v := root
			for _, i := range f.path {
				if v.Kind() == reflect.Pointer {
					if v.IsNil() {
						v.Set(reflect.New(v.Type().Elem()))
					}
					v = v.Elem()
				}
				v = v.Field(i)
			}
			if !readPlain(v, text) && json.Unmarshal(text, v.Addr().Interface()) != nil {
				return false
			}
		case key == nullsKey && c.nullable != nil:
			if json.Unmarshal(text, &nulls) != nil {
				return false
			}
		default:
			return false
		}
	}
	return c.setNulls(root, nulls)
}

// setNulls puts back the members that were null, and reports whether each has
// its place.
func (c *codec) setNulls(root reflect.Value, nulls []string) bool {
	placed := 0
	for _, i := range c.nullable {
		f := &c.fields[i]
		var own []string
		for _, place := range nulls {
			if rest, ok := strings.CutPrefix(place, "/"+f.Name+"/"); ok {
				own = append(own, "/"+rest)
			}
		}
		if v := f.value(root); len(own) > 0 && v.IsValid() {
			asNullable(v).SetNulls(own)
			placed += len(own)
		}
	}
	return placed == len(nulls)
}

// readAttr reads one attribute as the payload of its type has it, so that
// generic readers see what they saw in the run, and one that it does not know
// as plain as can be. What would be encoded otherwise than it stands there
// stays as it is.
func readAttr(p Payload, key string, text []byte) any {
	if p != nil {
		if f := codecOf(p).find(key); f != nil {
			v := reflect.New(f.typ)
			if json.Unmarshal(text, v.Interface()) == nil && bytes.Equal(appendField(nil, v.Elem()), text) {
				return boxed(v.Elem())
			}
		}
	}
	var v any
	switch text[0] {
	case '"', 't', 'f':
		// The text is a whole JSON value, or there would be no event.
		_ = json.Unmarshal(text, &v)
	default:
		if n, err := strconv.Atoi(string(text)); err == nil {
			v = n
		} else if f, err := strconv.ParseFloat(string(text), 64); err == nil {
			v = f
		}
	}
	if v == nil || !bytes.Equal(AppendValue(nil, v), text) {
		return Encoded(text)
	}
	return v
}
