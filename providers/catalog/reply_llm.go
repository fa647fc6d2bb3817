package catalog

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/providers"
)

func (r *reader) toolCalls(name string) []providers.ToolCall {
	if !r.has(name) {
		return nil
	}
	list, ok := r.values[name].([]any)
	if !ok {
		r.fail(name, "a list of objects", r.values[name])
		return nil
	}
	var calls []providers.ToolCall
	for i, v := range list {
		call, err := toolCall(v)
		if err != nil && r.err == nil {
			r.err = fmt.Errorf("%s[%d]%w", name, i, err)
		}
		calls = append(calls, call)
	}
	return calls
}

// toolCall reads one call; its error continues the call's place.
func toolCall(v any) (providers.ToolCall, error) {
	object, ok := v.(map[string]any)
	if !ok {
		return providers.ToolCall{}, fmt.Errorf(" must be an object { id, name, arguments }, and is %s", describe(v))
	}
	if err := onlyKeys(object, "id", "name", "arguments"); err != nil {
		return providers.ToolCall{}, err
	}
	r := reader{values: object}
	call := providers.ToolCall{ID: r.text("id"), Name: r.text("name")}
	if r.err == nil && call.Name == "" {
		r.err = fmt.Errorf("name is missing")
	}
	if r.err != nil {
		return providers.ToolCall{}, fmt.Errorf(".%w", r.err)
	}
	var err error
	call.Arguments, err = arguments(object["arguments"])
	return call, err
}

// arguments is the JSON text of a call: a string as it is, an object encoded,
// an empty object where there are none.
func arguments(v any) (string, error) {
	switch v := v.(type) {
	case nil:
		return "{}", nil
	case string:
		return v, nil
	}
	data, err := providers.EncodeJSON(v)
	if err != nil {
		return "", fmt.Errorf(".arguments cannot be written as JSON: %w", err)
	}
	return string(data), nil
}

func (r *reader) usage(name string) providers.Usage {
	if !r.has(name) {
		return providers.Usage{}
	}
	object, ok := r.values[name].(map[string]any)
	if !ok {
		r.fail(name, "an object of numbers", r.values[name])
		return providers.Usage{}
	}
	u := providers.Usage{Set: true}
	counts := map[string]*int{
		"prompt_tokens":     &u.Prompt,
		"completion_tokens": &u.Completion,
		"total_tokens":      &u.Total,
		"cached_tokens":     &u.Cached,
		"reasoning_tokens":  &u.Reasoning,
	}
	names := slices.Sorted(maps.Keys(counts))
	if err := onlyKeys(object, names...); err != nil && r.err == nil {
		r.err = fmt.Errorf("%s%w", name, err)
	}
	for _, key := range names {
		n, ok := wholeNumber(object[key])
		if object[key] != nil && (!ok || n < 0) {
			r.fail(name+"."+key, "an integer of 0 or more", object[key])
		}
		*counts[key] = n
	}
	if object["total_tokens"] == nil {
		u.Total = u.Prompt + u.Completion
	}
	return u
}

func onlyKeys(object map[string]any, allowed ...string) error {
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if !slices.Contains(allowed, key) {
			if _, nested := object[key].(map[string]any); nested && key == "function" {
				return fmt.Errorf(".function is not known; there are %s, which stand beside each other, as in { name = \"f\", arguments = { … } }", strings.Join(allowed, ", "))
			}
			return fmt.Errorf(".%s is not known; there are %s", key, strings.Join(allowed, ", "))
		}
	}
	return nil
}
