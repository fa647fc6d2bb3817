package server

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/internal/server/authority"
)

// intercepted is a run with a proxy, and a client that asks through it.
type intercepted struct {
	*world
	ca     *authority.Authority
	proxy  string
	client *http.Client
}

func intercept(t testing.TB, text string, i Interception) *intercepted {
	t.Helper()
	ca, err := authority.New(func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ca.Close() })
	i.Authority = ca
	w := &intercepted{world: beginWith(t, text, DefaultLimits, i), ca: ca}
	address, err := w.Proxy()
	if err != nil {
		t.Fatal(err)
	}
	proxy, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	w.proxy = proxy.Host
	w.client = &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(proxy), TLSClientConfig: &tls.Config{RootCAs: ca.Pool()}}}
	t.Cleanup(w.client.CloseIdleConnections)
	return w
}

// Shows that a program which knows nothing of the run is answered at the address
// that it has built in, over TLS too, and that its connection is kept.
func TestInterception(t *testing.T) {
	w := intercept(t, scripted(`    reply { body = "one" }
    reply { body = "two" }`), Interception{})
	for _, want := range []string{"one", "two"} {
		resp, err := w.client.Get("https://service.test/api/a")
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if string(body) != want {
			t.Errorf("got %q, want %q", body, want)
		}
	}
	r := w.finish(t)
	if got := attempts(r); got != "success/server/1 success/server/2" {
		t.Errorf("got %s", got)
	}
	for i := range r.Events {
		if e := &r.Events[i]; e.Type == "attempt_start" && e.Attempt == 2 && !strings.Contains(string(e.AppendJSON(nil)), `"reused":true`) {
			t.Errorf("a second connection was made: %s", e.AppendJSON(nil))
		}
	}
}

// Shows that the listener of a provider speaks TLS too, where the client does.
func TestListenerSpeaksBoth(t *testing.T) {
	w := intercept(t, scripted(`    reply { body = "one" }
    reply { body = "two" }`), Interception{})
	bare := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: w.ca.Pool(), ServerName: "service.test"}}}
	defer bare.CloseIdleConnections()
	for _, scheme := range []string{"http", "https"} {
		resp, err := bare.Get(scheme + "://" + w.base + "/api/a")
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.ProtoMajor != 1 {
			t.Errorf("%s is spoken", resp.Proto)
		}
	}
}

// Shows that TLS 1.2 and 1.3 are spoken, in the version that the client wants, and none
// before them.
func TestVersionsOfTLS(t *testing.T) {
	w := intercept(t, scripted(`    reply {
      body  = "one"
      times = 2
    }`), Interception{})
	for _, version := range []uint16{tls.VersionTLS11, tls.VersionTLS12, tls.VersionTLS13} {
		client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: w.ca.Pool(), ServerName: "service.test", MinVersion: version, MaxVersion: version}}}
		resp, err := client.Get("https://" + w.base + "/api/a")
		if (err == nil) != (version >= tls.VersionTLS12) {
			t.Errorf("%s: %v", tls.VersionName(version), err)
		}
		if err == nil {
			resp.Body.Close()
			if got := resp.TLS.Version; got != version {
				t.Errorf("%s is spoken, want %s", tls.VersionName(got), tls.VersionName(version))
			}
		}
		client.CloseIdleConnections()
	}
}

// Shows that a reset reaches the client's own socket through TLS and a tunnel,
// and that a cut answer is one.
func TestResetThroughTLS(t *testing.T) {
	w := intercept(t, scripted(`    fault "connection_reset" {}
    fault "content_length_mismatch" {
      reply { body = "0123456789" }
    }`), Interception{})
	_, err := w.client.Get("https://service.test/api/a")
	if !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("the reset came as %v", err)
	}
	resp, err := w.client.Get("https://service.test/api/a")
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("the cut answer was %q, %v", body, err)
	}
	if got := attempts(w.finish(t)); got != "failure/server/1 failure/server/1" {
		t.Errorf("got %s", got)
	}
}

// Shows that a host of no provider is refused, by tunnel and by absolute address,
// each with its gate.
func TestDefaultDeny(t *testing.T) {
	w := intercept(t, scripted(`    reply { body = "one" }`), Interception{})
	if _, err := w.client.Get("https://stranger.test/x"); err == nil || !strings.Contains(err.Error(), "Forbidden") {
		t.Errorf("the tunnel: %v", err)
	}
	resp, err := w.client.Get("http://plain.test/x")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != 599 {
		t.Errorf("the address was answered %s", resp.Status)
	}
	var hosts []string
	for _, p := range w.finish(t).Problems {
		if p.Name == "unlisted_host" {
			hosts = append(hosts, p.Message)
		}
	}
	if all := strings.Join(hosts, "\n"); len(hosts) != 2 || !strings.Contains(all, `base_url = "https://stranger.test"`) || !strings.Contains(all, `allow_hosts = ["plain.test:80"]`) {
		t.Errorf("%d gates: %s", len(hosts), all)
	}
}

// Shows that a host that is allowed is reached untouched, and nothing else is.
func TestAllowedHosts(t *testing.T) {
	far := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "real") }))
	defer far.Close()
	var dialled atomic.Value
	w := intercept(t, scripted(`    reply { body = "one" }`), Interception{
		Allow: []string{"*.metrics.test:443"},
		Dial: func(ctx context.Context, host string) (net.Conn, error) {
			dialled.Store(host)
			return (&net.Dialer{}).DialContext(ctx, "tcp", far.Listener.Addr().String())
		},
	})
	transport := w.client.Transport.(*http.Transport)
	transport.TLSClientConfig = far.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	transport.TLSClientConfig.ServerName = "example.com"
	resp, err := w.client.Get("https://a.metrics.test/x")
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	if string(body) != "real" || dialled.Load() != "a.metrics.test:443" {
		t.Errorf("%q came from %v", body, dialled.Load())
	}
	w.client.CloseIdleConnections()
	if _, err := w.client.Get("https://metrics.test:444/x"); err == nil {
		t.Error("a host that is not allowed was reached")
	}
	if r := w.finish(t); len(r.Problems) != 1 {
		t.Errorf("%v", r.Problems)
	}
}

// Shows which hosts a pattern lets through.
func TestAllows(t *testing.T) {
	i := &Interception{Allow: []string{"a.test:443", "*.b.test:443", "c.test:*", "[::1]:80", "x*y*z:1"}}
	for host, want := range map[string]bool{
		"a.test:443": true, "A.test:443": true, "a.test:80": false, "xa.test:443": false, "q.b.test:443": true, "b.test:443": false,
		"c.test:1": true, "c.test:65535": true, "[::1]:80": true, "x1y2z:1": true, "xyz:1": true, "xzy:1": false, "": false,
	} {
		if got := i.allows(host); got != want {
			t.Errorf("%q: %v", host, got)
		}
	}
}

// Shows that a client which does not trust the authority is told about, with what
// to do.
func TestUntrusted(t *testing.T) {
	w := intercept(t, scripted(`    reply { body = "one" }`), Interception{})
	w.client.Transport.(*http.Transport).TLSClientConfig = nil
	if _, err := w.client.Get("https://service.test/api/a"); err == nil {
		t.Fatal("it trusts anybody")
	}
	for deadline := time.Now().Add(10 * time.Second); len(w.Warnings()) == 0 && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond) // the alert is on its way
	}
	w.finish(t)
	if all := strings.Join(w.Warnings(), "\n"); !strings.Contains(all, "does not trust the certificate that was made for service.test") || !strings.Contains(all, "SSL_CERT_FILE") {
		t.Errorf("got %q", all)
	}
}

// Shows that a tunnel can be used without TLS, that the fields for the proxy do not
// reach the run, and that a handshake that is none ends the connection.
func TestPlainTunnel(t *testing.T) {
	w := intercept(t, scripted(`    reply { body = "one" }`), Interception{})
	talk := func(text string) (*bufio.Reader, net.Conn) {
		c, err := net.Dial("tcp", w.proxy)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		_, _ = io.WriteString(c, "CONNECT service.test:443 HTTP/1.1\r\nHost: service.test:443\r\n\r\n")
		in := bufio.NewReader(c)
		if resp, err := http.ReadResponse(in, &http.Request{Method: http.MethodConnect}); err != nil || resp.StatusCode != 200 {
			t.Fatal(resp, err)
		}
		_, _ = io.WriteString(c, text)
		return in, c
	}
	in, _ := talk("\x16\x03\x01\x00\x05hello")
	_, _ = io.Copy(io.Discard, in) // it ends
	in, _ = talk("GET /api/a HTTP/1.1\r\nHost: service.test\r\nProxy-Authorization: Basic c2VjcmV0OnNlY3JldA==\r\n\r\n")
	resp, err := http.ReadResponse(in, nil)
	if err != nil || resp.StatusCode != 200 {
		t.Fatalf("%+v %v", resp, err)
	}
	r := w.finish(t)
	for i := range r.Events {
		if text := string(r.Events[i].AppendJSON(nil)); strings.Contains(text, "c2VjcmV0") || strings.Contains(text, "Proxy-Authorization") {
			t.Errorf("the trace has %s", text)
		}
	}
}
