package stdlib

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/internal/edits"
)

// wordsFor are the keywords of JSON Schema that say something of values of one type alone, after
// that type. "any" are those that say something of each value, or nothing of any.
const wordsFor = `number minimum maximum exclusiveMinimum exclusiveMaximum multipleOf
string minLength maxLength pattern format contentEncoding contentMediaType contentSchema
array items prefixItems additionalItems unevaluatedItems minItems maxItems uniqueItems contains minContains maxContains
object properties patternProperties additionalProperties unevaluatedProperties propertyNames minProperties maxProperties required dependentRequired dependentSchemas dependencies
any type enum const allOf anyOf oneOf not if then else $id $schema $ref $comment $defs definitions $anchor $dynamicAnchor $dynamicRef $vocabulary title description default deprecated readOnly writeOnly examples`

// Those of them with a schema or a list of schemas, and those with schemas by name.
const (
	withSchemas      = " items prefixItems additionalItems unevaluatedItems contains additionalProperties unevaluatedProperties propertyNames contentSchema allOf anyOf oneOf not if then else "
	withNamedSchemas = " properties patternProperties dependentSchemas dependencies "
)

// typeOf is the type of the values that a keyword says something of, "" for what is no keyword.
func typeOf(word string) string {
	for _, line := range strings.Split(wordsFor, "\n") {
		if words := strings.Fields(line); slices.Contains(words[1:], word) {
			return words[0]
		}
	}
	return ""
}

// sound refuses a schema with what validation would pass over: a word that is no keyword, a keyword
// for values of another type than the one beside it, and a format that is not checked. Words that
// begin with x- are the writer's own, and some others are for readers alone. A format that is
// checked gets its pattern.
func sound(v any) error {
	s, is := v.(map[string]any)
	if !is {
		return nil
	}
	types := fmt.Sprint(s["type"]) // number or [number null]
	for _, name := range sortedNames(s) {
		part, of := s[name], typeOf(name)
		switch {
		case of == "":
			if !strings.HasPrefix(name, "x-") && name != "example" && name != "externalDocs" && name != "xml" {
				return fmt.Errorf("%q is no keyword of JSON Schema and would be passed over.%s", name, nearestWord(name, wordsFor))
			}
		case of != "any" && part != nil && s["type"] != nil && !strings.Contains(types, of) && (of != "number" || !strings.Contains(types, "integer")):
			return fmt.Errorf("%q says nothing beside type = %q: it is about each %s.%s", name, strings.Trim(types, "[]"), of, limitOf(types, name))
		}
		parts := []any{part}
		switch list := part.(type) {
		case []any:
			parts = list
		case map[string]any:
			if strings.Contains(withNamedSchemas, " "+name+" ") {
				parts = nil
				for _, name := range sortedNames(list) {
					parts = append(parts, list[name])
				}
			}
		}
		if !strings.Contains(withSchemas+withNamedSchemas, " "+name+" ") {
			continue
		}
		for _, part := range parts {
			if err := sound(part); err != nil {
				return err
			}
		}
	}
	return checkFormat(s)
}

func sortedNames(of map[string]any) []string {
	names := make([]string, 0, len(of))
	for name := range of {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// limitOf proposes the limit of a type that is meant, "" where there is none.
func limitOf(types, word string) string {
	_, what, limits := strings.Cut("array Items object Properties string Length number imum integer imum ", types+" ")
	if what, _, _ = strings.Cut(what, " "); limits {
		for _, limit := range []string{"min", "max"} {
			if strings.Contains(strings.ToLower(word), limit) {
				return fmt.Sprintf(" Did you mean %q?", limit+what)
			}
		}
	}
	return ""
}

// nearestWord proposes the one of some words that is meant, "" where none is near.
func nearestWord(given, words string) string {
	best, least := "", 3
	for _, word := range strings.Fields(words) {
		if d := edits.Between(strings.ToLower(given), strings.ToLower(word)); d < least {
			best, least = word, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" Did you mean %q?", best)
}

// SchemaWords are the keywords of JSON Schema that a schema may have.
func SchemaWords() (names []string) {
	for line := range strings.SplitSeq(wordsFor, "\n") {
		names = append(names, strings.Fields(line)[1:]...)
	}
	return names
}
