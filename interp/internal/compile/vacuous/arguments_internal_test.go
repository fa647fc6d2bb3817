package vacuous

import (
	"encoding/json"
	"strings"
	"testing"
)

// Shows which arguments fit the parameters of a tool, and how others do not.
func TestMisfit(t *testing.T) {
	const weather = `{"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}, "unit": {"enum": ["C", "F"]}}, "required": ["city"]}`
	for _, c := range []struct{ schema, given, why string }{
		{weather, `{"city": "Bern"}`, ""},
		{weather, `{"city": "Bern", "days": 2, "unit": "C"}`, ""},
		{weather, `{"city": "Bern", "days": null}`, ""},
		{weather, `{}`, `"city" is required and missing`},
		{weather, `{"city": 7}`, `"city" is of the type string`},
		{weather, `{"city": "Bern", "days": 2.5}`, `"days" is of the type integer`},
		{weather, `{"city": "Bern", "days": "2"}`, `"days" is of the type integer`},
		{weather, `{"city": "Bern", "unit": "K"}`, "its enum does not list"},
		{weather, `{"city": "Bern", "town": "Bern"}`, `it has no "town", but city, days, unit`},
		{weather, `{"city": "Bern", "day": 1}`, `Did you mean "days"?`},
		{strings.Replace(weather, `"required"`, `"additionalProperties": true, "required"`, 1), `{"city": "Bern", "town": "Bern"}`, ""},
		{strings.Replace(weather, `"required"`, `"additionalProperties": {"type": "string"}, "required"`, 1), `{"city": "Bern", "town": "Bern"}`, ""},
		{`{"type": "object"}`, `{"anything": 1}`, ""},
		{`{"properties": {"x": {"type": ["string", "null"]}}}`, `{"x": 1}`, ""},
		{`{"properties": {"x": {"type": "array"}, "y": {"type": "boolean"}, "z": {"type": "object"}}}`, `{"x": [1], "y": true, "z": {}}`, ""},
		{`{"properties": {"x": {"type": "array"}}}`, `{"x": "a"}`, `"x" is of the type array`},
	} {
		var schema, given map[string]any
		if json.Unmarshal([]byte(c.schema), &schema) != nil || json.Unmarshal([]byte(c.given), &given) != nil {
			t.Fatal(c)
		}
		if why := misfit(schema, given); (why == "") != (c.why == "") || !strings.Contains(why, c.why) {
			t.Errorf("%s of %s: %q, want %q", c.given, c.schema, why, c.why)
		}
	}
}
