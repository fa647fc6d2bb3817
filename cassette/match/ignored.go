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
// where it is a setting that changes the answer: clients send many things. What
// m.Ignore names counts where m compares nothing else of what is asked.
func (m Match) Ignored(recorded, actual Request) []FieldDiff {
	if m.IgnoresAll(recorded, AsItIs) {
		place := []string{"method", "path"}
		if slices.Contains(m.Ignore, "host") {
			place = append(place, "host")
		}
		return Match{Profile: Strict}.diffWithout(place, recorded, actual)
	}
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
	compared := slices.Concat([]string{"model", "tools", "stream", "system_instruction", "cached_content"}, conversation, attached, continued)
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
