package unread

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// A value is one of a text of JSON, with where it stands in that.
type value struct {
	from, to int
	// names are those of the members of an object, and inner their values or the elements of a list.
	names  []string
	inner  []*value
	object bool
	list   bool
	// first says that it is the first element of a list, or inside of one.
	first bool
}

// deepest bounds how deep values are looked into: what is deeper is one value.
const deepest = 6

// parsed is the value of a text, nil where that is no JSON object or list.
func parsed(text string) *value {
	if !strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "{") && !strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "[") {
		return nil
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	v, ok := parse(d, text, 0)
	if !ok || strings.TrimSpace(text[v.to:]) != "" {
		return nil
	}
	return v
}

func parse(d *json.Decoder, text string, depth int) (*value, bool) {
	v := &value{from: start(d, text)}
	t, err := d.Token()
	if err != nil || depth > deepest*100 {
		return nil, false
	}
	if delim, is := t.(json.Delim); is {
		v.object, v.list = delim == '{', delim == '['
		for d.More() {
			if v.object {
				name, err := d.Token()
				if err != nil {
					return nil, false
				}
				v.names = append(v.names, name.(string))
			}
			e, ok := parse(d, text, depth+1)
			if !ok {
				return nil, false
			}
			v.inner = append(v.inner, e)
		}
		if _, err := d.Token(); err != nil {
			return nil, false
		}
	}
	if v.list && len(v.inner) > 0 {
		v.inner[0].setFirst()
	}
	v.to = int(d.InputOffset())
	return v, true
}

func (v *value) setFirst() {
	if v.first {
		return
	}
	v.first = true
	for _, e := range v.inner {
		e.setFirst()
	}
}

// start is where the next value begins.
func start(d *json.Decoder, text string) int {
	at := int(d.InputOffset())
	for at < len(text) && strings.IndexByte(" \t\r\n:,", text[at]) >= 0 {
		at++
	}
	return at
}

// elementsApart is up to how many elements of a list of plain values are parts of their own.
const elementsApart = 8

// leaf gives the plain values of a value with the paths to them, such as "order.items[].id", and the
// index in the place of [] for elements of a short list of plain values.
func (v *value) leaf(path string, depth int, give func(path string, v *value)) {
	if len(v.inner) == 0 || depth == deepest {
		give(path, v)
		return
	}
	apart := v.list && len(v.inner) <= elementsApart && !slices.ContainsFunc(v.inner, func(e *value) bool { return len(e.inner) > 0 })
	for i, e := range v.inner {
		switch {
		case v.object:
			e.leaf(strings.TrimPrefix(path+"."+v.names[i], "."), depth+1, give)
		case apart:
			e.leaf(path+"["+strconv.Itoa(i)+"]", depth+1, give)
		default:
			e.leaf(path+"[]", depth+1, give)
		}
	}
}

// top is the first name of a path.
func top(path string) string {
	if i := strings.IndexAny(path[min(1, len(path)):], ".["); i >= 0 {
		return path[:i+1]
	}
	return path
}

// in puts other values into a text of JSON, in the place of those at paths.
func (c change) in(text string, paths func(path string) bool) string {
	v := parsed(text)
	if v == nil {
		return text
	}
	if c.how == absent {
		return without(text, paths)
	}
	var b strings.Builder
	at := 0
	v.leaf("", 0, func(path string, v *value) {
		if !paths(path) || c.later && v.first {
			return
		}
		b.WriteString(text[at:v.from])
		b.WriteString(c.json(text[v.from:v.to]))
		at = v.to
	})
	b.WriteString(text[at:])
	return b.String()
}

// json is what stands in the place of a value that is written so.
func (c change) json(was string) string {
	var text string
	switch {
	case c.how == none:
		return "null"
	case strings.HasPrefix(was, `"`) && json.Unmarshal([]byte(was), &text) == nil:
		if c.edit != nil || c.how == formed {
			return encoded(c.text(text), strings.Contains(was, `\u003`) || strings.Contains(was, `\u0026`))
		}
		return strconv.Quote(c.text(text))
	case c.edit != nil, c.how == formed:
		return was
	case was == "true" && c.how == alike:
		return "false"
	case was == "false" && c.how == alike:
		return "true"
	case was == "true", was == "false", was == "null", strings.HasPrefix(was, "{"), strings.HasPrefix(was, "["):
		return strconv.Quote(c.text("?"))
	}
	return c.number(was)
}

// said is a plain value as a text, "" for an object, a list, null and what is true or false.
func said(raw string) string {
	var text string
	switch {
	case strings.HasPrefix(raw, `"`) && json.Unmarshal([]byte(raw), &text) == nil:
		return text
	case raw != "" && strings.IndexByte("-0123456789", raw[0]) >= 0:
		return raw
	}
	return ""
}
