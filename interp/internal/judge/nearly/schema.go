package nearly

import (
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/stdlib"
)

// What bounds a look at a schema: its size and that of the value in bytes, and how deep it is.
const (
	schemaMost  = 1 << 16
	schemaDepth = 24
)

// conforms notes the texts that a schema holds to words: enum, const, pattern, and the names of properties.
func conforms(w *Watch, x *hclsyntax.FunctionCallExpr, value func(hclsyntax.Expression) cty.Value) {
	if len(x.Args) != 2 || w.isWritten(x.Args[0]) {
		return
	}
	v, of := value(x.Args[0]), value(x.Args[1])
	if !v.IsWhollyKnown() || !of.IsWhollyKnown() {
		return
	}
	text := stdlib.CanonicalJSON(of)
	if !of.IsNull() && of.Type() == cty.String {
		text = []byte(of.AsString())
	}
	given := stdlib.CanonicalJSON(v)
	if len(text)+len(given) > schemaMost {
		w.cut = true
		return
	}
	var root, read any
	if json.Unmarshal(text, &root) != nil || json.NewDecoder(bytes.NewReader(given)).Decode(&read) != nil {
		return
	}
	said := value(x)
	s := held{w: w, at: x, root: root, open: said.IsNull() || said.Type() != cty.String}
	s.value(root, read, 0)
}

// held is a value that is held to a schema.
type held struct {
	w    *Watch
	at   hclsyntax.Expression
	root any
	// open says that a text which is none of some words is not refused by that, and inverse that what is one of them is.
	open, inverse bool
}

// binding are the keywords that refuse a value if what they hold refuses a part of it.
var binding = []string{"enum", "const", "properties", "patternProperties", "propertyNames", "items", "prefixItems", "allOf", "$ref"}

// A keyword notes what one of a schema compares of a value.
type keyword func(s held, of map[string]any, part, v any, depth int)

// keywordOf is the keyword of a name, nil for one that compares nothing with words. The test has the reasons.
func keywordOf(name string) keyword {
	switch name {
	case "enum":
		return func(s held, _ map[string]any, part, v any, _ int) { s.words(textsOf(part), v) }
	case "const":
		return func(s held, _ map[string]any, part, v any, _ int) { s.words(textsOf([]any{part}), v) }
	case "pattern":
		return func(s held, _ map[string]any, part, v any, _ int) { s.pattern(part, v) }
	case "properties":
		return properties
	case "patternProperties":
		return patterns
	case "additionalProperties", "unevaluatedProperties":
		return others
	case "propertyNames":
		return propertyNames
	case "items", "prefixItems", "additionalItems", "unevaluatedItems", "contains":
		return elements
	case "dependentSchemas", "dependencies":
		return func(s held, _ map[string]any, part, v any, depth int) { s.each(membersOf(part), v, depth) }
	case "allOf", "anyOf", "oneOf", "not", "if", "then", "else":
		return whole
	case "$ref":
		return func(s held, _ map[string]any, part, v any, depth int) {
			if ref, is := part.(string); is {
				s.value(s.pointed(ref), v, depth)
			}
		}
	}
	return nil
}

// value notes what is compared of one value.
func (s held) value(schema, v any, depth int) {
	of, is := schema.(map[string]any)
	if !is {
		return
	}
	if s.w.left--; s.w.left < 0 || depth > schemaDepth {
		s.w.cut = true
		return
	}
	for _, name := range slices.Sorted(maps.Keys(of)) {
		if look := keywordOf(name); look != nil {
			part := s
			part.open = s.open || !slices.Contains(binding, name)
			part.inverse = s.inverse || name == "not"
			look(part, of, of[name], v, depth+1)
		}
	}
}

func (s held) each(schemas []any, v any, depth int) {
	for _, schema := range schemas {
		s.value(schema, v, depth)
	}
}

// words notes a text that has to be one of some words.
func (s held) words(words []string, v any) {
	text, is := v.(string)
	words = s.kept(words)
	if !is || !s.w.keeps(text) || len(words) == 0 {
		return
	}
	var of []string
	if !s.open {
		of = words
	}
	s.note(text, words, of...)
}

// note notes a text that is compared with words. Of those that are refused it is only known that it is one.
func (s held) note(text string, words []string, of ...string) {
	if s.inverse {
		if slices.Contains(words, text) {
			s.w.equal.add(text)
		}
		return
	}
	s.w.there.add(words...)
	s.w.said.add(words...)
	s.w.note(s.at, []string{text}, words, false, of...)
}

// kept are those of some words that are looked at.
func (s held) kept(words []string) []string {
	return slices.DeleteFunc(words, func(word string) bool { return !s.w.keeps(word) })
}

// pattern notes a text that a pattern has to match.
func (s held) pattern(part, v any) {
	expr, is := part.(string)
	text, given := v.(string)
	if !is || !given || !s.w.keeps(text) || !s.w.keeps(expr) {
		return
	}
	if !s.inverse {
		s.w.there.add(expr)
		s.w.said.add(expr)
	}
	if p, err := regexp.Compile(expr); err != nil || p.MatchString(text) {
		s.w.equal.add(text)
		return
	}
	s.note(text, []string{expr})
}

// properties notes the names of members that are none of the properties, where there may be no others or some have to be
// there.
func properties(s held, of map[string]any, part, v any, depth int) {
	known, _ := part.(map[string]any)
	members, is := v.(map[string]any)
	if !is {
		return
	}
	names := s.kept(slices.Sorted(maps.Keys(known)))
	required := s.kept(textsOf(of["required"]))
	only := of["additionalProperties"] == false || of["unevaluatedProperties"] == false
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if schema, is := known[name]; is {
			s.value(schema, members[name], depth)
		} else if (only || slices.ContainsFunc(required, func(r string) bool { _, has := members[r]; return !has })) && s.w.keeps(name) {
			s.note(name, append(required, names...))
		}
	}
}

func patterns(s held, _ map[string]any, part, v any, depth int) {
	members, _ := v.(map[string]any)
	known, _ := part.(map[string]any)
	for _, expr := range slices.Sorted(maps.Keys(known)) {
		p, err := regexp.Compile(expr)
		if err != nil {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(members)) {
			if p.MatchString(name) {
				s.value(known[expr], members[name], depth)
			}
		}
	}
}

func others(s held, of map[string]any, part, v any, depth int) {
	known, _ := of["properties"].(map[string]any)
	members, _ := v.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if _, is := known[name]; !is {
			s.value(part, members[name], depth)
		}
	}
}

func propertyNames(s held, _ map[string]any, schema, v any, depth int) {
	members, _ := v.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		s.value(schema, name, depth)
	}
}

// elements looks into those of a list: with the schema of each, or with one for all.
func elements(s held, of map[string]any, part, v any, depth int) {
	list, _ := v.([]any)
	schemas, own := part.([]any)
	first, _ := of["prefixItems"].([]any)
	if own {
		first = nil
	}
	for i, e := range list {
		switch {
		case own && i < len(schemas):
			s.value(schemas[i], e, depth)
		case !own && i >= len(first):
			s.value(part, e, depth)
		}
	}
}

func whole(s held, _ map[string]any, part, v any, depth int) {
	if list, is := part.([]any); is {
		s.each(list, v, depth)
		return
	}
	s.value(part, v, depth)
}

// pointed is the part of the schema that a reference names, nil for none.
func (s held) pointed(ref string) any {
	at := s.root
	rest, is := strings.CutPrefix(ref, "#")
	if !is {
		return nil
	}
	for name := range strings.SplitSeq(strings.Trim(rest, "/"), "/") {
		if name == "" {
			continue
		}
		of, _ := at.(map[string]any)
		at = of[strings.NewReplacer("~1", "/", "~0", "~").Replace(name)]
	}
	return at
}

func membersOf(part any) (list []any) {
	of, _ := part.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(of)) {
		list = append(list, of[name])
	}
	return list
}

// textsOf are the texts of a list.
func textsOf(part any) (texts []string) {
	list, _ := part.([]any)
	for _, e := range list {
		if text, is := e.(string); is {
			texts = append(texts, text)
		}
	}
	return texts
}
