package explore

import (
	"strings"
	"testing"
)

// Shows that each expression that a fault breaks is a find of its own, that of a workflow's
// output too, and is told once for all scenarios that run it.
func TestEveryBrokenExpressionIsFound(t *testing.T) {
	const world = `
provider "http" "shop" {
  base_url = "http://shop"
  timeout  = "5s"
}
workflow "order" {
  provider = provider.shop
  output   = step.ship.json.id
  step "http" "reserve" { path = "/reserve" }
  step "http" "pay" { path = "/pay/${step.reserve.json.id}" }
  step "http" "ship" { path = "/ship/${step.pay.json.id}" }
}
`
	const scenario = `
scenario "NAME" {
  run = workflow.order
  on "*" {
    reply { json = { id = 3 } }
  }
  expect "ship" { status = "success" }
}
`
	text := world + strings.ReplaceAll(scenario, "NAME", "one") + strings.ReplaceAll(scenario, "NAME", "two")
	var reports []*Report
	for _, p := range plansOf(t, text) {
		r := Explore(Interpreted(p, nil), Options{MaxK: 1, Runs: 5_000})
		lines := map[int]bool{}
		for _, f := range r.Finds {
			if f.Name == "broken_expression" {
				lines[f.Range.Start.Line] = true
			}
		}
		if len(lines) != 3 || !lines[8] || !lines[10] || !lines[11] {
			t.Errorf("found in lines %v", lines)
		}
		reports = append(reports, r)
	}
	var out strings.Builder
	if err := WriteText(&out, reports, Options{MaxK: 1}, 0); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "find   broken_expression"); n != 3 {
		t.Errorf("%d are told of\n%s", n, &out)
	}
	if n := strings.Count(out.String(), `in "two" as well, under `); n != 3 {
		t.Errorf("the second scenario is named %d times\n%s", n, &out)
	}
}
