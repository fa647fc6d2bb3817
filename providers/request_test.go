package providers

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// Shows that a request made from an address that was parsed is the one that the
// standard library makes from its text.
func TestNewRequest(t *testing.T) {
	for _, raw := range []string{
		"https://api.example.com/v1/chat/completions", "http://h:/a", "http://[::1]:/a", "http://[::1]:80", "http://u:p@h/a%2Fb?x=%20&y#frag",
		"https://h/sp ace/ü", "http://h?", "http://h/%7E", "join http://h", "join http://h?q=1", "join http://h/", "join http://h/a%2Fb//..",
	} {
		raw, join := strings.CutPrefix(raw, "join ")
		for _, body := range [][]byte{nil, {}, []byte("body")} {
			target, err := url.Parse(raw)
			if err != nil {
				t.Fatal(err)
			}
			if join {
				target = target.JoinPath("/x%2Fy", "z")
			}
			var reader io.Reader
			if body != nil {
				reader = strings.NewReader(string(body))
			}
			want, err := http.NewRequestWithContext(context.Background(), "POST", target.String(), reader)
			if err != nil {
				t.Fatal(err)
			}
			got, err := NewRequest(context.Background(), "POST", target, body)
			if err != nil {
				t.Fatal(err)
			}
			same := got.Host == want.Host && got.URL.String() == want.URL.String() && got.URL.RequestURI() == want.URL.RequestURI() && got.URL.Path == want.URL.Path
			if !same || got.ContentLength != want.ContentLength || (got.Body == nil) != (want.Body == nil) || content(t, got) != string(body) {
				t.Errorf("%s with %q:\ngot  %+v\nwant %+v", raw, body, got, want)
			}
		}
	}
	if _, err := NewRequest(context.Background(), "NO GOOD", &url.URL{Scheme: "http", Host: "h"}, nil); err == nil || !strings.Contains(err.Error(), "NO GOOD http://h") {
		t.Errorf("a method that is none: %v", err)
	}
}

func content(t *testing.T, req *http.Request) string {
	t.Helper()
	if req.Body == nil {
		return ""
	}
	data, err := io.ReadAll(req.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Shows that a body is taken without being spent, whoever made the request and
// however much of it was read.
func TestTakeBody(t *testing.T) {
	target := &url.URL{Scheme: "http", Host: "h"}
	for name, made := range map[string]func() (*http.Request, error){
		"written": func() (*http.Request, error) { return NewRequest(context.Background(), "POST", target, []byte("body")) },
		"another's": func() (*http.Request, error) {
			return http.NewRequest("POST", "http://h", io.MultiReader(strings.NewReader("body")))
		},
		"set again": func() (*http.Request, error) {
			req, err := NewRequest(context.Background(), "POST", target, []byte("before"))
			content(t, req)
			SetBody(req, []byte("body"))
			return req, err
		},
	} {
		req, err := made()
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if body, err := TakeBody(req); string(body) != "body" || err != nil {
				t.Errorf("%s: took %q, %v", name, body, err)
			}
		}
		if got := content(t, req); got != "body" || req.ContentLength != 4 {
			t.Errorf("%s: %q was left, of length %d", name, got, req.ContentLength)
		}
		again, err := req.GetBody()
		if err != nil {
			t.Fatal(err)
		}
		if data, err := io.ReadAll(again); string(data) != "body" || err != nil {
			t.Errorf("%s: %q again, %v", name, data, err)
		}
	}
	none, err := NewRequest(context.Background(), "GET", target, nil)
	if body, takeErr := TakeBody(none); err != nil || takeErr != nil || body != nil || none.Body != nil {
		t.Errorf("no body: %q, %v, %v", body, err, takeErr)
	}
}
