package cassette

import (
	"bytes"
	"compress/gzip"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/wire"
)

// Shows that answers which break the rules of HTTP replay as their client met
// them: what could be read of the body, and the same error.
func TestBrokenAnswersReplayAsTheyWere(t *testing.T) {
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	io.WriteString(z, strings.Repeat(`{"a":1} `, 1000))
	z.Close()
	whole := zipped.String()
	head := "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	answer := func(text string) string {
		return raw(t, func(c net.Conn) { io.WriteString(c, text); c.Close() })
	}
	h2 := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/body" {
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, `{"a":`)
			w.(http.Flusher).Flush()
		}
		panic(http.ErrAbortHandler)
	}))
	h2.EnableHTTP2 = true
	h2.StartTLS()
	defer h2.Close()
	for name, c := range map[string]struct {
		url   string
		next  http.RoundTripper
		loose bool // a type of the real chain is not exported
	}{
		"no gzip":              {url: answer(head + "Content-Encoding: gzip\r\nContent-Length: 12\r\n\r\nnot zipped!!")},
		"gzip cut":             {url: answer(head + "Content-Encoding: gzip\r\nContent-Length: 30\r\n\r\n" + whole[:30])},
		"gzip, another sum":    {url: answer(head + "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk(whole[:len(whole)-8]+"\x00\x00\x00\x00\x00\x00\x00\x00") + "0\r\n\r\n")},
		"size of a chunk":      {url: answer(head + "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"a\":\r\nzz\r\n1}\r\n")},
		"chunk without an end": {url: answer(head + "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"a\":1}\r\n0\r\n\r\n")},
		"trailer cut":          {url: answer(head + "Transfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n2\r\n{}\r\n0\r\nX-Su")},
		"two lengths":          {url: answer(head + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}")},
		"bad field":            {url: answer("HTTP/1.1 200 OK\r\nno colon\r\n\r\n")},
		"bad version":          {url: answer("HTTP/9.9.9 200 OK\r\n\r\n")},
		"only informational":   {url: answer("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")},
		"informational first":  {url: answer("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + head + "Content-Length: 2\r\n\r\n{}")},
		"HTTP/2 reset at once": {url: h2.URL + "/none", next: h2.Client().Transport, loose: true},
		"HTTP/2 reset in body": {url: h2.URL + "/body", next: h2.Client().Transport, loose: true},
	} {
		t.Run(name, func(t *testing.T) {
			if c.next == nil {
				c.next = &http.Transport{DisableKeepAlives: true}
			}
			replaysAsItWas(t, c.next, c.url, time.Minute, c.loose)
		})
	}
}

func chunk(text string) string {
	return strings.ToLower(strings.TrimLeft(hexLength(len(text)), "0")) + "\r\n" + text + "\r\n"
}

func hexLength(n int) string {
	const digits = "0123456789abcdef"
	var b []byte
	for ; n > 0; n /= 16 {
		b = append([]byte{digits[n%16]}, b...)
	}
	return string(b)
}

// An httpSeen is what a client sees of an answer that has no error.
type httpSeen struct {
	Status  string
	Body    string
	Header  http.Header
	Trailer http.Header
	Length  int64
}

func seenOf(t *testing.T, resp *http.Response, err error) httpSeen {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	return httpSeen{resp.Status, string(body), resp.Header, resp.Trailer, resp.ContentLength}
}

// Shows that answers without a body, redirects and trailers replay as they
// were, whatever the method; the client follows no redirect here, as the engine
// does that itself.
func TestAnswersReplayAsTheyWere(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Date"] = nil
		w.Header().Set("Content-Type", "text/plain")
		switch r.URL.Path {
		case "/trailer":
			w.Header().Set("Trailer", "X-Sum")
			io.WriteString(w, "body")
			w.Header().Set("X-Sum", "7")
		case "/204", "/304":
			w.WriteHeader(map[string]int{"/204": 204, "/304": 304}[r.URL.Path])
		case "/307":
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(307)
		default:
			io.WriteString(w, "hello")
		}
	}))
	defer srv.Close()
	for _, c := range []struct{ method, path, body string }{
		{"HEAD", "/", ""}, {"GET", "/204", ""}, {"DELETE", "/204", ""}, {"GET", "/304", ""}, {"POST", "/307", "x"}, {"GET", "/trailer", ""}, {"PUT", "/", "x"},
	} {
		t.Run(c.method+c.path, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.yaml")
			r := recorderFor(t, path, RecordOptions{})
			ask := func() *http.Request {
				req, _ := http.NewRequest(c.method, srv.URL+c.path, strings.NewReader(c.body))
				if c.body == "" {
					req.Body = nil
				}
				req.Header.Set("Expect", "100-continue")
				return req
			}
			call := callTo("answer", 1, srv.URL+c.path, c.body)
			call.Request = ask()
			take := r.Begin(call, TakeOptions{Now: time.Now, Keep: []string{"X-Sum"}})
			resp, err := take.RoundTrip(http.DefaultTransport, call.Request)
			live := seenOf(t, resp, err)
			if err := take.Seal(true); err != nil {
				t.Fatal(err)
			}
			p := playerOf(t, r, path)
			call.Request = ask()
			script, err := p.Next(t.Context(), call)
			if err != nil {
				t.Fatal(err)
			}
			resp, err = script.RoundTrip(wallClock{wire.System()}, call.Request)
			replay := seenOf(t, resp, err)
			for _, h := range []http.Header{live.Header, replay.Header} {
				h.Del("Content-Length") // framing is of the connection
				h.Del("Transfer-Encoding")
			}
			if c.path != "/304" && c.method != "HEAD" {
				live.Length, replay.Length = 0, 0
			}
			if d := cmp.Diff(live, replay); d != "" {
				t.Errorf("(-live +replay)\n%s", d)
			}
		})
	}
}
