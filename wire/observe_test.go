package wire

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"sync"
	"testing"
	"time"
)

// observed is everything a client can tell about one exchange.
type observed struct {
	Err, BodyErr   []string // the unwrap chain: "type: text", outermost first
	Status         string
	Proto          string
	Header         http.Header
	Trailer        http.Header
	Length         int64
	Encoding       []string
	Close          bool
	Uncompressed   bool
	Body           string
	AgainErr       []string // of a further read of a body that ended
	AfterClosedErr []string // of a read after Close
}

func observe(resp *http.Response, err error) observed {
	if err != nil {
		return observed{Err: chain(err)}
	}
	data, bodyErr := io.ReadAll(resp.Body)
	o := observed{
		BodyErr: chain(bodyErr), Body: string(data),
		Status: resp.Status, Proto: resp.Proto, Header: resp.Header, Trailer: resp.Trailer,
		Length: resp.ContentLength, Encoding: resp.TransferEncoding,
		Close: resp.Close, Uncompressed: resp.Uncompressed,
	}
	_, err = resp.Body.Read(make([]byte, 1))
	o.AgainErr = chain(err)
	resp.Body.Close()
	_, err = resp.Body.Read(make([]byte, 1))
	o.AfterClosedErr = chain(err)
	return o
}

var port = regexp.MustCompile(`127\.0\.0\.1:\d+`)

func chain(err error) []string {
	if err == nil {
		return nil
	}
	links := []string{fmt.Sprintf("%T: %s", err, port.ReplaceAllString(err.Error(), "127.0.0.1:PORT"))}
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		links = append(links, chain(e.Unwrap())...)
	case interface{ Unwrap() []error }:
		for _, inner := range e.Unwrap() {
			links = append(links, chain(inner)...)
		}
	}
	return links
}

// inProcess plays s by RoundTrip; the client gives up after an hour of the
// fake clock.
func inProcess(t *testing.T, s WireScript, r *http.Request) observed {
	t.Helper()
	c := newFakeClock()
	ctx, _ := c.WithTimeout(r.Context(), time.Hour)
	return observe(s.RoundTrip(c, r.WithContext(ctx)))
}

// overTCP plays s by ServeConn on a loopback connection to a real transport.
// The server's waits end when the client has read all that was written.
func overTCP(t *testing.T, s WireScript, r *http.Request) observed {
	t.Helper()
	m := newMeter()
	server := serveOnce(t, func(conn net.Conn) {
		drain(conn)
		w := &writeMeter{Conn: conn, m: m}
		if s.ServeConn(m, w) == nil && s.KeepsOpen() {
			io.Copy(io.Discard, conn)
		}
		conn.Close()
	})
	// Keeping nothing alive spares a transport's log line about bytes too many.
	tr := &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, "tcp", server)
		return &readMeter{Conn: conn, m: m}, err
	}}
	defer tr.CloseIdleConnections()
	return observe(tr.RoundTrip(r))
}

// serveOnce hands one accepted connection to f and returns the address to dial.
func serveOnce(t *testing.T, f func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		conn, err := l.Accept()
		if err != nil {
			return
		}
		f(conn)
	}()
	t.Cleanup(func() { l.Close(); <-done })
	return l.Addr().String()
}

// meter counts bytes on both sides of a connection, and is the server's clock:
// its Sleep waits until the client has read what was written.
type meter struct {
	fakeClock
	mu            sync.Mutex
	changed       *sync.Cond
	written, read int
}

func newMeter() *meter {
	m := &meter{fakeClock: *newFakeClock()}
	m.changed = sync.NewCond(&m.mu)
	return m
}

func (m *meter) Sleep(context.Context, time.Duration) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for m.read < m.written {
		m.changed.Wait()
	}
	return nil
}

func (m *meter) add(to *int, n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	*to += n
	m.changed.Broadcast()
}

type writeMeter struct {
	net.Conn
	m *meter
}

func (w *writeMeter) Write(p []byte) (int, error) {
	w.m.add(&w.m.written, len(p))
	return w.Conn.Write(p)
}

func (w *writeMeter) NetConn() net.Conn { return w.Conn }

type readMeter struct {
	net.Conn
	m *meter
}

func (r *readMeter) Read(p []byte) (int, error) {
	n, err := r.Conn.Read(p)
	r.m.add(&r.m.read, n)
	return n, err
}
