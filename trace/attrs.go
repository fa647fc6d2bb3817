package trace

import (
	"fmt"
	"reflect"
	"slices"
	"time"
)

// A TypeInfo describes a type of event for the reference and for checks.
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

// Check says what is wrong with an event of the type: another's payload, an
// attribute that the type does not have, one of another type than declared, or
// attributes that are not sorted. Tests of whoever writes events use it.
func (t *TypeInfo) Check(e Event) error {
	if err := misnamed(&e); err != nil {
		return err
	}
	attrs := e.Attrs()
	for i, a := range attrs {
		if i > 0 && attrs[i-1].Key >= a.Key {
			return fmt.Errorf("event %d (%s): attribute %q is double or out of order; let Log.Append sort it", e.Seq, e.Type, a.Key)
		}
		if err := t.check(a); err != nil {
			return fmt.Errorf("event %d (%s): %w", e.Seq, e.Type, err)
		}
	}
	return nil
}

func (t *TypeInfo) check(a Attr) error {
	i := slices.IndexFunc(t.Attrs, func(info AttrInfo) bool { return info.Name == a.Key })
	if i < 0 {
		return fmt.Errorf("attribute %q is not declared; add a field to the payload", a.Key)
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
