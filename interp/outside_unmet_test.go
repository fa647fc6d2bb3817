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

// A program under test asks in a table of limits.
type limitedRun struct {
	on    string // what the services answer
	check string
	// given are the lines of a file beside the program, and asks are what it asks.
	given int
	asks  func(d *driver)
	want  string // "" where nothing is told
}

func (c limitedRun) run(t *testing.T, options OutsideOptions) (told string, r *Result) {
	t.Helper()
	const source = `provider "openai" "llm" {}
provider "http" "shop" { base_url = "https://shop.test" }
provider "http" "mail" { base_url = "https://mail.test" }
scenario "s" {
  sut {
    command = ["agent"]
    stdin   = "go"
  }
  %s
  expect "run" { status = "success" }
  assert "x" { condition = %s }
}
`
	options.Clock, options.Way = wire.System(), Exec
	synctest.Test(t, func(t *testing.T) {
		d := &driver{t, NewOutside(compileAt(t, "a.scenario.hcl", fmt.Sprintf(source, c.on, c.check))[0], options)}
		if _, err := d.run.Start(Addresses{}); err != nil {
			t.Fatal(err)
		}
		d.run.Started(0)
		d.run.Ready()
		time.Sleep(time.Second) // of fake time
		if c.asks != nil {
			c.asks(d)
		}
		d.run.ProgramEnded(ProgramEnd{Code: new(int), Ran: time.Second, Stdout: "one\ntwo\nthree\n"})
		r, _ = d.run.Finish("success")
		lines := strings.Repeat("a line\n", c.given)
		for _, p := range d.run.Limits(r, []string{"agent", "now"}, func() Files { return Files{Data: []string{lines}} }) {
			told += p.Message
			if p.Kind != KindElsewhere {
				t.Errorf("%s: a problem of the kind %s", c.check, p.Kind)
			}
		}
	})
	return told, r
}

func (c limitedRun) shows(t *testing.T, options OutsideOptions) {
	t.Helper()
	told, r := c.run(t, options)
	if r.Verdict != Pass || c.want == "" && told != "" || !strings.Contains(told, c.want) {
		t.Errorf("%s of\n%s: %s, told %q, want %q:\n%s", c.check, c.on, r.Verdict, told, c.want, problems(r))
	}
}

// mails are so many requests to one service, each another one.
func mails(n int) func(d *driver) {
	return func(d *driver) {
		for i := range n {
			d.takes(d.asks("https://mail.test/send", fmt.Sprintf(`{"to": "c%d", "items": [1, 2]}`, i)), 0)
		}
	}
}

// turns are so many requests to a model, each another one.
func turns(n int) func(d *driver) {
	return func(d *driver) {
		for i := range n {
			d.takes(d.asks("https://api.openai.com/v1/chat/completions", fmt.Sprintf(`{"model": "m", "messages": [{"role": "user", "content": "Summarise %d."}]}`, i)), 0)
		}
	}
}

func both(list ...func(d *driver)) func(d *driver) {
	return func(d *driver) {
		for _, f := range list {
			f(d)
		}
	}
}

// Shows that an upper limit is told of that nothing of a run came to, whatever it is on and however it is
// written; and that none is where the limit was reached, where more was there to do than it allows, or
// where it is one end of a band.
func TestLimitsThatNothingCameTo(t *testing.T) {
	const (
		sent    = "on \"mail\" {\n    reply { times = \"*\" }\n  }"
		count   = "length(endpoint.mail.attempts)"
		came    = "nothing came to the limit: the most is 3 of at most 4"
		list    = "on \"shop\" {\n    reply { json = { due = [for i in range(%d) : { id = i }] } }\n  }\n  " + sent
		window  = `alltrue([for a in endpoint.mail.attempts : length([for b in endpoint.mail.attempts : b if b.started_at_ms >= a.started_at_ms && b.started_at_ms < a.started_at_ms + 1000]) <= %d])`
		answers = "on \"llm\" {\n    reply { %s }\n    reply { %s }\n    reply { %s }\n  }"
		calls   = `tool_calls = [{ name = "look", arguments = { at = "desk" } }]`
		alone   = "on \"llm\" {\n    reply {\n      content  = \"One.\"\n      cost_usd = 0.03\n      times    = \"*\"\n    }\n  }"
		priced  = "on \"shop\" {\n    reply { json = [for i in range(%d) : i] }\n  }\n  " + alone
	)
	asked := func(d *driver) { d.takes(d.asks("https://shop.test/due", ""), 0) }
	for _, c := range []limitedRun{
		{sent, count + " <= 4", 0, mails(3), came},
		{sent, count + " < 5", 0, mails(3), "the most is 3 of less than 5"},
		{sent, "4 >= " + count, 0, mails(3), came},
		{sent, "!(" + count + " > 4)", 0, mails(3), came},
		{sent, count + " <= 2 * 2 && endpoint.mail.attempts[0].request.method == \"POST\"", 0, mails(3), came},
		{sent, `length([for a in endpoint.mail.attempts : a if a.request.method == "POST"]) <= 4`, 0, mails(3), came},
		{sent, "length(endpoint.mail.calls) <= 4", 0, mails(3), came},
		{sent, fmt.Sprintf(window, 4), 0, mails(3), came},
		{sent, `length(split("\n", trimspace(sut.stdout))) <= 4`, 0, mails(1), came},
		{sent, "length(sut.stdout) > 0 && length(sut.stdout) <= 20", 0, mails(1), "the text has 14 characters of at most 20"},
		{sent, `alltrue([for a in endpoint.mail.attempts : length(a.request.json.items) <= 10])`, 0, mails(3), "the most is 2 of at most 10"},
		{sent, `max([for a in endpoint.mail.attempts : length(a.request.json.items)]...) <= 10`, 0, mails(3), "the most is 2 of at most 10"},
		{sent, `[for a in endpoint.mail.attempts : a if length(a.request.json.items) > 10] == []`, 0, mails(3), "the most is 2 of at most 10"},
		{fmt.Sprintf(list, 3), count + " <= 4", 3, both(asked, mails(3)), came},
		{fmt.Sprintf(answers, calls, calls, `content = "done"`), "length(endpoint.llm.attempts) <= 10", 0, turns(3), "the most is 3 of at most 10"},

		// The limit was reached, or it is none.
		{sent, count + " <= 3", 0, mails(3), ""},
		{sent, count + " < 4", 0, mails(3), ""},
		{sent, count + " >= 2", 0, mails(3), ""},
		{sent, count + " == 3", 0, mails(3), ""},
		{sent, fmt.Sprintf(window, 3), 0, mails(3), ""},
		{sent, "length(sut.stdout) <= 14", 0, mails(1), ""},
		{sent, "length(sut.stdout) <= length(endpoint.mail.attempts) * 100", 0, mails(1), ""},
		// More was there than it allows.
		{sent, count + " <= 4", 5, mails(3), ""},
		{fmt.Sprintf(list, 5), count + " <= 4", 0, both(asked, mails(3)), ""},
		{sent, "length(sut.stdout) <= 20", 9, mails(1), ""},
		{sent, `alltrue([for a in endpoint.mail.attempts : length(a.request.json.items) <= 3])`, 0, mails(3), ""},
		{fmt.Sprintf(answers, calls, calls, calls), "length(endpoint.llm.attempts) <= 10", 0, turns(3), ""},
		{"on \"mail\" {\n    fault \"http_error\" {\n      status_code = 503\n      times       = \"*\"\n    }\n  }", count + " <= 4", 0, mails(3), ""},
		{sent, count + " <= 4", 0, func(d *driver) {
			for range 3 {
				d.takes(d.asks("https://mail.test/poll", ""), 0)
			}
		}, ""},
		// A band.
		{sent, count + " >= 2 && " + count + " <= 4", 0, mails(3), ""},
		{sent, `alltrue([for a in endpoint.mail.attempts : length(a.request.json.items) >= 2 && length(a.request.json.items) <= 10])`, 0, mails(3), ""},

		// What is spent, which ends with what was given, or could be more.
		{fmt.Sprintf(priced, 3), "endpoint.llm.cost_usd <= 0.10", 0, both(asked, turns(3)), "asked llm 3 times, once for each part of what it was given"},
		{alone, "endpoint.llm.cost_usd <= 0.10", 3, turns(3), "asked llm 3 times, once for each part of what it was given"},
		{alone, "0.10 > endpoint.llm.cost_usd", 3, turns(3), "once for each part"},
		{alone, "run.cost_usd < 0.10 && length(endpoint.llm.attempts) == 3", 3, turns(3), "once for each part"},
		{alone, "sum([endpoint.llm.cost_usd]) <= 0.10", 3, turns(3), "once for each part"},
		{alone, "endpoint.llm.cost_usd <= 0.20", 0, turns(3), "it is 0.09 of at most 0.2, and with one answer more"},
		{fmt.Sprintf(priced, 4), "endpoint.llm.cost_usd <= 0.10", 0, both(asked, turns(3)), ""},
		{alone, "endpoint.llm.cost_usd <= 0.10", 0, turns(3), ""},
		{alone, "endpoint.llm.cost_usd == 0.09", 3, turns(3), ""},
		{alone, "endpoint.llm.cost_usd >= 0.05 && endpoint.llm.cost_usd <= 0.20", 0, turns(3), ""},
	} {
		c.shows(t, OutsideOptions{})
	}
}

// Shows the same of what is there at one time, where no more came in the whole run than the limit allows, also
// where a check says how many there are at least.
func TestLimitsOnWhatIsThereAtOneTime(t *testing.T) {
	const slow = "on \"mail\" {\n    reply {\n      latency = \"200ms\"\n      times   = \"*\"\n    }\n  }"
	atOnce := func(n int) func(d *driver) {
		return func(d *driver) {
			for n > 0 {
				var open []*Exchange
				for range min(n, 4) {
					req := httptest.NewRequestWithContext(context.Background(), "GET", fmt.Sprintf("https://mail.test/%d", n), nil)
					x, err := d.run.Answer(req.Context(), Asked{Request: req, Connection: len(open) + 1})
					if err != nil {
						t.Fatal(err)
					}
					open = append(open, x)
					n--
				}
				time.Sleep(200 * time.Millisecond) // of fake time
				for _, x := range open {
					x.End(false)
				}
			}
		}
	}
	const of, told = "endpoint.mail.in_flight_max", "there are 4 requests in the whole run"
	for _, c := range []limitedRun{
		{slow, of + " >= 2 && " + of + " <= 4", 0, atOnce(4), told},
		{slow, of + " >= 2 && " + of + " < 5", 0, atOnce(4), told},
		{slow, "length(distinct([for a in endpoint.mail.attempts : a.connection])) <= 4", 0, atOnce(4), told},
		{slow, "endpoint.mail.connections <= 4", 0, atOnce(4), told},

		{slow, of + " >= 2 && " + of + " <= 4", 0, atOnce(6), ""},
		{slow, of + " >= 2 && " + of + " <= 5", 0, atOnce(8), ""},
		{slow, of + " == 4", 0, atOnce(4), ""},
		{slow, "endpoint.mail.connections <= 4", 0, atOnce(8), ""},
	} {
		c.shows(t, OutsideOptions{})
	}
}

// counters are metrics of a program: one that counts, and one that does not.
type counters struct{ spoken }

func (counters) Metric(string, map[string]any) (float64, error) { return 2, nil }

func (counters) Metrics(name string) ([]any, error) {
	return []any{map[string]any{"name": name, "kind": map[string]string{"retries": "counter", "queue": "gauge"}[name], "value": 2.0}}, nil
}

// Shows the same of a counter of the program, and that other metrics are none of it.
func TestLimitsOnACounterOfTheProgram(t *testing.T) {
	const on = "on \"mail\" {\n    fault \"http_error\" {\n      status_code = 503\n      times       = 2\n    }\n    reply {}\n  }"
	const away = "on \"mail\" {\n    fault \"http_error\" {\n      status_code = 503\n      times       = 3\n    }\n  }"
	for _, c := range []limitedRun{
		{on, `sut.metric("retries") <= 3`, 0, mails(3), "the most is 2 of at most 3"},
		{on, `sut.metric("retries") <= 2`, 0, mails(3), ""},
		{on, `sut.metric("queue") <= 3`, 0, mails(3), ""},
		{away, `sut.metric("retries") <= 3`, 0, mails(3), ""},
	} {
		c.shows(t, OutsideOptions{Said: counters{}})
	}
}

// Shows that what a check limits is looked at in a workflow, too: texts and lists, and not how often something
// is tried, which other marks tell of.
func TestLimitsThatNoTextOfAWorkflowCameTo(t *testing.T) {
	const source = `provider "openai" "llm" {}
provider "http" "sms" { base_url = "https://sms.test" }
workflow "notify" {
  step "llm" "write" {
    provider = provider.llm
    prompt   = "Write."
  }
  step "http" "send" {
    provider = provider.sms
    method   = "POST"
    path     = "/send"
    json     = { text = substr(step.write.content, 0, 10), parts = slice(split(" ", step.write.content), 0, 2) }
  }
}
scenario "s" {
  run = workflow.notify
  on "write" {
    reply { content = %q }
  }
  on "send" {
    reply {}
  }
  assert "x" { condition = %s }
}
`
	const text, parts = "length(step.send.attempts[0].request.json.text)", "length(step.send.attempts[0].request.json.parts)"
	for _, c := range []struct{ content, check, want string }{
		{"be late", text + " <= 10", "the text has 7 characters of at most 10"},
		{"be late", text + " < 2100", "the text has 7 characters of less than 2100"},
		{"be late", `startswith(step.send.attempts[0].request.json.text, "be") && ` + text + " <= 10", "has 7 characters"},
		{"be late", parts + " <= 3", "the most is 2 of at most 3"},
		{"it is much too long", text + " <= 10", ""},
		{"it is long", text + " <= 10", ""},
		{"it is much too long", text + " <= 12", ""},
		{"be late", text + " >= 2", ""},
		{"be late", text + " == 7", ""},
		{"be late", text + " >= 5 && " + text + " <= 10", ""},
		{"be late", parts + " <= 2", ""},
		{"be late", "length(steps) <= 10 && step.send.status == \"success\"", ""},
		{"be late", "length(step.send.attempts) <= 3 && step.send.status_code == 200", ""},
	} {
		r := RunTold(mustCompile(t, fmt.Sprintf(source, c.content, c.check))[0], RunOptions{})
		told := ""
		for _, p := range r.Relaxed {
			if p.Kind == KindElsewhere {
				told += p.Message
			}
		}
		if r.Verdict != Pass || c.want == "" && told != "" || !strings.Contains(told, c.want) {
			t.Errorf("%s of %q: %s, told %q, want %q:\n%s", c.check, c.content, r.Verdict, told, c.want, problems(r))
		}
	}
}

// Shows that a limit on time is told of where no answer of the run takes any: it holds of a program that asks
// one after the other, and of one without a deadline. Where one takes a while or asks for a wait, or where a
// check says how long it takes at least, it is not.
func TestLimitsOnTimeWhereNothingTakesTime(t *testing.T) {
	const (
		on   = "on \"mail\" {\n    %s\n  }"
		told = "no answer of the run takes any time"
		away = "fault \"http_error\" {\n      status_code = 503\n      times       = \"*\"\n    }"
	)
	instant := fmt.Sprintf(on, `reply { times = "*" }`)
	for _, c := range []limitedRun{
		{instant, "sut.elapsed_ms < 2000", 0, mails(3), told},
		{instant, "sut.elapsed_ms < 2000 && endpoint.mail.status == \"success\"", 0, mails(3), told},
		{instant, "run.elapsed_ms <= 5000", 0, mails(1), told},
		{instant, "!(sut.elapsed_ms > 2000)", 0, mails(3), told},
		{instant, "endpoint.mail.elapsed_ms <= 500", 0, mails(3), told},
		{instant, "max(endpoint.mail.elapsed_ms, sut.elapsed_ms) <= 5000", 0, mails(3), told},
		{fmt.Sprintf(on, away), "sut.elapsed_ms <= 10000", 0, mails(3), told},

		{instant, "sut.elapsed_ms >= 500", 0, mails(3), ""},
		{instant, "sut.elapsed_ms >= 500 && sut.elapsed_ms < 2000", 0, mails(3), ""},
		{fmt.Sprintf(on, "reply { optional = true }"), "sut.elapsed_ms < 2000", 0, nil, ""},
		{fmt.Sprintf(on, "reply {\n      latency = \"300ms\"\n      times   = \"*\"\n    }"), "sut.elapsed_ms < 2000", 0, func(d *driver) { d.takes(d.asks("https://mail.test/a", ""), 300*time.Millisecond) }, ""},
		{fmt.Sprintf(on, "fault \"http_error\" {\n      status_code = 429\n      headers     = { \"Retry-After\" = \"3\" }\n    }\n    reply {}"), "sut.elapsed_ms < 9000", 0, mails(2), ""},
	} {
		c.shows(t, OutsideOptions{})
	}
	const both = "sut.elapsed_ms < 2000 }\n  assert \"y\" { condition = sut.elapsed_ms >= 500"
	limitedRun{instant, both, 0, mails(3), ""}.shows(t, OutsideOptions{})
}
