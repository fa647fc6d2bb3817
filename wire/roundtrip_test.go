package wire

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Shows that waits pass on the clock where they stand: before the head in
// RoundTrip, before each part in the Read that needs it, and that no Read has the
// whole of a delta.
func TestWaitsPassWhereTheyStand(t *testing.T) {
	c := newFakeClock()
	s := sse
	s.Wait = 2 * time.Second
	script := s.CutChunks(2, EndFIN).Script(Meta{})
	script.Delay = 500 * time.Millisecond
	resp, err := script.RoundTrip(c, post(t, target))
	if err != nil {
		t.Fatal(err)
	}
	type read struct {
		At   time.Duration
		Data string
		Err  error
	}
	got := []read{{At: c.elapsed()}}
	for buf := make([]byte, 64); got[len(got)-1].Err == nil; {
		n, err := resp.Body.Read(buf)
		got = append(got, read{c.elapsed(), string(buf[:n]), err})
	}
	want := []read{
		{At: 2500 * time.Millisecond},
		{2500 * time.Millisecond, "data: role\n\n", nil},
		{3500 * time.Millisecond, "data:", nil},
		{3500 * time.Millisecond, " one\n\n", nil},
		{4500 * time.Millisecond, "data:", nil},
		{4500 * time.Millisecond, " two\n\n", nil},
		{4500 * time.Millisecond, "", io.ErrUnexpectedEOF},
	}
	equal := cmp.Comparer(func(a, b error) bool { return a == b })
	if diff := cmp.Diff(want, got, equal); diff != "" {
		t.Errorf("want (-), got (+):\n%s", diff)
	}
}

// Shows that the end of the context hides every other outcome: of the dial, of
// the head, and of a body that has already arrived.
func TestContextComesFirst(t *testing.T) {
	gone := errors.New("the caller is gone")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(gone)
	for name, s := range map[string]WireScript{
		"dial":   {Dial: Refused("h:1")},
		"delay":  {Delay: time.Second, TLS: UnknownAuthority()},
		"error":  {Err: io.EOF},
		"answer": raw(wholeJSON, EndNone),
	} {
		c := newFakeClock()
		_, err := s.RoundTrip(c, post(t, target).WithContext(ctx))
		if err != gone || c.elapsed() != 0 {
			t.Errorf("%s: got %v after %v, want %v at once", name, err, c.elapsed(), gone)
		}
	}

	ctx, cancel = context.WithCancelCause(context.Background())
	resp, err := raw(wholeJSON, EndNone).RoundTrip(newFakeClock(), post(t, target).WithContext(ctx))
	if err != nil {
		t.Fatal(err)
	}
	cancel(gone)
	for range 2 {
		if n, err := resp.Body.Read(make([]byte, 99)); n != 0 || err != gone {
			t.Errorf("a read after cancellation returned %d, %v; want 0, %v", n, err, gone)
		}
	}
}

// Shows that a connection error comes after the delay, as it is.
func TestConnectionErrors(t *testing.T) {
	want := errors.New("as it is")
	for name, s := range map[string]WireScript{
		"dial": {Dial: want}, "tls": {TLS: want}, "error": {Err: want},
	} {
		s.Delay = 3 * time.Second
		s.Ops = raw(wholeJSON, EndNone).Ops
		c := newFakeClock()
		if _, err := s.RoundTrip(c, post(t, target)); err != want || c.elapsed() != 3*time.Second {
			t.Errorf("%s: got %v after %v, want %v after 3s", name, err, c.elapsed(), want)
		}
	}
}

// noted is a body that notes what became of it.
type noted struct {
	io.Reader
	closed int
}

func (n *noted) Close() error { n.closed++; return nil }

// Shows that the request's body is closed on every way out, read to its end
// where there is a connection, and that its own error is the round trip's.
func TestRequestBody(t *testing.T) {
	broken := errors.New("disk on fire")
	answer := raw(wholeJSON, EndNone)
	for _, c := range []struct {
		name   string
		script WireScript
		body   io.Reader
		want   error
		left   int
	}{
		{"answered", answer, strings.NewReader("hello"), nil, 0},
		{"reset", raw("", EndFIN), strings.NewReader("hello"), io.EOF, 0},
		{"not connected", WireScript{Err: io.ErrClosedPipe}, strings.NewReader("hello"), io.ErrClosedPipe, 5},
		{"unreadable", answer, iotest.ErrReader(broken), broken, 0},
	} {
		b := &noted{Reader: c.body}
		r := post(t, target)
		r.Body = b
		if _, err := c.script.RoundTrip(newFakeClock(), r); err != c.want {
			t.Errorf("%s: got %v, want %v", c.name, err, c.want)
		}
		if b.closed != 1 {
			t.Errorf("%s: closed %d times", c.name, b.closed)
		}
		if s, ok := c.body.(*strings.Reader); ok && s.Len() != c.left {
			t.Errorf("%s: %d bytes left, want %d", c.name, s.Len(), c.left)
		}
	}
	if _, err := answer.RoundTrip(newFakeClock(), &http.Request{}); err == nil {
		t.Error("a request without URL was answered")
	}
}

// parked is a clock whose sleepers wait for their context alone.
type parked struct {
	fakeClock
	sleeping chan struct{}
}

func (p *parked) Sleep(ctx context.Context, _ time.Duration) error {
	p.sleeping <- struct{}{}
	<-ctx.Done()
	return ctx.Err()
}

func (p *parked) WithCancel(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithCancel(ctx)
}

// Shows that Close wakes a read that waits, twice is as good as once, and that
// neither reads on; also for a gzip body.
func TestCloseWakesARead(t *testing.T) {
	for _, head := range []string{chunkHead, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"} {
		p := &parked{sleeping: make(chan struct{})}
		resp, err := raw(head, EndHang).RoundTrip(p, post(t, target))
		if err != nil {
			t.Fatal(err)
		}
		got := make(chan error)
		go func() {
			_, err := resp.Body.Read(make([]byte, 1))
			got <- err
		}()
		<-p.sleeping
		if head == chunkHead {
			if _, err := resp.Body.Read(make([]byte, 1)); err != errConcurrentRead {
				t.Errorf("a second read returned %v, want %v", err, errConcurrentRead)
			}
		}
		for range 2 {
			if err := resp.Body.Close(); err != nil {
				t.Errorf("close: %v", err)
			}
		}
		if err := <-got; err != errReadClosed {
			t.Errorf("the read returned %v, want %v", err, errReadClosed)
		}
	}
}

// cancels counts contexts that were made and not yet released.
type cancels struct {
	fakeClock
	open int
}

func (c *cancels) WithCancel(ctx context.Context) (context.Context, context.CancelFunc) {
	c.open++
	ctx, cancel := c.fakeClock.WithCancel(ctx)
	return ctx, func() { c.open--; cancel() }
}

// Shows that a body that waited releases its context at its end, at an error
// and at Close, and one that never waits makes none.
func TestNoContextIsLeft(t *testing.T) {
	for name, end := range map[string]End{"complete": EndNone, "cut": EndFIN} {
		c := &cancels{fakeClock: *newFakeClock()}
		resp, err := sse.CutChunks(2, end).Script(Meta{}).RoundTrip(c, post(t, target))
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, resp.Body)
		if c.open != 0 {
			t.Errorf("%s: %d contexts open after reading to the end", name, c.open)
		}
	}
	c := &cancels{fakeClock: *newFakeClock()}
	resp, err := sse.Script(Meta{}).RoundTrip(c, post(t, target))
	if err != nil {
		t.Fatal(err)
	}
	io.ReadFull(resp.Body, make([]byte, 20))
	if c.open != 1 {
		t.Errorf("%d contexts open while a body waits, want 1", c.open)
	}
	resp.Body.Close()
	if c.open != 0 {
		t.Errorf("%d contexts open after Close", c.open)
	}
	resp, _ = raw(wholeJSON, EndFIN).RoundTrip(c, post(t, target))
	io.Copy(io.Discard, resp.Body)
	if c.open != 0 {
		t.Error("a body without waits made a context")
	}
}

// Shows that a clock that breaks its promise about Forever is an error and not
// an endless loop.
func TestClockThatWakesFromForever(t *testing.T) {
	_, err := raw("", EndHang).RoundTrip(&sleepless{}, post(t, target))
	if !errors.Is(err, errWoke) {
		t.Errorf("got %v, want %v", err, errWoke)
	}
}

type sleepless struct{ fakeClock }

func (*sleepless) Sleep(context.Context, time.Duration) error { return nil }

// Shows that the one informational status that is an answer is not skipped.
func TestSwitchingProtocolsIsAnAnswer(t *testing.T) {
	resp, err := raw("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n", EndFIN).RoundTrip(newFakeClock(), post(t, target))
	if err != nil || resp.StatusCode != http.StatusSwitchingProtocols {
		t.Fatalf("got %v, %v; want 101", resp, err)
	}
}

// Shows that an answer which was closed before its end has nothing to do with
// the next one, though that may read through its buffer.
func TestClosedBeforeItsEnd(t *testing.T) {
	begun := func() (io.ReadCloser, string) {
		resp, err := sse.Script(Meta{}).RoundTrip(newFakeClock(), post(t, target))
		if err != nil {
			t.Fatal(err)
		}
		buf := make([]byte, 64)
		n, err := resp.Body.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		return resp.Body, string(buf[:n])
	}
	first, _ := begun()
	for range 2 {
		if err := first.Close(); err != nil {
			t.Error(err)
		}
	}
	second, head := begun()
	third, _ := begun()
	third.Close()
	if n, err := first.Read(make([]byte, 64)); n != 0 || err != errReadClosed {
		t.Errorf("a read of a closed body returned %d, %v", n, err)
	}
	rest, err := io.ReadAll(second)
	if err != nil || head+string(rest) != string(sse.Body()) {
		t.Errorf("the second answer is %q, %v", head+string(rest), err)
	}
}
