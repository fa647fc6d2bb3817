package interp

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/providers/sql"
)

// Shows that a condition can ask for each word by which a session of a database answers something as a
// message, and for no other that is near to a method; and that none of them is the method of a request.
func TestWordsOfSessionsAreMethodsOfMessages(t *testing.T) {
	const source = `provider "sql" "shop" { base_url = "postgres://app@db.test/shop" }
scenario "s" {
  sut { command = ["agent"] }
  on "shop" {
    reply {}
  }
  assert "x" { condition = %s }
}
`
	words := sql.SessionWords()
	if len(words) < 25 {
		t.Errorf("only %d words: %q", len(words), words)
	}
	for _, word := range append(words, "startup") { // with which a session begins
		if !slices.Contains(read.Said.Members, word) {
			t.Errorf("%q is no word of read.Said: add it to sessionWords", word)
		}
		for _, condition := range []string{`length(events({ type = "message", method = %q })) == 1`, `length([for e in events({ type = "message" }) : e if e.method == %q]) == 1`, `contains(events()[*].method, %q)`} {
			if _, diags := tryCompile("a.scenario.hcl", fmt.Sprintf(source, fmt.Sprintf(condition, word))); diags.HasErrors() {
				t.Errorf("%s of %s: %s", condition, word, diags)
			}
		}
	}
	for _, condition := range []string{
		`length(events({ type = "message", method = "GETT" })) == 1`, `length(events({ type = "message", method = "verson" })) == 1`,
		`length(events({ type = "attempt_start", method = "SET" })) == 1`, `endpoint.shop.attempts[0].request.method == "SET"`,
	} {
		if _, diags := tryCompile("a.scenario.hcl", fmt.Sprintf(source, condition)); !diags.HasErrors() || !strings.Contains(diags.Error(), "There is no method") {
			t.Errorf("%s: %s", condition, diags)
		}
	}
}
