package interp

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// Shows that a check is told of which finds what it looks for in standard error only where Python tells of
// an exception that a library raised and the program did not catch, and not of one that finds what the
// program itself says, by an exception of its own or beside one.
func TestNeedlesInATraceback(t *testing.T) {
	const source = `provider "http" "shop" { base_url = "https://shop.test" }
scenario "s" {
  sut { command = ["agent"] }
  on "shop" {
    fault "http_error" { status_code = 503 }
  }
  assert "says so" { condition = %s }
}
`
	const (
		begin   = "Traceback (most recent call last):\n  File \"/srv/agent.py\", line 3, in <module>\n    urlopen(url)\n"
		library = "  File \"/usr/lib/python3.11/urllib/request.py\", line 643, in http_error_default\n    raise HTTPError(url)\n"
		ends    = "urllib.error.HTTPError: HTTP Error 503: Service Unavailable\n"
		says    = `sut.exit_code == 1 && strcontains(lower(sut.stderr), "unavailable")`
	)
	for _, c := range []struct {
		condition, stderr string
		told              bool
	}{
		{says, begin + library + ends, true},
		{says, "asking\n" + begin + library + ends, true},
		{says, begin + "  File \"/venv/site-packages/httpx/_models.py\", line 3, in x\n    raise\n" + ends, true},
		{says, begin + library + "OSError\n\nDuring handling of the above exception, another exception occurred:\n\n" + begin + library + ends, true},

		{says, "the shop is unavailable\n" + begin + library + ends, false},
		{says, begin + "RuntimeError: the shop is unavailable\n", false},
		{says, begin + library + ends + "\nDuring handling of the above exception, another exception occurred:\n\n" + begin + "RuntimeError: the shop is unavailable\n", false},
		{says, "The shop is unavailable, try later.\n", false},
		{`sut.exit_code == 1 && sut.stdout == ""`, begin + library + ends, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			d := drivenBy(t, fmt.Sprintf(source, c.condition))
			if _, err := d.run.Start(Addresses{}); err != nil {
				t.Fatal(err)
			}
			d.calls("GET", "https://shop.test/items").End(false)
			code := 1
			d.run.ProgramEnded(ProgramEnd{Code: &code, Ran: time.Second, Stderr: c.stderr})
			if r, _ := d.run.Finish("failed"); r.Verdict != Pass {
				t.Errorf("%s: %s", c.condition, told(r))
			}
			said := d.run.Crashed([]string{"agent"})
			if strings.Contains(said, `"says so" finds what it looks for`) != c.told || strings.Contains(said, "HTTP Error 503") != c.told || !c.told && said != "" {
				t.Errorf("%s of %q: %q, want one: %v", c.condition, c.stderr, said, c.told)
			}
		})
	}
}
