package interp

import (
	"os"
	"strings"
	"testing"
)

// The first example of the language, as the reader of the documentation sees
// it, passes.
func TestFirstExample(t *testing.T) {
	src, err := os.ReadFile("testdata/first.scenario.hcl")
	if err != nil {
		t.Fatal(err)
	}
	mustPass(t, string(src))
	if !strings.Contains(string(src), "[0, 1000, 3000]") {
		t.Error("the example no longer says when the attempts are made")
	}
}
