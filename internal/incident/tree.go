package incident

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/cassette/convert"
)

// structured is a value, or what the JSON is that a string holds. Members stay in
// their order. A string that holds none is itself.
func structured(v any) any {
	text, ok := v.(string)
	if !ok {
		return v
	}
	trimmed := strings.TrimSpace(text)
	if !strings.HasPrefix(trimmed, "{") && !strings.HasPrefix(trimmed, "[") || !json.Valid([]byte(trimmed)) {
		return v
	}
	d := json.NewDecoder(strings.NewReader(trimmed))
	d.UseNumber()
	return next(d)
}

// next is the next value of a text that is valid JSON.
func next(d *json.Decoder) any {
	token, err := d.Token()
	if err != nil {
		return nil
	}
	switch v := token.(type) {
	case json.Delim:
		list, attrs := []any{}, []convert.Attr{}
		for d.More() {
			if v == '[' {
				list = append(list, next(d))
				continue
			}
			name, _ := d.Token()
			key, _ := name.(string)
			attrs = append(attrs, convert.Attr{Name: key, Value: next(d)})
		}
		_, _ = d.Token()
		if v == '[' {
			return list
		}
		return attrs
	case json.Number:
		return convert.Number(v.String())
	}
	return token
}

// get is a member of an object, nil where it is none or has none.
func get(v any, name string) any {
	attrs, _ := v.([]convert.Attr)
	for _, a := range attrs {
		if a.Name == name {
			return a.Value
		}
	}
	return nil
}

// items are those of a list; a value that is none is the only one.
func items(v any) []any {
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		return v
	}
	return []any{v}
}

// plain is the text of a content: a string, or the texts among its parts.
func plain(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		texts := make([]string, len(v))
		for i, part := range v {
			texts[i] = plain(part)
		}
		return strings.Join(texts, "")
	case []convert.Attr:
		for _, name := range []string{"text", "content"} {
			if text := plain(get(v, name)); text != "" {
				return text
			}
		}
	}
	return ""
}

// object is a map as an object, sorted by name.
func object(m map[string]any) []convert.Attr {
	var list []convert.Attr
	for _, name := range slices.Sorted(maps.Keys(m)) {
		list = append(list, convert.Attr{Name: name, Value: m[name]})
	}
	return list
}

func itoa(n int) string { return strconv.Itoa(n) }

func decimal(text string) float64 {
	f, _ := strconv.ParseFloat(text, 64)
	return f
}
