package interp

import (
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// everyWay has something of each kind that a way may have, or not.
const everyWay = endpointWorld + `
provider "http" "app" {}
registry "services" {}
lock "till" {}
actor "shop" {

  handler "buy" { return = 1 }
}
workflow "asks" {
  step "http" "order" {
    provider = provider.app
    path     = "/order"
  }
}
`

// Shows which scenarios each way plays: the rows of "which scenario has which way".
func TestWhichScenarioHasWhichWay(t *testing.T) {
	driven, all := []Way{Exec, Serve, Embedded}, []Way{Interpreted, Exec, Serve, Embedded}
	for name, c := range map[string]struct {
		scenario string
		has      []Way
	}{
		"a workflow":                                {"run = workflow.w", all},
		"a workflow that describes a program":       {"run = workflow.w\nsut { command = [\"true\"] }", all},
		"a program alone":                           {"sut { command = [\"true\"] }\non \"llm\" {\n fault \"http_error\" {}\n}", driven},
		"scripts of endpoints alone":                {"on \"llm\" {\n fault \"http_error\" {}\n}", driven},
		"a server under test":                       {"run = workflow.asks\nsut {\n command = [\"true\"]\n serves = provider.app\n}", []Way{Exec}},
		"a server under test that blocks ask":       {"sut {\n command = [\"true\"]\n serves = provider.app\n}\ncall \"c\" { target = provider.app }", []Way{Exec}},
		"blocks that drive":                         {"call \"c\" { target = workflow.inside }", []Way{Interpreted}},
		"actors":                                    {"call \"c\" { target = actor.shop.buy }", []Way{Interpreted}},
		"a workflow that describes, and an outage":  {"run = workflow.w\noutage \"o\" {\n provider = provider.llm\n to = \"1s\"\n fault \"http_error\" {}\n}", all},
		"a workflow beside blocks that drive, too":  {"run = workflow.w\ncall \"c\" { target = actor.shop.buy }", []Way{Interpreted}},
		"a workflow beside the events of an actor":  {"run = workflow.w\nevent \"e\" {\n at = \"1s\"\n kill = actor.shop\n}", []Way{Interpreted}},
		"a program that is described by a workflow": {"run = workflow.w\nsut { command = [\"true\"] }\non \"create\" {\n reply {}\n}", all},
	} {
		t.Run(name, func(t *testing.T) {
			f := fileAt(t, everyWay+"scenario \"s\" {\n"+c.scenario+"\n}\n")
			var has []Way
			for _, w := range plan.Ways() {
				switch why := f.Barred(w); {
				case why == "":
					has = append(has, w)
				case w == Interpreted && !strings.Contains(why, "scenario"):
					t.Errorf("%q does not say what runs it", why)
				}
			}
			if !slices.Equal(has, c.has) {
				t.Errorf("%v, want %v", has, c.has)
			}
		})
	}
}

// Shows what of a check each way does not observe: the rows of "not observed".
func TestWhatIsNotObserved(t *testing.T) {
	for condition, want := range map[string]plan.Unseen{
		`actor.shop.status == "running"`:                    {Driven: "actor.shop"},
		`lock.till.waits == []`:                             {Driven: "lock.till"},
		`registry.services.log == []`:                       {Driven: "registry.services"},
		`endpoint.create.status == "success"`:               {Interpreted: "endpoint.create"},
		`sut.exit_code == 0`:                                {Interpreted: "sut", Unstarted: "sut"},
		`length(sut.spans({ name = "x" })) == 1`:            {Interpreted: "sut.spans", Unstarted: "sut.spans", Said: "sut.spans"},
		`sut.exit_code == 0 && actor.shop.status == "dead"`: {Interpreted: "sut", Unstarted: "sut", Driven: "actor.shop"},
	} {
		text := everyWay + "scenario \"s\" {\nrun = workflow.w\nsut { command = [\"true\"] }\nassert \"a\" {\n condition = " + condition + "\n}\n}\n"
		p := plan.Inside(fileAt(t, text))
		if got := p.Asserts[0].Unseen; got != want {
			t.Errorf("%s\n got %+v\nwant %+v", condition, got, want)
		}
	}
}

// fileAt is the one scenario of a text.
func fileAt(t *testing.T, text string) *Plan {
	t.Helper()
	return compileAt(t, "a.scenario.hcl", text)[0]
}
