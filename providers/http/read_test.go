package http_test

import (
	"net/http"
	"testing"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	adapter "github.com/scenario-lang/scenario/providers/http"
)

// Shows that a request is read as it stands, that the first of several values
// of a parameter counts and all of a header field, and by what a stream is
// known.
func TestRead(t *testing.T) {
	const events = "text/html, Text/Event-Stream;q=0.9"
	for _, c := range []struct {
		name, method, path string
		header             http.Header
		body               string
		want               providers.Input
	}{
		{
			name: "everything", method: "PUT", path: "/a%2Fb/c%20d?q=1&q=2&e=&b+c=%26",
			header: http.Header{"X-A": {"1", "2"}, "Authorization": {"Bearer k"}}, body: "\x00\xff",
			want: providers.Input{
				Method: "PUT", Path: "/a%2Fb/c%20d", Query: map[string]string{"q": "1", "e": "", "b c": "&"},
				Headers: map[string]string{"X-A": "1, 2", "Authorization": "Bearer k"}, Body: []byte("\x00\xff"),
			},
		},
		{name: "the base itself", method: "", path: "", want: providers.Input{Method: "GET"}},
		{name: "events are accepted", method: "GET", path: "/", header: http.Header{"Accept": {"a/b", events}}, want: providers.Input{Method: "GET", Path: "/", Stream: true, Headers: map[string]string{"Accept": "a/b, " + events}}},
		{name: "events are not accepted", method: "GET", path: "/", header: http.Header{"Accept": {"text/event-streams"}}, want: providers.Input{Method: "GET", Path: "/", Headers: map[string]string{"Accept": "text/event-streams"}}},
		{name: "the body asks for a stream", method: "POST", path: "/", header: json(), body: ` {"a":[],"stream": true}`, want: providers.Input{Method: "POST", Path: "/", Stream: true, Headers: map[string]string{"Content-Type": "application/json; charset=utf-8"}, Body: []byte(` {"a":[],"stream": true}`)}},
		{name: "the body asks for none", method: "POST", path: "/", header: json(), body: `{"stream":"true"}`, want: providers.Input{Method: "POST", Path: "/", Headers: map[string]string{"Content-Type": "application/json; charset=utf-8"}, Body: []byte(`{"stream":"true"}`)}},
		{name: "the body is no JSON", method: "POST", path: "/", body: `{"stream":true}`, want: providers.Input{Method: "POST", Path: "/", Body: []byte(`{"stream":true}`)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			req := adaptertest.NewRequest(c.method, c.path)
			req.Header = c.header
			if !(adapter.Adapter{}).Claims(req) {
				t.Error("the request is not claimed")
			}
			got, err := adapter.Adapter{}.Read(req, []byte(c.body))
			if err != nil || adaptertest.Asked(got) != adaptertest.Asked(c.want) {
				t.Errorf("%v, read\n%s\nwant\n%s", err, adaptertest.Asked(got), adaptertest.Asked(c.want))
			}
		})
	}
}

func json() http.Header { return http.Header{"Content-Type": {"application/json; charset=utf-8"}} }

// Shows that nothing a client may send makes the reader panic, and that what it
// reads it can write.
func FuzzRead(f *testing.F) {
	f.Add("POST", "/a", "q=1&q=2", "application/json", []byte(`{"stream":true}`))
	f.Add("", "", ";=%zz&&", "text/event-stream, ,;", []byte("null"))
	f.Add("get", "//a/../%2F", "", "", []byte{})
	f.Fuzz(func(t *testing.T, method, path, query, media string, body []byte) {
		req := adaptertest.NewRequest(method, "/")
		req.URL.Path, req.URL.RawQuery = "/"+path, query
		req.Header = http.Header{"Accept": {media}, "Content-Type": {media}}
		in, err := adapter.Adapter{}.Read(req, body)
		if err != nil || string(in.Body) != string(body) {
			t.Errorf("%v, body %q of %q", err, in.Body, body)
		}
	})
}
