package explore

import (
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// Shows that the fault of each world of somebody who had not read the search is found
// within a fixed number of runs, with as many strikes as it needs, and that nothing is
// found in its twin. The rule that is broken first is the file's own.
func TestWorlds(t *testing.T) {
	src, err := os.ReadFile("testdata/worlds.txtar")
	if err != nil {
		t.Fatal(err)
	}
	usual := []string{"deadlock", "wrong"}
	for _, f := range txtar.Parse(src).Files {
		name, strikes, _ := strings.Cut(f.Name, "/")
		t.Run(name+" "+strikes, func(t *testing.T) {
			if strikes == "twin" {
				if r := searched(t, string(f.Data), Options{MaxK: 1, Except: usual}); len(r.Finds) > 0 {
					t.Errorf("in the twin: %q", findsOf(r))
				}
				return
			}
			k := int(strikes[0] - '0')
			r := searched(t, string(f.Data), Options{MaxK: k, Except: usual, Runs: 3000, Parallel: 2})
			if len(r.Finds) != 1 || r.Finds[0].K() != k || !strings.Contains(string(f.Data), `invariant "`+r.Finds[0].Name+`"`) {
				t.Errorf("found %q, want the broken invariant alone, with %d strikes", findsOf(r), k)
			}
		})
	}
}
