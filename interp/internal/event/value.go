package event

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/trace"
)

// A Value carries a value of the language, which is encoded when somebody reads
// it.
type Value struct{ cty.Value }

// Absent implements trace.Absent: null is not told.
func (v Value) Absent() bool { return v.Value == cty.NilVal || v.IsNull() }

// OrNull is the value, null where there is none.
func (v Value) OrNull() cty.Value {
	if v.Value == cty.NilVal {
		return cty.NullVal(cty.DynamicPseudoType)
	}
	return v.Value
}

// AppendJSON implements trace.Value.
func (v Value) AppendJSON(dst []byte) []byte {
	if !v.IsWhollyKnown() {
		return append(dst, "null"...)
	}
	return trace.AppendValue(dst, dsl.GoValue(v.Value))
}

// UnmarshalJSON reads what AppendJSON wrote, as tuples and objects.
func (v *Value) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var in any
	if err := d.Decode(&in); err != nil {
		return err
	}
	v.Value = dsl.CtyValue(in)
	return nil
}

// AppendNulls implements trace.Nullable.
func (v Value) AppendNulls(list []string, at string) []string { return appendNulls(list, v.Value, at) }

func appendNulls(list []string, v cty.Value, at string) []string {
	if v == cty.NilVal || v.IsMarked() || !v.IsKnown() || v.IsNull() || !v.CanIterateElements() {
		return list
	}
	named := v.Type().IsObjectType() || v.Type().IsMapType()
	i := 0
	for it := v.ElementIterator(); it.Next(); i++ {
		key, member := it.Element()
		name := strconv.Itoa(i)
		if named {
			name = escapePointer.Replace(key.AsString())
		}
		if named && !member.IsMarked() && member.IsKnown() && member.IsNull() {
			list = append(list, at+"/"+name)
			continue
		}
		list = appendNulls(list, member, at+"/"+name)
	}
	return list
}

// The escapes of RFC 6901 §3.
var (
	escapePointer   = strings.NewReplacer("~", "~0", "/", "~1")
	unescapePointer = strings.NewReplacer("~1", "/", "~0", "~")
)

// SetNulls implements trace.Nullable.
func (v *Value) SetNulls(places []string) {
	plain := dsl.GoValue(v.Value)
	for _, place := range places {
		setNull(plain, strings.Split(place, "/")[1:])
	}
	v.Value = dsl.CtyValue(plain)
}

// setNull gives an object inside a plain value a member that is null.
func setNull(v any, path []string) {
	for len(path) > 1 {
		switch x := v.(type) {
		case map[string]any:
			v = x[unescapePointer.Replace(path[0])]
		case []any:
			i, err := strconv.Atoi(path[0])
			if err != nil || i < 0 || i >= len(x) {
				return
			}
			v = x[i]
		default:
			return
		}
		path = path[1:]
	}
	if object, ok := v.(map[string]any); ok {
		object[unescapePointer.Replace(path[0])] = nil
	}
}

// A JSON is any value that can be encoded, for what no part of a run reads.
type JSON struct{ Plain any }

// Absent implements trace.Absent.
func (j JSON) Absent() bool { return j.Plain == nil }

// AppendJSON implements trace.Value.
func (j JSON) AppendJSON(dst []byte) []byte { return trace.AppendValue(dst, j.Plain) }

// UnmarshalJSON keeps the text.
func (j *JSON) UnmarshalJSON(text []byte) error {
	j.Plain = trace.Encoded(slices.Clone(text))
	return nil
}

// A RunID carries the id of a run, which costs the encoding of the whole plan
// and is computed where somebody reads it.
type RunID struct {
	// Plan knows the id; nil for one that was read.
	Plan interface{ RunID() string }
	text string
}

// Absent implements trace.Absent.
func (r RunID) Absent() bool { return r.Plan == nil && r.text == "" }

// AppendJSON implements trace.Value.
func (r RunID) AppendJSON(dst []byte) []byte { return trace.AppendString(dst, r.Text()) }

// Text implements trace.Text. The id of a run that never began is empty.
func (r RunID) Text() string {
	if r.Plan == nil {
		return r.text
	}
	return r.Plan.RunID()
}

// UnmarshalJSON reads an id.
func (r *RunID) UnmarshalJSON(text []byte) error { return json.Unmarshal(text, &r.text) }

// Usage carries token counts, absent where nothing was counted.
type Usage struct{ providers.Usage }

// Absent implements trace.Absent.
func (u Usage) Absent() bool { return !u.Set }

// AppendJSON implements trace.Value.
func (u Usage) AppendJSON(dst []byte) []byte {
	for _, m := range [...]struct {
		key string
		n   int
	}{
		{`{"cached_tokens":`, u.Cached},
		{`,"completion_tokens":`, u.Completion},
		{`,"prompt_tokens":`, u.Prompt},
		{`,"reasoning_tokens":`, u.Reasoning},
		{`,"total_tokens":`, u.Total},
	} {
		dst = strconv.AppendInt(append(dst, m.key...), int64(m.n), 10)
	}
	return append(dst, '}')
}

// UnmarshalJSON reads what AppendJSON wrote.
func (u *Usage) UnmarshalJSON(text []byte) error {
	var in struct {
		Cached     int `json:"cached_tokens"`
		Completion int `json:"completion_tokens"`
		Prompt     int `json:"prompt_tokens"`
		Reasoning  int `json:"reasoning_tokens"`
		Total      int `json:"total_tokens"`
	}
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	u.Usage = providers.Usage{Set: true, Prompt: in.Prompt, Completion: in.Completion, Total: in.Total, Cached: in.Cached, Reasoning: in.Reasoning}
	return nil
}

// Tokens gives the metrics what they would else decode.
func (u Usage) Tokens() (in, out int64) { return int64(u.Prompt), int64(u.Completion) }

// Instants are instants of a run.
type Instants []time.Duration

// AppendJSON implements trace.Value.
func (l Instants) AppendJSON(dst []byte) []byte {
	dst = append(dst, '[')
	for i, at := range l {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(dst, int64(at), 10)
	}
	return append(dst, ']')
}

// Calls are tool calls that a model asked for.
type Calls []providers.ToolCall

// AppendJSON implements trace.Value.
func (c Calls) AppendJSON(dst []byte) []byte {
	list := make([]any, len(c))
	for i, call := range c {
		list[i] = map[string]any{"arguments": call.Arguments, "id": call.ID, "name": call.Name}
	}
	return trace.AppendValue(dst, list)
}

// Headers are header fields, names in lower case.
type Headers map[string]string

// AppendJSON implements trace.Value.
func (h Headers) AppendJSON(dst []byte) []byte {
	names := make([]string, 0, len(h))
	for name := range h {
		names = append(names, name)
	}
	slices.Sort(names)
	dst = append(dst, '{')
	for i, name := range names {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(trace.AppendString(dst, name), ':')
		dst = trace.AppendString(dst, h[name])
	}
	return append(dst, '}')
}

// Names are names in an order that says something; nil is no list, and an empty
// one says that there are none.
type Names []string

// Absent implements trace.Absent.
func (n Names) Absent() bool { return n == nil }
