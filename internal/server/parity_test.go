package server

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/providers/catalog"
	"github.com/scenario-lang/scenario/suite"
	"github.com/scenario-lang/scenario/wire"
)

// An instant clock stands still: of what is waited for there is only as much as
// bytes need to arrive before a reset, and silence.
type instant struct{ wire.Clock }

var midnight = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// Now implements wire.Clock.
func (instant) Now() time.Time { return midnight }

// Sleep implements wire.Clock.
func (c instant) Sleep(ctx context.Context, d time.Duration) error {
	if d != wire.Forever {
		d = min(d, wire.ResetGap)
	}
	return c.Clock.Sleep(ctx, d)
}

// A parityService is a kind of provider, and what a program asks it.
type parityService struct {
	kind, declared, method, path, body string
	header                             [][2]string
}

// parityServices are all that are asked over HTTP, streams among them.
var parityServices = []parityService{
	{"openai", "", "POST", "/v1/chat/completions", `{"model":"m","messages":[{"role":"user","content":"why?"}]}`, nil},
	{"openai", "", "POST", "/v1/chat/completions", `{"model":"m","stream":true,"messages":[{"role":"user","content":"why?"}]}`, nil},
	{"openai", `api = "responses"`, "POST", "/v1/responses", `{"model":"m","input":"why?"}`, nil},
	{"openai", `api = "responses"`, "POST", "/v1/responses", `{"model":"m","stream":true,"input":"why?"}`, nil},
	{"anthropic", "", "POST", "/v1/messages", `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"why?"}]}`, nil},
	{"anthropic", "", "POST", "/v1/messages", `{"model":"m","max_tokens":9,"stream":true,"messages":[{"role":"user","content":"why?"}]}`, nil},
	{"gemini", "", "POST", "/v1beta/models/m:generateContent", `{"contents":[{"role":"user","parts":[{"text":"why?"}]}]}`, nil},
	{"gemini", "", "POST", "/v1beta/models/m:streamGenerateContent?alt=sse", `{"contents":[{"role":"user","parts":[{"text":"why?"}]}]}`, nil},
	{"ollama", "", "POST", "/api/chat", `{"model":"m","stream":false,"messages":[{"role":"user","content":"why?"}]}`, nil},
	{"ollama", "", "POST", "/api/chat", `{"model":"m","messages":[{"role":"user","content":"why?"}]}`, nil},
	{"cohere", "", "POST", "/v2/chat", `{"model":"m","messages":[{"role":"user","content":"why?"}]}`, nil},
	{"cohere", "", "POST", "/v2/chat", `{"model":"m","stream":true,"messages":[{"role":"user","content":"why?"}]}`, nil},
	{"http", `base_url = "https://api.example"`, "GET", "/why", "", nil},
	{"http", `base_url = "https://api.example"`, "GET", "/why", "", [][2]string{{"Accept", "text/event-stream"}}},
	{"mcp", `base_url = "https://api.example/mcp"`, "POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"why","arguments":{}}}`, [][2]string{{"Accept", "application/json, text/event-stream"}}},
}

// raw is the request as it is sent; the connection ends with its answer.
func (s parityService) raw() string {
	head := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: api\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n", s.method, s.path, len(s.body))
	for _, h := range s.header {
		head += h[0] + ": " + h[1] + "\r\n"
	}
	return head + "\r\n" + s.body
}

// overServer is what the server sends of the first answer, and which fault it was.
func overServer(t *testing.T, p *interp.Plan, s parityService, silence time.Duration) (sent []byte, fault string) {
	t.Helper()
	ended := make(chan interp.Ended, 4)
	run := interp.NewOutside(p, interp.OutsideOptions{Clock: instant{wire.System()}, Way: interp.Exec, OnEnd: func(e interp.Ended) { ended <- e }})
	server := New(run, DefaultLimits, Interception{})
	defer server.Close()
	base, err := url.Parse(p.Asked()[0].Address())
	if err != nil {
		t.Fatal(err)
	}
	port, err := server.Listen(Origin{Provider: "p", Base: base}, 0)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, s.raw()); err != nil {
		t.Fatal(err)
	}
	_ = conn.SetReadDeadline(time.Now().Add(silence))
	sent, _ = io.ReadAll(conn)
	conn.Close()
	e := <-ended
	run.Finish("")
	return sent, e.Fault
}

// silence is how long a client waits for the end. Where one came short of the other, on a machine
// that has much else to do, both wait longer, up to unhurried.
const silence, unhurried = time.Second, 64 * time.Second

// inProcess is what the player without a socket hands to a client of the bytes.
func inProcess(t *testing.T, p *interp.Plan, s parityService, silence time.Duration) []byte {
	t.Helper()
	run := interp.NewOutside(p, interp.OutsideOptions{Clock: instant{wire.System()}, Way: interp.Exec})
	defer run.Finish("")
	base, err := url.Parse(p.Asked()[0].Address())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), silence)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, s.method, base.Scheme+"://"+base.Host+s.path, strings.NewReader(s.body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	for _, h := range s.header {
		req.Header.Set(h[0], h[1])
	}
	x, err := run.Answer(ctx, interp.Asked{Request: req, Body: []byte(s.body)})
	if err != nil {
		t.Fatal(err)
	}
	own := req.Clone(ctx)
	own.Body, own.Proto = nil, "bytes" // all that comes, as it comes
	resp, err := x.Script().RoundTripWatched(instant{wire.System()}, own, x)
	if err != nil {
		return nil
	}
	defer resp.Body.Close()
	got, _ := io.ReadAll(resp.Body) // how it ends is the business of the package wire
	return got
}

// withoutClose is an answer without the field that only a connection needs.
func withoutClose(b []byte) []byte {
	head, rest, ok := bytes.Cut(b, []byte("\r\n\r\n"))
	if !ok {
		return b
	}
	head = bytes.ReplaceAll(head, []byte("\r\nConnection: close"), nil)
	return slices.Concat(head, []byte("\r\n\r\n"), rest)
}

// Shows that the server sends the bytes of every fault that a program can meet
// over HTTP, of each kind of provider, as the player in process gives them to its
// client: all of them, but for a Connection: close.
func TestParityOfPlayers(t *testing.T) {
	var mu, again sync.Mutex
	struck := map[string]int{} // bytes that were sent, by fault
	var group sync.WaitGroup
	turns := make(chan struct{}, 100)
	for _, k := range faults.Kinds() {
		for _, s := range parityServices {
			plan := parityPlan(k.Name, s)
			if plan == nil {
				continue
			}
			turns <- struct{}{}
			group.Go(func() {
				defer func() { <-turns }()
				sent, fault := overServer(t, plan, s, silence)
				got := inProcess(t, plan, s, silence)
				for patience := 4 * silence; patience <= unhurried && !bytes.Equal(withoutClose(sent), withoutClose(got)); patience *= 4 {
					again.Lock()
					sent, fault = overServer(t, plan, s, patience)
					got = inProcess(t, plan, s, patience)
					again.Unlock()
				}
				if !bytes.Equal(withoutClose(sent), withoutClose(got)) {
					t.Errorf("%s, %s %s%s: on the wire\n%q\nin process\n%q", k.Name, s.kind, s.path, s.body, sent, got)
				}
				mu.Lock()
				defer mu.Unlock()
				if fault == k.Name {
					struck[k.Name] += 1 + len(sent)
				}
			})
		}
	}
	group.Wait()
	for _, k := range faults.Kinds() {
		overHTTP := slices.ContainsFunc(k.For, func(where string) bool {
			return where == "http" || where == "mcp http" || strings.HasPrefix(where, "llm") || where == "mcp"
		})
		if overHTTP && struck[k.Name] == 0 {
			t.Errorf("%s, which is for %q, was met by no service of this test", k.Name, k.For)
		}
	}
	for _, p := range catalog.Kinds() {
		if p.Family != "sql" && !slices.ContainsFunc(parityServices, func(s parityService) bool { return s.kind == p.Name }) {
			t.Errorf("no service of this test is of the kind %s", p.Name)
		}
	}
}

// parityPlan is a scenario whose first entry is the fault, nil where the provider
// cannot have it.
func parityPlan(fault string, s parityService) *interp.Plan {
	text := fmt.Sprintf("provider %q \"p\" {\n  %s\n}\nscenario \"s\" {\n  on \"p\" {\n    fault %q {}\n    reply {}\n  }\n  expect \"run\" { status = \"success\" }\n}\n", s.kind, s.declared, fault)
	l := suite.Loader{Source: suite.FS(fstest.MapFS{"a.scenario.hcl": {Data: []byte(text)}})}
	defer l.Close()
	f := l.Load("a.scenario.hcl")
	if f.Failed() {
		return nil
	}
	return f.Plans[0]
}
