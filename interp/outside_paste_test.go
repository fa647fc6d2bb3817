package interp

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/sql"
	"github.com/scenario-lang/scenario/wire"
)

// Shows that a request which fits no endpoint is told with blocks to paste: an endpoint
// and what answers it, laid out as the formatter does, which answer that same request
// once they stand in the file. Quotes and templates in what was asked are no exception.
func TestBlocksToPaste(t *testing.T) {
	statement := func() *http.Request {
		req, err := sql.Adapter{}.Request(t.Context(), providers.Input{BaseURL: sql.BaseURL, Statement: `select "a" from shops_of_the_north where name = 'x' and region = 'y'`})
		if err != nil {
			t.Fatal(err)
		}
		return req
	}
	post := func(url, body string) *http.Request {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		return req
	}
	for name, c := range map[string]struct {
		provider, match string
		asks            func() *http.Request
		says            string
	}{
		"a model": {`provider "openai" "p" {}`, `prompt = "no"`, func() *http.Request {
			return post(chatURL, chatOf(`say "${x}" 100%{y} \ and more than forty characters`))
		}, `prompt = "say \"$${x}\" 100%%{y} \\ and more than forty*"`},
		"a path": {`provider "http" "p" { base_url = "https://web.test/v1" }`, `path = "/no"`, func() *http.Request { return post("https://web.test/v1/a%22b", "{}") }, `path   = "/a\"b"`},
		"a tool": {`provider "mcp" "p" { base_url = "https://web.test/mcp" }`, `tool = "no"`, func() *http.Request {
			return post("https://web.test/mcp", `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search", "arguments": {}}}`)
		}, `tool = "search"`},
		"a statement": {`provider "sql" "p" {}`, `statement = "no"`, statement, `statement = "select \"a\" from shops_of_the_north where*"`},
	} {
		t.Run(name, func(t *testing.T) {
			const scenario = "\nscenario \"s\" {\n  on \"e\" {\n    reply { optional = true }\n  }\n  ANSWER\n  expect \"run\" { status = \"success\" }\n}\n"
			file := c.provider + "\nendpoint \"e\" {\n  provider = provider.p\n  match { " + c.match + " }\n}\n"
			asked := func(source string) *Result {
				run := NewOutside(compileAt(t, "a.scenario.hcl", source)[0], OutsideOptions{Clock: wire.System(), Way: Exec})
				req := c.asks()
				body, err := io.ReadAll(req.Body)
				if err != nil {
					t.Fatal(err)
				}
				x, err := run.Answer(t.Context(), Asked{Request: req, Body: body})
				if err != nil {
					t.Fatal(err)
				}
				x.End(false)
				r, _ := run.Finish("")
				return r
			}
			r := asked(file + strings.Replace(scenario, "ANSWER", "", 1))
			if got := gatesOf(r); !slices.Equal(got, []string{"unmatched_call"}) {
				t.Fatalf("%q: %v", got, r.Problems)
			}
			_, blocks, _ := strings.Cut(r.Problems[0].Message, "declare one for it:\n")
			endpoint, answer, ok := strings.Cut(blocks, "and answer it in the scenario:\n")
			if !ok || !strings.Contains(endpoint, c.says) {
				t.Fatalf("%s", r.Problems[0].Message)
			}
			for _, block := range []string{endpoint, answer + "\n"} {
				if laid := string(dsl.Format([]byte(block))); laid != block {
					t.Errorf("the formatter changes\n%s\nto\n%s", block, laid)
				}
			}
			r = asked(file + endpoint + strings.Replace(scenario, "ANSWER", answer, 1))
			if r.Verdict != Pass {
				t.Errorf("with the blocks pasted: %v\n%s", r.Problems, blocks)
			}
		})
	}
}

// Shows that a gate which breaks again in the same way is told of with how often, one
// problem and one warning with the count, and in other words on its own; and that the
// warning says no more of a secret than the problem does.
func TestGatesAreCounted(t *testing.T) {
	p := compileAt(t, "a.scenario.hcl", "provider \"openai\" \"llm\" {}\nscenario \"s\" {\n  on \"llm\" {\n    reply { optional = true }\n  }\n  expect \"run\" { status = \"success\" }\n}\n")[0]
	var told []int
	d := &driver{t, NewOutside(p, OutsideOptions{Clock: wire.System(), Way: Exec, OnGate: func(_ Problem, times int) { told = append(told, times) }})}
	const key = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKL"
	for _, path := range []string{"a?api_key=" + key, "b", "a?api_key=" + key, "a?api_key=" + key} {
		d.asks("https://api.openai.com/v1/"+path, "").End(false)
	}
	r, _ := d.run.Finish("")
	if got := gatesOf(r); !slices.Equal(got, []string{"unmatched_call", "unmatched_call"}) || !slices.Equal(told, []int{1, 1, 2, 3}) {
		t.Errorf("%v: %q", told, got)
	}
	warnings := strings.Join(d.run.Warnings(), "\n")
	if strings.Count(warnings, "unmatched_call broke") != 1 || !strings.Contains(warnings, "unmatched_call broke 3 times in the same way: nothing answers GET https://api.openai.com/v1/a?") {
		t.Errorf("%q", warnings)
	}
	if strings.Contains(warnings, key) {
		t.Errorf("the key is in %q", warnings)
	}
}
