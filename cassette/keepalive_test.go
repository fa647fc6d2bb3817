package cassette

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// playedAsItWas records some requests and compares what their client saw with
// what it sees when they are replayed.
func playedAsItWas(t *testing.T, next http.RoundTripper, requests ...func() *http.Request) (live []seen, recorded *Cassette) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.yaml")
	r := recorderFor(t, path, RecordOptions{})
	a := &attempts{r: r, next: next}
	for _, make := range requests {
		live = append(live, a.sees(t, make()))
	}
	p := playerOf(t, r, path)
	a = &attempts{p: p}
	for i, make := range requests {
		was, is := live[i], a.sees(t, make())
		if was.body != is.body || errText(was.err) != errText(is.err) || !reflect.DeepEqual(was.types, is.types) {
			t.Errorf("request %d was answered %+v and is %+v", i+1, was, is)
		}
	}
	return live, p.cassette
}

// asking makes a request anew each time.
func asking(method, url string, fields ...string) func() *http.Request {
	return func() *http.Request {
		var body io.Reader
		if method != http.MethodGet {
			body = strings.NewReader(`{"q":1}`)
		}
		req, _ := http.NewRequest(method, url, body)
		for i := 0; i+1 < len(fields); i += 2 {
			req.Header.Set(fields[i], fields[i+1])
		}
		return req
	}
}

// Shows that a kept connection which the server closes under the second request
// is recorded as its client meets it: a POST fails, is sent again and answered,
// and a GET, which the transport itself sends again, is answered at once. Both
// replay as they were.
func TestConnectionBrokenOnReuse(t *testing.T) {
	whole := func(s string) string {
		return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n" + s
	}
	for method, want := range map[string][]string{
		http.MethodPost: {`{"n":1}`, "EOF", `{"n":3}`},
		http.MethodGet:  {`{"n":1}`, `{"n":3}`},
	} {
		n := 0
		url := serving(t, func(r *bufio.Reader, c net.Conn) {
			for {
				req, err := http.ReadRequest(r)
				if err != nil {
					return
				}
				_, _ = io.Copy(io.Discard, req.Body)
				n++
				if n == 2 {
					return // while its answer is awaited
				}
				io.WriteString(c, whole(`{"n":`+string(rune('0'+n))+`}`))
			}
		})
		requests := slices.Repeat([]func() *http.Request{asking(method, url, "Content-Type", "application/json")}, len(want))
		live, recorded := playedAsItWas(t, &http.Transport{}, requests...)
		for i, s := range live {
			got := s.body
			if s.err != nil {
				got = s.err.Error()[strings.LastIndex(s.err.Error(), " ")+1:]
			}
			if got != want[i] {
				t.Errorf("%s %d: %q, want %q", method, i+1, got, want[i])
			}
		}
		if len(recorded.Interactions) != len(want) || n != 3 {
			t.Errorf("%s: %d interactions of %d requests", method, len(recorded.Interactions), n)
		}
	}
}

// serving serves connections with a function, one at a time, and closes each
// when that returns.
func serving(t *testing.T, serve func(*bufio.Reader, net.Conn)) string {
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
			serve(bufio.NewReader(conn), conn)
			conn.Close()
		}
	}()
	return "http://" + l.Addr().String() + "/v1"
}

// Shows that a client which waits for 100 Continue is recorded with the final
// answer alone, whether the server asks for the body or refuses without it, and
// that both replay as they were.
func TestExpectContinue(t *testing.T) {
	var bodies []string
	url := serving(t, func(r *bufio.Reader, c net.Conn) {
		req, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		if req.Header.Get("Expect") != "100-continue" {
			t.Errorf("the request has the fields %v", req.Header)
		}
		answer := "HTTP/1.1 413 Content Too Large"
		if req.URL.Path == "/v1" {
			io.WriteString(c, "HTTP/1.1 100 Continue\r\n\r\n")
			data, _ := io.ReadAll(req.Body)
			bodies = append(bodies, string(data))
			answer = "HTTP/1.1 201 Created"
		}
		io.WriteString(c, answer+"\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}")
	})
	next := &http.Transport{ExpectContinueTimeout: time.Minute, DisableKeepAlives: true}
	live, recorded := playedAsItWas(t, next,
		asking("POST", url, "Expect", "100-continue", "Content-Type", "application/json"),
		asking("POST", url+"/large", "Expect", "100-continue", "Content-Type", "application/json"))
	for i, status := range []int{201, 413} {
		it := recorded.Interactions[i]
		if live[i].err != nil || live[i].body != "{}" || it.Response.Status != status || string(it.RequestBody) != `{"q":1}` {
			t.Errorf("%+v, recorded %s %s", live[i], it.Outcome(), it.RequestBody)
		}
	}
	if len(bodies) != 1 || bodies[0] != `{"q":1}` {
		t.Errorf("the server got %q", bodies)
	}
}
