package server

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
	"github.com/scenario-lang/scenario/wire"
)

// world is a run with a listener for its provider.
type world struct {
	*interp.Outside
	*Server
	plan   *interp.Plan
	origin Origin
	base   string
	ended  atomic.Int64 // exchanges
}

// begin serves the first scenario of a text.
func begin(t testing.TB, text string, limits Limits) *world {
	t.Helper()
	return beginWith(t, text, limits, Interception{})
}

func beginWith(t testing.TB, text string, limits Limits, i Interception) *world {
	t.Helper()
	return beginPatient(t, text, limits, i, 50*time.Millisecond)
}

func beginPatient(t testing.TB, text string, limits Limits, i Interception, patience time.Duration) *world {
	t.Helper()
	w := unheard(t, text, limits, i, patience)
	port, err := w.Listen(w.origin, 0)
	if err != nil {
		t.Fatal(err)
	}
	w.base = fmt.Sprintf("127.0.0.1:%d", port)
	return w
}

// unheard has no listener: with clients over pipes it can be on a fake clock.
func unheard(t testing.TB, text string, limits Limits, i Interception, patience time.Duration) *world {
	t.Helper()
	l := suite.Loader{Source: suite.FS(fstest.MapFS{"a.scenario.hcl": {Data: []byte(text)}})}
	f := l.Load("a.scenario.hcl")
	if f.Failed() {
		t.Fatal(f.Diags)
	}
	p := f.Plans[0]
	w := &world{plan: p}
	w.Outside = interp.NewOutside(p, interp.OutsideOptions{
		Clock: wire.System(), Way: interp.Exec, Patience: patience, OnEnd: func(interp.Ended) { w.ended.Add(1) },
	})
	w.Server = New(w.Outside, limits, i)
	t.Cleanup(w.Server.Close)
	base, err := url.Parse(p.Asked()[0].Address())
	if err != nil {
		t.Fatal(err)
	}
	w.origin = Origin{Provider: p.Asked()[0].Name, Base: base}
	return w
}

// pipe is a connection to the provider that keeps nothing on the way.
func (w *world) pipe(t *testing.T) net.Conn {
	ours, theirs := net.Pipe()
	t.Cleanup(func() { ours.Close() })
	w.Serve(theirs, w.origin)
	return ours
}

// finish judges the run.
func (w *world) finish(t *testing.T) *interp.Result {
	t.Helper()
	w.Server.Close()
	r, _ := w.Finish("")
	return r
}

// attempts are the outcomes of the attempts of the run, with fault and who ended
// them.
func attempts(r *interp.Result) string {
	var list []string
	for i := range r.Events {
		if e := &r.Events[i]; e.Type == "attempt_end" {
			list = append(list, fmt.Sprintf("%s/%s/%d", e.Text("outcome"), e.Text("ended_by"), e.Int("call_number")))
		}
	}
	return strings.Join(list, " ")
}

// scripted is a scenario of an HTTP service that answers so.
func scripted(entries string) string {
	return "provider \"http\" \"p\" { base_url = \"https://service.test/api\" }\nscenario \"s\" {\n  allow = [\"unused_reply\", \"unmatched_call\", \"unfired_fault\"]\n  on \"p\" {\n" + entries + "\n  }\n  expect \"run\" { status = \"success\" }\n}\n"
}

// talk sends bytes over a connection of its own and returns all that comes until
// its end.
func (w *world) talk(t *testing.T, text string) string {
	t.Helper()
	c, err := net.Dial("tcp", w.base)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	go func() { _, _ = io.WriteString(c, text) }() // a server may close before it has read all
	_ = c.SetReadDeadline(time.Now().Add(10 * time.Second))
	got, err := io.ReadAll(c)
	if err != nil && !errors.Is(err, net.ErrClosed) {
		return string(got) + "<" + err.Error() + ">"
	}
	return string(got)
}

const get = "GET /api/a HTTP/1.1\r\nHost: x\r\n\r\n"

// Shows that requests of one connection are answered one after the other, also
// where they are sent at once, and that the connection ends when the client says
// so.
func TestKeepsConnections(t *testing.T) {
	w := begin(t, scripted(`    reply { body = "one" }
    reply { body = "two" }
    reply { body = "three" }`), DefaultLimits)
	got := w.talk(t, get+get+strings.Replace(get, "Host: x", "Host: x\r\nConnection: close", 1))
	for _, word := range []string{"one", "two", "three"} {
		if strings.Count(got, word) != 1 {
			t.Errorf("%s: got %q", word, got)
		}
	}
	r := w.finish(t)
	if got := attempts(r); got != "success/server/1 success/server/2 success/server/3" {
		t.Errorf("got %s", got)
	}
}

// Shows that a connection that an answer leaves open is closed before the fault
// that ends one without a byte, which clients would try again by themselves.
func TestClosesBeforeAReset(t *testing.T) {
	w := begin(t, scripted(`    reply { body = "one" }
    fault "connection_reset" {}
    reply { body = "two" }`), DefaultLimits)
	got := w.talk(t, get+get)
	if strings.Count(got, "HTTP/1.1 200") != 1 || !strings.Contains(got, "\r\nConnection: close\r\n") {
		t.Errorf("got %q", got)
	}
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	_, err := client.Get("http://" + w.base + "/api/a")
	if err == nil {
		t.Error("the reset did not come")
	}
	resp, err := client.Get("http://" + w.base + "/api/a")
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	if string(body) != "two" || resp.Close {
		t.Errorf("%q, closes: %v", body, resp.Close)
	}
	if got := attempts(w.finish(t)); got != "success/server/1 failure/server/2 success/server/2" {
		t.Errorf("got %s", got)
	}
}

// Shows that a connection is closed, too, where what ends the next one without a byte is
// due at another endpoint of the same address, in any of its lanes, since a client may ask
// that over the connection that it has; and that it stays open where what is due there has
// bytes, or is not due yet.
func TestClosesBeforeAResetOfOthers(t *testing.T) {
	const file = `provider "http" "p" { base_url = "https://service.test/api" }
endpoint "a" {
  provider = provider.p
  lane     = request.headers.x-lane
  match { path = "/a" }
}
endpoint "b" {
  provider = provider.p
  match { path = "/b" }
}
scenario "s" {
  allow = ["unused_reply", "unfired_fault"]
  on "a" {
    %s
  }
  on "b" {
    reply { times = 2 }
  }
  expect "run" { status = "success" }
}
`
	const last = "GET /api/%s HTTP/1.1\r\nHost: x\r\nX-Lane: l\r\nConnection: close\r\n\r\n"
	for name, c := range map[string]struct {
		a      string
		asked  bool // a lane of the other endpoint
		closes bool
	}{
		"another endpoint":             {`fault "connection_reset" {}`, false, true},
		"another endpoint, with bytes": {`fault "http_error" {}`, false, false},
		"another endpoint, later":      {"reply {}\n    fault \"connection_reset\" {}", false, false},
		"another lane":                 {"reply {}\n    fault \"connection_reset\" {}", true, true},
		"another lane, with bytes":     {"reply {}\n    fault \"http_error\" {}", true, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := begin(t, fmt.Sprintf(file, c.a), DefaultLimits)
			if c.asked {
				w.talk(t, fmt.Sprintf(last, "a"))
			}
			got := w.talk(t, strings.Replace(get, "/api/a", "/api/b", 1)+fmt.Sprintf(last, "b"))
			resp, err := http.ReadResponse(bufio.NewReader(strings.NewReader(got)), nil)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if resp.StatusCode != http.StatusOK || resp.Close != c.closes || strings.Count(got, "HTTP/1.1 200") == 2 == c.closes {
				t.Errorf("closes: %t, want %t: %q", resp.Close, c.closes, got)
			}
		})
	}
}

// Shows that a client which gives up and asks again at once overlaps nothing, though its
// next request may be read before it is seen leaving: that waits, and gets the entry that
// it would have got in its order. 200 times are enough for a race, and 1,500 are the long
// form. The patience is that of a slow machine.
func TestClientThatGivesUpAsksAgain(t *testing.T) {
	times := 200
	if endurance {
		times = 1500
	}
	late := strings.Repeat("    reply { latency = \"60s\" }\n    reply { body = \"at last\" }\n", times)
	w := beginPatient(t, scripted(late), DefaultLimits, Interception{}, time.Minute)
	var want []string
	for i := range times {
		w.givesUp(t, 2*i)
		if got := w.reads(t); got != "at last" {
			t.Fatalf("the %d. time the client that asked again got %q", i+1, got)
		}
		n := i + 1
		want = append(want, fmt.Sprintf("cancelled/client/%d success/server/%d", n, n))
	}
	r := w.finish(t)
	for _, p := range append(r.Problems, r.Relaxed...) {
		t.Errorf("%s: %s", p.Name, p.Message)
	}
	if got := attempts(r); got != strings.Join(want, " ") {
		t.Errorf("got %s", got)
	}
}

// Shows that the attempts of a client which gives up and asks again at once are one call,
// also where its next request need not wait until it is seen leaving, since every silence
// is like the other.
func TestClientThatGivesUpMakesOneCall(t *testing.T) {
	times := 200
	if endurance {
		times = 1500
	}
	w := beginPatient(t, scripted(fmt.Sprintf(`    fault "hang" { times = %d }
    reply {
      body    = "at last"
      latency = "100ms"
    }`, times)), DefaultLimits, Interception{}, time.Minute)
	for i := range times {
		w.givesUp(t, i)
	}
	if got := w.reads(t); got != "at last" {
		t.Errorf("got %q", got)
	}
	want := strings.Repeat("failure/client/1 ", times) + "success/server/1"
	if got := attempts(w.finish(t)); got != want {
		t.Errorf("got %s", got)
	}
}

// Shows the same where the answer to the next request comes at once, so that it may have
// ended before the client is seen leaving.
func TestClientThatGivesUpAndIsAnsweredAtOnceMakesOneCall(t *testing.T) {
	const times = 200
	w := beginPatient(t, scripted(strings.Repeat("    fault \"hang\" {}\n    reply { body = \"at once\" }\n", times)), DefaultLimits, Interception{}, time.Minute)
	for i := range times {
		w.givesUp(t, 2*i)
		if got := w.reads(t); got != "at once" {
			t.Fatalf("got %q", got)
		}
	}
	for w.ended.Load() < 2*times {
		runtime.Gosched() // until the last is seen leaving
	}
	calls := map[string][]string{}
	for _, a := range strings.Fields(attempts(w.finish(t))) {
		i := strings.LastIndex(a, "/")
		calls[a[i:]] = append(calls[a[i:]], a[:i])
	}
	for n, of := range calls {
		if slices.Sort(of); !slices.Equal(of, []string{"failure/client", "success/server"}) {
			t.Errorf("call %s has %q", n, of)
		}
	}
	if len(calls) != times {
		t.Errorf("%d calls, want %d", len(calls), times)
	}
}

// givesUp asks over a connection of its own, and leaves as soon as the request has been
// read, before which the run had read so many.
func (w *world) givesUp(t *testing.T, before int) {
	t.Helper()
	c, err := net.Dial("tcp", w.base)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, get); err != nil {
		t.Fatal(err)
	}
	for w.Asked() <= before {
		runtime.Gosched()
	}
}

// reads asks over a connection of its own, and returns the body of the answer, or its
// status where that is no success.
func (w *world) reads(t *testing.T) string {
	t.Helper()
	resp, err := http.ReadResponse(bufio.NewReader(strings.NewReader(w.talk(t, strings.Replace(get, "Host: x", "Host: x\r\nConnection: close", 1)))), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		return fmt.Sprint(resp.Status, " ", string(body), err)
	}
	return string(body)
}

// Shows what becomes of clients that send what is no request, too much of it, or
// too little in their time; others are answered all the while, and the trace says
// what came.
func TestTroubles(t *testing.T) {
	limits := Limits{Head: 2000, Body: 1000, Beginning: 100 * time.Millisecond, Idle: 200 * time.Millisecond, Stalled: 100 * time.Millisecond}
	for _, c := range []struct{ name, send, want, trouble string }{
		{"garbage", "\x16\x03\x01 no words\r\n\r\n", "HTTP/1.1 400", "no request"},
		{"large head", "GET / HTTP/1.1\r\nA: " + strings.Repeat("a", 5000) + "\r\n\r\n", "HTTP/1.1 431", "head of the request is too large"},
		{"large body", "POST /api/a HTTP/1.1\r\nHost: x\r\nContent-Length: 2000\r\n\r\n" + strings.Repeat("a", 2000), "HTTP/1.1 413", "larger than 1000"},
		{"half a head", "GET / HTT", "HTTP/1.1 408", "head of the request did not come"},
		{"half a body", "POST /api/a HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc", "HTTP/1.1 408", "body did not come within"},
		{"nothing", "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := begin(t, scripted(`    reply { body = "well" }`), limits)
			var group sync.WaitGroup
			group.Go(func() {
				if got := w.talk(t, c.send); !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
					t.Errorf("got %q", got)
				}
			})
			if got := w.talk(t, strings.Replace(get, "Host: x", "Host: x\r\nConnection: close", 1)); !strings.Contains(got, "well") {
				t.Errorf("the other client got %q", got)
			}
			group.Wait()
			r := w.finish(t)
			found := c.trouble == ""
			for i := range r.Events {
				found = found || r.Events[i].Type == "message" && strings.Contains(r.Events[i].Text("trouble"), c.trouble)
			}
			if !found {
				t.Errorf("no message in the trace is about %q", c.trouble)
			}
		})
	}
}

// Shows that a head has its time from its first byte on, however often another byte of it
// comes: a client that drips it is turned away, and leaves no goroutine behind.
func TestDrippedHead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limits := DefaultLimits
		limits.Beginning = 100 * time.Millisecond
		w := unheard(t, scripted(`    reply { body = "well" }`), limits, Interception{}, 0)
		c := w.pipe(t)
		began, dripped := time.Now(), make(chan struct{})
		go func() {
			defer close(dripped)
			head := "GET /api/a HTTP/1.1\r\n" + strings.Repeat("A: b\r\n", 10_000)
			for i := range head {
				if _, err := io.WriteString(c, head[i:i+1]); err != nil {
					return
				}
				time.Sleep(5 * time.Millisecond)
			}
		}()
		resp, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); resp.StatusCode != http.StatusRequestTimeout || took != limits.Beginning {
			t.Errorf("got %s after %s", resp.Status, took)
		}
		<-dripped
		other := w.pipe(t)
		if _, err := io.WriteString(other, get); err != nil {
			t.Fatal(err)
		}
		if resp, err := http.ReadResponse(bufio.NewReader(other), nil); err != nil || resp.StatusCode != http.StatusOK {
			t.Errorf("the other client got %+v: %v", resp, err)
		}
	})
}

// Shows that a client which asks for leave to send its body gets it.
func TestContinue(t *testing.T) {
	w := begin(t, scripted(`    reply { body = "well" }`), DefaultLimits)
	c, err := net.Dial("tcp", w.base)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, _ = io.WriteString(c, "POST /api/a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
	in := bufio.NewReader(c)
	line, err := in.ReadString('\n')
	if err != nil || line != "HTTP/1.1 100 Continue\r\n" {
		t.Fatalf("%q %v", line, err)
	}
	_, _ = in.ReadString('\n')
	_, _ = io.WriteString(c, "abc")
	resp, err := http.ReadResponse(in, nil)
	if err != nil || resp.StatusCode != 200 {
		t.Errorf("%+v %v", resp, err)
	}
}

// Shows that other protocols are refused with a gate that says which.
func TestOtherProtocols(t *testing.T) {
	for name, text := range map[string]string{
		"HTTP/2":    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
		"WebSocket": "GET /api/a HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
		"gRPC":      "POST /api/a HTTP/1.1\r\nHost: x\r\nContent-Type: application/grpc\r\nContent-Length: 0\r\n\r\n",
	} {
		w := begin(t, scripted(`    reply { body = "well" }`), DefaultLimits)
		if got := w.talk(t, text); !strings.HasPrefix(got, "HTTP/1.1 599 scenario: unmatched_call\r\n") {
			t.Errorf("%s: got %q", name, got)
		}
		r := w.finish(t)
		if len(r.Relaxed) == 0 || !strings.Contains(r.Relaxed[0].Message, name) {
			t.Errorf("%s: %v", name, r.Relaxed)
		}
	}
}

// Shows that the server ends at once with clients in every state, and that a fault that
// was under way was met.
func TestClose(t *testing.T) {
	w := begin(t, scripted(`    fault "hang" { times = "*" }`), DefaultLimits)
	var answered atomic.Int64
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			c, err := net.Dial("tcp", w.base)
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			_, _ = io.WriteString(c, get)
			n, _ := io.Copy(io.Discard, c)
			answered.Add(n)
		})
	}
	for w.Asked() < 20 {
		time.Sleep(time.Millisecond)
	}
	began := time.Now()
	r := w.finish(t)
	if took := time.Since(began); took > 10*time.Second { // a band: with the hang it would not end at all
		t.Errorf("it took %s", took)
	}
	group.Wait()
	if answered.Load() != 0 {
		t.Errorf("%d bytes came", answered.Load())
	}
	if strings.Contains(attempts(r), "cancelled") {
		t.Errorf("got %s", attempts(r))
	}
}

// Shows that what the server closed before it was played to its end is an answer that nobody
// had, as where the client is seen to leave: a program may be ended with the run before its
// connections are seen to end. What was played is had, and a fault that ends nothing by
// itself is met by whoever is in it.
func TestCloseGivesNoAnswer(t *testing.T) {
	for name, c := range map[string]struct{ entry, want string }{
		"before the first byte": {`reply { latency = "1m" }`, "cancelled/client/1"},
		"in the middle":         {"reply {\n content = \"Rayleigh scattering\"\n chunk_delay = \"1m\"\n}", "cancelled/client/1"},
		"after the last byte":   {`reply {}`, "success/server/1"},
		"in a hang":             {`fault "hang" {}`, "failure/client/1"},
		"before a refusal":      {"fault \"http_error\" {\n status_code = 503\n after = \"1m\"\n}", "failure/client/1"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := unheard(t, "provider \"openai\" \"p\" {}\nscenario \"s\" {\n on \"p\" {\n"+c.entry+"\n }\n expect \"run\" { status = \"success\" }\n}\n", DefaultLimits, Interception{}, 0)
				const body = `{"model":"m","stream":true,"messages":[{"role":"user","content":"why?"}]}`
				client := w.pipe(t)
				go func() { _, _ = io.Copy(io.Discard, client) }()
				if _, err := fmt.Fprintf(client, "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body); err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Second)
				synctest.Wait()
				if got := attempts(w.finish(t)); got != c.want {
					t.Errorf("got %q, want %q", got, c.want)
				}
			})
		})
	}
}

// Shows that a client of a process which asks many times and leaves at once has been
// answered each time, in fake time, whichever answer comes to be written first.
func TestAsksAndLeaves(t *testing.T) {
	const calls = 40
	synctest.Test(t, func(t *testing.T) {
		w := unheard(t, fmt.Sprintf("provider \"mcp\" \"p\" { command = [\"notes\"] }\nscenario \"s\" {\n on \"p\" {\n reply {\n content = \"tea\"\n times = %d\n }\n }\n expect \"run\" { status = \"success\" }\n}\n", calls), DefaultLimits, Interception{}, 0)
		c := w.pipe(t)
		for n := range calls {
			if _, err := fmt.Fprintf(c, `{"jsonrpc": "2.0", "id": %d, "method": "tools/call", "params": {"name": "search", "arguments": {}}}`+"\n", n); err != nil {
				t.Fatal(err)
			}
		}
		c.Close()
		time.Sleep(time.Second)
		got := attempts(w.finish(t))
		if n := strings.Count(got, "success/server/"); n != calls {
			t.Errorf("%d of %d: %s", n, calls, got)
		}
	})
}

// Shows that an answer of many megabytes arrives whole, and that a client which
// stops reading is given up.
func TestWritesWithinTheirTime(t *testing.T) {
	large := strings.Repeat("0123456789abcdef", 1<<16)
	limits := DefaultLimits
	limits.Stalled = 200 * time.Millisecond
	w := begin(t, scripted(fmt.Sprintf("    reply { body = %q }\n    reply { body = %[1]q }", large)), limits)
	resp, err := http.Get("http://" + w.base + "/api/a")
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil || !bytes.Equal(body, []byte(large)) {
		t.Errorf("%d bytes of %d came: %v", len(body), len(large), err)
	}
	c, err := net.Dial("tcp", w.base)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.(*net.TCPConn).SetReadBuffer(1 << 10)
	_, _ = io.WriteString(c, get)
	for deadline := time.Now().Add(10 * time.Second); w.ended.Load() < 2; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the server still writes to a client that does not read")
		}
	}
}

// Shows that a client which stops reading in the middle of an answer, before the last of its
// waits, has left it, in all but name: the attempt is no success, and the run says whose
// client it was.
func TestWhoStopsReadingHasLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limits := DefaultLimits
		limits.Stalled = 100 * time.Millisecond
		w := unheard(t, `provider "openai" "p" {}
scenario "s" {
  on "p" {
    reply {
      content     = "Rayleigh scattering of light"
      chunk_delay = "1ms"
    }
  }
  expect "run" { status = "success" }
}
`, limits, Interception{}, 0)
		const body = `{"model":"m","stream":true,"messages":[{"role":"user","content":"why?"}]}`
		if _, err := fmt.Fprintf(w.pipe(t), "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body); err != nil {
			t.Fatal(err)
		}
		time.Sleep(limits.Stalled)
		synctest.Wait()
		if w.ended.Load() == 0 {
			t.Errorf("it has not ended after %s", limits.Stalled)
		}
		r := w.finish(t)
		if got := attempts(r); got != "cancelled/client/1" {
			t.Errorf("got %s", got)
		}
		if said := strings.Join(w.Warnings(), "\n"); !strings.Contains(said, `a client of provider "p" read nothing of its answer for 100ms`) {
			t.Errorf("it says %q", said)
		}
	})
}

// Shows that what a client wrote is read where it has gone at once: each of fifty requests
// whose clients do not wait for an answer is there when they have been read, which is
// long before its bound; a client that stays is not waited for longer.
func TestDrain(t *testing.T) {
	w := begin(t, scripted(`    reply {
      body  = "one"
      times = "*"
    }`), DefaultLimits)
	for range 50 {
		c, err := net.Dial("tcp", w.base)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(c, get)
		c.Close()
	}
	for w.Accepted(w.plan.Asked()[0].Name) < 50 { // the listener's queue is the system's
		time.Sleep(time.Millisecond)
	}
	w.Drain(10 * time.Second)
	if n := w.Asked(); n != 50 {
		t.Errorf("%d requests were read, want 50", n)
	}
	stays, err := net.Dial("tcp", w.base)
	if err != nil {
		t.Fatal(err)
	}
	defer stays.Close()
	_, _ = io.WriteString(stays, "G")
	began := time.Now()
	w.Drain(20 * time.Millisecond)
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("it took %s", took)
	}
	w.finish(t)
}
