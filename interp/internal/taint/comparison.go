package taint

import (
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/dsl/render"
	"github.com/scenario-lang/scenario/trace"
)

// A comparison holds what an expression came to against what it comes to with
// other secrets.
type comparison struct {
	tracker *Tracker
	written map[string]bool
	// others are all texts and numbers of the second result: a list may have come
	// out in another order.
	others     map[string]bool
	cost, read int64
}

// collect lists what is in the second result.
func (c *comparison) collect(v cty.Value) {
	if c.others == nil {
		c.others = map[string]bool{}
	}
	v, _ = v.Unmark()
	if v == cty.NilVal || !v.IsKnown() || v.IsNull() {
		return
	}
	switch t := v.Type(); {
	case t == cty.String:
		c.others[v.AsString()] = true
	case t == cty.Number:
		c.others[render.Value(v, 0)] = true
	case v.CanIterateElements():
		for it := v.ElementIterator(); it.Next(); {
			k, e := it.Element()
			if t.IsObjectType() || t.IsMapType() {
				c.collect(k)
			}
			c.collect(e)
		}
	}
}

// value compares two values; the second is not valid where there is none.
func (c *comparison) value(v, other cty.Value) {
	c.read += bytesOfValue
	v, _ = v.Unmark()
	if other != cty.NilVal {
		other, _ = other.Unmark()
	}
	if v == cty.NilVal || !v.IsKnown() || v.IsNull() {
		return
	}
	switch t := v.Type(); {
	case t == cty.String:
		c.read += int64(len(v.AsString()))
		if is(other, cty.String) {
			c.text(v.AsString(), other.AsString())
		} else {
			c.alone(v.AsString(), c.tracker.twin(v.AsString()))
		}
	case t == cty.Number:
		c.number(v, other)
	case t.IsObjectType(), t.IsMapType():
		c.object(v, other)
	case v.CanIterateElements():
		i := 0
		list := elements(other)
		for it := v.ElementIterator(); it.Next(); i++ {
			_, e := it.Element()
			if i < len(list) && len(list) == v.LengthInt() {
				c.value(e, list[i])
			} else {
				c.value(e, cty.NilVal)
			}
		}
	}
}

func is(v cty.Value, t cty.Type) bool {
	return v != cty.NilVal && v.IsKnown() && !v.IsNull() && v.Type() == t
}

// elements are those of a list, nil for anything else.
func elements(v cty.Value) []cty.Value {
	if v == cty.NilVal || !v.IsKnown() || v.IsNull() || !v.CanIterateElements() || v.Type().IsObjectType() || v.Type().IsMapType() {
		return nil
	}
	return v.AsValueSlice()
}

func (c *comparison) object(v, other cty.Value) {
	var attrs map[string]cty.Value
	if other != cty.NilVal && other.IsKnown() && !other.IsNull() && (other.Type().IsObjectType() || other.Type().IsMapType()) {
		attrs = other.AsValueMap()
	}
	for name, e := range v.AsValueMap() {
		key := c.tracker.twin(name)
		twin, found := attrs[key]
		if !found {
			c.alone(name, key)
			twin = cty.NilVal
		}
		c.value(e, twin)
	}
}

func (c *comparison) number(v, other cty.Value) {
	text := render.Value(v, 0)
	twin := c.tracker.twinNumber(text)
	if is(other, cty.Number) && render.Value(other, 0) == twin || c.others[twin] || c.written[text] {
		return
	}
	for _, spelling := range Spellings(v) {
		c.learn(spelling)
	}
}

// Spellings are the ways in which a number is written: reports have an exponent
// where texts and JSON have digits.
func Spellings(n cty.Value) []string {
	x, _ := n.AsBigFloat().Float64()
	return []string{render.Value(n, 0), strconv.FormatFloat(x, 'f', -1, 64), string(trace.AppendFloat(nil, x))}
}

// text compares two texts and makes what is different in them a secret.
func (c *comparison) text(text, other string) {
	twin := c.tracker.twin(text)
	switch {
	case twin == other || c.written[text]:
	case len(text) < redact.ShortestSecret:
		c.learn(text)
	case !c.others[twin]:
		c.differing(text, other)
	}
}

// alone is a text that has no other at its place.
func (c *comparison) alone(text, twin string) {
	if !c.others[twin] && !c.written[text] {
		c.learn(text)
	}
}

func (c *comparison) learn(text string) { c.cost += c.tracker.learn(text) }

// differing learns the parts of a text that differ from another.
func (c *comparison) differing(text, other string) {
	for _, p := range parts(text, other) {
		c.part(text[p.start:p.end])
		c.part(text[wordStart(text, p.start):wordEnd(text, p.end)]) // a letter may be equal by chance
	}
}

// part is a part that differs: it is a secret, and so are its words, which may come
// apart.
func (c *comparison) part(text string) {
	if len(text) < redact.ShortestSecret || c.written[text] {
		return
	}
	c.learn(text)
	for _, word := range strings.FieldsFunc(text, isNoWord) {
		if len(word) >= redact.ShortestSecret && len(word) < len(text) {
			c.learn(word)
		}
	}
}

// messages compares what is wrong with an expression, which quotes values.
func (c *comparison) messages(diags, others hcl.Diagnostics) {
	for i, d := range diags {
		var other hcl.Diagnostic
		if i < len(others) {
			other = *others[i]
		}
		for _, pair := range [][2]string{{d.Summary, other.Summary}, {d.Detail, other.Detail}} {
			if c.tracker.twin(pair[0]) != pair[1] {
				c.differing(pair[0], pair[1])
			}
		}
	}
}
