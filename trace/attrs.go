package trace

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// A TypeInfo describes a type of event for the documentation and for [Check].
type TypeInfo struct {
	Type Type
	Doc  string
	// Attrs are the attributes the type may have, sorted by name.
	Attrs []AttrInfo
}

// An AttrInfo describes one attribute of a type of event.
type AttrInfo struct {
	Name string
	// Type is "string", "bool", "int", "number", "duration" (whole
	// nanoseconds), "list", "object" or "any".
	Type string
	Doc  string
}

// fixedKeys are the keys of an event's own fields, which no attribute may have.
var fixedKeys = []string{"seq", "at_ns", "type", "step", "call", "actor", "attempt", "round", "turn", "iteration", "target"}

// Schema returns the attributes of every type of event, in the order of
// semantics.md §13. The slice and what it holds are the caller's to read only.
func Schema() []TypeInfo { return schema }

// Describe returns the description of a type, or nil for an unknown one.
func Describe(t Type) *TypeInfo { return schemaByType[t] }

var schemaByType = func() map[Type]*TypeInfo {
	m := make(map[Type]*TypeInfo, len(schema))
	for i := range schema {
		slices.SortFunc(schema[i].Attrs, func(a, b AttrInfo) int { return strings.Compare(a.Name, b.Name) })
		m[schema[i].Type] = &schema[i]
	}
	return m
}()

// Check says what is wrong with an event: a type nobody declared, an attribute
// its type does not have, one of another type than declared, or attributes
// that are not sorted. Tests of whoever writes events use it.
func Check(e Event) error {
	info := Describe(e.Type)
	if info == nil {
		return fmt.Errorf("event %d has the unknown type %q; add it to the schema", e.Seq, e.Type)
	}
	for i, a := range e.Attrs {
		if i > 0 && e.Attrs[i-1].Key >= a.Key {
			return fmt.Errorf("event %d (%s): attribute %q is double or out of order; let Log.Append sort it", e.Seq, e.Type, a.Key)
		}
		if err := info.check(a); err != nil {
			return fmt.Errorf("event %d (%s): %w", e.Seq, e.Type, err)
		}
	}
	return nil
}

func (t *TypeInfo) check(a Attr) error {
	i := slices.IndexFunc(t.Attrs, func(info AttrInfo) bool { return info.Name == a.Key })
	if i < 0 {
		return fmt.Errorf("attribute %q is not declared; add a line to the schema", a.Key)
	}
	if want := t.Attrs[i].Type; !fits(want, a.Value) {
		return fmt.Errorf("attribute %q is a %T, declared as %s", a.Key, a.Value, want)
	}
	return nil
}

// fits reports whether a value is of a declared type. Null fits everywhere,
// because it is left out.
func fits(want string, v any) bool {
	if v == nil {
		return true
	}
	_, isDuration := v.(time.Duration)
	_, isValue := v.(Value)
	kind := reflect.TypeOf(v).Kind()
	isInt := kind >= reflect.Int && kind <= reflect.Uint64 && kind != reflect.Uintptr && !isDuration
	switch want {
	case "string":
		_, isText := v.(Text)
		return isText || kind == reflect.String
	case "bool":
		return kind == reflect.Bool
	case "int":
		return isInt
	case "number":
		return isInt || kind == reflect.Float64 || kind == reflect.Float32
	case "duration":
		return isDuration
	case "list":
		return isValue || kind == reflect.Slice || kind == reflect.Array
	case "object":
		return isValue || kind == reflect.Map
	}
	return want == "any"
}
