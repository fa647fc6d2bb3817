package match

import (
	"encoding/json"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"testing"
)

// Shows that a request of which some places are ignored says something exactly where some
// single change of a value in its query or its body would be noticed.
func TestSaysWhatAChangeWouldShow(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	seen := map[bool]int{}
	for range 4_000 {
		body := map[string]any{"a": value(r, 2), "b c": value(r, 1), "l": []any{value(r, 1), value(r, 1)}}
		query := url.Values{"ts": {strconv.Itoa(r.IntN(9))}, "q": {"x", "y"}}
		if r.IntN(3) == 0 {
			query = nil
		}
		m := Match{Profile: pick(r, Strict, Semantic), Ignore: someOf(r, "host", "query", "query.ts", "query.q", "query.q[*]", "body", "body.a", `body["b c"]`, "body.l", "body.l[*]", "body.l[0]", "body.a.x", "body.a[*]", "body.l[*].x")}
		plain := sent(query, body)
		if m.Asks(plain) == 0 {
			continue
		}
		noticed := false
		for _, other := range otherBodies(body) {
			noticed = noticed || len(m.Diff(plain, sent(query, other))) > 0
		}
		for name := range query {
			for i := range query[name] {
				other := url.Values{"ts": slices.Clone(query["ts"]), "q": slices.Clone(query["q"])}
				other[name][i] += "0"
				noticed = noticed || len(m.Diff(plain, sent(other, body))) > 0
			}
		}
		if says := m.Says(plain, AsItIs); says != noticed {
			t.Fatalf("%s, ignoring %q: says %v, a change is noticed %v:\n%s\n%s", m.Profile, m.Ignore, says, noticed, plain.URL, plain.Body)
		}
		seen[noticed]++
	}
	if seen[true] < 500 || seen[false] < 500 {
		t.Errorf("noticed or not: %v", seen)
	}
}

// value is a scalar, or a list or an object of some.
func value(r *rand.Rand, depth int) any {
	switch n := r.IntN(5); {
	case depth == 0 || n < 3:
		return []any{"a", "", true, r.IntN(9)}[r.IntN(4)]
	case n == 3:
		return []any{value(r, depth-1), value(r, depth-1)}
	}
	return map[string]any{"x": value(r, depth-1), "y": value(r, depth-1)}
}

// someOf are some of a list.
func someOf(r *rand.Rand, list ...string) []string {
	var some []string
	for _, s := range list {
		if r.IntN(3) == 0 {
			some = append(some, s)
		}
	}
	return some
}

func sent(query url.Values, body any) Request {
	data, err := json.Marshal(body)
	if err != nil {
		panic(err) // of a test's own value
	}
	return Request{Method: "POST", URL: "https://a.example/orders?" + query.Encode(), Body: data}
}

// otherBodies are copies of a value that differ in one scalar each.
func otherBodies(v any) (others []any) {
	switch v := v.(type) {
	case map[string]any:
		for name := range v {
			for _, other := range otherBodies(v[name]) {
				c := map[string]any{}
				for k := range v {
					c[k] = v[k]
				}
				c[name] = other
				others = append(others, c)
			}
		}
	case []any:
		for i := range v {
			for _, other := range otherBodies(v[i]) {
				c := slices.Clone(v)
				c[i] = other
				others = append(others, c)
			}
		}
	case bool:
		return []any{!v}
	case int:
		return []any{v + 1}
	case string:
		return []any{v + "x"}
	}
	return others
}

// Shows what counts as asked where a protocol says so: the last word of a conversation and
// not its instructions, the arguments of a call and not its method.
func TestWhatIsAsked(t *testing.T) {
	for _, c := range []struct {
		profile, url, body string
		ignore             []string
		says               bool
	}{
		{Strict, "/v1/messages", `{"model":"m","system":"be short","messages":[{"role":"user","content":"why?"}]}`, []string{"body.messages"}, false},
		{Semantic, "/v1/messages", `{"model":"m","system":"be short","messages":[{"role":"user","content":"why?"}]}`, []string{"body.messages[*].content"}, false},
		{Semantic, "/v1/messages", `{"model":"m","system":"be short","messages":[{"role":"user","content":"why?"}]}`, []string{"body.system"}, true},
		{Semantic, "/v1/chat", `{"model":"m","messages":[{"role":"system","content":"be short"},{"role":"user","content":"why?"}]}`, []string{"body.messages[1]"}, false},
		{Semantic, "/v1/chat", `{"model":"m","messages":[{"role":"system","content":"be short"}]}`, []string{"body.model"}, true},
		{Semantic, "/v1/chat", `{"model":"m","messages":[{"role":"system","content":"be short"}]}`, []string{"body.messages"}, false},
		{Strict, "/v1/responses", `{"model":"m","instructions":"be short","input":"why?"}`, []string{"body.input"}, false},
		{Strict, "/v1beta/models/g:generateContent", `{"contents":[{"role":"user","parts":[{"text":"why?"}]}],"system_instruction":{"parts":[{"text":"be short"}]}}`, []string{"body.contents"}, false},
		{Strict, "/orders", `{"input":"x","customer":7}`, []string{"body.input"}, true},
		{Strict, "/orders", `{"input":"x","customer":7}`, []string{"body.input", "body.customer"}, false},
		{Strict, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pay","arguments":{"usd":5}}}`, []string{"body.params"}, false},
		{Strict, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pay","arguments":{"usd":5}}}`, []string{"body.params.arguments"}, true},
		{Strict, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}`, []string{"body.params"}, true},
		{Strict, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, []string{"body.method", "body.params"}, false},
		{Strict, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, []string{"body"}, false},
		{Strict, "/orders", `{}`, []string{"body"}, false},
		{Strict, "/orders", `a=1&b=2`, []string{"body"}, false},
		{Strict, "/orders?x=1", `a=1&b=2`, []string{"query"}, true},
		{Strict, "/orders?x=1;y", ``, []string{"query"}, false},
		{Strict, "/orders?token=1", `{"n":1}`, []string{"body"}, false}, // credentials are never compared
		{Strict, "/orders", `{"n":1}`, []string{"host", "query", "body"}, false},
		{Strict, "/orders", `{"n":1}`, []string{"host", "query"}, true},
		{Strict, "/orders", `{"n":1,"at":null}`, []string{"body.n"}, false},
		{Loose, "/orders", `{"n":1}`, nil, true},
	} {
		m := Match{Profile: c.profile, Ignore: c.ignore}
		r := Request{Method: "POST", URL: "https://api.example" + c.url, Body: []byte(c.body)}
		if got := m.Says(r, AsItIs); got != c.says {
			t.Errorf("%s %s %s, ignoring %q: says something: %v", c.profile, c.url, c.body, c.ignore, got)
		}
	}
	for name, says := range map[string]bool{"X-Tenant": true, "Content-Type": false, "X-Other": false} {
		m := Match{Profile: Strict, Headers: []string{name}, Ignore: []string{"body"}}
		r := Request{Method: "POST", URL: "https://api.example/orders", Body: []byte(`{"n":1}`), Header: map[string][]string{"X-Tenant": {"a"}, "Content-Type": {"application/json"}}}
		if got := m.Says(r, AsItIs); got != says || r.Header["X-Tenant"][0] != "a" {
			t.Errorf("match_headers %s: says something: %v", name, got)
		}
	}
}
