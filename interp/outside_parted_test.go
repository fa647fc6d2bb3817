package interp

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scenario-lang/scenario/wire"
)

// Shows that a request which ends because the program is stopped is not one that the program gave up, and
// that one which ends with the program is told of where a check says that it was given up.
func TestRequestsThatEndWithTheProgram(t *testing.T) {
	const source = `provider "http" "shop" { base_url = "https://shop.test" }
scenario "s" {
  sut { command = ["agent"] }
  on "shop" {
    reply { latency = "10s" }
  }
  expect "run" { status = "success" }
  assert "a" { condition = %s }
}
`
	const left, cancelled = `endpoint.shop.attempts[0].ended_by == "client"`, `endpoint.shop.attempts[0].outcome == "cancelled"`
	for _, c := range []struct {
		name, check string
		// stopped says that the run stops the program, and after is how long it goes on after the request.
		stopped bool
		after   time.Duration
		passes  bool
		want    string
	}{
		{"given up", left, false, time.Second, true, ""},
		{"given up, with an end soon after", left, false, 60 * time.Millisecond, true, ""},
		{"at its end", left, false, 10 * time.Millisecond, true, "request 1 to shop ended with the program"},
		{"at its end, by its outcome", cancelled, false, 10 * time.Millisecond, true, "request 1 to shop ended with the program"},
		{"at its end, and nobody asks", `length(endpoint.shop.attempts) == 1`, false, 0, true, ""},
		{"stopped", left, true, 0, false, "request 1 to shop ended with the program"},
		{"stopped, by its outcome", cancelled, true, 0, true, "request 1 to shop ended with the program"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := &driver{t, NewOutside(compileAt(t, "a.scenario.hcl", fmt.Sprintf(source, c.check))[0], OutsideOptions{Clock: wire.System(), Way: Exec})}
				if _, err := d.run.Start(Addresses{}); err != nil {
					t.Fatal(err)
				}
				req := httptest.NewRequestWithContext(context.Background(), "GET", "https://shop.test/a", nil)
				x, err := d.run.Answer(req.Context(), Asked{Request: req})
				if err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Second)
				if c.stopped {
					d.run.Stopping()
				}
				x.End(true)
				time.Sleep(c.after)
				d.run.ProgramEnded(ProgramEnd{Code: new(int), Stopped: c.stopped, Ran: time.Second})
				r, _ := d.run.Finish("success")
				if (r.Verdict == Pass) != c.passes {
					t.Errorf("%s: %s", r.Verdict, problems(r))
				}
				if said := d.run.Parted(); c.want == "" && said != "" || !strings.Contains(said, c.want) {
					t.Errorf("said %q, want %q", said, c.want)
				}
			})
		})
	}
}

// Shows that a check of what a fooled model must not bring about is told of where the model is not fooled:
// it asks for another tool than the one that the check is about.
func TestToolsThatNoModelAsksFor(t *testing.T) {
	const source = `provider "openai" "llm" {}
provider "http" "mail" { base_url = "https://mail.test" }
scenario "s" {
  sut { command = ["agent"] }
  on "llm" {
    reply { %s }
    reply { content = "done" }
  }
  %s
}
`
	const unused, reads = `assert "a" { condition = endpoint.mail.status == "unused" }`, `tool_calls = [{ name = "read", arguments = {} }]`
	asks := func(tools string) demand {
		return demand{method: "POST", url: "https://api.openai.com/v1/chat/completions", body: `{"model": "m", "messages": [{"role": "user", "content": "hi"}]` + tools + "}"}
	}
	const both = `, "tools": [{"type": "function", "function": {"name": "read"}}, {"type": "function", "function": {"name": "mail"}}]`
	for _, c := range []struct {
		name, reply, check, tools string
		want                      string
	}{
		{"never asked for", reads, unused, both, `never asks for the tool "mail"`},
		{"never asked for, expected", reads, `expect "mail" { status = "unused" }`, both, `says that mail is not asked`},
		{"asked for", `tool_calls = [{ name = "mail", arguments = {} }, { name = "read", arguments = {} }]`, unused, both, ""},
		{"not offered", reads, unused, `, "tools": [{"type": "function", "function": {"name": "read"}}]`, ""},
		{"no agent", `content = "hello"`, unused, both, ""},
		{"no such check", reads, `assert "a" { condition = endpoint.llm.attempts[0].request.json.model == "m" }`, both, ""},
	} {
		said := saidAtEnd(t, fmt.Sprintf(source, c.reply, c.check), (*Outside).Untempted, asks(c.tools), asks(c.tools))
		if c.want == "" && said != "" || !strings.Contains(said, c.want) {
			t.Errorf("%s: said %q, want %q", c.name, said, c.want)
		}
	}
}

// Shows that a pattern which is ruled out is told of where only its capital letters keep it from what the
// program was given.
func TestPatternsOfCapitalLetters(t *testing.T) {
	const source = `provider "http" "shop" { base_url = "https://shop.test" }
scenario "s" {
  sut {
    command = ["agent"]
    stdin   = "ann.lee@post.test"
  }
  on "shop" {
    reply {}
  }
  assert "a" { condition = %s }
}
`
	const body = "endpoint.shop.attempts[0].request.body"
	for _, c := range []struct{ condition, want string }{
		{`!regexmatch("[A-Z.]+@[A-Z.]+\\.[A-Z]{2,}", ` + body + `)`, `does not match "ann.lee@post.test"`},
		{`!regexmatch("[A-Za-z.]+@[A-Z.]+\\.[A-Z]{2,}", ` + body + `)`, `does not match "ann.lee@post.test"`},
		{`length(endpoint.shop.attempts) == 1 && !(regexmatch("[A-Z.]+@[A-Z.]+", ` + body + `))`, "assert \"a\" rules out"},
		{`!regexmatch("(?i)[A-Z.]+@[A-Z.]+\\.[A-Z]{2,}", ` + body + `)`, ""},
		{`!regexmatch("[A-Za-z.]+@[A-Za-z.]+", ` + body + `)`, ""},
		{`!regexmatch("[A-Z]{2}-[0-9]+", ` + body + `)`, ""},
		{`!regexmatch("ANN", ` + body + `)`, ""},
		{`regexmatch("^[a-z]$", ` + body + `)`, ""},
	} {
		said := saidAtEnd(t, fmt.Sprintf(source, c.condition), func(o *Outside) string { return o.Miscased(nil) }, demand{method: "POST", url: "https://shop.test/a", body: "x"})
		if c.want == "" && said != "" || !strings.Contains(said, c.want) {
			t.Errorf("%s: said %q, want %q", c.condition, said, c.want)
		}
	}
}
