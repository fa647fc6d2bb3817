package interp

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/wire"
)

// exec runs what a program asks of a scenario, on fake time.
func exec(t *testing.T, source string, program func(d *driver)) (r *Result) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		d := &driver{t, NewOutside(compileAt(t, "a.scenario.hcl", source)[0], OutsideOptions{Clock: wire.System(), Way: Exec})}
		program(d)
		r, _ = d.run.Finish("success")
	})
	return r
}

// calls makes a request with a method.
func (d *driver) calls(method, url string) *Exchange {
	d.t.Helper()
	req := httptest.NewRequestWithContext(context.Background(), method, url, strings.NewReader(""))
	x, err := d.run.Answer(req.Context(), Asked{Request: req})
	if err != nil {
		d.t.Fatal(err)
	}
	return x
}

// says makes a statement of a session of a database.
func (d *driver) says(statement string) {
	d.t.Helper()
	p := d.run.plan.Endpoints[0].Step.Gateway.Targets[0].Provider
	req, err := p.Adapter.Request(context.Background(), providers.Input{BaseURL: p.BaseURL, Statement: statement})
	if err != nil {
		d.t.Fatal(err)
	}
	x, err := d.run.Answer(context.Background(), Asked{Request: req, Body: bodyOf(d.t, req), Listener: p.Name})
	if err != nil {
		d.t.Fatal(err)
	}
	x.End(false)
}

// Shows that a limit on how many requests succeed is marked where the script gives no more successes
// than that, so that a program which sends again what was lost keeps it, too; and that one which the
// script lets a program break is not, nor what says how many there were, or counts the attempts.
func TestLimitsOnSuccessesThatTheScriptKeeps(t *testing.T) {
	const source = `provider "http" "shop" { base_url = "https://shop.test" }
scenario "s" {
  sut { command = ["agent"] }
  on "shop" {
    %s
  }
  assert "x" { condition = %s }
}
`
	const (
		lost    = "fault \"connection_reset\" {}\n reply {}"
		refused = "fault \"http_error\" { status_code = 503 }\n reply {}"
		endless = "fault \"connection_reset\" {}\n reply { times = \"*\" }"
		twice   = "fault \"connection_reset\" {}\n reply {}\n reply {}"
		more    = "fault \"connection_reset\" {}\n reply {}\n reply { optional = true }"
		fine    = "reply {}\n reply {}"
		once    = `length([for a in endpoint.shop.attempts : a if a.request.method == "POST" && a.outcome == "success"]) <= 1`
	)
	for _, c := range []struct {
		script, condition string
		methods           string
		shows             bool
	}{
		{lost, once, "POST POST", false},
		{lost, once, "POST GET", false},
		{refused, once, "POST POST", false},
		{lost, `length([for a in endpoint.shop.attempts : a if a.error == null]) < 2`, "POST POST", false},
		{lost, `!(length([for a in endpoint.shop.attempts : a if a.status_code == 200]) > 1)`, "POST POST", false},
		{lost, `sum([for a in endpoint.shop.attempts : a.outcome == "success" ? 1 : 0]) <= 1`, "POST POST", false},
		{lost, `length(endpoint.shop.attempts) == 2 && ` + once, "POST POST", false},
		// The script has room for one too many.
		{endless, once, "POST POST", true},
		{more, once, "POST POST", true},
		{twice, `length([for a in endpoint.shop.attempts : a if a.request.method == "POST" && a.outcome == "success"]) <= 1`, "POST POST GET", true},
		{fine, `length([for a in endpoint.shop.attempts : a if a.outcome == "success"]) <= 2`, "POST POST", true},
		// What it says is more than that, or something else.
		{lost, `length([for a in endpoint.shop.attempts : a if a.outcome == "success"]) == 1`, "POST POST", true},
		{lost, `length([for a in endpoint.shop.attempts : a if a.outcome != "success"]) >= 1`, "POST POST", true},
		{lost, `length([for a in endpoint.shop.attempts : a if a.request.method == "POST"]) <= 1`, "POST GET", true},
		{lost, `length([for a in endpoint.shop.attempts : a if a.request.method == "POST"]) == 1 && endpoint.shop.attempts[1].outcome == "success"`, "POST GET", true},
		{lost, `endpoint.shop.attempts[1].outcome == "success"`, "POST POST", true},
	} {
		r := exec(t, fmt.Sprintf(source, c.script, c.condition), func(d *driver) {
			for method := range strings.FieldsSeq(c.methods) {
				d.calls(method, "https://shop.test/pay").End(false)
				time.Sleep(time.Second)
			}
		})
		if marked := countIdle(r) > 0; marked == c.shows {
			t.Errorf("%s, %s: that it shows something is %v; %s: %s", c.methods, c.condition, c.shows, r.Verdict, told(r))
		}
	}
}

// Shows that a check which finds no COMMIT is marked where a program wrote to its database without a
// transaction, and that it is not where the program began one, or changed nothing.
func TestNoCommitWithoutATransaction(t *testing.T) {
	const source = `provider "sql" "shop" { base_url = "postgres://app@db.test/shop" }
scenario "s" {
  sut { command = ["agent"] }
  on "shop" {
    reply {}
    fault "db_error" { sqlstate = "23505" }
  }
  assert "x" { condition = %s }
}
`
	const none, writes, fails = `events({ type = "message", method = "COMMIT" }) == []`, "UPDATE stock SET n = 0", "INSERT INTO orders VALUES (7)"
	for _, c := range []struct {
		condition  string
		statements []string
		shows      bool
	}{
		{none, []string{writes, fails}, false},
		{none, []string{"SET search_path TO shop", writes, fails}, false},
		{none, []string{writes, fails, "ROLLBACK"}, false}, // which takes nothing back
		{`length(events({ type = "message", method = "COMMIT" })) == 0`, []string{writes, fails, "ROLLBACK"}, false},
		{none + ` && length(endpoint.shop.attempts) == 2`, []string{writes, fails}, false},
		{`!contains([for e in events({ type = "message" }) : lower(e.method)], "commit")`, []string{"SET search_path TO shop", writes, fails}, false},
		{none, []string{"BEGIN", writes, fails}, true},
		{none, []string{"START TRANSACTION", writes, fails, "ROLLBACK"}, true},
		{none, []string{"SET autocommit = 0", writes, fails}, true},
		{none, []string{"SELECT 1 FROM stock", fails}, true},
		{`events({ type = "message", method = "BEGIN" }) == []`, []string{writes, fails}, true},
		{`length(endpoint.shop.attempts) == 2`, []string{writes, fails}, true},
	} {
		r := exec(t, fmt.Sprintf(source, c.condition), func(d *driver) {
			for _, statement := range c.statements {
				d.says(statement)
			}
		})
		if marked := countIdle(r) > 0; marked == c.shows {
			t.Errorf("%s, %q: that it shows something is %v; %s: %s", c.condition, c.statements, c.shows, r.Verdict, told(r))
		}
	}
}

// Shows that a check which gives a member of a request a default of its own is marked where no request
// has it and the service takes something else then, and that it is not where the service takes the same,
// the request has it, or the check says that it has none.
func TestDefaultsThatTheServiceDoesNotHave(t *testing.T) {
	const source = `provider "openai" "llm" {}
scenario "s" {
  sut { command = ["agent"] }
  on "llm" {
    reply { content = "x" }
  }
  assert "x" { condition = %s }
}
`
	const bare, set = `{"model": "m", "messages": [{"role": "user", "content": "why?"}]}`, `{"model": "m", "temperature": 0, "max_tokens": 90, "messages": [{"role": "user", "content": "why?"}]}`
	const responsesURL, input = "https://api.openai.com/v1/responses", `{"model": "m", "input": "why?"}`
	for _, c := range []struct {
		condition, body string
		shows           bool
	}{
		{`lookup(endpoint.llm.attempts[0].request.json, "temperature", 0) == 0`, bare, false},
		{`try(endpoint.llm.attempts[0].request.json.temperature, 0) <= 0.2`, bare, false},
		{`alltrue([for a in endpoint.llm.attempts : lookup(a.request.json, "max_tokens", 100) <= 100])`, bare, false},
		{`length(endpoint.llm.attempts) == 1 && lookup(endpoint.llm.attempts[0].request.json, "temperature", 0) == 0`, bare, false},
		{`lookup(endpoint.llm.attempts[0].request.json, "temperature", 0) == 0`, set, true},
		{`lookup(endpoint.llm.attempts[0].request.json, "max_tokens", 0) <= 100`, set, true},
		{`lookup(endpoint.llm.attempts[0].request.json, "temperature", null) == null`, bare, true},
		{`!can(endpoint.llm.attempts[0].request.json.temperature)`, bare, true},
		{`lookup(endpoint.llm.attempts[0].request.json, "stream", false) == false`, bare, true},
		{`lookup(endpoint.llm.attempts[0].request.json, "seed", 0) == 0`, bare, true},
		// A response is stored, unless the request says that it is not, and a chat is not stored.
		{`lookup(endpoint.llm.attempts[0].request.json, "store", false) == false`, input, false},
		{`lookup(endpoint.llm.attempts[0].request.json, "max_output_tokens", 100) <= 100`, input, false},
		{`lookup(endpoint.llm.attempts[0].request.json, "store", false) == false`, `{"model": "m", "store": false, "input": "why?"}`, true},
		{`lookup(endpoint.llm.attempts[0].request.json, "store", null) == null`, input, true},
		{`lookup(endpoint.llm.attempts[0].request.json, "store", false) == false`, bare, true},
	} {
		file, url := source, chatURL
		if strings.Contains(c.body, `"input"`) {
			file, url = strings.Replace(source, "{}", `{ api = "responses" }`, 1), responsesURL
		}
		r := exec(t, fmt.Sprintf(file, c.condition), func(d *driver) { d.asks(url, c.body).End(false) })
		if marked := countIdle(r) > 0; marked == c.shows {
			t.Errorf("%s of %s: that it shows something is %v; %s: %s %+v", c.condition, c.body, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}
