package wire

import (
	"context"
	"errors"
	"io"
	"net"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// logged is a connection, and its clock, that note what is done to them.
type logged struct {
	fakeClock
	net.Conn
	did      []string
	writeErr error
	sleepErr error
}

func (l *logged) note(s string) { l.did = append(l.did, s) }

func (l *logged) Sleep(_ context.Context, d time.Duration) error {
	l.note("wait " + d.String())
	return l.sleepErr
}

func (l *logged) Write(p []byte) (int, error) {
	l.note("write " + string(p))
	return len(p), l.writeErr
}
func (l *logged) Read([]byte) (int, error) { l.note("read"); return 0, io.EOF }
func (l *logged) Close() error             { l.note("close"); return nil }
func (l *logged) SetLinger(sec int) error {
	if sec == 0 {
		l.note("linger 0")
	}
	return nil
}

// Shows what each end does to a connection, that bytes have time to arrive
// before a reset, that an open script leaves it alone, and that a cut is two writes.
func TestServeConn(t *testing.T) {
	hi := []byte("hi")
	for _, c := range []struct {
		name  string
		s     WireScript
		want  []string
		keeps bool
	}{
		{"zero", WireScript{}, []string{"close"}, false},
		{"open", Raw(hi, EndNone), []string{"write hi"}, true},
		{"waits", WireScript{Delay: 3, Ops: []Op{{Wait: 5, Data: hi}, {Wait: 7, End: EndFIN}}}, []string{"wait 3ns", "wait 5ns", "write hi", "wait 7ns", "close"}, false},
		{"reset at once", Raw(nil, EndRST), []string{"linger 0", "close"}, false},
		{"reset after bytes", Raw(hi, EndRST), []string{"write hi", "wait 50ms", "linger 0", "close"}, false},
		{"reset after a wait", WireScript{Ops: []Op{{Data: hi}, {Wait: time.Second, End: EndRST}}}, []string{"write hi", "wait 1s", "linger 0", "close"}, false},
		{"reset after too short a wait", WireScript{Ops: []Op{{Data: hi}, {Wait: 1, End: EndRST}}}, []string{"write hi", "wait 1ns", "wait 50ms", "linger 0", "close"}, false},
		{"hang", Raw(hi, EndHang), []string{"write hi", "read", "close"}, false},
		{"read timeout", Raw(nil, EndTimeout), []string{"read", "close"}, false},
		{"dial", WireScript{Delay: 2, Dial: io.EOF, Ops: []Op{{Data: hi}}}, []string{"wait 2ns", "linger 0", "close"}, false},
		{"tls", WireScript{TLS: io.EOF}, []string{"linger 0", "close"}, false},
		{"error", WireScript{Err: io.EOF}, []string{"linger 0", "close"}, false},
		{"pieces of a stream in two", Response{Stream: true, Parts: []Part{{Data: []byte("ab")}}}.Script(Meta{}), []string{
			"write HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n", "write 1\r\nb\r\n", "write 0\r\n\r\n",
		}, true},
		{"nothing after the end", WireScript{Ops: []Op{{End: EndFIN}, {Data: hi}}}, []string{"close"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := &logged{}
			if err := c.s.ServeConn(l, l); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, l.did); diff != "" {
				t.Errorf("want (-), got (+):\n%s", diff)
			}
			if c.s.KeepsOpen() != c.keeps {
				t.Errorf("KeepsOpen is %v", !c.keeps)
			}
		})
	}
}

// Shows that a peer that left and a clock that stopped end the script, close
// the connection and are reported.
func TestServeConnStops(t *testing.T) {
	left := errors.New("peer left")
	s := WireScript{Ops: []Op{{Data: []byte("a")}, {Wait: 1, Data: []byte("b")}}}
	for _, c := range []struct {
		l    *logged
		want []string
	}{
		{&logged{writeErr: left}, []string{"write a", "close"}},
		{&logged{sleepErr: left}, []string{"write a", "wait 1ns", "close"}},
	} {
		if err := s.ServeConn(c.l, c.l); err != left {
			t.Errorf("got %v, want %v", err, left)
		}
		if diff := cmp.Diff(c.want, c.l.did); diff != "" {
			t.Errorf("want (-), got (+):\n%s", diff)
		}
	}
}

// Shows that a hang lasts until the peer closes, over a pipe too, and that a
// reset over a pipe is at least an end.
func TestServeConnOnAPipe(t *testing.T) {
	for _, end := range []End{EndHang, EndRST} {
		client, server := net.Pipe()
		done := make(chan error)
		go func() { done <- Raw([]byte("hi"), end).ServeConn(newFakeClock(), server) }()
		if _, err := io.ReadFull(client, make([]byte, 2)); err != nil {
			t.Fatal(err)
		}
		client.Close()
		if err := <-done; err != nil {
			t.Errorf("end %d: %v", end, err)
		}
	}
}

// Shows that a gap passes inside the first pieces of a stream alone, and that the waits
// which follow are shorter by it.
func TestCutGap(t *testing.T) {
	l := &logged{}
	s := Response{Stream: true, Parts: []Part{
		{Data: []byte("ab")}, {Wait: 10 * time.Millisecond, Data: []byte("cd")}, {Data: []byte("ef")}, {Data: []byte("gh")}, {Wait: 7 * time.Millisecond, Data: []byte("i")},
	}}.Script(Meta{})
	if got := s.Serve(context.Background(), l, l, ServeOptions{CutGap: 3 * time.Millisecond}); got.Err != nil {
		t.Fatal(got.Err)
	}
	want := []string{
		"write HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n",
		"wait 3ms", "write 1\r\nb\r\n", "wait 7ms", "write 1\r\nc\r\n", "wait 3ms", "write 1\r\nd\r\n",
		"write 1\r\ne\r\n", "wait 3ms", "write 1\r\nf\r\n", "write 1\r\ng\r\n", "write 1\r\nh\r\n", "wait 1ms", "write 1\r\ni\r\n", "write 0\r\n\r\n",
	}
	if diff := cmp.Diff(want, l.did); diff != "" {
		t.Errorf("want (-), got (+):\n%s", diff)
	}
}
