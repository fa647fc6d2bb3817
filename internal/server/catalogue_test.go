package server

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
	"github.com/scenario-lang/scenario/wire"
)

// A wired service is one that a program asks over a protocol of messages: how it
// is declared, the words of a fault that it can have, what a step asks it and
// what a client does. A client gives up after its deadline.
type wired struct {
	name, provider string
	words          []string
	step           string
	ask            func(ctx context.Context, address, call string)
}

// deadline is what clients allow an answer.
const deadline = 300 * time.Millisecond

// wiredCall calls a tool, and wiredStream asks for reports of progress besides.
const (
	wiredCall   = `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search", "arguments": {}}}`
	wiredStream = `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search", "arguments": {}, "_meta": {"progressToken": 1}}}`
)

var wireds = []wired{
	{
		"sql", `provider "sql" "p" { base_url = "postgres://app@db.test/shop" }`,
		[]string{"sql"},
		`step "sql" "call" {
    provider  = provider.p
    query = "select 1"`,
		func(ctx context.Context, address, _ string) {
			c, err := pgx.Connect(ctx, "postgres://app@"+address+"/shop?sslmode=disable")
			if err != nil {
				return
			}
			_, _ = c.Exec(ctx, "select 1")
			_ = c.Close(ctx)
		},
	},
	{
		"pipe", `provider "mcp" "p" { command = ["notes-server"] }`,
		[]string{"mcp", "mcp tool", "stream"},
		`step "mcp" "call" {
    provider = provider.p
    tool     = "search"`,
		func(ctx context.Context, address, call string) {
			c, err := net.Dial("tcp", address)
			if err != nil {
				return
			}
			defer c.Close()
			until, _ := ctx.Deadline()
			_ = c.SetDeadline(until)
			_, _ = io.WriteString(c, call+"\n")
			for in := bufio.NewReader(c); ; {
				line, err := in.ReadString('\n')
				if err != nil || !strings.Contains(line, `"method"`) {
					return
				}
			}
		},
	},
	{
		"http", `provider "mcp" "p" { base_url = "https://api.example/mcp" }`,
		[]string{"mcp", "mcp tool", "mcp http", "stream"},
		`step "mcp" "call" {
    provider = provider.p
    tool     = "search"`,
		func(ctx context.Context, address, call string) {
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+address+"/mcp", strings.NewReader(call))
			if err != nil {
				return
			}
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Accept", "application/json, text/event-stream")
			client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
			if resp, err := client.Do(req); err == nil {
				_, _ = io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
		},
	},
}

// wiredFile is a scenario whose first entry is a fault, driven or interpreted.
func wiredFile(s wired, k *faults.Kind, driven bool) suite.File {
	const head = "  allow = [\"unused_reply\", \"unmatched_call\", \"unfired_fault\", \"unexpected_failure\"]\n"
	on, steps := "p", ""
	if !driven {
		on = "call"
		steps = fmt.Sprintf("workflow \"w\" {\n  %s\n    attempt_timeout = %q\n    required = false\n", s.step, deadline)
		if k.OnlyStreams() {
			steps += "    stream = true\n"
		}
		steps += "  }\n}\n"
	}
	text := s.provider + "\n" + steps + "scenario \"s\" {\n" + head
	if !driven {
		text += "  run = workflow.w\n"
	}
	text += "  on \"" + on + "\" {\n    fault \"" + k.Name + "\" {}\n  }\n  expect \"run\" { status = \"success\" }\n}\n"
	l := suite.Loader{Source: suite.FS(fstest.MapFS{"a.scenario.hcl": {Data: []byte(text)}})}
	defer l.Close()
	return *l.Load("a.scenario.hcl")
}

// first is the first attempt of a run: its outcome, its fault, and the kind of its
// failure.
func first(r *interp.Result) string {
	for i := range r.Events {
		if e := &r.Events[i]; e.Type == "attempt_end" {
			return fmt.Sprintf("%s %s %s", e.Text("outcome"), e.Text("fault_type"), e.Text("error"))
		}
	}
	return "no attempt"
}

// Shows that every kind of fault that a database or an MCP server can have is met
// by a client of a real connection, which may have to give up, and that the
// attempt comes to what it comes to in the interpreted run; and that each other
// kind is refused with the place and the reason when the file is compiled.
func TestFaultsOverTheWire(t *testing.T) {
	met := 0
	for _, s := range wireds {
		for _, k := range faults.Kinds() {
			file := wiredFile(s, k, true)
			if !slices.ContainsFunc(k.For, func(word string) bool { return slices.Contains(s.words, word) }) {
				if !file.Failed() || !strings.Contains(file.Diags.Error(), k.Name) || file.Diags[0].Subject == nil {
					t.Errorf("%s, %s: it is not refused: %v", s.name, k.Name, file.Diags)
				}
				continue
			}
			met++
			t.Run(s.name+"/"+k.Name, func(t *testing.T) {
				t.Parallel()
				inside := wiredFile(s, k, false)
				if file.Failed() || inside.Failed() {
					t.Fatal(file.Diags, inside.Diags)
				}
				want := first(interp.Run(inside.Plans[0], interp.RunOptions{}))
				call := wiredCall
				if k.OnlyStreams() {
					call = wiredStream
				}
				got := first(played(t, file.Plans[0], func(ctx context.Context, address string) { s.ask(ctx, address, call) }))
				if got != want || !strings.Contains(want, " "+k.Name+" ") {
					t.Errorf("driven: %s, interpreted: %s", got, want)
				}
			})
		}
	}
	if met < 30 {
		t.Errorf("only %d faults were met", met)
	}
}

// played is a run that one client has asked once.
func played(t *testing.T, p *interp.Plan, ask func(ctx context.Context, address string)) *interp.Result {
	t.Helper()
	ended := make(chan interp.Ended, 10)
	run := interp.NewOutside(p, interp.OutsideOptions{Clock: wire.System(), Way: interp.Exec, OnEnd: func(e interp.Ended) { ended <- e }})
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
	ctx, cancel := context.WithTimeout(t.Context(), deadline)
	defer cancel()
	ask(ctx, fmt.Sprintf("127.0.0.1:%d", port))
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Error("the exchange has no end")
	}
	r, _ := run.Finish("")
	return r
}
