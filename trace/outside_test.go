package trace

import "testing"

// Shows that every attribute from outside is declared, that the schema's
// objects, lists and values of any type are, but for those that the engine
// counts, and that its own words are not.
func TestFromOutside(t *testing.T) {
	declared := map[string]bool{}
	own := map[string]bool{"usage": true, "chunk_at_ns": true, "depends_on": true, "candidates": true}
	for _, info := range Schema() {
		for _, a := range info.Attrs {
			declared[a.Name] = true
			if (a.Type == "any" || a.Type == "object" || a.Type == "list") && !own[a.Name] && !FromOutside(a.Name) {
				t.Errorf("%s.%s may carry anything and is not from outside", info.Type, a.Name)
			}
		}
	}
	for key := range outside {
		if !declared[key] {
			t.Errorf("%s is no attribute of any event", key)
		}
	}
	for _, key := range []string{"status", "kind", "outcome", "reason", "gateway", "run_id", "file", "gate"} {
		if FromOutside(key) || !declared[key] {
			t.Errorf("%s is the engine's own", key)
		}
	}
}
