package dsl

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/dsl/language"
)

// A word of the language that this version does not run is no typing error, and
// is said so.
func TestLaterWords(t *testing.T) {
	for words := range language.LaterKinds {
		typ, kind, _ := strings.Cut(words, " ")
		src := fmt.Sprintf("%s %q \"x\" {}\n", typ, kind)
		if typ == "step" {
			src = "workflow \"w\" {\n  " + src + "}\n"
		}
		_, diags := Parse("later.scenario.hcl", []byte(src))
		if len(diags) != 1 || diags[0].Summary != "Kind is not in this version" {
			t.Errorf("%s: %v", words, diags)
		}
	}
}
