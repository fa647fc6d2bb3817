package interp

import (
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/wire"
)

// Shows what is proposed where the file has almost what a program asked for: that it, or
// the program, is corrected, and no endpoint or provider beside it that would hide the
// mistake. What is farther away, or differs in a number alone, is a call of its own.
func TestAlmostWhatWasAsked(t *testing.T) {
	const (
		llm   = "provider \"openai\" \"p\" {}\n"
		web   = "provider \"http\" \"p\" { base_url = \"https://shop.test/v1\" }\n"
		model = `{"model": "gpt-4o", "messages": [{"role": "user", "content": "why?"}]}`
		call  = `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search", "arguments": {}}}`
	)
	endpoint := func(match string) string {
		return "endpoint \"e\" {\n  provider = provider.p\n  match { " + match + " }\n}\nscenario \"s\" {\n  on \"e\" {\n    reply { optional = true }\n  }\n  expect \"run\" { status = \"success\" }\n}\n"
	}
	step := func(block string) string {
		return "workflow \"w\" {\n  step " + block + "\n}\nscenario \"s\" {\n  run = workflow.w\n  on \"ask\" {\n    reply { optional = true }\n  }\n  expect \"run\" { status = \"success\" }\n}\n"
	}
	on := func(names ...string) string {
		text := "scenario \"s\" {\n"
		for _, n := range names {
			text += "  on \"" + n + "\" {\n    reply { optional = true }\n  }\n"
		}
		return text + "  expect \"run\" { status = \"success\" }\n}\n"
	}
	for name, c := range map[string]struct {
		source, url, body string
		says              string
		declares          bool
	}{
		"the model of a step":        {llm + step("\"llm\" \"ask\" {\n    provider = provider.p\n    model    = \"gpt-4p\"\n    prompt   = \"why?\"\n  }"), chatURL, model, `did you mean model = "gpt-4o" in step "ask"? Otherwise the program asks for the wrong model`, false},
		"the model of an endpoint":   {llm + endpoint(`model = "gpt-4p"`), chatURL, model, `did you mean model = "gpt-4o" in endpoint "e"? Otherwise the program asks for the wrong model`, false},
		"another model":              {llm + endpoint(`model = "o3"`), chatURL, model, "declare one for it:", true},
		"a model of another number":  {llm + endpoint(`model = "gpt-5o"`), chatURL, model, "declare one for it:", true},
		"a model, and more":          {llm + endpoint("\n    model = \"gpt-4p\"\n    stream = true\n  "), chatURL, model, "declare one for it:", true},
		"the model of an entry":      {llm + strings.Replace(on("p"), "reply { optional = true }", "reply {\n      optional = true\n      match { model = \"gpt-4p\" }\n    }", 1), chatURL, model, "no entry for such a call: for entry 1, model is \"gpt-4o\", not \"gpt-4p\".\nhint: did you mean model = \"gpt-4o\" at line 6?", false},
		"another model of an entry":  {llm + strings.Replace(on("p"), "reply { optional = true }", "reply {\n      optional = true\n      match { model = \"o3\" }\n    }", 1), chatURL, model, "model is \"gpt-4o\", not \"o3\".\nhint: add an entry to", false},
		"the models of providers":    {"provider \"openai\" \"one\" { model = \"gpt-4p\" }\nprovider \"openai\" \"two\" { model = \"o3\" }\n" + on("one", "two"), chatURL, model, "asks for the model \"gpt-4o\", where they have \"gpt-4p\" and \"o3\".\nhint: did you mean model = \"gpt-4o\" in provider \"one\"?", false},
		"other models of providers":  {"provider \"openai\" \"one\" { model = \"o1\" }\nprovider \"openai\" \"two\" { model = \"o3\" }\n" + on("one", "two"), chatURL, model, "where they have \"o1\" and \"o3\".\nhint: have the program ask for the model of one, or change that", false},
		"the path of an endpoint":    {web + endpoint(`path = "/itmes"`), "https://shop.test/v1/items", "", "did you mean path = \"/items\" in endpoint \"e\"? If the request is a call of its own, declare one for it:", true},
		"the path of the address":    {web + endpoint(`path = "/v1/items"`), "https://shop.test/v1/items", "", "hint: write path = \"/items\" in endpoint \"e\": it is below the base_url of the provider, which is https://shop.test/v1", false},
		"the path of another number": {web + endpoint(`path = "/items/7"`), "https://shop.test/v1/items/8", "", "declare one for it:", true},
		"the tool of a step":         {"provider \"mcp\" \"p\" { base_url = \"https://shop.test/mcp\" }\n" + step("\"mcp\" \"ask\" {\n    provider = provider.p\n    tool     = \"serach\"\n  }"), "https://shop.test/mcp", call, `did you mean tool = "search" in step "ask"?`, true},
		"the host of a provider":     {web + on("p"), "https://shpo.test/v1/items", "", `provider "p" is https://shop.test/v1: did you mean base_url = "https://shpo.test/v1"? If not, declare it: provider "http" "NAME" { base_url = "https://shpo.test" }`, false},
		"the host of a database":     {"provider \"sql\" \"p\" { base_url = \"postgres://app:canary@shop.test/main\" }\n" + on("p"), "https://shpo.test/items", "", "\nhint: declare it: provider \"http\" \"NAME\"", false},
		"another host":               {web + on("p"), "https://mail.test/v1/items", "", "\nhint: declare it: provider \"http\" \"NAME\"", false},
		"another API":                {"provider \"openai\" \"p\" { base_url = \"https://shop.test/v1\" }\n" + on("p"), "https://shop.test/v1/messages", `{"model": "c", "max_tokens": 5, "messages": [{"role": "user", "content": "why?"}]}`, `it is a request to anthropic: declare provider "anthropic" "NAME"`, false},
		"an API of nobody":           {"provider \"openai\" \"p\" { base_url = \"https://shop.test/v1\" }\n" + on("p"), "https://shop.test/v1/items", "", `declare it: provider "http" "NAME" { base_url = "https://shop.test/v1" }`, false},
	} {
		t.Run(name, func(t *testing.T) {
			d := drivenBy(t, c.source)
			header := []string{}
			if c.body != "" {
				header = []string{"Content-Type", "application/json"}
			}
			d.asks(c.url, c.body, header...).End(false)
			r, _ := d.run.Finish("")
			if len(r.Problems) == 0 {
				t.Fatal("nothing is wrong with it")
			}
			got := r.Problems[0].Message
			if strings.Contains(got, "canary") {
				t.Errorf("a password is shown: %s", got)
			}
			if !strings.Contains(got, c.says) {
				t.Errorf("%q is not in\n%s", c.says, got)
			}
			if declares := strings.Contains(got, "endpoint \"NAME\" {"); declares != c.declares {
				t.Errorf("proposes an endpoint: %t\n%s", declares, got)
			}
		})
	}
}

// Shows what is proposed of a provider without an address where a program asks for a host
// that nobody has: it is that one, or another one is to be declared.
func TestAHostBesideAProviderWithoutOne(t *testing.T) {
	for way, c := range map[Way]string{
		Exec:     `give it base_url = "https://shop.test". If not, declare it: provider "http" "NAME" { base_url = "https://shop.test" }; or let it through`,
		Embedded: `give it base_url = "http://shop.test". If not, declare it: provider "http" "NAME" { base_url = "http://shop.test" }`,
	} {
		p := compileAt(t, "a.scenario.hcl", "provider \"http\" \"p\" {}\nscenario \"s\" {\n  on \"p\" {\n    reply { optional = true }\n  }\n  expect \"run\" { status = \"success\" }\n}\n")[0]
		run := NewOutside(p, OutsideOptions{Clock: wire.System(), Way: way})
		run.Unlisted(map[Way]string{Exec: "shop.test:443", Embedded: "shop.test:80"}[way])
		r, _ := run.Finish("")
		if len(r.Problems) == 0 || !strings.Contains(r.Problems[0].Message, `provider "p" has no address: if it is meant, `+c) {
			t.Errorf("%s: %v", way, r.Problems)
		}
	}
}
