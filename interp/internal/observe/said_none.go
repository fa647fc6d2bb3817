package observe

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// SaidOfNone says why an answer about what the program said shows nothing, "" where
// it does: the sum of series of which none has a label with that value, or the
// spans or records with an attribute that none of them has.
func (o *Observed) SaidOfNone(query string, args []cty.Value) string {
	said := o.Sut.Said
	if said == nil || len(args) == 0 || !args[len(args)-1].IsWhollyKnown() {
		return ""
	}
	asked, _ := dsl.GoValue(args[len(args)-1]).(map[string]any)
	switch query {
	case "sut.metric":
		name, _ := stringArg(args)
		series, err := said.Metrics(name)
		if err != nil || len(args) < 2 {
			return ""
		}
		return valueOfNone(name, asked, objectsAt(series, "labels"))
	case "sut.spans":
		all, _ := said.Spans(map[string]any{})
		return attributeOfNone("span", asked, objectsAt(all, "attributes"))
	case "sut.logs":
		all, _ := said.Logs(map[string]any{})
		return attributeOfNone("record of the log", asked, objectsAt(all, "attributes"))
	}
	return ""
}

// objectsAt are the objects at one attribute of each element.
func objectsAt(list []any, attr string) (parts []map[string]any) {
	for _, e := range list {
		of, _ := e.(map[string]any)
		part, _ := of[attr].(map[string]any)
		parts = append(parts, part)
	}
	return parts
}

// valueOfNone names the first label whose value no series has.
func valueOfNone(metric string, labels map[string]any, series []map[string]any) string {
	for _, key := range read.SortedNames(labels) {
		values := map[string]bool{}
		for _, s := range series {
			if v, has := s[key]; has {
				values[fmt.Sprint(v)] = true
			}
		}
		if asked := fmt.Sprint(labels[key]); len(values) > 0 && !values[asked] {
			return fmt.Sprintf("it holds because no series of the metric %q has %s = %q, and nothing adds up to 0, so it shows nothing here.%s\nhint: say what the metric is for a value that came as well, or with [for m in sut.metrics(%q) : m if …] == [] that there is no such series", metric, key, asked, came(asked, values), metric)
		}
	}
	return ""
}

// attributeOfNone names the first attribute of a filter that none of some spans or
// records has.
func attributeOfNone(what string, filter map[string]any, all []map[string]any) string {
	asked, _ := filter["attributes"].(map[string]any)
	known := map[string]bool{}
	for _, attrs := range all {
		for key := range attrs {
			known[key] = true
		}
	}
	for _, key := range read.SortedNames(asked) {
		if !known[key] {
			return fmt.Sprintf("it holds because no %s has the attribute %q, so it shows nothing here.%s\nhint: say what has to be there as well", what, key, came(key, known))
		}
	}
	return ""
}

// came names what there is in place of something that never came.
func came(asked string, known map[string]bool) string {
	if len(known) == 0 {
		return ""
	}
	names := slices.Sorted(maps.Keys(known))
	if near := dsl.Suggest(asked, names); near != "" {
		return fmt.Sprintf(" Did you mean %q?", near)
	}
	const most = 10
	more := ""
	if len(names) > most {
		names, more = names[:most], ", …"
	}
	return " What came: " + strings.Join(names, ", ") + more + "."
}
