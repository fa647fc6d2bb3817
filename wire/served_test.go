package wire

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Shows that what is done to a connection is what ServeConn does, but that a
// hang waits and does not read, that each operation is announced before its
// bytes and its end, and each write and each reset, too, and that a head leaves with
// what comes behind it at once.
func TestServe(t *testing.T) {
	hi := []byte("hi")
	for _, c := range []struct {
		name string
		s    WireScript
		want []string
		by   EndedBy
	}{
		{"zero", WireScript{}, []string{"sending", "close"}, ByServer},
		{"open", Raw(hi, EndNone), []string{"reached 0", "sending", "write hi"}, ByServer},
		{"waits", WireScript{Delay: 3, Ops: []Op{{Wait: 5, Data: hi}, {Wait: 7, End: EndFIN}}}, []string{"wait 3ns", "wait 5ns", "reached 0", "sending", "write hi", "wait 7ns", "reached 1", "sending", "close"}, ByServer},
		{"head with its body", WireScript{Ops: []Op{{Data: []byte("h")}, {Data: []byte("i")}, {Data: hi}}}, []string{"reached 0", "reached 1", "sending", "write hi", "reached 2", "sending", "write hi"}, ByServer},
		{"head before a wait", WireScript{Ops: []Op{{Data: hi}, {Wait: 4, Data: hi}}}, []string{"reached 0", "sending", "write hi", "wait 4ns", "reached 1", "sending", "write hi"}, ByServer},
		{"reset", Raw(hi, EndRST), []string{"reached 0", "sending", "write hi", "wait 50ms", "sending", "linger 0", "close"}, ByServer},
		{"hang", Raw(hi, EndHang), []string{"reached 0", "sending", "write hi", "wait " + Forever.String(), "close"}, ByClient},
		{"read timeout", Raw(nil, EndTimeout), []string{"reached 0", "wait " + Forever.String(), "close"}, ByClient},
		{"dial", WireScript{Delay: 2, Dial: io.EOF, Ops: []Op{{Data: hi}}}, []string{"wait 2ns", "sending", "linger 0", "close"}, ByServer},
		{"error", WireScript{Err: io.EOF}, []string{"sending", "linger 0", "close"}, ByServer},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := &leaving{}
			got := c.s.Serve(t.Context(), l, l, ServeOptions{Reached: func(op int) { l.note(fmt.Sprintf("reached %d", op)) }, Sending: func() { l.note("sending") }})
			if diff := cmp.Diff(c.want, l.did); diff != "" {
				t.Errorf("want (-), got (+):\n%s", diff)
			}
			want := Served{Sent: strings.Count(strings.Join(c.want, " "), "write hi") * len(hi), By: c.by}
			if got != want {
				t.Errorf("served %+v, want %+v", got, want)
			}
		})
	}
}

// leaving is a connection, and its clock, whose client leaves in a hang.
type leaving struct{ logged }

func (l *leaving) Sleep(_ context.Context, d time.Duration) error {
	l.note("wait " + d.String())
	if d == Forever {
		return context.Canceled
	}
	return nil
}

// served plays a script in a bubble to a client that reads all it can, while
// another goroutine reads the server's end, as a server does. The client leaves
// after leaves, and the server stops after stops; 0 is never.
func served(t *testing.T, s WireScript, leaves, stops time.Duration) (got Served, took time.Duration, received string) {
	t.Helper()
	client, server := net.Pipe()
	stopping, stop := context.WithCancelCause(t.Context())
	ctx, left := context.WithCancelCause(stopping)
	defer stop(nil)
	defer left(nil)
	go func() {
		_, err := io.Copy(io.Discard, server)
		left(err)
	}()
	if leaves > 0 {
		time.AfterFunc(leaves, func() { client.Close() })
	}
	if stops > 0 {
		time.AfterFunc(stops, func() { stop(http.ErrServerClosed) })
	}
	read := make(chan string)
	go func() {
		var b bytes.Buffer
		_, _ = io.Copy(&b, client)
		read <- b.String()
	}()
	began := time.Now()
	got = s.Serve(ctx, System(), server, ServeOptions{})
	took = time.Since(began)
	server.Close()
	return got, took, <-read
}

// Shows when an exchange ends and who ended it, what was sent and which status
// the client could read, however the exchange ends.
func TestServedBy(t *testing.T) {
	head := "HTTP/1.1 429 Too Many Requests\r\nContent-Length: 9\r\n\r\n"
	slow := WireScript{Ops: []Op{{Wait: time.Second, Data: []byte(head)}, {Wait: time.Minute, Data: []byte("too many!")}}}
	silent := WireScript{Ops: []Op{{Wait: time.Second, Data: []byte(head)}, {End: EndHang}}}
	for _, c := range []struct {
		name          string
		s             WireScript
		leaves, stops time.Duration
		want          Served
		took          time.Duration
	}{
		{"played", slow, 0, 0, Served{Sent: len(head) + 9, Status: 429, By: ByServer}, 61 * time.Second},
		{"the client leaves before the head", slow, time.Millisecond, 0, Served{By: ByClient, Err: context.Canceled}, time.Millisecond},
		{"the client leaves before the body", slow, 2 * time.Second, 0, Served{Sent: len(head), Status: 429, By: ByClient, Err: context.Canceled}, 2 * time.Second},
		{"the server stops", slow, 0, 3 * time.Second, Served{Sent: len(head), Status: 429, By: ByServer, Err: context.Canceled}, 3 * time.Second},
		{"the client leaves a hang", silent, time.Hour, 0, Served{Sent: len(head), Status: 429, By: ByClient}, time.Hour},
		{"the server stops in a hang", silent, 0, time.Hour, Served{Sent: len(head), Status: 429, By: ByServer, Err: context.Canceled}, time.Hour},
		{"cut in the head", slow.Cut(20, EndFIN), 0, 0, Served{Sent: 20, By: ByServer}, time.Second},
		{"reset behind bytes", Raw([]byte(head), EndRST), 0, 0, Served{Sent: len(head), Status: 429, By: ByServer}, ResetGap},
		{"the client leaves before the reset", Raw([]byte(head), EndRST), time.Millisecond, 0, Served{Sent: len(head), Status: 429, By: ByServer}, time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				got, took, received := served(t, c.s, c.leaves, c.stops)
				if got != c.want {
					t.Errorf("served %+v, want %+v", got, c.want)
				}
				if took != c.took {
					t.Errorf("it took %s, want %s", took, c.took)
				}
				if len(received) != got.Sent {
					t.Errorf("the client received %d bytes of %d", len(received), got.Sent)
				}
			})
		})
	}
}

// Shows who is to blame for a write that fails: a client that left, and the
// server where its own deadline passed or it closed the connection itself.
func TestServedWriteFails(t *testing.T) {
	for _, c := range []struct {
		err error
		by  EndedBy
	}{
		{&net.OpError{Op: "write", Err: os.NewSyscallError("write", syscall.EPIPE)}, ByClient},
		{&net.OpError{Op: "write", Err: os.NewSyscallError("write", syscall.ECONNRESET)}, ByClient},
		{&net.OpError{Op: "write", Err: os.ErrDeadlineExceeded}, ByServer},
		{&net.OpError{Op: "write", Err: net.ErrClosed}, ByServer},
	} {
		l := &short{logged: logged{writeErr: c.err}}
		got := raw(wholeJSON, EndNone).Serve(t.Context(), l, l, ServeOptions{})
		if want := (Served{Sent: 3, By: c.by, Err: c.err}); got != want {
			t.Errorf("served %+v, want %+v", got, want)
		}
		if diff := cmp.Diff([]string{"write " + wholeJSON, "close"}, l.did); diff != "" {
			t.Errorf("want (-), got (+):\n%s", diff)
		}
	}
}

// short is a connection that takes three bytes of a write before it fails.
type short struct{ logged }

func (s *short) Write(p []byte) (int, error) {
	_, err := s.logged.Write(p)
	return 3, err
}

// Shows that a client that is gone when the connection is closed, behind all
// that there was to say, ended nothing.
func TestServedCloseFails(t *testing.T) {
	l := &stuck{}
	got := raw(wholeJSON, EndFIN).Serve(t.Context(), l, l, ServeOptions{})
	if want := (Served{Sent: len(wholeJSON), Status: 200, By: ByServer}); got != want {
		t.Errorf("served %+v, want %+v", got, want)
	}
}

// stuck is a connection that cannot be closed in order.
type stuck struct{ logged }

func (*stuck) Close() error { return syscall.EPIPE }

// Shows that a client whose bytes come through TLS, and through wrappers around
// and below it, meets the very end that the script has, at its own socket, and
// that the server knows that it was its own; and that only a wrapper which hides
// what is below turns a reset into an orderly close.
func TestServeEndsBelowTLS(t *testing.T) {
	for _, c := range []struct {
		name  string
		end   End
		wrap  func(net.Conn) net.Conn
		reset bool
	}{
		{"reset", EndRST, func(c net.Conn) net.Conn { return c }, true},
		{"reset behind a wrapper", EndRST, func(c net.Conn) net.Conn { return &outer{Conn: c} }, true},
		{"reset behind two", EndRST, func(c net.Conn) net.Conn { return &outer{Conn: &outer{Conn: c}} }, true},
		{"closed", EndFIN, func(c net.Conn) net.Conn { return &outer{Conn: c} }, false},
		{"reset behind a wrapper that hides", EndRST, func(c net.Conn) net.Conn { return struct{ net.Conn }{c} }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMeter()
			result := make(chan Served, 1)
			addr := serveOnce(t, func(conn net.Conn) {
				secured := tls.Server(&writeMeter{Conn: conn, m: m}, &tls.Config{Certificates: certificates(t)})
				drain(secured)
				ctx, left := context.WithCancel(context.Background())
				defer left()
				watched := make(chan struct{})
				go func() {
					defer close(watched)
					_, _ = io.Copy(io.Discard, secured)
					left()
				}()
				wrapped := c.wrap(secured)
				result <- raw(wholeJSON, c.end).Serve(ctx, m, wrapped, ServeOptions{})
				if o, ok := wrapped.(*outer); ok && !o.closed {
					t.Error("the wrapper was not told that it is closed")
				}
				<-watched
			})
			conn, err := net.Dial("tcp", addr)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			client := tls.Client(&readMeter{Conn: conn, m: m}, &tls.Config{InsecureSkipVerify: true})
			if err := post(t, target).Write(client); err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(client)
			if string(got) != wholeJSON || errors.Is(err, syscall.ECONNRESET) != c.reset || !c.reset && err != nil {
				t.Errorf("the client read %q and met %v; a reset: %t", got, err, c.reset)
			}
			client.Close()
			if got, want := <-result, (Served{Sent: len(wholeJSON), Status: 200, By: ByServer}); got != want {
				t.Errorf("served %+v, want %+v", got, want)
			}
		})
	}
}

// outer is a wrapper that tells what it is around.
type outer struct {
	net.Conn
	closed bool
}

func (o *outer) Close() error {
	o.closed = true
	return o.Conn.Close()
}

func (o *outer) NetConn() net.Conn { return o.Conn }

// certificates are those of a test server.
func certificates(t *testing.T) []tls.Certificate {
	t.Helper()
	srv := httptest.NewUnstartedServer(nil)
	srv.Config.ErrorLog = quiet
	srv.StartTLS()
	defer srv.Close()
	return srv.TLS.Certificates
}

// Shows that the status is that which a client reads, whatever stands before
// its head and wherever the script is cut.
func TestStatus(t *testing.T) {
	tooMany := Response{Status: 429, Header: []Field{{"Retry-After", "1"}}, Parts: []Part{{Data: []byte("{}")}}}.Script(Meta{})
	inPieces := WireScript{}
	for _, b := range tooMany.Bytes() {
		inPieces.Ops = append(inPieces.Ops, Op{Data: []byte{b}})
	}
	head := strings.Index(string(tooMany.Bytes()), "{}")
	for _, c := range []struct {
		name string
		s    WireScript
		want int
	}{
		{"an answer", tooMany, 429},
		{"byte by byte", inPieces, 429},
		{"cut behind the head", tooMany.Cut(head, EndRST), 429},
		{"cut in the head", tooMany.Cut(head-1, EndRST), 0},
		{"nothing", WireScript{}, 0},
		{"no bytes", Raw(nil, EndRST), 0},
		{"an end before the head", WireScript{Ops: []Op{{Data: []byte("HTTP/1.1 200 OK\r\n"), End: EndFIN}, {Data: []byte("\r\n")}}}, 0},
		{"early hints", raw("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"+wholeJSON, EndNone), 200},
		{"early hints alone", raw("HTTP/1.1 103 Early Hints\r\n\r\n", EndFIN), 0},
		{"switching protocols", raw("HTTP/1.1 101 Switching Protocols\r\n\r\n", EndFIN), 101},
		{"lines that end short", raw("HTTP/1.1 503 No\nA: b\n\nx", EndFIN), 503},
		{"garbage", raw("\x00\x01\xffSSH-2.0\r\n\r\n", EndFIN), 0},
		{"a bad status", raw("HTTP/1.1 abc OK\r\n\r\n", EndFIN), 0},
		{"refused", WireScript{Dial: io.EOF, Ops: tooMany.Ops}, 0},
		{"no HTTP", Response{Opening: []byte("R"), Parts: []Part{{Data: []byte("HTTP/1.1 200 OK\r\n\r\n")}}}.Script(Meta{}), 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.s.Status(); got != c.want {
				t.Errorf("the status is %d, want %d", got, c.want)
			}
		})
	}
}

// Shows that for every script that a client can meet the status is the one
// that the player in process gives its client.
func TestStatusIsTheClients(t *testing.T) {
	for _, c := range parityCases {
		t.Run(c.name, func(t *testing.T) {
			want := 0
			if resp, err := c.script.RoundTrip(newFakeClock(), post(t, target)); err == nil {
				want = resp.StatusCode
				resp.Body.Close()
			}
			if got := c.script.Status(); got != want {
				t.Errorf("the status is %d, and a client reads %d", got, want)
			}
		})
	}
}
