package server

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/scenario-lang/scenario/internal/server/authority"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
	"github.com/scenario-lang/scenario/wire"
)

// fuzzed is a scenario of an HTTP service, compiled once.
var fuzzed = sync.OnceValue(func() *interp.Plan {
	l := suite.Loader{Source: suite.FS(fstest.MapFS{"a.scenario.hcl": {Data: []byte(scripted(`    reply {
      body  = "well"
      times = "*"
    }`))}})}
	defer l.Close()
	return l.Load("a.scenario.hcl").Plans[0]
})

var vouches = sync.OnceValue(func() *authority.Authority {
	a, err := authority.New(func(string) (string, bool) { return "", false })
	if err != nil {
		panic(err)
	}
	return a
})

// What a client says, to a service or to the proxy, ends no server: whatever it
// says, a client that comes after it is answered, and the end takes no time.
func FuzzConnection(f *testing.F) {
	for _, said := range []string{
		get, get + get, strings.Replace(get, "Host: x", "Host: x\r\nConnection: close", 1),
		"POST /api/a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc" + get,
		"POST /api/a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
		"POST /api/a HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc",
		"GET http://service.test/api/a HTTP/1.1\r\nHost: service.test\r\nProxy-Authorization: Basic eA==\r\n\r\n",
		"CONNECT service.test:443 HTTP/1.1\r\nHost: service.test:443\r\n\r\n" + get,
		"CONNECT service.test:443 HTTP/1.1\r\nHost: service.test:443\r\n\r\n\x16\x03\x01\x00\x05hello",
		"CONNECT stranger.test:443 HTTP/1.1\r\nHost: stranger.test:443\r\n\r\n", "CONNECT x HTTP/1.1\r\n\r\n",
		"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\x16\x03\x01\x00\x05hello", "GET / HTT", "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
		"GET /_e/p/api/a HTTP/1.0\r\nX-Scenario-Lane: a\r\nX-Scenario-Endpoint: p\r\n\r\n",
	} {
		f.Add(false, []byte(said))
		f.Add(true, []byte(said))
	}
	f.Fuzz(func(t *testing.T, proxy bool, said []byte) {
		base, err := url.Parse("https://service.test/api")
		if err != nil {
			t.Fatal(err)
		}
		at := Origin{Provider: "p", Base: base}
		if proxy {
			at = Origin{Base: &url.URL{}}
		}
		run := interp.NewOutside(fuzzed(), interp.OutsideOptions{Clock: wire.System(), Way: interp.Exec})
		s := New(run, Limits{Head: 1 << 16, Body: 1 << 16, Beginning: time.Second, Idle: time.Second, Stalled: time.Second}, Interception{Authority: vouches()})
		ours, theirs := net.Pipe()
		s.Serve(theirs, at)
		var group sync.WaitGroup
		group.Go(func() { _, _ = ours.Write(said) }) // it may be turned away before that
		_ = ours.SetReadDeadline(time.Now().Add(2 * time.Millisecond))
		_, _ = io.Copy(io.Discard, ours)
		ours.Close()
		group.Wait()

		after, far := net.Pipe()
		s.Serve(far, Origin{Provider: "p", Base: base})
		group.Go(func() { _, _ = io.WriteString(after, get) })
		_ = after.SetReadDeadline(time.Now().Add(10 * time.Second))
		resp, err := http.ReadResponse(bufio.NewReader(after), nil)
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Errorf("a client that came after it got %+v, %v", resp, err)
		}
		after.Close()
		group.Wait()
		began := time.Now()
		s.Close()
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("the end took %s", took)
		}
		run.Finish("")
	})
}
