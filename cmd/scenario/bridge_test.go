package main

import (
	"bufio"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/scenario-lang/scenario/internal/server"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
	"github.com/scenario-lang/scenario/wire"
)

// A bridgedRun listens for the bridges of a server over a pipe.
type bridgedRun struct {
	*interp.Outside
	server         *server.Server
	address, token string
	ended          chan interp.Ended
}

func bridged(t *testing.T) *bridgedRun {
	t.Helper()
	const text = `provider "mcp" "notes" { command = ["notes-server"] }

scenario "s" {
  allow = ["unused_reply"]
  on "notes" {
    fault "hang" {}
    reply { content = "tea" }
  }
  expect "run" { status = "success" }
}
`
	l := suite.Loader{Source: suite.FS(fstest.MapFS{"a.scenario.hcl": {Data: []byte(text)}})}
	defer l.Close()
	f := l.Load("a.scenario.hcl")
	if f.Failed() {
		t.Fatal(f.Diags)
	}
	r := &bridgedRun{token: server.Token(), ended: make(chan interp.Ended, 10)}
	r.Outside = interp.NewOutside(f.Plans[0], interp.OutsideOptions{Clock: wire.System(), Way: interp.Exec, OnEnd: func(e interp.Ended) { r.ended <- e }})
	r.server = server.New(r.Outside, server.DefaultLimits, server.Interception{})
	t.Cleanup(r.server.Close)
	base, err := url.Parse(f.Plans[0].Asked()[0].Address())
	if err != nil {
		t.Fatal(err)
	}
	port, err := r.server.Listen(server.Origin{Provider: "notes", Base: base, Token: r.token, Lingers: true}, 0)
	if err != nil {
		t.Fatal(err)
	}
	r.address = fmt.Sprintf("127.0.0.1:%d", port)
	return r
}

// A bridgeProcess is a bridge that runs, with the program's ends of its streams.
type bridgeProcess struct {
	*exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	errs strings.Builder
}

func (r *bridgedRun) bridge(t *testing.T, token string) *bridgeProcess {
	t.Helper()
	b := &bridgeProcess{Cmd: exec.Command("scenario", "bridge", r.address, token)}
	b.Stderr = &b.errs
	var err error
	if b.in, err = b.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := b.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	b.out = bufio.NewReader(out)
	if err := b.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Process.Kill() })
	return b
}

// ends waits for the end of the bridge, and returns what it still said.
func (b *bridgeProcess) ends(t *testing.T, within time.Duration) (rest string, code int) {
	t.Helper()
	late := time.AfterFunc(within, func() { _ = b.Process.Kill() })
	data, _ := io.ReadAll(b.out)
	_ = b.Wait()
	if !late.Stop() {
		t.Errorf("the bridge had not ended after %s", within)
	}
	return string(data), b.ProcessState.ExitCode()
}

const (
	bridgePing = `{"jsonrpc": "2.0", "id": 7, "method": "ping"}` + "\n"
	bridgePong = `{"jsonrpc":"2.0","id":7,"result":{}}` + "\n"
	bridgeCall = `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search", "arguments": {}}}` + "\n"
)

func (b *bridgeProcess) pings(t *testing.T) {
	t.Helper()
	_, _ = io.WriteString(b.in, bridgePing)
	if line, err := b.out.ReadString('\n'); err != nil || line != bridgePong {
		t.Fatalf("got %q, %v", line, err)
	}
}

// Shows that a bridge with another token is turned away without a word, whatever
// it asks, that the trace says so and does not tell the token, and that one with
// the right token is answered beside them.
func TestBridgeToken(t *testing.T) {
	r := bridged(t)
	for _, wrong := range []string{strings.Repeat("0", len(r.token)), r.token[:len(r.token)-1], "", r.token + r.token} {
		b := r.bridge(t, wrong)
		_, _ = io.WriteString(b.in, bridgePing+bridgeCall+strings.Repeat(" ", 2*len(r.token)))
		_ = b.in.Close()
		if said, _ := b.ends(t, 10*time.Second); said != "" {
			t.Errorf("the token %q was answered %q", wrong, said)
		}
	}
	b := r.bridge(t, r.token)
	b.pings(t)
	_ = b.in.Close()
	b.ends(t, 10*time.Second)
	r.server.Close()
	result, _ := r.Finish("")
	turned := 0
	for i := range result.Events {
		text := string(result.Events[i].AppendJSON(nil))
		if strings.Contains(text, r.token) {
			t.Errorf("the trace tells the token: %s", text)
		}
		if strings.Contains(text, "did not say the token") {
			turned++
		}
		if result.Events[i].Type == "attempt_start" {
			t.Error("a stranger took an entry")
		}
	}
	if turned != 4 {
		t.Errorf("the trace says of %d bridges that they were turned away", turned)
	}
}

// Shows that a bridge ends when the program closes its standard input, once what
// was asked has been answered, and when the run ends.
func TestBridgeEnds(t *testing.T) {
	r := bridged(t)
	b := r.bridge(t, r.token)
	_, _ = io.WriteString(b.in, bridgePing)
	_ = b.in.Close()
	if said, code := b.ends(t, 10*time.Second); said != bridgePong || code != 0 {
		t.Errorf("with the program: exit %d: %q, %s", code, said, &b.errs)
	}
	b = r.bridge(t, r.token)
	b.pings(t)
	r.server.Close()
	if said, code := b.ends(t, 10*time.Second); said != "" || code < 0 || code > 1 {
		t.Errorf("with the run: exit %d: %q, %s", code, said, &b.errs)
	}
}

// Shows that an interrupt ends a bridge in the middle of silence that has no end,
// that the run sees its client leave, and that it goes on for the next one.
func TestBridgeIsInterrupted(t *testing.T) {
	r := bridged(t)
	b := r.bridge(t, r.token)
	_, _ = io.WriteString(b.in, bridgeCall)
	b.pings(t) // the call before was taken
	if err := b.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if said, code := b.ends(t, 10*time.Second); said != "" || code == 0 {
		t.Errorf("exit %d: %q", code, said)
	}
	if e := <-r.ended; e.Fault != "hang" || e.Outcome != "failure" {
		t.Errorf("%+v", e)
	}
	b = r.bridge(t, r.token)
	_, _ = io.WriteString(b.in, bridgeCall)
	_ = b.in.Close()
	if said, code := b.ends(t, 10*time.Second); !strings.Contains(said, `"tea"`) || code != 0 {
		t.Errorf("the next one: exit %d: %q, %s", code, said, &b.errs)
	}
}
