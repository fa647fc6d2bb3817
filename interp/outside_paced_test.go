package interp

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scenario-lang/scenario/wire"
)

// Shows that a check of a program's waits after a Retry-After is told of that holds of the waits which
// clients choose by themselves, whether the program read it or not; and that it is not where they do not
// keep it, another assertion or std/resilience rules them out, no answer asks for a wait, or the check
// asks for none.
func TestWaitsThatProgramsChooseThemselves(t *testing.T) {
	const source = `%sprovider "http" "shop" { base_url = "https://shop.test" }
scenario "s" {
  sut {
    command    = ["agent"]
    time_scale = %s
  }
  on "shop" {
    %s
    reply {}
  }
  expect "run" { status = "success" }
  %s
}
`
	asks := func(seconds ...string) (list string) {
		for _, s := range seconds {
			list += fmt.Sprintf("fault \"http_error\" {\n status_code = 503\n headers = { \"Retry-After\" = %q }\n }\n", s)
		}
		return list
	}
	assert := func(conditions ...string) (list string) {
		for i, c := range conditions {
			list += fmt.Sprintf("assert \"%d\" { condition = %s }\n", i, c)
		}
		return list
	}
	const plain, std = "", "import = [\"std/resilience\"]\n"
	const band = `within(endpoint.shop.calls[0].gaps_ms[0], "900ms", "3s")`
	for _, c := range []struct {
		imports, scale, script, checks string
		waits                          string // of the program, on the clock of the scenario
		told                           int
		says                           string
	}{
		{plain, "1", asks("1"), assert(band), "1s", 1, "it waits 1s by itself"},
		{std, "1", asks("1"), assert(band), "1s", 1, "it waits 1s by itself"},
		{plain, "1", asks("1"), assert(`length(endpoint.shop.attempts) == 2 && ` + band), "1s", 1, "it waits 1s by itself"},
		{plain, "1", asks("1"), assert(`endpoint.shop.attempts[1].gap_ms >= 900`), "1s", 1, "it waits 1s by itself"},
		{plain, "1", asks("1", "1"), assert(`alltrue([for gap in endpoint.shop.calls[0].gaps_ms : gap >= 900])`), "1s 1s", 1, "it waits 1s by itself"},
		// A second and then two are those of doubling, and of nobody who waits a second each time.
		{plain, "1", asks("1", "2"), assert(band, `endpoint.shop.calls[0].gaps_ms[1] >= 1900`), "1s 2s", 2, "waits 1s and doubles"},
		{plain, "1", asks("1", "2"), assert(`alltrue([for i, a in endpoint.shop.attempts : i == 0 || a.gap_ms >= i * 950])`), "1s 2s", 1, "waits 1s and doubles"},
		{plain, "1", asks("2"), assert(`within(endpoint.shop.calls[0].gaps_ms[0], "1900ms", "2500ms")`), "2s", 1, "waits 2s and doubles"},
		{plain, "1", asks("1"), assert(`endpoint.shop.calls[0].gaps_ms[0] >= 200 && endpoint.shop.calls[0].gaps_ms[0] <= 800`), "500ms", 1, "waits 500ms and doubles"},
		// A limit that is shorter than the wait which was asked for.
		{plain, "1", asks("3"), assert(band), "3s", 1, "it waits 1s by itself"},
		{std, "1", asks("3"), assert(band), "3s", 0, ""},
		{plain, "1", asks("3"), assert(`within(endpoint.shop.calls[0].gaps_ms[0], "2900ms", "4500ms")`), "3s", 0, ""},
		{plain, "1", asks("1", "3"), assert(band, `within(endpoint.shop.calls[0].gaps_ms[1], "2900ms", "3500ms")`), "1s 3s", 0, ""},
		{plain, "1", asks("1"), assert(`endpoint.shop.calls[0].gaps_ms[0] <= 3000`), "1s", 0, ""},
		{plain, "1", "fault \"connection_reset\" {}\n", assert(band), "1s", 0, ""},
		{plain, "1", asks("1"), assert(`length(endpoint.shop.calls[0].gaps_ms) == 1`), "1s", 0, ""},
		// A program that chooses its wait does so in real time, ten times as long on the clock of the scenario.
		{plain, "10", asks("20"), assert(`within(endpoint.shop.calls[0].gaps_ms[0], "19s", "25s")`), "20s", 1, "waits 2s and doubles"},
		{plain, "10", asks("30"), assert(`within(endpoint.shop.calls[0].gaps_ms[0], "29s", "35s")`), "30s", 0, ""},
	} {
		var r *Result
		var list []Problem
		synctest.Test(t, func(t *testing.T) {
			d := &driver{t, NewOutside(compileAt(t, "a.scenario.hcl", fmt.Sprintf(source, c.imports, c.scale, c.script, c.checks))[0], OutsideOptions{Clock: wire.System(), Way: Exec})}
			d.calls("GET", "https://shop.test/items").End(false)
			for wait := range strings.FieldsSeq(c.waits) {
				took, _ := time.ParseDuration(wait)
				time.Sleep(took) // of fake time
				d.calls("GET", "https://shop.test/items").End(false)
			}
			r, _ = d.run.Finish("success")
			list = d.run.Elsewhere(r)
		})
		if r.Verdict != Pass || len(list) != c.told || c.told > 0 && !strings.Contains(list[0].Message, c.says) {
			t.Errorf("%s%s of %s, a scale of %s: %d told of, want %d (%q); %s: %s %+v", c.imports, c.checks, c.waits, c.scale, len(list), c.told, c.says, r.Verdict, told(r), list)
		}
	}
}
