package vacuous

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// Arguments warns of replies in which a model calls a tool with arguments that are
// not those the tool declares. No model that reads the declaration writes them, and
// whatever the tool does with them then, nobody needs. A scenario that means it
// names the tool in what it checks.
func Arguments(s *plan.Script, steps []*plan.Step, scenario *dsl.Block) (diags hcl.Diagnostics) {
	declared := map[string]map[string]any{}
	for _, st := range steps {
		for _, t := range st.Tools {
			if schema, ok := t.Parameters.(map[string]any); ok {
				declared[t.Name] = schema
			}
		}
	}
	for _, e := range s.Entries {
		if e.Reply == nil {
			continue
		}
		for _, call := range e.Reply.ToolCalls {
			var given map[string]any
			schema := declared[call.Name]
			if schema == nil || json.Unmarshal([]byte(call.Arguments), &given) != nil || checks(scenario, call.Name) {
				continue
			}
			if why := misfit(schema, given); why != "" {
				diags = append(diags, &hcl.Diagnostic{
					Severity: hcl.DiagWarning, Summary: "Arguments that the tool does not declare", Subject: e.Rng.Ptr(),
					Detail: fmt.Sprintf("The call of the tool %q does not fit its parameters: %s. If the scenario is about that, let a check name the tool.", call.Name, why),
				})
			}
		}
	}
	return diags
}

// misfit says how arguments do not fit the schema of an object, "" where they do, or
// it says too little.
func misfit(schema, given map[string]any) string {
	properties, _ := schema["properties"].(map[string]any)
	required, _ := schema["required"].([]any)
	for _, name := range required {
		if name, ok := name.(string); ok && given[name] == nil {
			return fmt.Sprintf("%q is required and missing", name)
		}
	}
	if len(properties) == 0 {
		return ""
	}
	names := slices.Sorted(maps.Keys(properties))
	for _, name := range slices.Sorted(maps.Keys(given)) {
		property, known := properties[name].(map[string]any)
		if _, open := schema["additionalProperties"].(map[string]any); !known && properties[name] == nil && schema["additionalProperties"] != true && !open {
			return fmt.Sprintf("it has no %q, but %s.%s", name, strings.Join(names, ", "), dsl.DidYouMean(name, names))
		}
		if kind, typed := property["type"].(string); typed && !isOfType(kind, given[name]) {
			return fmt.Sprintf("%q is of the type %s", name, kind)
		}
		if words, closed := property["enum"].([]any); closed && !slices.Contains(words, given[name]) {
			return fmt.Sprintf("%q has a value that its enum does not list", name)
		}
	}
	return ""
}

// isOfType reports whether a JSON value is of a type of JSON Schema.
func isOfType(kind string, v any) bool {
	switch v := v.(type) {
	case string:
		return kind == "string"
	case bool:
		return kind == "boolean"
	case float64:
		return kind == "number" || kind == "integer" && v == float64(int64(v))
	case []any:
		return kind == "array"
	case map[string]any:
		return kind == "object"
	}
	return true // null may be allowed
}
