package trace

import (
	"encoding/json"
	"reflect"
	"strings"
	"time"
)

// Attr returns the value of the event's own attribute of that key, or nil.
func (e *Event) Attr(key string) any { return attrOf(e.Payload, key) }

// Attrs returns the event's own attributes that are set, sorted by key. The
// list must not be changed.
func (e *Event) Attrs() []Attr { return attrsOf(e.Payload) }

// Text returns a string attribute, or "" where it is absent or no string.
func (e *Event) Text(key string) string {
	v, plain := textOf(e.Payload, key)
	if plain != "" {
		return plain
	}
	if s, ok := v.(string); ok || v == nil {
		return s
	}
	if s, ok := v.(Text); ok {
		return s.Text()
	}
	if r := reflect.ValueOf(v); r.Kind() == reflect.String {
		return r.String()
	}
	return ""
}

// Int returns an integer attribute, or 0 where it is absent or none.
func (e *Event) Int(key string) int64 {
	switch v := e.Attr(key).(type) {
	case int:
		return int64(v)
	case int64:
		return v
	case time.Duration:
		return int64(v)
	}
	return 0
}

// Object returns the event as expressions see it: seq, at_ms, type and the
// fields and attributes that apply. What a trace file says in nanoseconds
// (`…_ns`) is there also in milliseconds (`…_ms`).
func (e *Event) Object() map[string]any {
	attrs := e.Attrs()
	o := make(map[string]any, 8+len(attrs))
	o["seq"], o["at_ns"], o["at_ms"], o["type"] = int64(e.Seq), int64(e.At), Millis(e.At), string(e.Type)
	for _, f := range e.texts() {
		if f.value != "" {
			o[f.key] = f.value
		}
	}
	for _, f := range e.counts() {
		if f.value != 0 {
			o[f.key] = int64(f.value)
		}
	}
	for _, a := range attrs {
		if isNull(a.Value) {
			continue
		}
		o[a.Key] = a.Value
		if d, ok := a.Value.(time.Duration); ok {
			o[a.Key] = int64(d)
			if name, ns := strings.CutSuffix(a.Key, "_ns"); ns {
				o[name+"_ms"] = Millis(d)
			}
		}
	}
	return o
}

type textField struct{ key, value string }

func (e *Event) texts() [4]textField {
	return [4]textField{{"step", e.Step}, {"call", e.Call}, {"actor", e.Actor}, {"target", e.Target}}
}

type countField struct {
	key   string
	value int
}

func (e *Event) counts() [4]countField {
	return [4]countField{{"attempt", e.Attempt}, {"round", e.Round}, {"turn", e.Turn}, {"iteration", e.Iteration}}
}

// Match reports whether the event has all that the filter says, as `expect`
// compares: objects partially, everything else wholly.
func Match(filter map[string]any, e *Event) bool {
	if t, ok := filter["type"].(string); ok && t != string(e.Type) {
		return false
	}
	return MatchValue(filter, e.Object())
}

// MatchValue reports whether got has all that want says: the members of an
// object, nested ones too; lists of the same length, element by element;
// numbers by value whatever their type; nil where there is nothing.
func MatchValue(want, got any) bool { return matchValue(want, got, 0) }

func matchValue(want, got any, depth int) bool {
	if v, ok := got.(Value); ok {
		got = decoded(v)
	}
	if want == nil || got == nil || depth > maxDepth {
		return want == nil && got == nil
	}
	w, g := reflect.ValueOf(want), reflect.ValueOf(got)
	switch w.Kind() {
	case reflect.Map:
		return matchObject(w, g, depth)
	case reflect.Slice, reflect.Array:
		return matchList(w, g, depth)
	case reflect.String:
		return g.Kind() == reflect.String && w.String() == g.String()
	case reflect.Bool:
		return g.Kind() == reflect.Bool && w.Bool() == g.Bool()
	}
	a, aok := number(w)
	b, bok := number(g)
	return aok && bok && a.Cmp(b) == 0
}

func matchObject(w, g reflect.Value, depth int) bool {
	if g.Kind() != reflect.Map || !stringKeys(w) || !stringKeys(g) {
		return false
	}
	for it := w.MapRange(); it.Next(); {
		var member any
		if m := g.MapIndex(it.Key().Convert(g.Type().Key())); m.IsValid() {
			member = m.Interface()
		}
		if !matchValue(it.Value().Interface(), member, depth+1) {
			return false
		}
	}
	return true
}

func matchList(w, g reflect.Value, depth int) bool {
	if g.Kind() != reflect.Slice && g.Kind() != reflect.Array || w.Len() != g.Len() {
		return false
	}
	for i := range w.Len() {
		if !matchValue(w.Index(i).Interface(), g.Index(i).Interface(), depth+1) {
			return false
		}
	}
	return true
}

func stringKeys(v reflect.Value) bool { return v.Type().Key().Kind() == reflect.String }

// decoded reads a self-encoding value back; what cannot be read is nil.
func decoded(v Value) any {
	var out any
	if json.Unmarshal(v.AppendJSON(nil), &out) != nil {
		return nil
	}
	return out
}
