package interp

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// Shows that a check is told of which looks for a digit or two in what the program wrote and holds of the
// address of a listener alone, wherever the port has it; and that one is not which asks for more, or
// holds of no output, nor any where the program wrote no address.
func TestNeedlesInTheAddressOfAListener(t *testing.T) {
	const source = `provider "http" "shop" { base_url = "https://shop.test" }
scenario "s" {
  sut { command = ["agent"] }
  on "shop" {
    fault "http_error" { status_code = 500 }
  }
  assert "reported" { condition = %s }
}
`
	const from = "import from http://127.0.0.1:41005\n"
	for _, c := range []struct {
		condition, stdout, stderr string
		told                      string
	}{
		{`strcontains(sut.stdout, "2")`, from, "", "http://127.0.0.1:50246"},
		{`strcontains(sut.stdout, "2")`, from + "item 2 failed\n", "", "http://127.0.0.1:50246"},
		{`strcontains(lower(sut.stderr), "error") || strcontains(sut.stdout, "2")`, from, "error: item 2", "http://127.0.0.1:50246"},
		{`strcontains(sut.stderr, "2")`, "", from + "item 2", "http://127.0.0.1:50246"},
		{`regexmatch("8", sut.stdout)`, from + "8", "", "http://127.0.0.1:31789"},
		{`strcontains(sut.stdout, "27")`, from, "", "http://127.0.0.1:50246"},
		{`strcontains(sut.stdout, "41")`, from, "", "http://127.0.0.1:41005"},
		{`strcontains(sut.stdout, "p")`, from, "", "http://127.0.0.1:50246"},
		{`strcontains(sut.stdout, "2") && length(endpoint.shop.attempts) == 1`, from, "", "http://127.0.0.1:50246"},
		{`strcontains(sut.stdout, "2")`, "imported from 127.0.0.1:41005\n", "", "http://127.0.0.1:50246"},
		{`strcontains(sut.stdout, "2")`, "import 1 to 3\nimported 2\n", "", ""},
		{`strcontains(sut.stdout, "2")`, "imported 2\n", from, ""},
		{`strcontains(sut.stdout, "25")`, from + "25\n", "", ""},
		{`strcontains(sut.stdout, "OK")`, from + "OK\n", "", ""},
		{`strcontains(sut.stdout, "item 2")`, from + "item 2\n", "", ""},
		{`strcontains(sut.stdout, "127.0.0.1")`, from, "", ""},
		{`regexmatch("\\b2\\b", sut.stdout)`, from + "item 2\n", "", ""},
		{`strcontains(sut.stdout, "http")`, from, "", ""},
		{`length(endpoint.shop.attempts) == 1 || strcontains(sut.stdout, "2")`, from, "", ""},
		{`!strcontains(sut.stdout, "9")`, from, "", ""},
		{`sut.stdout == "import from http://127.0.0.1:41005\n"`, from, "", ""},
		{`strcontains(sut.stdout, "2") && strcontains(sut.stdout, "item")`, from + "item 2\n", "", ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			d := drivenBy(t, fmt.Sprintf(source, c.condition))
			if _, err := d.run.Start(Addresses{URLs: map[string]string{"shop": "http://127.0.0.1:41005"}}); err != nil {
				t.Fatal(err)
			}
			d.calls("GET", "https://shop.test/items/2").End(false)
			d.run.ProgramEnded(ProgramEnd{Code: new(int), Ran: time.Second, Stdout: c.stdout, Stderr: c.stderr})
			if r, _ := d.run.Finish("success"); r.Verdict != Pass {
				t.Errorf("%s: %s", c.condition, told(r))
			}
			said := d.run.InAddress()
			if want := "has that as well: " + c.told + "."; c.told == "" && said != "" || !strings.Contains(said, want) && c.told != "" {
				t.Errorf("%s of %q: %q, want %q", c.condition, c.stdout, said, c.told)
			}
		})
	}
}
