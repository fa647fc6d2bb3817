package adaptertest

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/providers"
)

// A Speaker is an adapter that reads requests, too.
type Speaker interface {
	providers.Adapter
	providers.Reader
}

// Written is the request of an input as a server sees it below the input's base
// URL, and its body. The base is that of the adapter where the input has none.
func Written(a providers.Adapter, in providers.Input, base string) (*http.Request, []byte, error) {
	req, err := a.Request(context.Background(), in)
	if err != nil {
		return nil, nil, err
	}
	body, err := providers.TakeBody(req)
	if err != nil {
		return nil, nil, err
	}
	if in.BaseURL != "" {
		base = in.BaseURL
	}
	root, err := url.Parse(base)
	if err != nil {
		return nil, nil, err
	}
	below, ok := providers.Below(req, root)
	if !ok {
		return nil, nil, fmt.Errorf("%s is not below %s", req.URL, base)
	}
	return below, body, nil
}

// ReadBack writes an input, reads it, and holds what was read to want, for
// everything that [Asked] shows. Written once more it has to be the same bytes.
func ReadBack(t *testing.T, a Speaker, in, want providers.Input, base string) {
	t.Helper()
	req, body, err := Written(a, in, base)
	if err != nil {
		t.Fatal(err)
	}
	if !a.Claims(req) {
		t.Fatalf("its own request is not claimed: %s %s", req.Method, req.URL)
	}
	got, err := a.Read(req, body)
	if err != nil {
		t.Fatalf("%v, in the body\n%s", err, body)
	}
	if Asked(got) != Asked(want) {
		t.Fatalf("read\n%s\nwant\n%s\nfrom %s %s\n%s", Asked(got), Asked(want), req.Method, req.URL, body)
	}
	got.BaseURL = in.BaseURL
	again, same, err := Written(a, got, base)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(same, body) || again.URL.String() != req.URL.String() || again.Method != req.Method {
		t.Fatalf("written again it is %s %s\n%s\nand was %s %s\n%s", again.Method, again.URL, same, req.Method, req.URL, body)
	}
}

// ReadArbitrary reads a body that anybody may have sent to one of the adapter's
// paths. It is the body of a fuzz target: nothing may panic, an error says
// something, and what was read can be written, if the input can be sent at all,
// and reads as the same again.
func ReadArbitrary(t *testing.T, a Speaker, req *http.Request, body []byte, base string) {
	t.Helper()
	a.Claims(req)
	in, err := a.Read(req, body)
	if err != nil {
		if err.Error() == "" || Asked(in) != Asked(providers.Input{}) {
			t.Fatalf("error %q, and an input:\n%s", err, Asked(in))
		}
		return
	}
	in.Prompt()
	in.Turn(nil)
	in.BaseURL = base
	first, once, err := Written(a, in, base)
	if err != nil {
		return // such as a model without a name
	}
	again, err := a.Read(first, once)
	if err != nil {
		t.Fatalf("what was read is written as what cannot be read: %v\n%s\nof\n%s", err, once, body)
	}
	again.BaseURL = base
	second, twice, err := Written(a, again, base)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(once, twice) || first.URL.String() != second.URL.String() {
		t.Fatalf("written\n%s\n%s\nand, read again,\n%s\n%s\nof\n%s", first.URL, once, second.URL, twice, body)
	}
}

// Asked writes what an input asks, for comparing: everything that a request says
// but its headers' credentials.
func Asked(in providers.Input) string {
	var b bytes.Buffer
	line := func(name string, v any) { fmt.Fprintf(&b, "%-9s %s\n", name, encoded(v)) }
	line("model", in.Model)
	for _, m := range in.Messages {
		line(m.Role, []any{m.Content, m.ToolCallID, m.Name, m.ToolCalls, m.WithResults})
	}
	for _, t := range in.Tools {
		line("tool", []any{t.Name, t.Description, t.Schema})
	}
	line("limits", []any{in.Temperature, in.MaxTokens, in.ResponseFormat})
	line("stream", in.Stream)
	line("previous", in.Previous)
	line("http", []any{in.Method, in.Path, in.Query, in.Headers, string(in.Body)})
	line("rpc", []any{in.RPC.ID, in.RPC.RawID, in.RPC.Method, in.RPC.Params, string(in.RPC.Raw)})
	line("session", []any{in.Session, in.Pipe})
	line("statement", []any{in.Statement, in.Args})
	return b.String()
}

func encoded(v any) []byte {
	data, err := providers.EncodeJSON(v)
	if err != nil {
		return fmt.Appendf(nil, "%#v", v)
	}
	return data
}

// NewRequest is a request to a path below a provider's base URL, as a client sends
// it.
func NewRequest(method, path string) *http.Request {
	u, err := url.Parse("http://127.0.0.1" + path)
	if err != nil {
		panic(err) // of a test's own path
	}
	return &http.Request{Method: method, URL: u, Host: u.Host, Header: http.Header{"Content-Type": {"application/json"}}}
}

// A Request is the body of one, written by hand from a vendor's documentation,
// and what it asks.
type Request struct {
	Name string
	// Path is that of a POST below the base URL.
	Path string
	Body string
	Want providers.Input
	// Err, where not "", is the error that the body is refused with.
	Err string
}

// Requests reads every one of a list.
func Requests(t *testing.T, a Speaker, list []Request) {
	t.Helper()
	for _, r := range list {
		t.Run(r.Name, func(t *testing.T) {
			req := NewRequest(http.MethodPost, r.Path)
			if !a.Claims(req) {
				t.Fatalf("POST %s is not claimed", r.Path)
			}
			got, err := a.Read(req, []byte(r.Body))
			said := ""
			if err != nil {
				said = err.Error()
			}
			if said != r.Err {
				t.Fatalf("the error is %q, want %q", said, r.Err)
			}
			if Asked(got) != Asked(r.Want) {
				t.Errorf("read\n%s\nwant\n%s", Asked(got), Asked(r.Want))
			}
		})
	}
}

// Unclaimed holds an adapter to what it does not know, each as "METHOD path".
func Unclaimed(t *testing.T, a Speaker, list ...string) {
	t.Helper()
	for _, line := range list {
		method, path, _ := strings.Cut(line, " ")
		if a.Claims(NewRequest(method, path)) {
			t.Errorf("%s is claimed", line)
		}
	}
}
