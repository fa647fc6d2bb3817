package match

import (
	"net/http"
	"testing"
)

// Shows which header fields are told of that no profile compares: those that a program chooses,
// and none that say who asks, over which connection and when, nor any credential.
func TestHeadersThatAreNotCompared(t *testing.T) {
	hidden := func(text string) bool { return text == "hidden" }
	for _, c := range []struct {
		name string
		told bool
	}{
		{"X-Tenant", true},
		{"x-tenant-id", true},
		{"Prefer", true},
		{"If-Match", true},
		{"If-None-Match", true},
		{"Range", true},
		{"X-Api-Version", true},
		{"Stripe-Account", true},
		{"Stripe-Version", true},
		{"Anthropic-Beta", true},
		{"OpenAI-Organization", true},
		{"X-Dry-Run", true},
		{"User-Agent", false},
		{"Accept", false},
		{"Accept-Encoding", false},
		{"Content-Length", false},
		{"Content-Type", false},
		{"Date", false},
		{"Traceparent", false},
		{"tracestate", false},
		{"Idempotency-Key", false},
		{"X-Idempotency-Key", false},
		{"Authorization", false},
		{"X-Api-Key", false},
		{"Cookie", false},
		{"X-Request-Id", false},
		{"X-Correlation-Id", false},
		{"X-Amz-Date", false},
		{"X-Hub-Signature", false},
		{"X-Stainless-Os", false},
		{"Host", false},
		{"Mcp-Protocol-Version", false},
		{"Mcp-Session-Id", false},
	} {
		with := Request{Method: "GET", URL: "https://a.test/x", Header: http.Header{c.name: {"one"}, "Prefer": {"p"}}}
		other := Request{Method: "GET", URL: "https://a.test/x", Header: http.Header{c.name: {"two"}, "Prefer": {"p"}}}
		if c.name == "Prefer" {
			other.Header["Prefer"], with.Header["Prefer"] = []string{"q"}, []string{"p"}
		}
		without := Request{Method: "GET", URL: "https://a.test/x", Header: http.Header{"Range": {"p"}}}
		if n := len((Match{Profile: Strict}).IgnoredHeaders(with, other, hidden)); (n == 1) != c.told {
			t.Errorf("%s of another value: %d are told of", c.name, n)
		}
		if c.told {
			for _, m := range []Match{{Profile: Strict}, {Profile: Semantic}, {Profile: Loose}} {
				if len(m.IgnoredHeaders(with, without, hidden)) == 0 || len(m.IgnoredHeaders(without, with, hidden)) == 0 {
					t.Errorf("%s that one of the two has is not told of", c.name)
				}
			}
		}
		if (Match{Headers: []string{c.name, "prefer"}}).IgnoredHeaders(with, other, hidden) != nil {
			t.Errorf("%s is told of though it is compared", c.name)
		}
		with.Header[c.name] = []string{"hidden"}
		if c.name != "Prefer" && (Match{}).IgnoredHeaders(with, other, hidden) != nil {
			t.Errorf("%s is told of though it was hidden", c.name)
		}
		if (Match{}).IgnoredHeaders(Request{URL: with.URL}, other, hidden) != nil {
			t.Errorf("%s is told of though the recording has no header fields", c.name)
		}
	}
	chat := func(tenant http.Header) Request {
		return Request{Method: "POST", URL: "https://api.openai.com/v1/chat/completions", Header: tenant, Body: []byte(`{"model":"m","messages":[{"role":"user","content":"x"}]}`)}
	}
	if len((Match{}).IgnoredHeaders(chat(http.Header{"X-Tenant": {"a"}}), chat(nil), hidden)) != 0 {
		t.Error("what only one client of a model sends is told of")
	}
}
