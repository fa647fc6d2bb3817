package convert

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
)

// Shows that every case has a name and an identifier of its own, however long and however
// alike the names are: an identifier has a bound, and a number is within it.
func TestNamesAreUnique(t *testing.T) {
	long := strings.Repeat("summarise this document, ", 10)
	bases := []string{"m", "m 2", "", "…", "7", strings.Repeat("é", 60), strings.Repeat("a", nameMax-1), strings.Repeat("a", nameMax), long, long + "b", strings.Repeat("1", 60)}
	names, texts, ids := namer{}, map[string]bool{}, map[string]bool{}
	for range 120 {
		for _, base := range bases {
			name := names.unique(base)
			id := identifier(name)
			if ids[id] {
				t.Fatalf("%q is given the identifier %q a second time", base, id)
			}
			texts[name], ids[id] = true, true
		}
	}
	if len(texts) != len(ids) {
		t.Errorf("%d names, %d identifiers", len(texts), len(ids))
	}
}

// Shows that stubs and fixtures whose names are alike up to where an identifier ends are
// imported.
func TestImportNamesThatAreAlike(t *testing.T) {
	long := strings.Repeat("a", 60)
	var stubs, fixtures []any
	for i := range 12 {
		stubs = append(stubs, map[string]any{"request": map[string]any{"method": "GET", "url": "/" + long}, "response": map[string]any{"status": 200}})
		fixtures = append(fixtures, map[string]any{"match": map[string]any{"userMessage": long + strconv.Itoa(i)}, "response": map[string]any{"content": "x"}})
	}
	for format, file := range map[string]any{"wiremock": map[string]any{"mappings": stubs}, "aimock": map[string]any{"fixtures": fixtures}} {
		data, err := json.Marshal(file)
		if err != nil {
			t.Fatal(err)
		}
		out, err := Import("f", data, ImportOptions{Format: format})
		if err != nil || len(out.Draft.Cases) != 12 {
			t.Errorf("%s: %v", format, err)
		}
	}
}
