package drive

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/compile"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/trace"
	"github.com/scenario-lang/scenario/wire"
)

const knownFile = `provider "openai" "llm" { base_url = "https://one.test/v1" }
provider "anthropic" "claude" { base_url = "https://one.test" }
provider "http" "rest" { base_url = "https://one.test" }

endpoint "urgent" {
  provider = provider.llm
  match { headers = { "X-Urgent" = "yes" } }
}
endpoint "chat" {
  provider = provider.llm
  lane     = request.headers.x-worker
}
endpoint "shop" {
  provider = provider.rest
  lane     = request.headers.x-worker
}

scenario "s" {
  allow = ["unused_reply", "unfired_fault", "over_consumed", "unmatched_call", "no_assertion"]
  on "urgent" {
    reply {
      content = "now"
      times   = 5
    }
    reply {
      content = "later"
      times   = "*"
    }
  }
  on "chat" {
    fault "http_error" {
      status_code = 429
      headers     = { "Retry-After" = "2" }
    }
    reply { content = "one" }
    reply {
      match { headers = { "X-Urgent" = "no" } }
      content = "not now"
    }
    reply {
      content = "two"
      latency = "30ms"
      times   = 3
    }
    fault "stream_truncate" {
      chunks       = ["a", "b"]
      after_chunks = 1
      times        = 2
    }
    reply {
      content = "three"
      times   = "*"
    }
  }
  on "claude" {
    reply {
      content = "claude"
      times   = "*"
    }
  }
  on "shop" {
    reply {
      status_code = 503
      headers = { "Retry-After" = "Sat, 01 Jan 2000 01:00:00 GMT" }
      times   = 4
    }
    reply {
      status_code = 429
      headers = { "Retry-After" = "7" }
      json    = { n = 1 }
      times   = 4
    }
    reply {
      json  = { ok = true }
      times = "*"
    }
  }
}
`

// What a run remembers of requests changes nothing that it says: with and without it the
// trace of the same requests is the same, byte for byte. Among them are those that differ
// in one header field alone, which a match, a lane, the count of retries or the API of the
// request looks at.
func TestWhatIsRememberedChangesNothing(t *testing.T) {
	all := ""
	for seed := range uint64(20) {
		var traces [2]string
		for i := range traces {
			synctest.Test(t, func(t *testing.T) { traces[i] = traceOfAsking(t, seed, i == 0) })
		}
		if traces[0] != traces[1] {
			t.Fatalf("seed %d: with what is remembered\n%s\nwithout\n%s", seed, traces[0], traces[1])
		}
		all += traces[0]
	}
	for _, part := range []string{`"claude"`, `"urgent"`, `"shop"`, `"outcome":"cancelled"`, `"round":2`, `"three"`, `"retry_after_ns":7000000000`} {
		if !strings.Contains(all, part) {
			t.Errorf("nothing in the traces is %s", part)
		}
	}
}

func traceOfAsking(t *testing.T, seed uint64, remembers bool) string {
	r := New(knownPlan(t), Options{Clock: wire.System(), Way: plan.Embedded, TimeScale: float64(1 + seed%2)})
	if err := r.Begin(); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(seed, 0))
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	chat := func(path string) (string, string) {
		return path, fmt.Sprintf(`{"model": "m", "max_tokens": 9, "stream": %s, "messages": [{"role": "user", "content": %q}]}`, pick("true", "false"), pick("why?", "who?"))
	}
	for range 120 {
		path, body := chat(pick("/v1/chat/completions", "/v1/chat/completions", "/v1/messages"))
		if random.IntN(3) == 0 {
			path, body = pick("/stock", "/stock?n=2"), pick("", `{"n": 1}`)
		}
		req, err := http.NewRequest(http.MethodPost, "https://one.test"+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if random.IntN(2) == 0 {
			req.Header.Set(pick("X-Urgent", "X-Worker", "X-Stainless-Retry-Count", "Idempotency-Key", "Range", "Accept"), pick("yes", "no", "0", "1", "text/event-stream"))
		}
		if !remembers {
			r.known = knownOnes{}
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(random.IntN(40)+1)*time.Millisecond)
		ask(t, r, req.WithContext(ctx), body, remembers)
		cancel()
		time.Sleep(time.Duration(random.IntN(100)) * time.Millisecond)
	}
	r.Finish("")
	var b bytes.Buffer
	if err := trace.WriteTo(&b, trace.Header{}, r.Log.Events()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// ask makes a request and reads its answer.
func ask(t *testing.T, r *Run, req *http.Request, body string, remembers bool) {
	t.Helper()
	x, err := r.Answer(req.Context(), Asked{Request: req, Body: []byte(body)})
	if err != nil {
		t.Fatal(err)
	}
	if !remembers {
		x.rendered = nil
	}
	resp, err := x.Script().RoundTripWatched(r.Clock(), req, x)
	if err != nil {
		return
	}
	_, _ = io.Copy(io.Discard, resp.Body) // a client that leaves is one, too
	resp.Body.Close()
}

func knownPlan(t *testing.T) *plan.Plan {
	t.Helper()
	file, diags := dsl.Parse("known.scenario.hcl", []byte(knownFile))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	suite, diags := compile.Compile(file, compile.Options{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return plan.Inside(suite.Plans[0])
}

// A run knows so many requests and no more, and none that is long.
func TestRemembersLittle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := New(knownPlan(t), Options{Clock: wire.System(), Way: plan.Embedded})
		if err := r.Begin(); err != nil {
			t.Fatal(err)
		}
		for n := range 3 * knownMax {
			req, _ := http.NewRequest(http.MethodPost, "https://one.test/stock", nil)
			ask(t, r, req, fmt.Sprint(n), true)
			ask(t, r, req, strings.Repeat("x", knownBody+1), true)
		}
		if len(r.known.list) != knownMax {
			t.Errorf("%d requests are known", len(r.known.list))
		}
		for _, k := range r.known.list {
			if len(k.body) > knownBody {
				t.Error("a long body is known")
			}
		}
		r.Finish("")
	})
}
