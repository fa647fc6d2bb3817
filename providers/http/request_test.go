package http_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/providers"
	adapter "github.com/scenario-lang/scenario/providers/http"
)

// Shows the request that each input becomes: method, address, body and what
// announces it.
func TestRequest(t *testing.T) {
	const base = "https://api.example.com/v1"
	for _, c := range []struct {
		name                     string
		in                       providers.Input
		method, url, media, body string
	}{
		{"least", providers.Input{BaseURL: base}, "GET", base, "", ""},
		{"a path", providers.Input{BaseURL: base + "/", Path: "/orders/a%2Fb", Method: "delete"}, "DELETE", base + "/orders/a%2Fb", "", ""},
		{"a path with a query", providers.Input{BaseURL: base + "?k=1", Path: "orders?q=x"}, "GET", base + "/orders?k=1&q=x", "", ""},
		{"a sorted query", providers.Input{BaseURL: base, Path: "o?z=0&a=0", Query: map[string]string{"b": "ü &", "a": "1"}}, "GET", base + "/o?a=1&b=%C3%BC+%26&z=0", "", ""},
		{"a whole URL", providers.Input{BaseURL: base, Path: "/x", URL: "http://other.example/y#z"}, "GET", "http://other.example/y", "", ""},
		{"a body", providers.Input{BaseURL: base, Method: "POST", Body: []byte("a=1")}, "POST", base, "", "a=1"},
		{"JSON", providers.Input{BaseURL: base, Method: "PUT", HasJSON: true, JSON: map[string]any{"b": "<>", "a": nil}}, "PUT", base, "application/json", `{"a":null,"b":"<>"}`},
		{"JSON of another type", providers.Input{BaseURL: base, HasJSON: true, Headers: map[string]string{"content-type": "application/merge-patch+json"}}, "GET", base, "application/merge-patch+json", "null"},
	} {
		t.Run(c.name, func(t *testing.T) {
			req, err := adapter.Adapter{}.Request(context.Background(), c.in)
			if err != nil {
				t.Fatal(err)
			}
			body := []byte{}
			if req.Body != nil {
				body, _ = io.ReadAll(req.Body)
			}
			got := []string{req.Method, req.URL.String(), req.Header.Get("Content-Type"), string(body)}
			if diff := cmp.Diff([]string{c.method, c.url, c.media, c.body}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Shows that an input no request can be made of is refused, with what to do.
func TestRequestRefuses(t *testing.T) {
	for _, c := range []struct {
		in   providers.Input
		want string
	}{
		{providers.Input{Path: "/x"}, "give the provider a base_url, or the step a url"},
		{providers.Input{URL: "/x"}, "must begin with http"},
		{providers.Input{BaseURL: "localhost:80"}, "must begin with http"},
		{providers.Input{BaseURL: "http://h", Path: "/%zz"}, "no path of a URL"},
		{providers.Input{BaseURL: "http://h", Method: "GE T"}, "cannot be built"},
		{providers.Input{BaseURL: "http://h", HasJSON: true, JSON: make(chan int)}, "cannot be written as JSON"},
	} {
		_, err := adapter.Adapter{}.Request(context.Background(), c.in)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want an error with %q", err, c.want)
		}
	}
}
