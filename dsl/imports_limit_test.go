package dsl

import (
	"fmt"
	"testing"
)

// A file that brings in one file too many is complained about once, at the
// import that is too much.
func TestTooManyImports(t *testing.T) {
	chain := func(n int) func(from, written string) (string, []byte, error) {
		return func(_, written string) (string, []byte, error) {
			var i int
			if _, err := fmt.Sscanf(written, "%d", &i); err != nil {
				return "", nil, err
			}
			if i == n {
				return written, nil, nil
			}
			return written, []byte(fmt.Sprintf("import = [\"%d\"]\n", i+1)), nil
		}
	}
	file, diags := Parse("first.scenario.hcl", []byte("import = [\"1\"]\n"))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	if _, diags := Link(file, chain(MaxImports-1)); diags.HasErrors() {
		t.Errorf("below the limit: %v", diags)
	}
	_, diags = Link(file, chain(MaxImports+5))
	if len(diags) != 1 || diags[0].Summary != "Too many imports" {
		t.Errorf("beyond it: %v", diags)
	}
}
