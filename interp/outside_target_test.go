package interp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/wire"
)

// Shows that the target of a program's requests can be compared with, literally and with
// what a row of a table says of it, wherever it is told: of an endpoint that a block
// declares, and of one that a provider is.
func TestTargetsOfEndpoints(t *testing.T) {
	const source = `provider "http" "web" { base_url = "https://web.test" }
%s
scenario "s" {
  for_each = { one = { want = "web" } }
  on "%[2]s" {
    fault "http_error" {}
    reply {}
  }
  assert "a" { condition = %[3]s }
}
`
	for _, endpoint := range []string{"web", "tea"} {
		declared := ""
		if endpoint == "tea" {
			declared = "endpoint \"tea\" { provider = provider.web }"
		}
		for _, target := range []string{`"web"`, "each.value.want"} {
			for _, condition := range []string{
				"endpoint.$E.target == $T", "endpoint.$E.attempts[0].target == $T", "endpoint.$E.calls[0].attempts[0].target == $T",
				"endpoint.$E.attempts[0].error.target == $T", `length(events({ type = "failure", target = $T })) == 1`, `metric("scenario_attempts_total", { target = $T }) == 2`,
			} {
				// What the file gives shows nothing by itself.
				condition = strings.NewReplacer("$E", endpoint, "$T", target).Replace(condition + " && length(endpoint.$E.attempts) == 2")
				p := compileAt(t, "a.scenario.hcl", fmt.Sprintf(source, declared, endpoint, condition))[0]
				d := &driver{t, NewOutside(p, OutsideOptions{Clock: wire.System(), Way: Exec})}
				for range 2 {
					d.asks("https://web.test/x", "").End(false)
				}
				if r, _ := d.run.Finish(""); r.Verdict != Pass {
					t.Errorf("%s: %s", condition, problems(r))
				}
			}
		}
	}
}
