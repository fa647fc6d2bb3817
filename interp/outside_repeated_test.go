package interp

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// Shows that a scenario is warned of whose check looks in the output for what an answer says and the
// program was given as well, unless some check asks for more of the output, no answer says that, or it
// stands in the source of the program.
func TestChecksOfWhatTheProgramWasGiven(t *testing.T) {
	const source = `provider "http" "weather" { base_url = "https://weather.test" }
scenario "s" {
  sut {
    command = ["agent"]
    env     = { CITY = %q }
    stdin   = %q
  }
  on "weather" {
    reply { json = { city = "Berlin", sky = "rain" } }
  }
  %s
}
`
	assert := func(condition string) string { return "assert \"x\" { condition = " + condition + " }\n" }
	var (
		city  = assert(`strcontains(sut.stdout, "Berlin")`)
		sky   = assert(`strcontains(sut.stdout, "rain")`)
		none  = []string{"agent"}
		given = []string{"agent", "Berlin"}
	)
	for _, c := range []struct {
		command    []string
		env, stdin string
		checks     string
		code       int
		told       bool
	}{
		{given, "", "", city, 0, true},
		{[]string{"agent", "--city=Berlin"}, "", "", city, 0, true},
		{none, "Berlin", "", city, 0, true},
		{none, "", "forecast for Berlin\n", city, 0, true},
		{given, "", "", assert(`strcontains(lower(sut.stdout), "berlin") && length(endpoint.weather.attempts) == 1`), 0, true},
		{given, "", "", assert(`regexmatch("B[a-z]+n", sut.stdout)`), 0, true},
		{given, "", "", city + assert(`length(endpoint.weather.attempts) == 1`), 0, true},
		{given, "", "", city + assert(`!strcontains(sut.stdout, "snow")`), 0, true},
		{none, "", "", city, 0, false},
		{given, "", "", city + sky, 0, false},
		{given, "", "", assert(`strcontains(sut.stdout, "Berlin") && strcontains(sut.stdout, "rain")`), 0, false},
		{given, "", "", assert(`strcontains(sut.stdout, "Berlin: ")`), 0, false},
		{given, "", "", assert(`sut.stdout == "Berlin: rain for 7\n"`), 0, false},
		{given, "", "", assert(`!strcontains(sut.stdout, "snow")`), 0, false},
		{[]string{"agent", "7"}, "", "", assert(`strcontains(sut.stdout, "7")`), 0, false},
		{given, "", "", assert(`sut.exit_code == 1 && strcontains(sut.stdout, "Berlin")`), 1, false},
		{[]string{"sh", "-c", "forecast Berlin"}, "", "", city, 0, false},
		{[]string{"python3", "Berlin.py"}, "", "", city, 0, false},
		{[]string{"Berlin"}, "", "", city, 0, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			d := drivenBy(t, fmt.Sprintf(source, c.env, c.stdin, c.checks))
			if _, err := d.run.Start(Addresses{}); err != nil {
				t.Fatal(err)
			}
			d.calls("GET", "https://weather.test/today").End(false)
			d.run.ProgramEnded(ProgramEnd{Code: &c.code, Ran: time.Second, Stdout: "Berlin: rain for 7\n"})
			if r, _ := d.run.Finish("success"); r.Verdict != Pass {
				t.Errorf("%s: %s", c.checks, told(r))
			}
			if said := d.run.Repeated(c.command); (said != "") != c.told {
				t.Errorf("%q, %q, %q, %s: %q, want one: %v", c.command, c.env, c.stdin, c.checks, said, c.told)
			}
		})
	}
}
