package stdlib

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/agext/levenshtein"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/schema"
)

// answerFuncs compare answers that are right in more than one way.
func answerFuncs() []Func {
	return []Func{
		describe("similarity(a, b)", "How alike two strings are, from 0 to 1: 1 less the edit distance (Levenshtein) as a share of the longer one. Each has at most 10,000 characters.",
			native(similarity, text("a"), text("b")), aNumber, Example{`similarity("gray", "grey")`, "0.75"}, Example{`similarity("", "")`, "1"}),
		describe("schemaerror(value, schema)", "How a value violates a JSON schema, or null if it conforms. The schema is an object or a string of JSON, and refers to nothing outside. Its `format` is checked: "+checkedFormats+". Another format, and a keyword that says nothing beside its `type`, such as `minimum` beside `\"array\"`, is an error.",
			native(schemaError, anything("value"), anything("schema")), always(&schema.Shape{Kind: schema.ShapeString, Nullable: true}), Example{`schemaerror({ name = "Ada" }, { type = "object", required = ["name"] }) == null`, "true"}, Example{`schemaerror({}, { type = "object", required = ["name"] })`, `"validating root: required: missing properties: [\"name\"]"`}).wholly(1, func(v cty.Value) error { _, err := schemaOf(v); return err }),
	}
}

// maxCompared bounds the characters of a text that is compared letter by letter,
// which takes time by the product of both lengths.
const maxCompared = 10_000

func similarity(args []cty.Value) (cty.Value, error) {
	longer := 0
	for i, v := range args {
		n := utf8.RuneCountInString(v.AsString())
		if n > maxCompared {
			return cty.NilVal, function.NewArgErrorf(i, "has %d characters, more than %d", n, maxCompared)
		}
		longer = max(longer, n)
	}
	if longer == 0 {
		return cty.NumberIntVal(1), nil
	}
	distance := cty.NumberIntVal(int64(levenshtein.Distance(args[0].AsString(), args[1].AsString(), nil)))
	return cty.NumberIntVal(1).Subtract(distance.Divide(cty.NumberIntVal(int64(longer)))), nil
}

func schemaError(args []cty.Value) (cty.Value, error) {
	schema, err := schemaOf(args[1])
	if err != nil {
		return cty.NilVal, err
	}
	var value any
	if err := json.Unmarshal(appendCanonical(nil, args[0]), &value); err != nil {
		return cty.NilVal, function.NewArgErrorf(0, "is no JSON value: %s", err)
	}
	if err := schema.Validate(value); err != nil {
		return cty.StringVal(withFormat(told(err))), nil
	}
	return cty.NullVal(cty.String), nil
}

// ready are the schemas that were made ready last, by their text: an expression that is evaluated
// for each of many values has the same one every time. They are few and small.
var ready struct {
	sync.Mutex
	schemas map[string]*jsonschema.Resolved
}

// How many schemas are kept, and of how many bytes and parts at most.
const (
	mostReady      = 32
	mostReadyBytes = 4 << 10
	mostReadyParts = 500
)

// schemaOf reads a schema, from an object or from text.
func schemaOf(v cty.Value) (*jsonschema.Resolved, error) {
	text := appendCanonical(nil, v)
	if !v.IsNull() && v.Type() == cty.String {
		text = []byte(v.AsString())
	}
	ready.Lock()
	kept := ready.schemas[string(text)]
	ready.Unlock()
	if kept != nil {
		return kept, nil
	}
	key := string(text)
	var written any
	if err := json.Unmarshal(text, &written); err != nil {
		return nil, function.NewArgErrorf(1, "is no JSON schema: %s", told(err))
	}
	e := spelledOut{root: written}
	whole, err := e.value(written, 0)
	if err == nil {
		err = sound(whole)
	}
	if err != nil {
		return nil, function.NewArgErrorf(1, "is no JSON schema that can be used: %s", told(err))
	}
	if text, err = json.Marshal(whole); err != nil {
		return nil, err
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, function.NewArgErrorf(1, "is no JSON schema: %s", told(err))
	}
	if object, _ := written.(map[string]any); object != nil && len(object) == 0 {
		return nil, function.NewArgErrorf(1, "is an empty schema, to which every value conforms")
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return nil, function.NewArgErrorf(1, "is no JSON schema: %s", told(err))
	}
	if len(key) <= mostReadyBytes && e.parts <= mostReadyParts {
		ready.Lock()
		if len(ready.schemas)%mostReady == 0 {
			ready.schemas = map[string]*jsonschema.Resolved{}
		}
		ready.schemas[key] = resolved
		ready.Unlock()
	}
	return resolved, nil
}

// How large a schema may become, and how deep, when what it refers to is written
// out.
const (
	maxSchema      = 10_000
	maxSchemaDepth = 64
)

// A spelledOut schema has what it refers to in the place of each reference: then
// every part of it meets every part of a value once at most. References could make
// that any number of times.
type spelledOut struct {
	root  any
	parts int
}

func (e *spelledOut) value(v any, depth int) (any, error) {
	if e.parts++; e.parts > maxSchema || depth > maxSchemaDepth {
		return nil, fmt.Errorf("written out it has more than %d parts, or is nested more than %d deep: does it refer to itself?", maxSchema, maxSchemaDepth)
	}
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, part := range v {
			if ref, isRef := part.(string); name == "$ref" && isRef {
				to, err := e.target(ref)
				if err == nil {
					to, err = e.value(to, depth+1)
				}
				if err != nil {
					return nil, err
				}
				more, _ := out["allOf"].([]any)
				out["allOf"] = append([]any{to}, more...)
				continue
			}
			if name == "$dynamicRef" || name == "$recursiveRef" {
				return nil, fmt.Errorf("%s is not followed", name)
			}
			if name == "$defs" || name == "definitions" {
				continue // they stand where they are referred to
			}
			made, err := e.value(part, depth+1)
			if err != nil {
				return nil, err
			}
			if list, both := made.([]any); name == "allOf" && both {
				more, _ := out[name].([]any)
				made = append(more, list...)
			}
			out[name] = made
		}
		return out, nil
	case []any:
		out := make([]any, len(v))
		for i, part := range v {
			made, err := e.value(part, depth+1)
			if err != nil {
				return nil, err
			}
			out[i] = made
		}
		return out, nil
	}
	return v, nil
}

// target is the part of the schema that a reference names.
func (e *spelledOut) target(ref string) (any, error) {
	path, local := strings.CutPrefix(ref, "#")
	if !local || path != "" && path[0] != '/' {
		return nil, fmt.Errorf("%q is not followed: a reference begins with #/", ref)
	}
	at := e.root
	for _, name := range strings.Split(path, "/")[1:] {
		object, _ := at.(map[string]any)
		name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
		next, has := object[name]
		if !has {
			return nil, fmt.Errorf("%q is nowhere in the schema", ref)
		}
		at = next
	}
	return at, nil
}

// told is an error on one line.
func told(err error) string { return strings.Join(strings.Fields(fmt.Sprint(err)), " ") }
