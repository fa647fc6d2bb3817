package server

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
	"github.com/scenario-lang/scenario/wire"
)

// A recorded world is a run over a scenario whose calls a service answers, or the
// cassette of an earlier run.
type recordedWorld struct {
	*world
	recorder *cassette.Recorder
}

// relaying serves a scenario without a script. With a recorder its calls go to the
// service at base, else the cassette beside the scenario answers.
func relaying(t *testing.T, dir, base string, live bool) *recordedWorld {
	t.Helper()
	return relayingWith(t, dir, base, "", live)
}

// relayingWith is relaying for a file that has an endpoint.
func relayingWith(t *testing.T, dir, base, endpoint string, live bool) *recordedWorld {
	t.Helper()
	file := filepath.Join(dir, "a.scenario.hcl")
	text := fmt.Sprintf("provider \"http\" \"p\" { base_url = %q }\n%sscenario \"s\" {\n  cassette { path = \"a.yaml\" }\n  expect \"run\" { status = \"success\" }\n}\n", base, endpoint)
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	l := suite.Loader{Source: suite.Disk(), Live: live}
	f := l.Load(file)
	if f.Failed() {
		t.Fatal(f.Diags)
	}
	o := interp.OutsideOptions{Clock: wire.System(), Way: interp.Exec, Patience: 50 * time.Millisecond}
	w := &recordedWorld{world: &world{}}
	if live {
		var err error
		if w.recorder, err = cassette.NewRecorder(filepath.Join(dir, "a.yaml"), cassette.RecordOptions{}); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { w.recorder.Close() })
		transport := &http.Transport{}
		t.Cleanup(transport.CloseIdleConnections)
		o.Live = &interp.Live{Transport: transport, Recorder: w.recorder, Env: func(string) (string, bool) { return "", false }}
	}
	w.Outside = interp.NewOutside(f.Plans[0], o)
	w.Server = New(w.Outside, DefaultLimits, Interception{})
	t.Cleanup(w.Server.Close)
	address, err := w.ListenHTTP(Origin{Provider: "p", Base: f.Plans[0].Asked()[0].Base()}, 0)
	if err != nil {
		t.Fatal(err)
	}
	w.base = strings.TrimPrefix(address, "http://")
	return w
}

// services are the ways in which one answers, or does not.
var services = map[string]http.HandlerFunc{
	"a body of a known length": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"items": 3}`)
	},
	"a stream": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range 3 {
			fmt.Fprintf(w, "data: {\"n\": %d}\n\n", i)
			w.(http.Flusher).Flush()
		}
	},
	"a refusal": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "7")
		http.Error(w, "slow down", http.StatusTooManyRequests)
	},
	"nothing to say":  func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) },
	"an empty answer": func(http.ResponseWriter, *http.Request) {},
	"what is compressed": func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			return
		}
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		fmt.Fprint(z, strings.Repeat("plain again ", 100))
		z.Close()
	},
	"a cut in the body":   cut(false, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 20\r\n\r\nhalf"),
	"a reset in the body": cut(true, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 20\r\n\r\nhalf"),
	"a cut in a stream":   cut(false, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n8\r\ndata: 1\n\r\n"),
	"no word":             cut(false, ""),
	"a reset at once":     cut(true, ""),
}

// cut is a service that says so much and ends the connection.
func cut(reset bool, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		c, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		_, _ = io.WriteString(c, text)
		time.Sleep(20 * time.Millisecond) // a reset discards what has not arrived
		if reset {
			_ = c.(*net.TCPConn).SetLinger(0)
		}
		c.Close()
	}
}

// met is what a client meets, in words that do not depend on the way.
func met(address, method string) string {
	transport := &http.Transport{DisableKeepAlives: true}
	defer transport.CloseIdleConnections()
	req, err := http.NewRequest(method, address, nil)
	if err != nil {
		return err.Error()
	}
	resp, err := transport.RoundTrip(req)
	if err != nil {
		return "no answer: " + class(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return fmt.Sprintf("%d %s retry after %q length %d: %s %s", resp.StatusCode, resp.Header.Get("Content-Type"), resp.Header.Get("Retry-After"), resp.ContentLength, body, class(err))
}

// class is an error, as far as clients tell errors apart.
func class(err error) string {
	switch {
	case err == nil:
		return "whole"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "cut"
	case errors.Is(err, syscall.ECONNRESET):
		return "reset"
	case errors.Is(err, io.EOF):
		return "ended"
	}
	return err.Error()
}

// Shows that a program meets through the run what it would meet without it, and the
// same again when what was recorded is replayed, where the service is no more.
func TestRelayedIsMetAgain(t *testing.T) {
	for name, service := range services {
		for _, method := range []string{"GET", "HEAD"} {
			if method == "HEAD" && name != "a body of a known length" {
				continue
			}
			t.Run(name+" "+method, func(t *testing.T) {
				real := httptest.NewServer(service)
				defer real.Close()
				dir := t.TempDir()
				want := met(real.URL+"/api/a", method)
				w := relaying(t, dir, real.URL+"/api", true)
				if got := met("http://"+w.base+"/a", method); got != want {
					t.Errorf("the service says %q, and through the run the program meets %q", want, got)
				}
				if r := w.finish(t); r.Verdict == interp.Error {
					t.Error(r.Problems)
				}
				if _, err := w.recorder.Commit(nil); err != nil {
					t.Fatal(err)
				}
				w.recorder.Close()
				real.Close()
				again := relaying(t, dir, real.URL+"/api", false)
				if name == "what is compressed" {
					want = strings.Replace(want, "length -1", "length 1200", 1) // it is passed on as it is read
				}
				if got := met("http://"+again.base+"/a", method); got != want {
					t.Errorf("the service says %q, and the replay %q", want, got)
				}
			})
		}
	}
}

// Shows that a service that cannot be reached is a connection that is reset, when
// it is recorded and when that is replayed.
func TestNoServiceIsMetAgain(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	dir := t.TempDir()
	w := relaying(t, dir, gone.URL, true)
	if got := met("http://"+w.base+"/a", "GET"); got != "no answer: reset" {
		t.Error(got)
	}
	w.finish(t)
	if _, err := w.recorder.Commit(nil); err != nil {
		t.Fatal(err)
	}
	w.recorder.Close()
	if got := met("http://"+relaying(t, dir, gone.URL, false).base+"/a", "GET"); got != "no answer: reset" {
		t.Error(got)
	}
}

// Shows that a piece of a stream reaches the program before the next one is sent,
// and that a program that leaves in the middle is recorded as one that met silence
// there, unless the run was being ended.
func TestRelayedAsItComes(t *testing.T) {
	for _, ending := range []bool{false, true} {
		more, left := make(chan bool), make(chan bool)
		real := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			for i := range 2 {
				fmt.Fprintf(w, "data: %d\n\n", i)
				w.(http.Flusher).Flush()
				<-more
			}
			<-r.Context().Done()
			close(left)
		}))
		w := relaying(t, t.TempDir(), real.URL, true)
		resp, err := (&http.Transport{}).RoundTrip(httptest.NewRequest("GET", "http://"+w.base+"/a", nil))
		if err != nil {
			t.Fatal(err)
		}
		for i := range 2 {
			buf := make([]byte, 9)
			if _, err := io.ReadFull(resp.Body, buf); err != nil || string(buf) != fmt.Sprintf("data: %d\n\n", i) {
				t.Fatalf("%q, %v", buf, err)
			}
			more <- true
		}
		if ending {
			w.Stopping()
		}
		resp.Body.Close()
		<-left // the service is told, too
		for n, _ := w.Busy(); n > 0; n, _ = w.Busy() {
			<-w.Changes()
		}
		w.finish(t)
		c, err := w.recorder.Commit(nil)
		switch {
		case err != nil:
			t.Fatal(err)
		case ending && c != nil && len(c.Interactions) > 0:
			t.Errorf("what the end of the run cut off was recorded: %+v", c.Interactions[0])
		case !ending && (len(c.Interactions) != 1 || string(c.Interactions[0].Response.Body()) != "data: 0\n\ndata: 1\n\n" || c.Interactions[0].Response.End != wire.EndHang):
			t.Errorf("%+v", c.Interactions)
		}
		real.Close()
	}
}

// Shows that requests that overlap in one lane are not recorded in silence, as a
// replay would give one the answer of the other: the run fails, and says what to
// write. Equal requests may overlap, and so may those of different lanes; where the
// file says that chance decides it is a warning.
func TestOverlappingRequestsAreNotRecordedInSilence(t *testing.T) {
	for _, c := range []struct{ endpoint, paths, want string }{
		{"", "/a /b", "gate ambiguous"},
		{"", "/a /a", ""},
		{"endpoint \"e\" {\n  provider = provider.p\n  lane = request.path\n}\n", "/a /b", ""},
		{"endpoint \"e\" {\n  provider = provider.p\n  concurrent = \"arrival\"\n}\n", "/a /b", "warning"},
	} {
		came, answer := make(chan bool), make(chan bool)
		real := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { came <- true; <-answer }))
		w := relayingWith(t, t.TempDir(), real.URL, c.endpoint, true)
		done := make(chan string)
		for path := range strings.FieldsSeq(c.paths) {
			go func() { done <- met("http://"+w.base+path, "GET") }()
			<-came // and is under way
		}
		close(answer)
		for range strings.Fields(c.paths) {
			if got := <-done; !strings.HasPrefix(got, "200 ") {
				t.Error(got)
			}
		}
		r := w.finish(t)
		said := ""
		for _, p := range r.Problems {
			said += p.Kind + " " + p.Name
			if !strings.Contains(p.Message, "lane = request.body") {
				t.Errorf("it does not say what to write: %s", p.Message)
			}
		}
		for _, warning := range w.Warnings() {
			if strings.Contains(warning, "overlapped") {
				said += "warning"
			}
		}
		if said != c.want {
			t.Errorf("%q with %q: %q, want %q", c.paths, c.endpoint, said, c.want)
		}
		real.Close()
	}
}

// Shows that a program which asks for something else than was recorded breaks the gate
// drifted, and that what it never asked for breaks unused_interaction.
func TestRecordingsThatTheirProgramLeft(t *testing.T) {
	real := httptest.NewServer(services["a body of a known length"])
	defer real.Close()
	dir := t.TempDir()
	w := relaying(t, dir, real.URL, true)
	for _, path := range []string{"/a", "/b"} {
		if got := met("http://"+w.base+path, "GET"); !strings.HasPrefix(got, "200 ") {
			t.Fatal(got)
		}
	}
	w.finish(t)
	if _, err := w.recorder.Commit(nil); err != nil {
		t.Fatal(err)
	}
	w.recorder.Close()
	for path, want := range map[string]string{"/a": "unused_interaction", "/c": "drifted"} {
		again := relaying(t, dir, real.URL, false)
		met("http://"+again.base+path, "GET")
		var gates []string
		for _, p := range again.finish(t).Problems {
			gates = append(gates, p.Name)
		}
		if !slices.Contains(gates, want) {
			t.Errorf("%s: %q, want %s", path, gates, want)
		}
	}
}
