package providers

import (
	"net/http"
	"net/url"
	"testing"
)

// Shows what stands below a base URL: whole segments, however they are escaped,
// and an escaped slash is no end of one.
func TestBelow(t *testing.T) {
	for _, c := range []struct {
		base, asked string
		below       string
		ok          bool
	}{
		{"https://api.example.com/v1", "/v1/chat/completions", "/chat/completions", true},
		{"https://api.example.com/v1/", "/v1/chat/completions?a=b", "/chat/completions", true},
		{"https://api.example.com", "/v1/messages", "/v1/messages", true},
		{"https://api.example.com/", "/", "/", true},
		{"https://api.example.com/mcp", "/mcp", "", true},
		{"https://api.example.com/mcp", "/mcp/", "/", true},
		{"https://api.example.com", "", "", true},
		{"https://api.example.com/v1", "/v1beta/models", "", false},
		{"https://api.example.com/v1", "/v2/models", "", false},
		{"https://api.example.com/v1/x", "/v1", "", false},
		{"https://api.example.com/v1", "", "", false},
		{"https://api.example.com/d%2Fe", "/d%2fe/a%2Fb", "/a%2Fb", true},
		{"https://api.example.com/d%2Fe", "/d/e/a", "", false},
		{"https://api.example.com/d/e", "/d%2Fe/a", "", false},
		{"https://api.example.com/~a", "/%7Ea/b", "/b", true},
		{"https://api.example.com/a b", "/a%20b/c", "/c", true},
	} {
		base, err := url.Parse(c.base)
		if err != nil {
			t.Fatal(err)
		}
		u, err := url.Parse("http://127.0.0.1:9" + c.asked)
		if err != nil {
			t.Fatal(err)
		}
		r := &http.Request{Method: "POST", URL: u}
		below, ok := Below(r, base)
		if ok != c.ok {
			t.Errorf("%s below %s: %t", c.asked, c.base, ok)
			continue
		}
		if r.URL != u || u.String() != "http://127.0.0.1:9"+c.asked {
			t.Errorf("%s below %s: the request is changed to %s", c.asked, c.base, u)
		}
		if ok && (below.URL.EscapedPath() != c.below || below.URL.RawQuery != u.RawQuery || below.Method != "POST") {
			t.Errorf("%s below %s: %s %s, want the path %q", c.asked, c.base, below.Method, below.URL, c.below)
		}
	}
}
