package cassette

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/scenario-lang/scenario/cassette/internal/httptext"
	"github.com/scenario-lang/scenario/cassette/match"
	"github.com/scenario-lang/scenario/cassette/redact"
)

// answering is a transport that gives one answer.
type answering struct {
	status      int
	header      http.Header
	contentType string
	body        string
	// end is the error in which the body ends, nil for none.
	end error
}

func (a answering) RoundTrip(*http.Request) (*http.Response, error) {
	h := a.header.Clone()
	if h == nil {
		h = http.Header{}
	}
	h.Set("Content-Type", a.contentType)
	return &http.Response{
		StatusCode: a.status, Status: httptext.StatusLine(a.status, ""), Header: h, Proto: "HTTP/1.1",
		Body: io.NopCloser(io.MultiReader(strings.NewReader(a.body), iotest.ErrReader(cmp.Or(a.end, io.EOF)))),
	}, nil
}

// refusing is a transport that reaches nobody.
type refusing struct{}

func (refusing) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
}

// checkedAgainst records one answer and checks another against it.
func checkedAgainst(t *testing.T, was, is http.RoundTripper) Checked {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.yaml")
	r := recorderFor(t, path, RecordOptions{Provider: "openai"})
	_ = recordOne(t, r, was, dialled(t, "answer", 1, chatURL, `{"q":1}`))
	if _, err := r.Commit(nil); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c := checkerFor(t, path)
	_ = recordOne(t, c, is, dialled(t, "answer", 1, chatURL, `{"q":1}`))
	list := c.Check(func(*Interaction) bool { return true })
	if len(list) != 1 {
		t.Fatalf("%d answers", len(list))
	}
	if _, err := c.Commit(nil); err == nil {
		t.Error("a check was committed")
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*"))
	after, _ := os.ReadFile(path)
	if err != nil || len(left) != 1 || string(after) != string(before) {
		t.Errorf("the check left %v, %v", left, err)
	}
	return list[0]
}

func checkerFor(t *testing.T, path string) *Recorder {
	t.Helper()
	r, err := NewChecker(path, RecordOptions{Provider: "openai"})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const asJSON, asEvents = "application/json", "text/event-stream"

func jsonSaying(body string) answering {
	return answering{status: 200, contentType: asJSON, body: body}
}

func eventsSaying(events ...string) answering {
	return answering{status: 200, contentType: asEvents, body: strings.Join(events, "\n\n") + "\n\n"}
}

// Shows which change of an answer is one of its shape and which one of its
// content, and what is none.
func TestCheckTiers(t *testing.T) {
	limit := func(h http.Header, status int) answering {
		return answering{status: status, header: h, contentType: asJSON, body: `{"n":1}`}
	}
	for name, c := range map[string]struct {
		was, is http.RoundTripper
		want    []Change
	}{
		"equal":                  {jsonSaying(`{"n":1}`), jsonSaying(`{ "n": 1.0 }`), nil},
		"a value":                {jsonSaying(`{"n":1}`), jsonSaying(`{"n":2}`), []Change{{Content, "body.n", "1", "2"}}},
		"a type":                 {jsonSaying(`{"n":1}`), jsonSaying(`{"n":"1"}`), []Change{{Shape, "body.n", "number", "string"}}},
		"a null":                 {jsonSaying(`{"n":1}`), jsonSaying(`{"n":null}`), []Change{{Shape, "body.n", "number", "null"}}},
		"a member that came":     {jsonSaying(`{"a":[{"n":1}]}`), jsonSaying(`{"a":[{"n":1,"m":{"x":1}}]}`), []Change{{Shape, "body.a[].m", match.Absent, "object"}}},
		"a member that went":     {jsonSaying(`{"a":{"n":1}}`), jsonSaying(`{}`), []Change{{Shape, "body.a", "object", match.Absent}}},
		"more items":             {jsonSaying(`[1]`), jsonSaying(`[1,2]`), []Change{{Content, "body[1]", match.Absent, "2"}}},
		"no items any more":      {jsonSaying(`{"a":[{"n":1}]}`), jsonSaying(`{"a":[]}`), []Change{{Content, "body.a[0]", `{"n":1}`, match.Absent}}},
		"items of both kinds":    {jsonSaying(`[{"n":1},{}]`), jsonSaying(`[{},{"n":1}]`), []Change{{Content, "body[0].n", "1", match.Absent}, {Content, "body[1].n", match.Absent, "1"}}},
		"no JSON any more":       {jsonSaying(`{"n":1}`), jsonSaying(`<html>`), []Change{{Shape, "body", "object", "string"}}},
		"no body any more":       {jsonSaying(`{"n":1}`), jsonSaying(``), []Change{{Shape, "body", "object", match.Absent}}},
		"another media type":     {jsonSaying(`"n"`), answering{status: 200, contentType: "text/plain", body: `"n"`}, []Change{{Shape, "header Content-Type", "application/json", "text/plain"}}},
		"a parameter of it":      {jsonSaying(`1`), answering{status: 200, contentType: asJSON + "; charset=utf-8", body: `1`}, []Change{{Content, "header Content-Type", `"application/json"`, `"application/json; charset=utf-8"`}}},
		"a status":               {limit(nil, 200), limit(nil, 404), []Change{{Shape, "status", "200", "404"}}},
		"a field that came":      {limit(nil, 200), limit(http.Header{"Retry-After": {"3"}}, 200), []Change{{Shape, "header Retry-After", match.Absent, "3"}}},
		"another value of it":    {limit(http.Header{"Retry-After": {"2"}}, 429), limit(http.Header{"Retry-After": {"3"}}, 429), []Change{{Content, "header Retry-After", `"2"`, `"3"`}}},
		"an id of the request":   {limit(http.Header{"X-Request-Id": {"a"}}, 200), limit(http.Header{"X-Request-Id": {"b"}}, 200), nil},
		"a field nobody keeps":   {limit(nil, 200), limit(http.Header{"Server": {"b"}}, 200), nil},
		"more deltas":            {eventsSaying(`data: {"d":"ab"}`, `data: {"d":"c"}`, `data: [DONE]`), eventsSaying(`data: {"d":"a"}`, `data: {"d":"bc"}`, `data: {"d":""}`, `data: [DONE]`), nil},
		"other words in deltas":  {eventsSaying(`data: {"d":"ab"}`, `data: {"d":"c"}`), eventsSaying(`data: {"d":"ab"}`, `data: {"d":"d"}`), []Change{{Content, "events.data.d", `"abc"`, `"abd"`}}},
		"a ping and a comment":   {eventsSaying("event: a\ndata: {}"), eventsSaying(": still here", "event: ping\ndata: {}", "event: a\ndata: {}"), nil},
		"an event that came":     {eventsSaying("event: a\ndata: {}", "event: b\ndata: {}"), eventsSaying("event: a\ndata: {}", "event: c\ndata: {}", "event: b\ndata: {}"), []Change{{Shape, "events", "a, b", "a, c, b"}}},
		"a member of an event":   {eventsSaying(`data: {"type":"x.y","n":1}`), eventsSaying(`data: {"type":"x.y"}`), []Change{{Shape, `events["x.y"].n`, "number", match.Absent}}},
		"lines of JSON":          {answering{status: 200, contentType: "application/x-ndjson", body: "{\"t\":\"a\"}\n{\"t\":\"b\"}\n"}, answering{status: 200, contentType: "application/x-ndjson", body: "{\"t\":\"ab\",\"done\":true}\n"}, []Change{{Shape, "events.data.done", match.Absent, "boolean"}}},
		"a body that ends early": {answering{status: 200, contentType: "text/plain", body: "ab"}, answering{status: 200, contentType: "text/plain", body: "ab", end: io.ErrUnexpectedEOF}, []Change{{Shape, "end", "complete", "eof"}}},
		"no answer":              {limit(nil, 200), refusing{}, []Change{{Shape, "outcome", "200", "refused"}}},
	} {
		got := checkedAgainst(t, c.was, c.is)
		if diff := gocmp.Diff(c.want, got.Changes); diff != "" || len(got.Asked) > 0 {
			t.Errorf("%s: %s%v", name, diff, got.Asked)
		}
	}
}

// Shows that a refusal which comes no more, or comes now, does not shift the
// answers behind it, and that calls without a partner are told as content.
func TestCheckPairsAttempts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.yaml")
	items := []*Interaction{recorded("answer", 1, `{}`, `{"a":1}`), recorded("answer", 2, `{}`, `{"a":2}`), recorded("later", 1, `{}`, `{}`)}
	items[0].Response.Status = 429
	if err := os.WriteFile(path, written(t, items...), 0o666); err != nil {
		t.Fatal(err)
	}
	c := checkerFor(t, path)
	for i, a := range []answering{jsonSaying(`{"a":2}`), {status: 503, contentType: asJSON, body: `{}`}} {
		_ = recordOne(t, c, a, dialled(t, "answer", i+1, chatURL, `{}`))
	}
	var got []string
	for _, p := range c.Check(func(it *Interaction) bool { return it.Step == "answer" }) {
		got = append(got, outcomeOf(p.Recorded)+" "+outcomeOf(p.Now)+" "+p.Tier())
	}
	if diff := gocmp.Diff([]string{"200 200 ", "(absent) 503 content", "429 (absent) content"}, got); diff != "" {
		t.Error(diff)
	}
}

// Shows that in a file which knows no steps equal requests are paired, and
// among those the attempts that ended alike.
func TestCheckPairsForeign(t *testing.T) {
	items := []*Interaction{recorded("", 0, `{"q":1}`, `{"a":1}`), recorded("", 0, `{"q":2}`, `{"a":2}`), recorded("", 0, `{"q":1}`, `{"a":1}`)}
	items[0].Response.Status = 429
	var b bytes.Buffer
	if err := WriteVCR1(&b, &Cassette{Interactions: items}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.yaml")
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	c := checkerFor(t, path)
	for _, q := range []string{`{"q":1}`, `{"q":2}`} {
		_ = recordOne(t, c, jsonSaying(strings.Replace(q, "q", "a", 1)), dialled(t, "answer", 1, chatURL, q))
	}
	var got []string
	for _, p := range c.Check(func(*Interaction) bool { return true }) {
		got = append(got, outcomeOf(p.Recorded)+" "+outcomeOf(p.Now)+" "+p.Tier())
	}
	if diff := gocmp.Diff([]string{"200 200 ", "200 200 ", "429 (absent) content"}, got); diff != "" {
		t.Error(diff)
	}
}

// Shows that nothing hidden is in a comparison, neither a secret that a file of
// another tool holds nor one that is answered now, and that another secret in
// its place is no change.
func TestCheckShowsNoSecret(t *testing.T) {
	const was, is = "sk-proj-" + "0123456789abcdefghijT3BlbkFJ0123456789abcdefghij", "value-of-the-environment"
	path := filepath.Join(t.TempDir(), "a.yaml")
	text := strings.NewReplacer(`{"id":"x","choices":[]}`, `{"api_key":"`+was+`","n":1,"m":"`+was+`"}`, "url: https://api.example.com/v1/stream", "url: https://api.example.com/v1/stream?key="+was).Replace(v1)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	c := checkerFor(t, path)
	call := dialled(t, "answer", 1, chatURL, `{"model":"m","token":"`+is+`"}`)
	take := c.Begin(call, TakeOptions{Now: time.Now, Redactor: redact.New([]string{is})})
	resp, err := take.RoundTrip(jsonSaying(`{"api_key":"`+is+`","n":2,"m":"`+is+`"}`), call.Request)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = resp.Body.Read(make([]byte, 1000))
	if err := take.Seal(true); err != nil {
		t.Fatal(err)
	}
	list := c.Check(func(*Interaction) bool { return true })
	all := ""
	for _, p := range list {
		for _, d := range p.Changes {
			all += d.Path + " " + d.Recorded + " " + d.Now + "\n"
		}
		for _, d := range p.Asked {
			all += d.Path + " " + d.Recorded + " " + d.Actual + "\n"
		}
	}
	if strings.Contains(all, was[:20]) || strings.Contains(all, is[:8]) || strings.Contains(all, "body.m") {
		t.Errorf("%s", all)
	}
	if want := "body.n 1 2\n"; !strings.HasPrefix(all, want) {
		t.Errorf("%s", all)
	}
}

// Shows that there is nothing to check without a recording.
func TestCheckWithoutARecording(t *testing.T) {
	dir := t.TempDir()
	if _, err := NewChecker(filepath.Join(dir, "none.yaml"), RecordOptions{}); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	scripts := filepath.Join(dir, "scripts.json")
	if err := os.WriteFile(scripts, []byte(`{"answer": {"content": "a"}}`), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := NewChecker(scripts, RecordOptions{}); err == nil || !strings.Contains(err.Error(), "agentloom") {
		t.Error(err)
	}
	left, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(left) != 1 {
		t.Errorf("left %v", left)
	}
}
