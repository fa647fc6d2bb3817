package match

import (
	"maps"
	"slices"
)

// settings are the fields of requests to models that change the answer and are no
// part of the conversation. One that only one of two requests has is a difference.
var settings = []string{
	"temperature", "top_p", "top_k", "n", "seed", "stop", "stop_sequences", "logit_bias", "presence_penalty", "frequency_penalty",
	"max_tokens", "max_completion_tokens", "max_output_tokens", "response_format", "text", "format", "tool_choice", "parallel_tool_calls",
	"reasoning", "reasoning_effort", "thinking", "options", "think", "generationConfig", "generation_config", "toolConfig", "tool_config",
	"safetySettings", "safety_settings",
}

// Ignored returns the host, and the fields of the query and the body, in which two
// requests differ although m takes them for the same; where that is not so, it returns
// nothing of use. Of a request to a model, what only one of the two sends counts
// where it is a setting that changes the answer: clients send many things.
func (m Match) Ignored(recorded, actual Request) []FieldDiff {
	all := Match{Profile: Strict, Ignore: m.Ignore}
	switch m.Profile {
	case Loose:
		return all.diffWithout([]string{"method", "host", "path"}, recorded, actual)
	case Semantic:
		elsewhere := slices.DeleteFunc(all.Diff(recorded, actual), func(d FieldDiff) bool { return d.Path != "host" })
		return append(elsewhere, m.unsaid(recorded, actual)...)
	}
	return nil
}

// diffWithout is a difference without some fields.
func (m Match) diffWithout(fields []string, recorded, actual Request) []FieldDiff {
	return slices.DeleteFunc(m.Diff(recorded, actual), func(d FieldDiff) bool { return slices.Contains(fields, d.Path) })
}

// unsaid is what differs outside the conversation of two requests to a model.
func (m Match) unsaid(recorded, actual Request) []FieldDiff {
	x, y := m.object(recorded), m.object(actual)
	if !asksModel(x, pathOf(recorded)) {
		return nil
	}
	compared := slices.Concat([]string{"model", "tools", "stream", "system_instruction", "cached_content"}, conversation, continued)
	var a, b []field
	for _, name := range slices.Sorted(maps.Keys(Union(x, y))) {
		was, there := x[name]
		is, here := y[name]
		if slices.Contains(compared, name) || there != here && !slices.Contains(settings, name) {
			continue
		}
		if there {
			a = append(a, field{"body" + step(name), was})
		}
		if here {
			b = append(b, field{"body" + step(name), is})
		}
	}
	return diffOf(m.ignoring(a), m.ignoring(b), Differ{})
}

func (m Match) object(r Request) map[string]any {
	tree, _ := m.jsonBody(r)
	object, _ := tree.(map[string]any)
	return object
}

// Says reports whether m compares anything of what the body of a request says,
// after hide has hidden what is not to be compared: whether another text in its
// place would be noticed. What says nothing says enough, and so does a request
// with one text in it, such as a password.
func (m Match) Says(r Request, hide func(Request) Request) bool {
	if m.Profile == Loose {
		return true // what is written is that nothing is compared
	}
	tree, least := m.object(r), 1
	names := slices.DeleteFunc(slices.Clone(conversation), func(name string) bool { _, has := tree[name]; return !has })
	if len(names) == 0 { // no model is asked
		names, least = slices.Collect(maps.Keys(tree)), 2
	}
	other, changed := maps.Clone(tree), 0
	for _, name := range names {
		var n int
		other[name], n = otherwise(tree[name])
		changed += n
	}
	if changed < least {
		return true
	}
	a, b := r, r
	a.Body, b.Body = appendCanonical(nil, tree), appendCanonical(nil, other)
	return m.Key(hide(a)) != m.Key(hide(b))
}

// otherwise is a value with other texts in it, and how many. What a role or a type
// is stays.
func otherwise(v any) (other any, changed int) {
	switch v := v.(type) {
	case string:
		return v + " otherwise", 1
	case []any:
		out := make([]any, len(v))
		for i := range v {
			var n int
			out[i], n = otherwise(v[i])
			changed += n
		}
		return out, changed
	case map[string]any:
		out := maps.Clone(v)
		for name := range v {
			if name == "role" || name == "type" {
				continue
			}
			var n int
			out[name], n = otherwise(v[name])
			changed += n
		}
		return out, changed
	}
	return v, 0
}
