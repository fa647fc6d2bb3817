package wrong

import (
	"encoding/json"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/scenario-lang/scenario/providers"
)

// decoded is a text as the JSON that it is, and whether it is an object or a list: a
// number or a word may as well be a text.
func decoded(text []byte) (any, bool) {
	var v any
	if !json.Valid(text) || providers.DecodeJSON(text, &v) != nil {
		return nil, false
	}
	switch v.(type) {
	case map[string]any, []any:
		return v, true
	}
	return v, false
}

// halved is the first half of a value, and whether it has one: of a list its first
// elements, of an object its first members by name. What has one alone is halved inside.
func halved(v any) (any, bool) {
	switch v := v.(type) {
	case string:
		return halfText(v)
	case []any:
		if len(v) == 1 {
			inner, ok := halved(v[0])
			return []any{inner}, ok
		}
		return v[:len(v)/2], len(v) > 1
	case map[string]any:
		names := slices.Sorted(maps.Keys(v))
		half := map[string]any{}
		if len(names) == 1 {
			inner, ok := halved(v[names[0]])
			half[names[0]] = inner
			return half, ok
		}
		for _, name := range names[:len(names)/2] {
			half[name] = v[name]
		}
		return half, len(names) > 1
	}
	return nil, false
}

// halfText is the first half of a text's characters.
func halfText(text string) (string, bool) {
	n := utf8.RuneCountInString(text) / 2
	return string([]rune(text)[:n]), n > 0
}

// emptied is the value of the same type that holds nothing.
func emptied(v any) any {
	switch v.(type) {
	case string:
		return ""
	case []any:
		return []any{}
	case map[string]any:
		return map[string]any{}
	}
	return nil
}

// retyped is the value as another type: what is inside a list, a list of anything else.
func retyped(v any) any {
	if list, ok := v.([]any); ok {
		if len(list) == 0 {
			return map[string]any{}
		}
		return list[0]
	}
	return []any{v}
}
