package http

import (
	"context"
	"testing"

	"github.com/scenario-lang/scenario/providers"
)

// Shows that a path goes into the request line as it is written, and behind that of the base.
func TestPathsAsWritten(t *testing.T) {
	for _, c := range []struct{ base, path, want string }{
		{"http://h", "/a/../secret.txt", "/a/../secret.txt"},
		{"http://h", "/./admin", "/./admin"},
		{"http://h", "//admin//users", "//admin//users"},
		{"http://h", "/files/..%2f..%2fetc", "/files/..%2f..%2fetc"},
		{"http://h/v1", "users", "/v1/users"},
		{"http://h/v1/", "/users/", "/v1/users/"},
		{"http://h/v1", "/../users", "/v1/../users"},
		{"http://h", "/a b/ü", "/a%20b/%C3%BC"},
		{"http://h", "/a%20b?q=1", "/a%20b?q=1"},
		{"http://h/v1?k=1", "/a?q=1", "/v1/a?k=1&q=1"},
	} {
		req, err := Adapter{}.Request(context.Background(), providers.Input{BaseURL: c.base, Path: c.path})
		if err != nil {
			t.Fatal(err)
		}
		if got := req.URL.RequestURI(); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.base, c.path, got, c.want)
		}
	}
}

// Shows that names of header fields are sent as they are written, also when the request is sent again, but for those
// that net/http writes itself.
func TestNamesAsWritten(t *testing.T) {
	req, err := Adapter{}.Request(context.Background(), providers.Input{BaseURL: "http://h", Headers: map[string]string{"x-api-key": "k", "X-Other": "o", "user-agent": "u"}})
	if err != nil {
		t.Fatal(err)
	}
	if req.Header.Get("X-Api-Key") != "k" {
		t.Errorf("the request itself has %v", req.Header)
	}
	again := req.WithContext(providers.KeepSpelling(context.Background(), req.Context()))
	for _, r := range []map[string][]string{providers.Spelled(req).Header, providers.Spelled(again).Header} {
		if len(r["x-api-key"]) != 1 || len(r["X-Api-Key"]) != 0 || len(r["X-Other"]) != 1 || len(r["User-Agent"]) != 1 {
			t.Errorf("sent: %v", r)
		}
	}
	if req.Header.Get("X-Api-Key") != "k" {
		t.Errorf("the request was changed: %v", req.Header)
	}
}
