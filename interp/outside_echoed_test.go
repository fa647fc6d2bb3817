package interp

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scenario-lang/scenario/wire"
)

// Shows that a scenario which passes is warned of whose program wrote what a failed answer said as it
// writes an answer, unless it says that this is a failure, a check looks for it, or a service told it as
// an answer, too.
func TestFailuresThatAreWrittenAsAnswers(t *testing.T) {
	const source = `provider "http" "weather" { base_url = "https://weather.test" }
scenario "s" {
  sut { command = ["agent"] }
  on "weather" {
    reply {
      status_code = 503
      body        = "all stations are busy"
    }
    reply { body = %q }
  }
  assert "x" { condition = %s }
}
`
	const other = `!strcontains(sut.stdout, "rain")`
	for _, c := range []struct {
		stdout, answer, condition string
		code                      int
		warned                    bool
	}{
		{"Today: all stations are busy\n", "sunny", other, 0, true},
		{"begins\nToday: all stations are busy\nfailed: 0\n", "sunny", other, 0, true},
		{"Today: all stations are busy\n", "sunny", `sut.exit_code == 0`, 0, true},
		{"no weather today\n", "sunny", other, 0, false},
		{"Today: sunny\n", "sunny", other, 0, false},
		{"Error: all stations are busy\n", "sunny", other, 0, false},
		{"all stations are busy, giving up\n", "sunny", other, 0, false},
		{"Today: all stations are busy\n", "sunny", other, 1, false},
		{"Today: all stations are busy\n", "sunny", `strcontains(sut.stdout, "stations are")`, 0, false},
		{"Today: all stations are busy\n", "sunny", `!strcontains(lower(sut.stdout), "no stations")`, 0, true},
		{"Today: all stations are busy\n", "sunny", `!regexmatch("rain|snow", sut.stdout)`, 0, false},
		{"Today: all stations are busy\n", "I hear that all stations are busy", other, 0, false},
	} {
		said := ""
		var r *Result
		synctest.Test(t, func(t *testing.T) {
			d := &driver{t, NewOutside(compileAt(t, "a.scenario.hcl", fmt.Sprintf(source, c.answer, c.condition))[0], OutsideOptions{Clock: wire.System(), Way: Exec})}
			d.calls("GET", "https://weather.test/today").End(false)
			d.calls("GET", "https://weather.test/today").End(false)
			d.run.ProgramEnded(ProgramEnd{Code: &c.code, Ran: time.Second, Stdout: c.stdout})
			r, _ = d.run.Finish("success")
			said = d.run.Echoed()
		})
		if warned := strings.Contains(said, `a failed answer of weather said, "all stations are busy"`); warned != c.warned {
			t.Errorf("%q, %s: warned %v: %q; %s %s", c.stdout, c.condition, warned, said, r.Verdict, told(r))
		}
	}
}
