package match

import (
	"maps"
	"slices"
	"strings"
)

// An outline is the shape of JSON values that stand at one place: their types,
// and the outlines of what is in them. One outline tells of many values, as of
// all items of a list.
type outline struct {
	types   map[string]bool
	members map[string]*outline
	items   *outline
}

// outlineOf is nil for no values.
func outlineOf(values []any) *outline {
	var o *outline
	for _, v := range values {
		o = o.with(v)
	}
	return o
}

// with is the outline, which may be nil, of one more value.
func (o *outline) with(v any) *outline {
	if o == nil {
		o = &outline{types: map[string]bool{}, members: map[string]*outline{}}
	}
	o.types[typeOf(v)] = true
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			o.members[name] = o.members[name].with(member)
		}
	case []any:
		for _, item := range v {
			o.items = o.items.with(item)
		}
	}
	return o
}

// typeOf is JSON's word for the type of a value.
func typeOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case number:
		return "number"
	case string:
		return "string"
	case []any:
		return "array"
	}
	return "object"
}

func (o *outline) String() string {
	if o == nil {
		return Absent
	}
	return strings.Join(slices.Sorted(maps.Keys(o.types)), " or ")
}

// outlines adds the places at which now has another shape: a member that came
// or went, and a type that was not seen there. Of an empty list nothing is
// known.
func (d *Differ) outlines(path string, recorded, now *outline) {
	if recorded == nil || now == nil {
		d.Words(path, recorded.String(), now.String())
		return
	}
	for t := range now.types {
		if !recorded.types[t] {
			d.Words(path, recorded.String(), now.String())
			break
		}
	}
	if recorded.types["object"] && now.types["object"] {
		for _, name := range slices.Sorted(maps.Keys(Union(recorded.members, now.members))) {
			d.outlines(path+step(name), recorded.members[name], now.members[name])
		}
	}
	if recorded.items != nil && now.items != nil {
		d.outlines(path+"[]", recorded.items, now.items)
	}
}
