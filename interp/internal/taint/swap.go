package taint

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl/render"
)

// says reports whether there is a string or a number in a value. Anything else
// gives no secret away that could be hidden.
func says(v cty.Value) bool {
	if v == cty.NilVal {
		return false
	}
	v, _ = v.Unmark()
	if !v.IsKnown() || v.IsNull() {
		return false
	}
	switch t := v.Type(); {
	case t == cty.String, t == cty.Number:
		return true
	case v.CanIterateElements():
		for it := v.ElementIterator(); it.Next(); {
			k, e := it.Element()
			if t.IsObjectType() || t.IsMapType() || says(e) || says(k) && t.IsSetType() {
				return true
			}
		}
	}
	return false
}

// A swap puts other secrets into values.
type swap struct {
	tracker *Tracker
	read    int64 // how much was looked at
}

// bytesOfValue is what it takes to look at a value, whatever is in it.
const bytesOfValue = 16

// value is a value with other secrets, and whether it had any.
func (s *swap) value(v cty.Value) (cty.Value, bool) {
	s.read += bytesOfValue
	if v.IsMarked() {
		bare, marks := v.Unmark()
		twin, changed := s.value(bare)
		return twin.WithMarks(marks), changed
	}
	if v == cty.NilVal || !v.IsKnown() || v.IsNull() {
		return v, false
	}
	switch t := v.Type(); {
	case t == cty.String:
		return s.text(v)
	case t == cty.Number:
		text := render.Value(v, 0)
		if twin := s.tracker.twinNumber(text); twin != text {
			if n, err := cty.ParseNumberVal(twin); err == nil {
				return n, true
			}
		}
	case t.IsObjectType(), t.IsMapType():
		return s.object(v)
	case t.IsTupleType(), t.IsListType(), t.IsSetType():
		return s.list(v)
	}
	return v, false
}

func (s *swap) text(v cty.Value) (cty.Value, bool) {
	text := v.AsString()
	s.read += int64(len(text))
	twin := s.tracker.twin(text)
	return cty.StringVal(twin), twin != text
}

func (s *swap) object(v cty.Value) (cty.Value, bool) {
	changed := false
	attrs := make(map[string]cty.Value, v.LengthInt())
	for name, e := range v.AsValueMap() {
		twin, is := s.value(e)
		key := s.tracker.twin(name)
		attrs[key] = twin
		changed = changed || is || key != name
	}
	if !changed {
		return v, false
	}
	return cty.ObjectVal(attrs), true
}

func (s *swap) list(v cty.Value) (cty.Value, bool) {
	changed := false
	elems := make([]cty.Value, 0, v.LengthInt())
	for it := v.ElementIterator(); it.Next(); {
		_, e := it.Element()
		twin, is := s.value(e)
		elems = append(elems, twin)
		changed = changed || is
	}
	if !changed {
		return v, false
	}
	return cty.TupleVal(elems), true
}
