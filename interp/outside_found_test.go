package interp

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/providers/sql"
	"github.com/scenario-lang/scenario/wire"
)

const foundFile = `provider "openai" "small" { model = "gpt-small" }
provider "openai" "large" { model = "gpt-large" }
provider "http" "shop" { base_url = "https://shop.test/api" }
provider "http" "admin" { base_url = "https://shop.test/api/admin" }
provider "http" "vectors" { base_url = "https://api.openai.com/v1" }
provider "openai" "proxied" { base_url = "https://proxy.test/v1" }
provider "anthropic" "claude" { base_url = "https://proxy.test" }
provider "openai" "chats" { base_url = "https://mixed.test/v1" }
provider "http" "beside" { base_url = "https://mixed.test/v1" }

endpoint "stock" {
  provider = provider.shop
  lane     = request.query.worker
  match { path = "/stock" }
}
endpoint "rest" { provider = provider.shop }

scenario "s" {
  allow = ["unused_reply", "unfired_fault"]
  on "stock" {
    fault "http_error" { status_code = 503 }
    reply {
      match { query = { n = "2" } }
      json = {}
    }
    reply { times = 20 }
  }
  on "rest" {
    reply { times = 20 }
  }
  on "admin" {
    reply { times = 20 }
  }
  on "small" {
    reply {
      turn    = 1
      content = "hi"
      times   = 20
    }
  }
  on "large" {
    reply {
      content = "hi"
      times   = 20
    }
  }
  on "proxied" {
    reply { content = "hi" }
  }
  on "claude" {
    reply { content = "hi" }
  }
  on "vectors" {
    reply { times = 20 }
  }
  on "chats" {
    reply { content = "hi" }
  }
  on "beside" {
    reply { json = {} }
  }
  expect "run" { status = "success" }
}
`

// Shows that every exchange says by which rule its provider, endpoint, lane, call and
// entry were found: each rule decides once, and is the one that is told.
func TestFoundByEachRule(t *testing.T) {
	var ended Ended
	run := NewOutside(compileAt(t, "found.scenario.hcl", foundFile)[0], OutsideOptions{Clock: wire.System(), Way: Exec, OnEnd: func(e Ended) { ended = e }})
	chat := func(model string) string {
		return `{"model": "` + model + `", "messages": [{"role": "user", "content": "why?"}]}`
	}
	for _, c := range []struct {
		url, listener, body, header string // the header is NAME=VALUE
		want                        string
	}{
		{"https://shop.test/api/other", "", "", "", "provider by address, endpoint by no other match fits, call by a new request, entry by order"},
		{"https://shop.test/api/other", "shop", "", "", "provider by listener, endpoint by no other match fits, call by a new request, entry by order"},
		{"https://shop.test/api/admin/x", "", "", "", "provider by longest path, endpoint by provider, call by a new request, entry by order"},
		{"https://shop.test/api/stock?worker=a", "", "", "", "provider by address, endpoint by match, lane by lane of the endpoint, call by a new request, entry by order"},
		{"https://shop.test/api/stock?worker=a", "", "", "", "provider by address, endpoint by match, lane by lane of the endpoint, call by the same request, entry by order"},
		{"https://shop.test/api/stock?n=2", "", "", "X-Scenario-Lane=b", "provider by address, endpoint by match, lane by header X-Scenario-Lane, call by a new request, entry by order"},
		{"https://shop.test/api/stock?n=2", "", "", "X-Scenario-Lane=b", "provider by address, endpoint by match, lane by header X-Scenario-Lane, call by the same request, entry by match"},
		{"https://shop.test/api/stock?worker=c", "", "", "Idempotency-Key=k", "provider by address, endpoint by match, lane by lane of the endpoint, call by a new request, entry by order"},
		{"https://shop.test/api/stock?worker=c&again=1", "", "", "Idempotency-Key=k", "provider by address, endpoint by match, lane by lane of the endpoint, call by Idempotency-Key, entry by order"},
		{"https://shop.test/api/other", "", "", "X-Scenario-Endpoint=stock", "provider by address, endpoint by header X-Scenario-Endpoint, lane by lane of the endpoint, call by a new request, entry by order"},
		{"https://shop.test/_e/stock/api/other2", "", "", "", "provider by address, endpoint by path /_e/, lane by lane of the endpoint, call by a new request, entry by order"},
		{"https://api.openai.com/v1/chat/completions", "", chat("gpt-large"), "", "provider by model, endpoint by provider, call by a new request, entry by order"},
		{"https://api.openai.com/v1/chat/completions", "small", chat("gpt-small"), "", "provider by listener, endpoint by provider, call by a new request, entry by turn"},
		{"https://api.openai.com/v1/embeddings", "", `{}`, "", "provider by API of the request, endpoint by provider, call by a new request, entry by order"},
		{"https://proxy.test/v1/messages", "", `{"model": "c", "max_tokens": 5, "messages": [{"role": "user", "content": "why?"}]}`, "", "provider by API of the request, endpoint by provider, call by a new request, entry by order"},
		{"https://proxy.test/v1/chat/completions", "", chat("m"), "", "provider by API of the request, endpoint by provider, call by a new request, entry by order"},
		// A model and a service over HTTP at one base, neither with a model: http is last.
		{"https://mixed.test/v1/chat/completions", "", chat("m"), "", "provider by API of the request, endpoint by provider, call by a new request, entry by order"},
		{"https://mixed.test/v1/orders", "", "", "", "provider by API of the request, endpoint by provider, call by a new request, entry by order"},
	} {
		method := http.MethodGet
		if c.body != "" {
			method = http.MethodPost
		}
		req := httptest.NewRequestWithContext(context.Background(), method, c.url, strings.NewReader(c.body))
		if name, value, ok := strings.Cut(c.header, "="); ok {
			req.Header.Set(name, value)
		}
		if c.body != "" {
			req.Header.Set("Content-Type", "application/json")
		}
		ended = Ended{}
		x, err := run.Answer(req.Context(), Asked{Request: req, Body: []byte(c.body), Listener: c.listener})
		if err != nil {
			t.Fatal(err)
		}
		resp, err := x.Script().RoundTripWatched(wire.System(), req, x)
		if err != nil {
			t.Fatal(err)
		}
		said, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if got := ended.Found.String(); got != c.want {
			t.Errorf("%s %s: %q, want %q (%d %.200s)", c.url, c.header, got, c.want, resp.StatusCode, said)
		}
	}
}

// Shows that who is refused a session of a database is told of with the rules, too.
func TestFoundByARefusal(t *testing.T) {
	const text = `provider "sql" "shop" { base_url = "postgres://app@db.test/shop" }
scenario "s" {
  on "shop" {
    fault "db_down" {}
  }
  expect "run" { status = "success" }
}
`
	var ended Ended
	run := NewOutside(compileAt(t, "found.scenario.hcl", text)[0], OutsideOptions{Clock: wire.System(), Way: Exec, OnEnd: func(e Ended) { ended = e }})
	address, err := sql.Address("postgres://app@db.test/shop")
	if err != nil {
		t.Fatal(err)
	}
	req := &http.Request{Method: http.MethodConnect, URL: address, Header: http.Header{}, Proto: "PostgreSQL/3.0", ProtoMajor: 3}
	x, err := run.Connect(context.Background(), Asked{Request: req, Listener: "shop"})
	if err != nil || x == nil {
		t.Fatal(x, err)
	}
	x.End(false)
	if got, want := ended.Found.String(), "provider by listener, endpoint by a refusal that all have due, call by a new request, entry by order"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
