package interp

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/wire"
)

// exchangeTape is a recording of one exchange, in a format that knows no steps.
func exchangeTape(method, url, body, answer string) string {
	return fmt.Sprintf(`version: 1
interactions:
- request: {body: %q, form: {}, headers: {Content-Type: [application/json], X-Tenant-Key: [a]}, url: %q, method: %s}
  response: {body: %q, headers: {Content-Type: [application/json]}, status: "", code: 200, duration: ""}
`, body, url, method, answer)
}

// compiledWith is a file beside a recording.
func compiledWith(t *testing.T, tape, source string) ([]*Plan, hcl.Diagnostics) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "tape.yaml"), []byte(tape), 0o600); err != nil {
		t.Fatal(err)
	}
	plans, diags := tryCompile(filepath.Join(dir, "x.scenario.hcl"), source)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return plans, diags
}

// Shows that of every kind of provider, under each profile, a cassette block is warned of
// whose ignore leaves nothing to compare, however that is written, and no other one is.
func TestIgnoresThatLeaveNothing(t *testing.T) {
	const items, order = `{"trace":"a1","items":[{"id":7,"at":10},{"id":9,"at":11}]}`, `"query.ts", "body.trace", "body.items"`
	call := func(params string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + params + `}`
	}
	kinds := map[string]struct{ provider, method, url string }{
		"http": {`provider "http" "p" { base_url = "https://shop.test" }`, "POST", "https://shop.test/orders"},
		"get":  {`provider "http" "p" { base_url = "https://shop.test" }`, "GET", "https://shop.test/orders"},
		"mcp":  {`provider "mcp" "p" { base_url = "https://mcp.test/mcp" }`, "POST", "https://mcp.test/mcp"},
		"sql":  {`provider "sql" "p" { base_url = "postgres://app@db.test/shop" }`, "SELECT", "postgres://db.test:5432/shop"},
		"llm":  {`provider "anthropic" "p" { model = "m" }`, "POST", "https://api.anthropic.com/v1/messages"},
	}
	for _, c := range []struct {
		kind, query, body, block string
		warned                   bool
	}{
		{"http", "?ts=1", items, `ignore = [` + order + `]`, true},
		{"http", "?ts=1", items, `ignore = ["query", "body"]`, true},
		{"http", "?ts=1", items, `ignore = ["query.ts[0]", "body.trace", "body.items[*]"]`, true},
		{"http", "?ts=1", items, `ignore = ["query[\"ts\"]", "body.trace", "body.items[*].id", "body.items[*].at"]`, true},
		{"http", "?ts=1", items, `ignore = ["query.ts", "body.trace", "body.items[0]", "body.items[1].id", "body[\"items\"][1].at"]`, true},
		{"http", "?ts=1", items, "match = \"strict\"\nignore = [\"host\", \"query\", \"body\"]", true},
		{"http", "?ts=1", items, "match = \"strict\"\nignore = [\"query\", \"body\"]", true},
		{"http", "?ts=1", items, "ignore = [\"query\", \"body.items\"]\nredact { json = [\"trace\"] }", true},
		{"http", "?ts=1", items, "match_headers = [\"Content-Type\"]\nignore = [\"query\", \"body\"]", true},
		{"http", "?ts=1", items, "match_headers = [\"X-Tenant-Key\"]\nignore = [\"query\", \"body\"]", false},
		{"http", "?ts=1", items, `ignore = ["query.ts", "body.items[*].at", "body.trace"]`, false},
		{"http", "?ts=1", items, `ignore = ["query", "body.items"]`, false},
		{"http", "?ts=1", items, `ignore = ["body"]`, false},
		{"http", "?ts=1", items, `match = "loose"`, false},
		{"http", "", `{"usd":5}`, `ignore = ["body.usd"]`, true},
		{"http", "", `[1,2]`, `ignore = ["body[*]"]`, true},
		{"http", "", `<a/>`, `ignore = ["body"]`, true},
		{"http", "", `{"password":"x"}`, `redact { json = ["password"] }`, false},
		{"http", "", `{"pin":1,"iban":2}`, `redact { json = ["pin", "iban"] }`, true},
		{"get", "?q=tea&ts=1", "", `ignore = ["query"]`, true},
		{"get", "?sign=tea&ts=1", "", `ignore = ["query.ts", "query.sign"]`, false},
		{"get", "?q=tea&ts=1", "", `ignore = ["query.ts"]`, false},
		{"mcp", "", call(`{"name":"pay","arguments":{"usd":5}}`), `ignore = ["body.params"]`, true},
		{"mcp", "", call(`{"name":"pay","arguments":{"usd":5}}`), `ignore = ["body.params.name", "body.params.arguments.usd"]`, true},
		{"mcp", "", call(`{"name":"pay","arguments":{"usd":5}}`), `ignore = ["body.params.arguments"]`, false},
		{"sql", "", `{"statement":"select 1","args":[7]}`, `ignore = ["body"]`, true},
		{"sql", "", `{"statement":"select 1","args":[7]}`, `ignore = ["body.statement", "body.args"]`, true},
		{"sql", "", `{"statement":"select 1","args":[7]}`, `ignore = ["body.args"]`, false},
		{"llm", "", `{"model":"m","system":"be short","messages":[{"role":"user","content":"why?"}]}`, `ignore = ["body.messages"]`, true},
		{"llm", "", `{"model":"m","system":"be short","messages":[{"role":"user","content":"why?"}]}`, "match = \"strict\"\nignore = [\"body.messages[*].content\"]", true},
		{"llm", "", `{"model":"m","system":"be short","messages":[{"role":"user","content":"why?"}]}`, `ignore = ["body.system"]`, false},
	} {
		k := kinds[c.kind]
		_, diags := compiledWith(t, exchangeTape(k.method, k.url+c.query, c.body, "{}"), fmt.Sprintf(`
%s
endpoint "e" { provider = provider.p }
scenario "s" {
  sut { command = ["agent"] }
  cassette {
    path = "tape.yaml"
    %s
  }
  assert "x" { condition = endpoint.e.status == "success" }
}
`, k.provider, c.block))
		var said []string
		for _, d := range diags {
			said = append(said, d.Summary)
		}
		want := ""
		if c.warned {
			want = "Nothing left to compare"
		}
		if got := strings.Join(said, ", "); got != want {
			t.Errorf("%s %s, %s: warned of %q, want %q", c.kind, c.body, c.block, got, want)
		}
	}
}

// Shows that what a program or a step asks otherwise than the recording is said where
// nothing but the address is compared, whatever the profile, and not where something is.
func TestDifferencesOfWhatIsIgnoredWhole(t *testing.T) {
	tape := exchangeTape("POST", "https://shop.test/orders?ts=1", `{"trace":"a1","items":[7]}`, `{"ok":true}`)
	const all, some = `ignore = ["query.ts", "body.trace", "body.items"]`, `ignore = ["query.ts", "body.trace"]`
	for _, c := range []struct{ block, sent, says string }{
		{all, `{"trace":"b2","items":[9]}`, "body.items[0], body.trace of "},
		{all, `{"trace":"a1","items":[7]}`, ""},
		{"match = \"strict\"\n" + all, `{"trace":"a1","items":[9]}`, "body.items[0] of "},
		{"match = \"strict\"\nignore = [\"host\", \"query\", \"body\"]", `{"trace":"a1","items":[9]}`, "body.items[0] of "},
		{some, `{"trace":"b2","items":[7]}`, ""},
		{"match = \"strict\"\n" + some, `{"trace":"b2","items":[7]}`, ""},
	} {
		program, _ := compiledWith(t, tape, fmt.Sprintf(`
provider "http" "shop" { base_url = "https://shop.test" }
endpoint "order" { provider = provider.shop }
scenario "s" {
  sut { command = ["agent"] }
  cassette {
    path = "tape.yaml"
    %s
  }
  assert "x" { condition = endpoint.order.status == "success" }
}
`, c.block))
		var driven *Result
		synctest.Test(t, func(t *testing.T) {
			d := &driver{t, NewOutside(program[0], OutsideOptions{Clock: wire.System(), Way: Exec})}
			d.asks("https://shop.test/orders?ts=1", c.sent, "Content-Type", "application/json").End(false)
			driven, _ = d.run.Finish("success")
		})
		workflow, _ := compiledWith(t, tape, fmt.Sprintf(`
provider "http" "shop" { base_url = "https://shop.test" }
workflow "w" {
  provider = provider.shop
  step "http" "order" {
    method = "POST"
    path   = "/orders?ts=1"
    json   = jsondecode(%q)
  }
}
scenario "s" {
  run = workflow.w
  cassette {
    path = "tape.yaml"
    %s
  }
  assert "x" { condition = step.order.json.ok }
}
`, c.sent, c.block))
		for what, r := range map[string]*Result{`endpoint "order"`: driven, `step "order"`: Run(workflow[0], RunOptions{})} {
			var said []string
			for _, p := range r.Relaxed {
				if p.Kind == KindIgnored && strings.Contains(p.Name, " of ") {
					said = append(said, p.Name)
				}
			}
			want := ""
			if c.says != "" {
				want = c.says + what
			}
			if got := strings.Join(said, "; "); r.Verdict != Pass || got != want {
				t.Errorf("%s, sent %s: %s, ignored %q, want %q: %s", c.block, c.sent, r.Verdict, got, want, told(r))
			}
		}
	}
}
