package dsl

import (
	"strings"
	"testing"
)

// Shows that the type of a variable is written with or without quotes, and that what
// is none is refused by its name.
func TestTypesOfVariables(t *testing.T) {
	for text, want := range map[string]string{
		`string`: "", `"string"`: "", `any`: "", `"any"`: "",
		`strnig`:       `not "strnig". Did you mean "string"?`,
		`list(string)`: `not "list(…)"`,
		`"list"`:       `not "list"`,
		`var.kind`:     "takes no reference",
		`["string"]`:   "must be",
	} {
		file, diags := Parse("a.scenario.hcl", []byte("variable \"x\" {\n  type = "+text+"\n}\n"))
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		b := file.Body.All("variable")[0]
		kind := Reader{Block: b, Diags: &diags}.String("type")
		switch {
		case want == "" && (diags.HasErrors() || kind != strings.Trim(text, `"`)):
			t.Errorf("%s: %q, %v", text, kind, diags)
		case want != "" && (!diags.HasErrors() || !strings.Contains(diags[0].Detail, want)):
			t.Errorf("%s: %v, want %q", text, diags, want)
		}
	}
}
