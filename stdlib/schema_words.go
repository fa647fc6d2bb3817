package stdlib

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/scenario-lang/scenario/internal/edits"
)

// schemaWords are the keywords of JSON Schema.
var schemaWords = sync.OnceValue(func() []string {
	words := []string{"type", "items", "dependencies"}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[jsonschema.Schema]()) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			words = append(words, name)
		}
	}
	return words
})

// onlyKeywords refuses a schema with a word that is no keyword, which validation
// would pass over. Words that begin with x- are the writer's own, and some others
// are for readers alone.
func onlyKeywords(s *jsonschema.Schema) error {
	for _, name := range slices.Sorted(maps.Keys(s.Extra)) {
		if strings.HasPrefix(name, "x-") || slices.Contains([]string{"example", "externalDocs", "xml"}, name) {
			continue
		}
		return fmt.Errorf("%q is no keyword of JSON Schema and would be passed over.%s", name, nearestWord(name))
	}
	for part := range parts(s) {
		if err := onlyKeywords(part); err != nil {
			return err
		}
	}
	return nil
}

// parts are the schemas in a schema.
func parts(s *jsonschema.Schema) func(yield func(*jsonschema.Schema) bool) {
	return func(yield func(*jsonschema.Schema) bool) {
		v := reflect.ValueOf(s).Elem()
		for i := range v.NumField() {
			switch f := v.Field(i).Interface().(type) {
			case *jsonschema.Schema:
				if f != nil && !yield(f) {
					return
				}
			case []*jsonschema.Schema:
				for _, part := range f {
					if !yield(part) {
						return
					}
				}
			case map[string]*jsonschema.Schema:
				for _, name := range slices.Sorted(maps.Keys(f)) {
					if !yield(f[name]) {
						return
					}
				}
			}
		}
	}
}

// nearestWord proposes the keyword that is meant, "" where none is near.
func nearestWord(given string) string {
	best, least := "", 3
	for _, word := range schemaWords() {
		if d := edits.Between(strings.ToLower(given), strings.ToLower(word)); d < least {
			best, least = word, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" Did you mean %q?", best)
}
