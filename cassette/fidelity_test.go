package cassette

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/dnaeon/go-vcr/v2/recorder"
	"github.com/scenario-lang/scenario/wire"
)

// An outcome is what a client saw of one call.
type seen struct {
	body  string
	err   error
	types []string
}

// clientSees calls through a transport as a client does, and reads to the end.
func clientSees(rt http.RoundTripper, url string, timeout time.Duration) seen {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	req, _ := http.NewRequestWithContext(ctx, "POST", url, strings.NewReader(`{"q":1}`))
	return sees(rt, req)
}

// sees sends a request as a client does, and reads to the end.
func sees(rt http.RoundTripper, req *http.Request) seen {
	var s seen
	resp, err := (&http.Client{Transport: rt}).Do(req)
	if err == nil {
		var data []byte
		data, err = io.ReadAll(resp.Body)
		resp.Body.Close()
		s.body = string(data)
	}
	for s.err = err; err != nil; err = errors.Unwrap(err) {
		s.types = append(s.types, reflect.TypeOf(err).String())
	}
	return s
}

// callTo is a call to a URL that is known to be one.
func callTo(step string, attempt int, url, body string) wire.Call {
	req, _ := http.NewRequest("POST", url, strings.NewReader(body))
	return wire.Call{Step: step, Attempt: attempt, Request: req, Body: []byte(body)}
}

// raw serves one connection after the other with a function.
func raw(t *testing.T, serve func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			buf := make([]byte, 4096)
			_, _ = conn.Read(buf)
			serve(conn)
		}
	}()
	return "http://" + l.Addr().String() + "/v1"
}

func resetNow(conn net.Conn) {
	_ = conn.(*net.TCPConn).SetLinger(0)
	conn.Close()
}

// Shows that a recorded failure replays as the client met it: the same bytes,
// the same words, and the same chain of types but for those that packages do
// not export.
func TestFailuresReplayAsTheyWere(t *testing.T) {
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	defer secure.Close()
	secure.Config.ErrorLog = nil
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	pool := x509.NewCertPool()
	pool.AddCert(secure.Certificate())
	trusting := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}
	named := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, ServerName: "other.test"}}
	aged := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, Time: func() time.Time { return time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC) }}}
	old := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, MaxVersion: tls.VersionTLS11, MinVersion: tls.VersionTLS10}}
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	lookup := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: "nowhere.test", IsNotFound: true}}
	}}
	head := "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	hold := make(chan struct{})
	defer close(hold)
	for name, c := range map[string]struct {
		url       string
		transport http.RoundTripper
		timeout   time.Duration
		// loose says that a type of the real chain is not exported.
		loose bool
	}{
		"refused":           {url: "http://" + closed.Addr().String() + "/v1"},
		"unknown host":      {url: "http://nowhere.test/v1", transport: lookup},
		"unknown authority": {url: secure.URL + "/v1"},
		"another host":      {url: secure.URL + "/v1", transport: named},
		"expired":           {url: secure.URL + "/v1", transport: aged},
		"alert":             {url: secure.URL + "/v1", transport: old, loose: true},
		"plain HTTP":        {url: strings.Replace(plain.URL, "http", "https", 1) + "/v1"},
		"reset at once":     {url: raw(t, resetNow)},
		"closed at once":    {url: raw(t, func(c net.Conn) { c.Close() })},
		"no HTTP":           {url: raw(t, func(c net.Conn) { io.WriteString(c, "\x00\x01\xffSSH-2.0-nonsense\r\n\r\n"); c.Close() })},
		"silence":           {url: raw(t, func(c net.Conn) { <-hold; c.Close() }), timeout: 50 * time.Millisecond},
		"an error status":   {url: raw(t, func(c net.Conn) { io.WriteString(c, "HTTP/1.1 503 Busy\r\nContent-Length: 2\r\n\r\nno"); c.Close() })},
		"cut":               {url: raw(t, func(c net.Conn) { io.WriteString(c, head+"Content-Length: 50\r\n\r\n{\"a\":"); c.Close() })},
		"cut in chunks": {url: raw(t, func(c net.Conn) {
			io.WriteString(c, head+"Transfer-Encoding: chunked\r\n\r\n5\r\n{\"a\":\r\n")
			c.Close()
		})},
		"stall": {url: raw(t, func(c net.Conn) { io.WriteString(c, head+"Content-Length: 50\r\n\r\n{\"a\":"); <-hold }), timeout: 100 * time.Millisecond},
		"whole": {url: secure.URL + "/v1", transport: trusting},
	} {
		t.Run(name, func(t *testing.T) {
			if c.transport == nil {
				c.transport = &http.Transport{DisableKeepAlives: true}
			}
			if c.timeout == 0 {
				c.timeout = time.Minute
			}
			replaysAsItWas(t, c.transport, c.url, c.timeout, c.loose)
		})
	}
}

// replaysAsItWas records one call, and compares what its client saw with what
// it sees of the replay.
func replaysAsItWas(t *testing.T, next http.RoundTripper, url string, timeout time.Duration, loose bool) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.yaml")
	r := recorderFor(t, path, RecordOptions{})
	recording := &attempts{r: r, next: next}
	live := clientSees(recording, url, timeout)
	if err := recording.take.Seal(false); err != nil {
		t.Fatal(err)
	}
	replay := clientSees(&attempts{p: playerOf(t, r, path)}, url, 50*time.Millisecond)
	if live.body != replay.body {
		t.Errorf("the body was %q and is %q", live.body, replay.body)
	}
	if was, is := errText(live.err), errText(replay.err); was != is {
		t.Errorf("the error was\n%s and is\n%s", was, is)
	}
	if !loose && !reflect.DeepEqual(live.types, replay.types) {
		t.Errorf("the chain was\n%v and is\n%v", live.types, replay.types)
	}
}

// errText is the text of an error without the client's own port.
func errText(err error) string {
	if err == nil {
		return ""
	}
	text := err.Error()
	if at := strings.Index(text, "read tcp "); at >= 0 {
		if arrow := strings.Index(text[at:], "->"); arrow > 0 {
			text = text[:at] + "read tcp …" + text[at+arrow:]
		}
	}
	return text
}

// wallClock is the system's clock, which waits for contexts and for nothing
// else: not for the times that a recording has.
type wallClock struct{ wire.Clock }

func (c wallClock) Sleep(ctx context.Context, d time.Duration) error {
	if d < time.Hour {
		return ctx.Err()
	}
	return c.Clock.Sleep(ctx, wire.Forever)
}

// Shows that a recorder of go-vcr v2.1.0 replays what was recorded here, to a
// client that it does not know.
func TestGoVCRReplaysARecording(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, e := range []string{"data: {\"a\":1}\n\n", "data: [DONE]\n\n"} {
			io.WriteString(w, e)
			w.(http.Flusher).Flush()
		}
	}))
	path := filepath.Join(t.TempDir(), "a.yaml")
	r := recorderFor(t, path, RecordOptions{})
	recording := &attempts{r: r, next: http.DefaultTransport}
	live := clientSees(recording, srv.URL+"/v1", time.Minute)
	srv.Close()
	if err := recording.take.Seal(true); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Commit(nil); err != nil {
		t.Fatal(err)
	}
	theirs, err := recorder.NewAsMode(strings.TrimSuffix(path, ".yaml"), recorder.ModeReplaying, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer theirs.Stop()
	replay := clientSees(theirs, srv.URL+"/v1", time.Minute)
	if live.err != nil || replay.err != nil || live.body != replay.body || live.body == "" {
		t.Errorf("live %+v, replayed %+v", live, replay)
	}
}
