package judge

import (
	"testing"

	"github.com/scenario-lang/scenario/stdlib"
)

// Shows that every function whose examples are true or false is one that is looked
// into, and no other.
func TestFunctionsThatDecide(t *testing.T) {
	for _, f := range stdlib.List() {
		says := len(f.Examples) > 0
		for _, e := range f.Examples {
			says = says && (e.Result == "true" || e.Result == "false")
		}
		if says != decides[f.Name] {
			t.Errorf("%s: its examples say true or false: %t, and decides has it: %t", f.Name, says, decides[f.Name])
		}
	}
}
