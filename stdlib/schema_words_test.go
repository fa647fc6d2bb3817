package stdlib

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Shows that a schema which would let everything pass because of how it is written
// is refused, at any depth, and that words for readers are not.
func TestSchemasThatSayNothing(t *testing.T) {
	ctx := &hcl.EvalContext{Functions: Functions()}
	for schema, want := range map[string]string{
		`{}`: "empty schema",
		`{ type = "object", require = ["name"] }`:      `Did you mean "required"?`,
		`{ propertys = { a = { type = "string" } } }`:  `Did you mean "properties"?`,
		`{ properties = { a = { minLenght = 3 } } }`:   `Did you mean "minLength"?`,
		`{ items = { anyOf = [{ typ = "string" }] } }`: `Did you mean "type"?`,
		`{ type = "string", nullable = true }`:         `"nullable" is no keyword`,

		`{ type = "array", minimum = 2 }`:                                                 `"minimum" says nothing beside type = "array": it is about each number. Did you mean "minItems"?`,
		`{ type = "integer", maxLength = 2 }`:                                             `Did you mean "maximum"?`,
		`{ type = "string", exclusiveMaximum = 5 }`:                                       `Did you mean "maxLength"?`,
		`{ properties = { a = { type = "object", minItems = 1 }}}`:                        `Did you mean "minProperties"?`,
		`{ type = ["object", "null"], items = {} }`:                                       `"items" says nothing beside type = "object null": it is about each array.`,
		`{ type = "array", required = ["a"] }`:                                            `it is about each object`,
		`{ type = "integer", format = "date" }`:                                           `"format" says nothing beside type = "integer"`,
		`{ "$ref" = "#/$defs/a", "$defs" = { a = { type = "boolean", pattern = "x" } } }`: `it is about each string`,
		`{ type = "string", format = "phone" }`:                                           `format = "phone" is none that is checked`,
		`{ format = "e-mail" }`:                                                           `Did you mean "email"?`,
		`{ anyOf = [{ format = "datetime" }] }`:                                           `Did you mean "date-time"?`,
		`{ format = "d2" }`:                                                               `is none that is checked`,

		`{ type = "number", minimum = 1, multipleOf = 2 }`:                                  "",
		`{ type = "integer", minimum = 1, exclusiveMaximum = 2 }`:                           "",
		`{ type = ["string", "null"], minLength = 1, format = "uri" }`:                      "",
		`{ minimum = 1, minLength = 2, minItems = 1 }`:                                      "",
		`{ type = "array", uniqueItems = true, items = { type = "string" } }`:               "",
		`{ type = "object", properties = { minimum = { type = "string" }, require = {} } }`: "",
		`{ type = "object", default = { a = { tpye = 1 } }, examples = [{ tpye = 1 }] }`:    "",
		`{ type = "boolean", enum = [true], const = true }`:                                 "",
		`{ type = "object", x-owner = "me", description = "d", example = {} }`:              "",
		`{ properties = { a = {} }, required = ["a"] }`:                                     "",
		`{ type = ["array", "null"], items = { type = "string" } }`:                         "",
	} {
		e, diags := hclsyntax.ParseExpression([]byte(`schemaerror({ a = 1 }, `+schema+`)`), "x.hcl", hcl.InitialPos)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		_, diags = e.Value(ctx)
		if want == "" && diags.HasErrors() || want != "" && !strings.Contains(diags.Error(), want) {
			t.Errorf("%s: %v, want %q", schema, diags, want)
		}
	}
}

// Shows that each keyword that a schema may have is said once what it is about.
func TestEachKeywordIsAboutSomething(t *testing.T) {
	of := map[string]int{}
	for _, line := range strings.Split(wordsFor, "\n") {
		words := strings.Fields(line)
		if !slices.Contains([]string{"number", "string", "array", "object", "any"}, words[0]) {
			t.Errorf("%q is no type", words[0])
		}
		for _, word := range words[1:] {
			if of[word]++; of[word] > 1 {
				t.Errorf("%q is about two types", word)
			}
		}
	}
	known := []string{"type", "items", "dependencies"}
	nested := map[string]bool{"items": true, "dependencies": true}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[jsonschema.Schema]()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		known = append(known, name)
		switch f.Type {
		case reflect.TypeFor[*jsonschema.Schema](), reflect.TypeFor[[]*jsonschema.Schema](), reflect.TypeFor[map[string]*jsonschema.Schema]():
			nested[name] = name != "$defs" && name != "definitions" // they stand where they are referred to
		}
	}
	for _, word := range known {
		if of[word] != 1 {
			t.Errorf("%q is about nothing", word)
		}
		if nested[word] != strings.Contains(withSchemas+withNamedSchemas, " "+word+" ") {
			t.Errorf("%q: %v that it has schemas", word, nested[word])
		}
		delete(of, word)
	}
	for word := range of {
		t.Errorf("%q is no keyword", word)
	}
}
