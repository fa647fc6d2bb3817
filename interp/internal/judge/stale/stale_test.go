package stale

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Shows that a part of a condition is told of that reads a file and nothing that the program did, with
// the call that reads it, and not one beside another that reads the same file, or one that compares a
// file with what the program did.
func TestFilesThatAreReadBeforeTheRun(t *testing.T) {
	for _, c := range []struct{ condition, told string }{
		{`sut.exit_code == 0 && jsondecode(file("report.json")).total == 42`, `file("report.json") is read`},
		{`(jsondecode(file("report.json")).total == 42) && sut.exit_code == 0`, `file("report.json") is read`},
		{`sut.exit_code == 0 && length(fileset("*.csv")) == 1`, `fileset("*.csv") is read`},
		{`sut.exit_code == 0 && file("a-${each.value.day}.txt") == each.value.want`, `file("a-${each.value.day}.txt") is read`},
		{`sut.exit_code == 0 && file("a.txt") == var.text && file("b.txt") == sut.stdout`, `file("a.txt") is read`},
		{`length(jsondecode(file("in.json"))) > 0 && alltrue([for o in jsondecode(file("in.json")) : strcontains(sut.stdout, o)])`, ""},
		{`sut.exit_code == 0 && sut.stdout == file("want.txt")`, ""},
		{`sut.exit_code == 0 && (file("a.txt") == "" || sut.stdout == "x")`, ""},
		{`sut.exit_code == 0 && metric("written") == tonumber(file("count.txt"))`, ""},
		{`sut.exit_code == 0 && local.most == 42`, ""},
	} {
		e, diags := hclsyntax.ParseExpression([]byte(c.condition), "x", hcl.InitialPos)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		if why := Why(e); c.told == "" && why != "" || !strings.HasPrefix(why, c.told) || Reads(e) != strings.Contains(c.condition, "file") {
			t.Errorf("%s: %q, want %q", c.condition, why, c.told)
		}
	}
}
