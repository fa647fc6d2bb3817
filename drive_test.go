package scenario_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/scenario-lang/scenario"
)

// driven begins the one scenario of a text, in the bubble of the caller.
func driven(t *testing.T, text string, o scenario.DriveOptions) *scenario.Driven {
	t.Helper()
	suite, err := scenario.Load(fstest.MapFS{}, "a.scenario.hcl", scenario.File("a.scenario.hcl", text))
	if err != nil {
		t.Fatal(err)
	}
	return suite.Scenarios()[0].Drive(o)
}

// A message is what a test asks.
type message struct {
	url    string // "" for chat completions of OpenAI
	prompt string
	header http.Header
	stream bool
}

// answered is what a test gets back.
type answered struct {
	status int
	reason string
	header http.Header
	body   string
	err    error
}

// ask sends a request and reads the answer to its end.
func ask(ctx context.Context, d *scenario.Driven, m message) answered {
	body, _ := json.Marshal(map[string]any{"model": "m", "stream": m.stream, "messages": []any{map[string]any{"role": "user", "content": m.prompt}}})
	url := m.url
	if url == "" {
		url = "https://api.openai.com/v1/chat/completions"
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return answered{err: err}
	}
	req.Header.Set("Content-Type", "application/json")
	for name, values := range m.header {
		req.Header[name] = values
	}
	resp, err := d.Transport().RoundTrip(req)
	if err != nil {
		return answered{err: err}
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return answered{resp.StatusCode, resp.Status, resp.Header, string(text), err}
}

// problems are the names of what is wrong with a result, and in which words.
func problems(r *scenario.Result) []string {
	var list []string
	for _, p := range r.Problems() {
		list = append(list, p.Kind+" "+p.Name)
	}
	return list
}

func value(t *testing.T, r *scenario.Result, expr string) string {
	t.Helper()
	v, err := r.Value(expr)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := json.Marshal(v)
	return string(text)
}

const twoEntries = `
provider "openai" "llm" {}
scenario "s" {
  on "llm" {
    fault "http_error" {
      status_code = 503
      after       = "1s"
    }
    reply { content = "yes" }
  }
  expect "run" { status = "success" }
}
`

// Each lane has a script of its own, so workers get the same entries whatever
// their order.
func TestLanes(t *testing.T) {
	for range 20 {
		synctest.Test(t, func(t *testing.T) {
			d := driven(t, strings.Replace(twoEntries, `provider "openai" "llm" {}`, "provider \"openai\" \"p\" {}\nendpoint \"llm\" {\n  provider = provider.p\n  lane     = request.prompt\n}", 1), scenario.DriveOptions{})
			var done sync.WaitGroup
			var wrong sync.Map
			for i := range 8 {
				done.Go(func() {
					for _, want := range []int{503, 200} {
						if a := ask(t.Context(), d, message{prompt: fmt.Sprint("worker ", i)}); a.status != want {
							wrong.Store(i, a)
						}
					}
				})
			}
			done.Wait()
			wrong.Range(func(k, v any) bool {
				t.Errorf("worker %v: %+v", k, v)
				return true
			})
			r := d.Finish()
			if r.Verdict() != scenario.Passed {
				t.Errorf("%v", r.Problems())
			}
			if got := value(t, r, "[length(endpoint.llm.lanes), length(endpoint.llm.calls), endpoint.llm.retries, [for l in endpoint.llm.lanes : length(l.attempts) if l.name == \"worker 3\"]]"); got != "[8,8,8,[2]]" {
				t.Error(got)
			}
		})
	}
}

// An entry has to answer in every lane that was opened.
func TestUnusedInALane(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := driven(t, twoEntries, scenario.DriveOptions{})
		ask(t.Context(), d, message{header: http.Header{"X-Scenario-Lane": {"a"}}})
		ask(t.Context(), d, message{header: http.Header{"X-Scenario-Lane": {"a"}}})
		ask(t.Context(), d, message{header: http.Header{"X-Scenario-Lane": {"b"}}})
		if got := problems(d.Finish()); !slices.Contains(got, "gate unused_reply") {
			t.Errorf("%q", got)
		}
	})
}

// A client that times out and asks again at once overlaps nothing, and both are
// one call.
func TestTimesOutAndAsksAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := driven(t, `
provider "openai" "llm" {}
scenario "s" {
  on "llm" {
    fault "timeout" {}
    reply { content = "yes" }
  }
  expect "llm" {
    status  = "success"
    retries = 1
  }
  assert "the first was given up" {
    condition = endpoint.llm.attempts[0].ended_by == "client" && endpoint.llm.attempts[0].outcome == "failure" && endpoint.llm.attempts[0].error.kind == "timeout"
  }
}
`, scenario.DriveOptions{})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if a := ask(ctx, d, message{prompt: "a"}); !errors.Is(a.err, context.DeadlineExceeded) {
			t.Errorf("%v", a.err)
		}
		if a := ask(t.Context(), d, message{prompt: "a"}); a.status != 200 {
			t.Errorf("%+v", a)
		}
		if r := d.Finish(); r.Verdict() != scenario.Passed {
			t.Errorf("%v", r.Problems())
		}
	})
}

// What is one call, by what asks the same: keys first, then method, path and
// body; a success, and a count of 0, end it.
func TestCalls(t *testing.T) {
	fail, reply := `fault "http_error" { status_code = 503 }`, `reply { content = "yes" }`
	for name, tc := range map[string]struct {
		script []string
		asks   []message
		want   string // attempts of each call
	}{
		"the same again":                             {[]string{fail, fail, reply}, []message{{prompt: "a"}, {prompt: "a"}, {prompt: "a"}}, "[3]"},
		"something else":                             {[]string{fail, reply}, []message{{prompt: "a"}, {prompt: "b"}}, "[1,1]"},
		"again after a success":                      {[]string{reply, reply}, []message{{prompt: "a"}, {prompt: "a"}}, "[1,1]"},
		"the key says it":                            {[]string{fail, reply}, []message{{prompt: "a", header: http.Header{"Idempotency-Key": {"k"}}}, {prompt: "b", header: http.Header{"Idempotency-Key": {"k"}}}}, "[2]"},
		"another key":                                {[]string{fail, reply}, []message{{prompt: "a", header: http.Header{"Idempotency-Key": {"k"}}}, {prompt: "a", header: http.Header{"Idempotency-Key": {"l"}}}}, "[1,1]"},
		"a key and none":                             {[]string{fail, reply}, []message{{prompt: "a", header: http.Header{"Idempotency-Key": {"k"}}}, {prompt: "a"}}, "[1,1]"},
		"a count of 0 begins one":                    {[]string{fail, reply}, []message{{prompt: "a"}, {prompt: "a", header: http.Header{"X-Stainless-Retry-Count": {"0"}}}}, "[1,1]"},
		"a count of 1 goes on":                       {[]string{fail, reply}, []message{{prompt: "a", header: http.Header{"X-Stainless-Retry-Count": {"0"}}}, {prompt: "a", header: http.Header{"X-Stainless-Retry-Count": {"1"}}}}, "[2]"},
		"after a success, whatever failed before it": {[]string{fail, reply, reply}, []message{{prompt: "a"}, {prompt: "a", header: http.Header{"X-Stainless-Retry-Count": {"0"}}}, {prompt: "a"}}, "[1,1,1]"},
		"counts of two at once":                      {[]string{fail, fail, reply, reply}, []message{{prompt: "a", header: http.Header{"X-Stainless-Retry-Count": {"0"}}}, {prompt: "b", header: http.Header{"X-Stainless-Retry-Count": {"0"}}}, {prompt: "b", header: http.Header{"X-Stainless-Retry-Count": {"1"}}}, {prompt: "a", header: http.Header{"X-Stainless-Retry-Count": {"1"}}}}, "[2,2]"},
		"another call in between":                    {[]string{fail, fail, reply, reply}, []message{{prompt: "a"}, {prompt: "b"}, {prompt: "a"}, {prompt: "b"}}, "[2,2]"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := driven(t, "provider \"openai\" \"llm\" {}\nscenario \"s\" {\n  on \"llm\" {\n    "+strings.Join(tc.script, "\n    ")+"\n  }\n  expect \"llm\" { status = \"success\" }\n}\n", scenario.DriveOptions{})
				for _, m := range tc.asks {
					ask(t.Context(), d, m)
					time.Sleep(time.Second)
				}
				r := d.Finish()
				if got := value(t, r, "[for c in endpoint.llm.calls : length(c.attempts)]"); got != tc.want {
					t.Errorf("%s, want %s", got, tc.want)
				}
			})
		})
	}
}

// A request that reaches no endpoint breaks the gate that says why, and is
// answered all the same.
func TestLostRequests(t *testing.T) {
	const file = `
provider "openai" "llm" { base_url = "https://llm.test/v1" }
provider "http" "app" { base_url = "https://app.test/api" }
scenario "s" {
  on "llm" {
    reply {
      content  = "yes"
      optional = true
    }
  }
  expect "run" { status = "success" }
}
`
	for name, tc := range map[string]struct {
		m    message
		gate string
		says string
	}{
		"host of no provider": {message{url: "https://elsewhere.test/x"}, "unlisted_host", `base_url = "https://elsewhere.test"`},
		"beside the base":     {message{url: "https://llm.test/chat/completions"}, "unmatched_call", `provider "llm" is https://llm.test/v1`},
		"not of the API":      {message{url: "https://llm.test/v1/embeddings"}, "unmatched_call", `has no such request`},
		"no such endpoint":    {message{url: "https://llm.test/v1/chat/completions", header: http.Header{"X-Scenario-Endpoint": {"nope"}}}, "ambiguous", `"nope"`},
		"nothing answers":     {message{url: "https://app.test/api/orders"}, "unmatched_call", `on "app"`},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := driven(t, file, scenario.DriveOptions{})
				a := ask(t.Context(), d, tc.m)
				r := d.Finish()
				if a.status != 599 || a.reason != "599 scenario: "+tc.gate {
					t.Errorf("%+v", a)
				}
				i := slices.IndexFunc(r.Problems(), func(p scenario.Problem) bool { return p.Name == tc.gate })
				if i < 0 || !strings.Contains(r.Problems()[i].Message, tc.says) {
					t.Errorf("%v", r.Problems())
				}
			})
		})
	}
}

// Shows that who has given up already asks nothing, as with the transport of net/http:
// no attempt is made, and the entry is there for the next request.
func TestWhoHasGivenUpAsksNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := driven(t, twoEntries, scenario.DriveOptions{})
		why := errors.New("the user went away")
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(why)
		if a := ask(ctx, d, message{prompt: "a"}); !errors.Is(a.err, why) {
			t.Errorf("a request of who has left: %+v", a)
		}
		if _, err := d.DialContext(ctx, "tcp", "api.openai.com:443", scenario.Dialled{}); !errors.Is(err, context.Canceled) {
			t.Errorf("a connection of who has left: %v", err)
		}
		for _, want := range []int{503, 200} {
			if a := ask(t.Context(), d, message{prompt: "a"}); a.status != want {
				t.Errorf("status %d, want %d: %+v", a.status, want, a)
			}
		}
		if r := d.Finish(); len(r.Problems()) > 0 || value(t, r, "length(endpoint.llm.attempts)") != "2" {
			t.Errorf("%v, %s attempts", problems(r), value(t, r, "length(endpoint.llm.attempts)"))
		}
	})
}

// A client that closes a short answer unread has had it: a server writes it at
// once. One that closes while there is still to wait has left.
func TestClosedUnread(t *testing.T) {
	for reply, want := range map[string]string{
		`reply { body = "x" }`: "success",
		`reply {
      body    = "x"
      latency = "1s"
    }`: "success",
		`reply {
      chunks      = ["a", "b"]
      chunk_delay = "1s"
    }`: "cancelled",
	} {
		synctest.Test(t, func(t *testing.T) {
			d := driven(t, "provider \"http\" \"p\" { base_url = \"https://p.test\" }\nscenario \"s\" {\n  on \"p\" {\n    "+reply+"\n  }\n  expect \"run\" { status = \"success\" }\n}\n", scenario.DriveOptions{})
			req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://p.test/", nil)
			req.Header.Set("Accept", "text/event-stream")
			resp, err := d.Transport().RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if got := value(t, d.Finish(), "endpoint.p.attempts[0].outcome"); got != `"`+want+`"` {
				t.Errorf("%s: %s, want %s", reply, got, want)
			}
		})
	}
}

// An answer that is neither read nor closed is a leak of the program.
func TestOpenBody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := driven(t, `
provider "openai" "llm" {}
scenario "s" {
  on "llm" {
    reply {
      chunks      = ["a", "b"]
      chunk_delay = "1s"
    }
  }
  expect "run" { status = "success" }
}
`, scenario.DriveOptions{})
		req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://api.openai.com/v1/chat/completions", strings.NewReader(`{"model":"m","stream":true,"messages":[{"role":"user","content":"a"}]}`))
		resp, err := d.Transport().RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		if got := problems(d.Finish()); !slices.Equal(got, []string{"gate open_body"}) {
			t.Errorf("%q", got)
		}
		resp.Body.Close()
		if a := ask(t.Context(), d, message{}); a.err == nil {
			t.Errorf("after the end: %+v", a)
		}
	})
}

// A request finds its endpoint by what matches say, most first; by its name; and
// an entry by its own match. What none of them answers is told with the nearest.
func TestRequestsFindTheirEndpoint(t *testing.T) {
	const file = `
provider "openai" "llm" {}
endpoint "any" { provider = provider.llm }
endpoint "translate" {
  provider = provider.llm
  match { prompt = "Translate*" }
}
endpoint "thanks" {
  provider = provider.llm
  match {
    prompt    = "Translate*"
    json      = { model = "m" }
    condition = strcontains(request.prompt, "thanks")
  }
}
scenario "s" {
  on "any" {
    reply {
      content = "tenant b"
      match {
        headers = { X-Tenant = "b" }
      }
    }
    reply {
      content  = "any"
      times    = "*"
      optional = true
    }
  }
  on "translate" {
    reply {
      content  = "translate"
      optional = true
    }
  }
  on "thanks" {
    reply {
      content  = "thanks"
      optional = true
    }
  }
  expect "run" { status = "success" }
}
`
	synctest.Test(t, func(t *testing.T) {
		d := driven(t, file, scenario.DriveOptions{})
		for _, tc := range []struct {
			m    message
			want string
		}{
			{message{prompt: "why?"}, "any"},
			{message{prompt: "Translate this"}, "translate"},
			{message{prompt: "Translate thanks"}, "thanks"},
			{message{prompt: "why?", header: http.Header{"X-Tenant": {"b"}}}, "tenant b"},
			{message{prompt: "Translate thanks", header: http.Header{"X-Scenario-Endpoint": {"any"}}}, "any"},
			{message{prompt: "Translate that", url: "https://api.openai.com/_e/any/v1/chat/completions"}, "any"},
		} {
			if a := ask(t.Context(), d, tc.m); !strings.Contains(a.body, `"`+tc.want+`"`) {
				t.Errorf("%q: %d %s", tc.m.prompt, a.status, a.body)
			}
		}
		if r := d.Finish(); r.Verdict() != scenario.Passed {
			t.Errorf("%v", r.Problems())
		}
	})
}

// What a program does not show is no check of a driven run.
func TestNotObserved(t *testing.T) {
	const file = `
provider "openai" "llm" {}
breaker "b" { threshold = 2 }
gateway "g" {
  target "main" {
    provider = provider.llm
    breaker  = breaker.b
  }
}
retry "linear" "r" { delay = "1s" }
workflow "w" {
  gateway = gateway.g
  step "llm" "answer" {
    prompt = "why?"
    model  = "m"
    retry  = retry.r
  }
}
scenario "s" {
  run = workflow.w
  on "answer" {
    fault "http_error" { status_code = 503 }
    reply { content = "yes" }
  }
  assert "the breaker stays closed" {
    condition = breaker.main.state == "closed"
  }
  assert "never in a program" {
    condition = breaker.main.state == "open" || step.answer.retries == 1
  }
  expect "answer" {
    status    = "success"
    delays_ms = [1000]
  }
}
`
	suite, err := scenario.Load(fstest.MapFS{}, "a.scenario.hcl", scenario.File("a.scenario.hcl", file))
	if err != nil {
		t.Fatal(err)
	}
	if r := suite.Scenarios()[0].Run(t.Context()); r.Verdict() != scenario.Passed {
		t.Errorf("interpreted: %v", r.Problems())
	}
	synctest.Test(t, func(t *testing.T) {
		d := suite.Scenarios()[0].Drive(scenario.DriveOptions{})
		for range 2 {
			ask(t.Context(), d, message{prompt: "why?"})
			time.Sleep(time.Second)
		}
		r := d.Finish()
		if r.Verdict() != scenario.Passed {
			t.Errorf("driven: %v", r.Problems())
		}
		if got := r.NotObserved(); !slices.Equal(got, []string{`assert "the breaker stays closed": breaker.main`, `assert "never in a program": breaker.main`}) {
			t.Errorf("%q", got)
		}
	})
}

// Shows that what is asked in turns is told apart by its path, also where the bodies
// are the same: two calls, of which the first was tried again.
func TestCallsAreToldApartByPath(t *testing.T) {
	suite, err := scenario.Load(fstest.MapFS{"a.scenario.hcl": {Data: []byte(`
provider "http" "shop" { base_url = "https://shop.example" }
scenario "s" {
  on "shop" {
    fault "http_error" { times = "*" }
  }
  expect "run" { status = "success" }
}
`)}}, ".")
	if err != nil {
		t.Fatal(err)
	}
	run := suite.Scenarios()[0].Drive(scenario.DriveOptions{})
	client := &http.Client{Transport: run.Transport()}
	for _, path := range []string{"/a", "/b", "/a"} {
		resp, err := client.Get("https://shop.example" + path)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
	got, err := run.Finish().Value("join(\" \", [for a in endpoint.shop.attempts : a.call])")
	if err != nil || got != "1 2 1" {
		t.Errorf("calls %v, %v", got, err)
	}
}
