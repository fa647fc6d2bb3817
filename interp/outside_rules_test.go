package interp

import (
	"context"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/trace"
	"github.com/scenario-lang/scenario/wire"
)

// A driver asks a run as programs do, and says how far each answer has come.
type driver struct {
	t   *testing.T
	run *Outside
}

func drivenBy(t *testing.T, source string) *driver {
	t.Helper()
	p := compileAt(t, "a.scenario.hcl", source)[0]
	return &driver{t, NewOutside(p, OutsideOptions{Clock: wire.System(), Way: Exec})}
}

// asks begins a request, whose body is JSON where it has one. header has names and
// values.
func (d *driver) asks(url, body string, header ...string) *Exchange {
	d.t.Helper()
	method := "GET"
	if body != "" {
		method = "POST"
	}
	req := httptest.NewRequestWithContext(context.Background(), method, url, strings.NewReader(body))
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	x, err := d.run.Answer(req.Context(), Asked{Request: req, Body: []byte(body)})
	if err != nil {
		d.t.Fatal(err)
	}
	return x
}

// gates are the names of those that broke, in order.
func gatesOf(r *Result) (names []string) {
	for _, p := range r.Problems {
		if p.Kind == "gate" {
			names = append(names, p.Name)
		}
	}
	return names
}

func chatOf(prompt string, more ...string) string {
	said := fmt.Sprintf(`{"role": "user", "content": %q}`, prompt)
	for _, m := range more {
		said += ", " + m
	}
	return `{"model": "m", "messages": [` + said + `]}`
}

const chatURL = "https://api.openai.com/v1/chat/completions"

// Shows which requests may overlap in one lane, and which may not: the order in which
// they come makes no difference to entries that are chosen by match, turn or target,
// where none is left for the second, to what comes behind silence, and where chance is
// meant to decide. Entries that are taken by their order alone break the gate.
func TestWhichOverlapsAreHarmless(t *testing.T) {
	const web = "provider \"http\" \"web\" { base_url = \"https://web.test\" }\n"
	on := func(entries string) string {
		return "scenario \"s\" {\n  on \"web\" {\n" + entries + "\n  }\n  expect \"run\" { status = \"success\" }\n}\n"
	}
	reply := func(words string) string { return "reply {\n latency = \"1s\"\n " + words + "\n}\n" }
	const turns = `provider "openai" "web" {}
scenario "s" {
  on "web" {
    reply {
      turn    = 2
      latency = "1s"
      content = "second"
    }
    reply {
      turn    = 1
      latency = "1s"
      content = "first"
    }
  }
  expect "run" { status = "success" }
}
`
	const targets = `provider "openai" "one" {}
provider "openai" "two" { base_url = "https://two.test/v1" }
gateway "g" {
  target "a" { provider = provider.one }
  target "b" { provider = provider.two }
}
workflow "w" {
  gateway = gateway.g
  step "llm" "ask" { prompt = "a" }
}
scenario "s" {
  run = workflow.w
  on "ask" {
    reply {
      target  = "b"
      latency = "1s"
      content = "second"
    }
    reply {
      target  = "a"
      latency = "1s"
      content = "first"
    }
  }
  expect "run" { status = "success" }
}
`
	tool := `{"role": "assistant", "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}, {"role": "tool", "tool_call_id": "c", "content": "1"}`
	for name, c := range map[string]struct {
		source string
		first  [2]string // URL and body
		second [2]string
		want   []string // gates
	}{
		"by order":             {web + on(reply("")+reply("")), [2]string{"https://web.test/a"}, [2]string{"https://web.test/b"}, []string{"ambiguous", "unused_reply"}},
		"chosen by match":      {web + on(reply("match { path = \"/b\" }")+reply("match { path = \"/a\" }")), [2]string{"https://web.test/a"}, [2]string{"https://web.test/b"}, nil},
		"chosen by turn":       {turns, [2]string{chatURL, chatOf("a")}, [2]string{chatURL, chatOf("a", tool)}, nil},
		"chosen by target":     {targets, [2]string{chatURL, chatOf("a")}, [2]string{"https://two.test/v1/chat/completions", chatOf("a")}, nil},
		"one entry":            {web + on(reply("times = 2")), [2]string{"https://web.test/a"}, [2]string{"https://web.test/b"}, nil},
		"none is left":         {web + on(reply("times = 1")), [2]string{"https://web.test/a"}, [2]string{"https://web.test/b"}, []string{"over_consumed"}},
		"silence is over":      {web + on("fault \"hang\" {}\n"+reply("")), [2]string{"https://web.test/a"}, [2]string{"https://web.test/b"}, nil},
		"silence that ends":    {web + on("fault \"timeout\" { after = \"1s\" }\n"+reply("")), [2]string{"https://web.test/a"}, [2]string{"https://web.test/b"}, []string{"ambiguous", "unused_reply"}},
		"no wait is no time":   {web + on("reply {}\n"+reply("")), [2]string{"https://web.test/a"}, [2]string{"https://web.test/b"}, nil},
		"where chance decides": {web + "endpoint \"e\" {\n provider = provider.web\n concurrent = \"arrival\"\n}\n" + strings.Replace(on(reply("")+reply("")), "on \"web\"", "on \"e\"", 1), [2]string{"https://web.test/a"}, [2]string{"https://web.test/b"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := drivenBy(t, c.source)
				x := d.asks(c.first[0], c.first[1])
				y := d.asks(c.second[0], c.second[1])
				time.Sleep(2 * time.Second)
				x.End(false)
				y.End(false)
				r, _ := d.run.Finish("")
				if got := gatesOf(r); !slices.Equal(got, c.want) {
					t.Errorf("%q, want %q: %v", got, c.want, r.Problems)
				}
			})
		})
	}
}

// Shows that a lane in which requests overlapped without harm, and which gave several
// entries by their order, is told of with the lane to set: the next time it may be
// otherwise. One that gave a single entry, and one whose file says that chance decides,
// are not.
func TestOverlapsThatMadeNoDifferenceAreTold(t *testing.T) {
	const source = `provider "http" "p" { base_url = "https://web.test" }
endpoint "e" {
  provider = provider.p
  $CONCURRENT
}
scenario "s" {
  on "e" {
    reply {
      latency = "1s"
      $FIRST
    }
    $MORE
  }
  expect "run" { status = "success" }
}
`
	for _, c := range []struct {
		concurrent, first, more string
		warns                   bool
	}{
		{"", "times = 2", "reply { status_code = 201 }", true},
		{"", "times = 2", "", false},
		{`concurrent = "arrival"`, "times = 2", "reply { status_code = 201 }", false},
		// Where no request fits two of them, what they match tells them apart; one that fits more does not.
		{"", `match { path = "/a" }`, "reply {\n match { path = \"/b\" }\n }\n reply {\n match { path = \"/c\" }\n }", false},
		{"", `match { path = "/a" }`, "reply {\n match { method = \"GET\" }\n times = 2\n }", true},
		{"", `match { path = "/a*" }`, "reply {\n match { path = \"/b\" }\n }\n reply {\n match { path = \"/c\" }\n }", true},
	} {
		synctest.Test(t, func(t *testing.T) {
			d := drivenBy(t, strings.NewReplacer("$CONCURRENT", c.concurrent, "$FIRST", c.first, "$MORE", c.more).Replace(source))
			x, y := d.asks("https://web.test/a", ""), d.asks("https://web.test/b", "")
			time.Sleep(2 * time.Second)
			x.End(false)
			y.End(false)
			if c.more != "" {
				d.asks("https://web.test/c", "").End(false)
			}
			if r, _ := d.run.Finish(""); r.Verdict != Pass {
				t.Errorf("%q %q: %v", c.concurrent, c.more, r.Problems)
			}
			warnings := strings.Join(d.run.Warnings(), "\n")
			if chance := strings.Contains(warnings, `as concurrent = "arrival" allows`); chance != (c.concurrent != "") {
				t.Errorf("%q %q: %q", c.concurrent, c.more, warnings)
			}
			if told := strings.Contains(warnings, "made no difference this time") && strings.Contains(warnings, "lane = request.body"); told != c.warns {
				t.Errorf("%q %q: %q", c.concurrent, c.more, warnings)
			}
		})
	}
}

// Shows which attempt goes on with a call that its client left in the middle of a
// healthy answer: any where no byte of it had been sent, and where some had, one that
// says so by a key or a count of retries. It is the same where the leaving is seen when
// the next attempt has ended.
func TestCallsThatTheirClientsLeft(t *testing.T) {
	const source = `provider "openai" "llm" {}
scenario "s" {
  on "llm" {
    reply {
      content     = "yes, and so on"
      chunk_delay = "1s"
      times       = 2
    }
  }
  expect "run" { status = "success" }
}
`
	for _, c := range []struct {
		name          string
		sent          int
		first, second []string // header
		want          int      // calls
	}{
		{"nothing sent", 0, nil, nil, 1},
		{"bytes sent", 10, nil, nil, 2},
		{"a key", 10, []string{"Idempotency-Key", "k"}, []string{"Idempotency-Key", "k"}, 1},
		{"a count", 10, nil, []string{"X-Stainless-Retry-Count", "1"}, 1},
		{"a count of 0", 0, nil, []string{"X-Stainless-Retry-Count", "0"}, 2},
	} {
		for _, seenLate := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				d := drivenBy(t, source)
				body := strings.Replace(chatOf("a"), "{", `{"stream": true, `, 1)
				x := d.asks(chatURL, body, c.first...)
				x.Sent(c.sent)
				if seenLate {
					d.asks(chatURL, body, c.second...).End(false)
					x.End(true)
				} else {
					x.End(true)
					time.Sleep(time.Second)
					d.asks(chatURL, body, c.second...).End(false)
				}
				calls := map[int]bool{}
				for _, e := range d.run.Trace() {
					if e.Type == trace.AttemptEnd {
						n, _ := e.Attr("call_number").(int)
						calls[n] = true
					}
				}
				if len(calls) != c.want {
					t.Errorf("%s, seen late %t: %d calls, want %d", c.name, seenLate, len(calls), c.want)
				}
			})
		}
	}
}

// Shows that who is asked is never guessed: of two providers of one address that a
// request fits alike, and of two endpoints whose matches say different things about it,
// none answers, and the message says what tells them apart.
func TestWhoIsAskedIsNeverGuessed(t *testing.T) {
	for name, c := range map[string]struct{ source, url, body, says string }{
		"two providers": {
			"provider \"openai\" \"one\" {}\nprovider \"openai\" \"two\" {}\n", chatURL, chatOf("a"), "give each a base_url or a model of its own",
		},
		"two endpoints": {
			"provider \"http\" \"web\" { base_url = \"https://web.test\" }\nendpoint \"one\" {\n provider = provider.web\n match { path = \"/a\" }\n}\nendpoint \"two\" {\n provider = provider.web\n match { method = \"GET\" }\n}\n",
			"https://web.test/a", "", "give one of them a match that says more",
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := drivenBy(t, c.source+"scenario \"s\" {\n  on \"*\" {\n    reply { optional = true }\n  }\n  expect \"run\" { status = \"success\" }\n}\n")
			x := d.asks(c.url, c.body)
			if got := x.Script().Status(); got != 599 {
				t.Errorf("answered with %d", got)
			}
			x.End(false)
			r, _ := d.run.Finish("")
			if got := gatesOf(r); !slices.Equal(got, []string{plan.GateAmbiguous}) || !strings.Contains(r.Problems[0].Message, c.says) {
				t.Errorf("%q: %v", got, r.Problems)
			}
		})
	}
}

// Shows that a lane whose expression is null, or fails, for a request is the one
// without a name, and that a warning says so.
func TestLanesWithoutAValue(t *testing.T) {
	for _, lane := range []string{"request.query.worker", "tonumber(request.path)"} {
		d := drivenBy(t, "provider \"http\" \"p\" { base_url = \"https://web.test\" }\nendpoint \"e\" {\n  provider = provider.p\n  lane = "+lane+"\n}\nscenario \"s\" {\n  on \"e\" {\n    reply {}\n  }\n  assert \"no name\" { condition = [for l in endpoint.e.lanes : l.name] == [\"\"] }\n}\n")
		d.asks("https://web.test/a", "").End(false)
		if r, _ := d.run.Finish(""); r.Verdict != Pass {
			t.Errorf("%s: %v", lane, r.Problems)
		}
		if w := strings.Join(d.run.Warnings(), "\n"); !strings.Contains(w, `the lane of endpoint "e" has no value for GET https://web.test/a`) {
			t.Errorf("%s: %q", lane, w)
		}
	}
}

// Shows that a fault which no request of a program met breaks its gate, as one of a
// workflow does.
func TestFaultsThatNoProgramMeets(t *testing.T) {
	d := drivenBy(t, "provider \"http\" \"web\" { base_url = \"https://web.test\" }\nscenario \"s\" {\n  on \"web\" {\n    reply {}\n    fault \"http_error\" { status_code = 503 }\n  }\n  expect \"run\" { status = \"success\" }\n}\n")
	d.asks("https://web.test/a", "").End(false)
	if r, _ := d.run.Finish(""); !slices.Equal(gatesOf(r), []string{plan.GateUnfiredFault}) {
		t.Errorf("%v", r.Problems)
	}
}

// Shows that an endpoint which a program never called has empty lists and numbers of
// 0, so that conditions about it hold or fail and none breaks.
func TestAnEndpointNobodyCalled(t *testing.T) {
	d := drivenBy(t, `provider "openai" "llm" {}
scenario "s" {
  on "llm" {
    reply {
      content  = "yes"
      optional = true
    }
  }
  expect "llm" {
    status        = "unused"
    attempts      = []
    calls         = []
    lanes         = []
    retries       = 0
    in_flight_max = 0
    connections   = 0
    content       = null
  }
  assert "counts" {
    condition = length(endpoint.llm.attempts) == 0 && endpoint.llm.elapsed_ms == null
  }
}
`)
	if r, _ := d.run.Finish(""); r.Verdict != Pass {
		t.Errorf("%v", r.Problems)
	}
}

// Shows that an answer which its client has put aside overlaps nothing, as rows that
// are fetched later do, and that it does again when the client comes back.
func TestPutAside(t *testing.T) {
	const source = `provider "http" "web" { base_url = "https://web.test" }
scenario "s" {
  allow = ["unused_reply"]
  on "web" {
    reply { latency = "1s" }
    reply { latency = "1s" }
    reply {}
  }
  expect "run" { status = "success" }
}
`
	synctest.Test(t, func(t *testing.T) {
		d := drivenBy(t, source)
		x := d.asks("https://web.test/a", "")
		x.Aside(true)
		y := d.asks("https://web.test/b", "")
		if got := y.Script().Status(); got != 200 {
			t.Errorf("beside one that was put aside: %d", got)
		}
		y.Aside(true)
		x.Aside(false)
		if got := d.asks("https://web.test/c", "").Script().Status(); got != 599 {
			t.Errorf("beside one that its client came back for: %d", got)
		}
		x.End(false)
		y.End(false)
		if r, _ := d.run.Finish(""); !slices.Equal(gatesOf(r), []string{plan.GateAmbiguous}) {
			t.Errorf("%v", r.Problems)
		}
	})
}
