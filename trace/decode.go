package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"
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

// ReadEvent reads a line that [Event.AppendJSON] wrote. Attributes have the Go
// types that the schema gives them, so that readers of the event see what they
// saw in the run; lists, objects and what the schema does not know are
// [Encoded]. Encoding the event again gives the same bytes.
func ReadEvent(line []byte) (Event, error) {
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
	info := Describe(e.Type)
	for _, key := range slices.Sorted(maps.Keys(members)) {
		e.Attrs = append(e.Attrs, Attr{key, readValue(info.typeOf(key), members[key])})
	}
	return e, nil
}

// typeOf is what the schema calls the type of an attribute, "" where it knows
// none.
func (t *TypeInfo) typeOf(key string) string {
	if t == nil {
		return ""
	}
	for i := range t.Attrs {
		if t.Attrs[i].Name == key {
			return t.Attrs[i].Type
		}
	}
	return ""
}

// readValue reads an attribute of a type of the schema. What would be encoded
// otherwise than it stands there stays as it is.
func readValue(of string, text []byte) any {
	var v any = Encoded(text)
	switch of {
	case "int":
		if n, err := strconv.Atoi(string(text)); err == nil {
			v = n
		}
	case "duration":
		if n, err := strconv.ParseInt(string(text), 10, 64); err == nil {
			v = time.Duration(n)
		}
	case "number":
		if f, err := strconv.ParseFloat(string(text), 64); err == nil {
			v = f
		}
	case "string", "bool", "any":
		if first := text[0]; first == '"' || first == 't' || first == 'f' {
			// The text is a whole JSON value, or there would be no event.
			_ = json.Unmarshal(text, &v)
		}
	}
	if !bytes.Equal(AppendValue(nil, v), text) {
		return Encoded(text)
	}
	return v
}
