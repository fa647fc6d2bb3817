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
	for word := range language.Later {
		_, diags := Parse("later.scenario.hcl", []byte(fmt.Sprintf("%s {}\n", word)))
		if len(diags) != 1 || diags[0].Summary != "Block type is not in this version" {
			t.Errorf("%s: %v", word, diags)
		}
	}
	for words := range language.LaterKinds {
		typ, kind, _ := strings.Cut(words, " ")
		if typ != "provider" {
			continue // stands inside of other blocks
		}
		_, diags := Parse("later.scenario.hcl", []byte(fmt.Sprintf("%s %q \"x\" {}\n", typ, kind)))
		if len(diags) != 1 || diags[0].Summary != "Kind is not in this version" {
			t.Errorf("%s: %v", words, diags)
		}
	}
}
