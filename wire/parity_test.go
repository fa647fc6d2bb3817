package wire

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const target = "http://127.0.0.1:8080/v1/chat/completions"

func post(t testing.TB, url string) *http.Request {
	t.Helper()
	r, err := http.NewRequest("POST", url, strings.NewReader(`{"model":"gpt-4o-mini"}`))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func drain(conn net.Conn) {
	if r, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
		io.Copy(io.Discard, r.Body)
	}
}

var jsonType = []Field{{"Content-Type", "application/json"}}

const (
	goodHead  = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	wholeJSON = goodHead + "Content-Length: 13\r\n\r\n" + `{"ok":"true"}`
	chunkHead = goodHead + "Transfer-Encoding: chunked\r\n\r\n"
)

func raw(s string, end End) WireScript { return Raw([]byte(s), end) }

func zipped(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(s))
	z.Close()
	return b.String()
}

func longHead() string {
	return "HTTP/1.1 200 OK\r\nX-Long: " + strings.Repeat("a", 11<<20)
}

var parityCases = []struct {
	name   string
	script WireScript
}{
	{"rst_before", raw("", EndRST)},
	{"fin_before", raw("", EndFIN)},
	{"zero script", WireScript{}},
	{"rst_mid_headers", raw("HTTP/1.1 200 OK\r\nContent-Type: appl", EndRST)},
	{"fin_mid_headers", raw("HTTP/1.1 200 OK\r\nContent-Type: appl", EndFIN)},
	{"fin in the status line", raw("HTTP/1.1 2", EndFIN)},
	{"garbage", raw("\x00\x01\xffSSH-2.0-nonsense", EndFIN)},
	{"garbage with a line end", raw("\x00\x01\xffSSH-2.0-nonsense\r\n\r\n", EndFIN)},
	{"rst_mid_body", raw(goodHead+"Content-Length: 232\r\n\r\n"+strings.Repeat("x", 40), EndRST)},
	{"cl_too_long", raw(goodHead+"Content-Length: 232\r\n\r\n"+strings.Repeat("x", 182), EndFIN)},
	{"cl_too_short", raw(goodHead+"Content-Length: 10\r\n\r\n"+strings.Repeat("x", 60), EndFIN)},
	{"chunk_trunc fin", raw(chunkHead+"5\r\nhello\r\n", EndFIN)},
	{"chunk_trunc rst", raw(chunkHead+"5\r\nhello\r\n", EndRST)},
	{"fin within a chunk", raw(chunkHead+"5\r\nhel", EndFIN)},
	{"chunk_bad", raw(chunkHead+"ZZ\r\nhello\r\n", EndFIN)},
	{"bad Content-Length", raw(goodHead+"Content-Length: many\r\n\r\nhello", EndFIN)},
	{"two Content-Lengths", raw(goodHead+"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello", EndFIN)},
	{"unknown Transfer-Encoding", raw(goodHead+"Transfer-Encoding: rot13\r\n\r\nhello", EndFIN)},
	{"bad field name", raw("HTTP/1.1 200 OK\r\nContent Type: x\r\n\r\n", EndFIN)},
	{"bad status", raw("HTTP/1.1 abc OK\r\n\r\n", EndFIN)},
	{"early_100", raw("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"+wholeJSON, EndNone)},
	{"early hints, then fin", raw("HTTP/1.1 103 Early Hints\r\n\r\n", EndFIN)},
	{"early hints, then rst", raw("HTTP/1.1 103 Early Hints\r\n\r\n", EndRST)},
	{"endless head", raw(longHead(), EndFIN)},
	{"ok", raw(wholeJSON, EndNone)},
	{"ok, then fin", raw(wholeJSON, EndFIN)},
	{"no framing, then fin", raw(goodHead+"\r\nhello", EndFIN)},
	{"no framing, then rst", raw(goodHead+"\r\nhello", EndRST)},
	{"connection close", raw(goodHead+"Connection: close\r\nContent-Length: 2\r\n\r\n{}", EndFIN)},
	{"HTTP/1.0", raw("HTTP/1.0 200 OK\r\n\r\nhello", EndFIN)},
	{"trailers", raw(goodHead+"Trailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-Sum: 1\r\n\r\n", EndNone)},
	{"trailers cut", raw(goodHead+"Trailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-Su", EndFIN)},
	{"204", Response{Status: 204}.Script(Meta{})},
	{"304", Response{Status: 304}.Script(Meta{})},
	{"empty_200", Response{Header: jsonType}.Script(Meta{})},
	{"529 without a reason", Response{Status: 529, Header: jsonType, Parts: []Part{{Data: []byte("{}")}}}.Script(Meta{})},
	{"a stream", sse.Script(Meta{})},
	{"a stream cut clean", sse.CutChunks(1, EndNone).Script(Meta{})},
	{"a stream cut by fin", sse.CutChunks(1, EndFIN).Script(Meta{})},
	{"a stream cut by rst", sse.CutChunks(1, EndRST).Script(Meta{})},
	{"gzip", raw(goodHead+"Content-Encoding: gzip\r\nContent-Length: "+fmt.Sprint(len(zipped("hello")))+"\r\n\r\n"+zipped("hello"), EndNone)},
	{"gzip cut", raw(goodHead+"Content-Encoding: GZIP\r\n\r\n"+zipped("hello")[:20], EndFIN)},
	{"gzip reset", raw(goodHead+"Content-Encoding: gzip\r\n\r\n"+zipped("hello")[:20], EndRST)},
	{"bad_gzip", raw(goodHead+"Content-Encoding: gzip\r\nContent-Length: 12\r\n\r\nnot gzip now", EndNone)},
	{"error", WireScript{Err: errors.New("any")}},
}

// sse is a stream as vendors send it: a role, three deltas, an end marker.
var sse = Response{
	Header: []Field{{"Content-Type", "text/event-stream"}},
	Stream: true,
	Parts: []Part{
		{Data: []byte("data: role\n\n"), Kind: PartEvent},
		{Wait: time.Second, Data: []byte("data: one\n\n"), Kind: PartChunk},
		{Wait: time.Second, Data: []byte("data: two\n\n"), Kind: PartChunk},
		{Wait: time.Second, Data: []byte("data: three\n\n"), Kind: PartChunk},
		{Data: []byte("data: [DONE]\n\n"), Kind: PartDone},
	},
}

// Shows that a client in process sees, error chain, texts and all, what a
// real transport sees of the same script on TCP.
func TestParity(t *testing.T) {
	for _, c := range parityCases {
		t.Run(c.name, func(t *testing.T) {
			in := c.script
			if in.Err != nil {
				// On the wire, the fault without a form of its own is a reset.
				in = raw("", EndRST)
			}
			want := overTCP(t, c.script, post(t, target))
			if diff := cmp.Diff(want, inProcess(t, in, post(t, target))); diff != "" {
				t.Errorf("a real transport (-) and RoundTrip (+) differ:\n%s", diff)
			}
		})
	}
}

// Shows parity wherever a response is cut, be it by FIN or by RST: in its
// status line, its fields, its framing or its content.
func TestParityAtEveryCut(t *testing.T) {
	stream := Response{
		Status: 429, Header: []Field{{"Retry-After", "1"}}, Stream: true,
		Parts: []Part{{Data: []byte("data: {}\n\n")}, {Data: []byte("0123456789abcdef")}},
	}
	for _, whole := range []WireScript{raw(wholeJSON, EndNone), stream.Script(Meta{})} {
		for n := range len(whole.Bytes()) {
			for _, end := range []End{EndFIN, EndRST} {
				s := whole.Cut(n, end)
				want := overTCP(t, s, post(t, target))
				if diff := cmp.Diff(want, inProcess(t, s, post(t, target))); diff != "" {
					t.Fatalf("cut after %d bytes of %q, end %d: a real transport (-) and RoundTrip (+) differ:\n%s",
						n, whole.Bytes(), end, diff)
				}
			}
		}
	}
}

// Shows that the comparison of the parity tests can fail: every case differs
// from every planted script that means something else.
func TestParityFindsAPlantedDifference(t *testing.T) {
	planted := map[string]WireScript{
		"rst_before":      raw("", EndFIN),
		"fin_before":      raw("", EndRST),
		"rst_mid_body":    raw(goodHead+"Content-Length: 232\r\n\r\n"+strings.Repeat("x", 40), EndFIN),
		"chunk_trunc fin": raw(chunkHead+"5\r\nhello\r\n", EndRST),
		"fin_mid_headers": raw("HTTP/1.1 200 OK\r\nContent-Typ", EndFIN),
		"ok":              raw(wholeJSON[:len(wholeJSON)-1]+"]", EndNone),
		"early_100":       raw(strings.Replace(wholeJSON, "json", "text", 1), EndNone),
		"bad_gzip":        raw(goodHead+"Content-Length: 12\r\n\r\nnot gzip now", EndNone),
	}
	found := 0
	for _, c := range parityCases {
		wrong, ok := planted[c.name]
		if !ok {
			continue
		}
		found++
		if cmp.Equal(overTCP(t, c.script, post(t, target)), inProcess(t, wrong, post(t, target))) {
			t.Errorf("%s: the planted script looks the same", c.name)
		}
	}
	if found != len(planted) {
		t.Errorf("%d of %d planted scripts belong to a case", found, len(planted))
	}
}

// Shows parity where the request decides: HEAD has no content, and gzip is
// left alone for a client that named an encoding or a range.
func TestParityOfRequests(t *testing.T) {
	script := raw(goodHead+"Content-Encoding: gzip\r\nContent-Length: 12\r\n\r\nnot gzip now", EndNone)
	requests := map[string]func(*http.Request){
		"accepts gzip": func(r *http.Request) { r.Header.Set("Accept-Encoding", "gzip") },
		"range":        func(r *http.Request) { r.Header.Set("Range", "bytes=0-3") },
		"HEAD":         func(r *http.Request) { r.Method, r.Body, r.ContentLength = "HEAD", nil, 0 },
	}
	for name, change := range requests {
		t.Run(name, func(t *testing.T) {
			r := post(t, target)
			change(r)
			want := overTCP(t, script, r)
			r = post(t, target)
			change(r)
			if diff := cmp.Diff(want, inProcess(t, script, r)); diff != "" {
				t.Errorf("a real transport (-) and RoundTrip (+) differ:\n%s", diff)
			}
		})
	}
}

// Shows parity of silence, before and within a body, until the client's
// deadline.
func TestParityOfSilence(t *testing.T) {
	scripts := map[string]WireScript{
		"hang":               raw("", EndHang),
		"hang in the head":   raw("HTTP/1.1 200 OK\r\n", EndHang),
		"hang in the body":   raw(chunkHead+"5\r\nhello\r\n", EndHang),
		"operations ran out": raw(goodHead+"Content-Length: 9\r\n\r\nhello", EndNone),
	}
	for name, s := range scripts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
			defer cancel()
			want := overTCP(t, s, post(t, target).WithContext(ctx))
			// The one difference that is meant: a further read repeats the
			// context's error, where the transport tells how it hung up.
			want.AgainErr = want.BodyErr
			if diff := cmp.Diff(want, inProcess(t, s, post(t, target))); diff != "" {
				t.Errorf("a real transport (-) and RoundTrip (+) differ:\n%s", diff)
			}
		})
	}
}

// Shows that the constructors' errors have the chain and text of real dials,
// handshakes and reads that fail.
func TestParityOfConnectionErrors(t *testing.T) {
	longLabel := strings.Repeat("a", 64) + ".invalid"
	cases := []struct {
		name string
		got  error
		real func(t *testing.T) error
	}{
		{"refused", Refused("127.0.0.1:1"), func(t *testing.T) error {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			l.Close()
			return realError(t, &http.Transport{}, "http://"+l.Addr().String())
		}},
		{"dns", NotFound(longLabel + ":80"), func(t *testing.T) error {
			// Such a label cannot exist, so the resolver asks nobody.
			d := &net.Dialer{Resolver: &net.Resolver{PreferGo: true}}
			return realError(t, &http.Transport{DialContext: d.DialContext}, "http://"+longLabel)
		}},
		{"tls verify", UnknownAuthority(), func(t *testing.T) error {
			srv := httptest.NewUnstartedServer(nil)
			srv.Config.ErrorLog = quiet
			srv.StartTLS()
			defer srv.Close()
			return realError(t, &http.Transport{TLSClientConfig: &tls.Config{RootCAs: x509.NewCertPool()}}, srv.URL)
		}},
		{"tls plain", PlainHTTP(), func(t *testing.T) error {
			host := serveOnce(t, func(conn net.Conn) {
				io.ReadFull(conn, make([]byte, 5))
				io.WriteString(conn, "HTTP/1.1 400 Bad Request\r\n\r\n")
				io.Copy(io.Discard, conn)
				conn.Close()
			})
			return realError(t, &http.Transport{}, "https://"+host)
		}},
		{"tls reset", ReadReset("127.0.0.1:1"), func(t *testing.T) error {
			host := serveOnce(t, func(conn net.Conn) {
				io.ReadFull(conn, make([]byte, 5))
				conn.(*net.TCPConn).SetLinger(0)
				conn.Close()
			})
			return realError(t, &http.Transport{}, "https://"+host)
		}},
		{"read timeout", ReadTimeout("127.0.0.1:1"), func(t *testing.T) error {
			host := serveOnce(t, func(conn net.Conn) {
				io.Copy(io.Discard, conn)
				conn.Close()
			})
			return realError(t, &http.Transport{DialContext: impatient}, "http://"+host)
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(chain(c.real(t)), chain(c.got)); diff != "" {
				t.Errorf("the real error (-) and ours (+) differ:\n%s", diff)
			}
		})
	}
}

// Shows that errors whose real types are unexported have the real text and
// answer the questions that a client asks.
func TestNearestErrors(t *testing.T) {
	t.Run("tls alert", func(t *testing.T) {
		host := serveOnce(t, func(conn net.Conn) {
			io.ReadFull(conn, make([]byte, 5))
			conn.Write([]byte{21, 3, 3, 0, 2, 2, 40})
			io.Copy(io.Discard, conn)
			conn.Close()
		})
		want, got := realError(t, &http.Transport{}, "https://"+host), Alert(40)
		if want.Error() != got.Error() {
			t.Errorf("the real text is %q, ours %q", want, got)
		}
		var op *net.OpError
		if !errors.As(want, &op) || op.Op != Alert(40).(*net.OpError).Op {
			t.Errorf("the real chain %q has not our *net.OpError", chain(want))
		}
	})
	t.Run("dial timeout", func(t *testing.T) {
		d := &net.Dialer{Deadline: time.Unix(1, 0)}
		_, want := d.Dial("tcp", "127.0.0.1:1")
		got := DialTimeout("127.0.0.1:1")
		if want.Error() != got.Error() {
			t.Errorf("the real text is %q, ours %q", want, got)
		}
		for _, err := range []error{want, got} {
			if ne, ok := err.(net.Error); !ok || !ne.Timeout() || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%q is no timeout", err)
			}
		}
	})
}

func realError(t *testing.T, tr *http.Transport, url string) error {
	t.Helper()
	resp, err := tr.RoundTrip(post(t, url))
	if err == nil {
		resp.Body.Close()
		t.Fatalf("the real transport answered %s", resp.Status)
	}
	return err
}

// impatient dials a connection whose reads have very little time.
func impatient(ctx context.Context, network, addr string) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, network, addr)
	if err == nil {
		err = conn.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
	}
	return conn, err
}

// Shows that a read timeout in the middle of a body is also the real one, and
// comes after the operation's wait.
func TestReadTimeout(t *testing.T) {
	c := newFakeClock()
	s := WireScript{Ops: []Op{{Data: []byte(chunkHead + "5\r\nhello\r\n")}, {Wait: 5 * time.Second, End: EndTimeout}}}
	got := observe(s.RoundTrip(c, post(t, target)))
	want := []string{
		"*net.OpError: read tcp 127.0.0.1:PORT->127.0.0.1:PORT: i/o timeout",
		"*poll.DeadlineExceededError: i/o timeout",
	}
	if diff := cmp.Diff(want, got.BodyErr); diff != "" {
		t.Errorf("want (-), got (+):\n%s", diff)
	}
	if got.Body != "hello" || c.elapsed() != 5*time.Second {
		t.Errorf("got %q after %v, want hello after 5s", got.Body, c.elapsed())
	}
	if err := ReadTimeout("h:1"); !errors.Is(err, os.ErrDeadlineExceeded) || !err.(net.Error).Timeout() {
		t.Errorf("%v is no timeout", err)
	}
}

var quiet = log.New(io.Discard, "", 0)
