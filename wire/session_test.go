package wire

import (
	"context"
	"errors"
	"net/http"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func statement(t *testing.T) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), "SELECT", "postgres://db.example:5432/shop", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Proto = "PostgreSQL/3.0"
	return r
}

// Shows that an answer which is not HTTP reaches its client byte for byte: the
// opening at once, the parts after their waits, and then the end.
func TestSessionIsItsBytes(t *testing.T) {
	c := newFakeClock()
	resp := Response{Opening: []byte("hello "), Wait: time.Second, Parts: []Part{{Data: []byte("one ")}, {Wait: time.Second, Data: []byte("two")}}, End: EndRST}
	got, err := resp.Script(Meta{}).RoundTrip(c, statement(t))
	if err != nil {
		t.Fatal(err)
	}
	type read struct {
		At   time.Duration
		Data string
	}
	var reads []read
	buf := make([]byte, 64)
	var last error
	for last == nil {
		var n int
		if n, last = got.Body.Read(buf); last == nil {
			reads = append(reads, read{c.elapsed(), string(buf[:n])})
		}
	}
	if diff := cmp.Diff([]read{{0, "hello "}, {time.Second, "one "}, {2 * time.Second, "two"}}, reads); diff != "" {
		t.Error(diff)
	}
	if !errors.Is(last, syscall.ECONNRESET) || got.StatusCode != 0 || len(got.Header) != 0 {
		t.Errorf("it ended with %v, status %d, header %v", last, got.StatusCode, got.Header)
	}
}

// Shows that a session which was refused, one that is cut directly behind its
// opening, and one that says nothing are laid out as they are meant.
func TestSessionLayout(t *testing.T) {
	whole := Response{Opening: []byte("hello"), Parts: []Part{{Data: []byte("one")}}}
	for name, c := range map[string]struct {
		resp Response
		want []Op
	}{
		"refused":     {Response{Opening: []byte{}, Wait: time.Second, Parts: []Part{{Data: []byte("no")}}, End: EndFIN}, []Op{{Wait: time.Second, Data: []byte("no"), End: EndFIN}}},
		"cut at once": {whole.CutBytes(0, EndRST), []Op{{Data: []byte("hello"), End: EndRST}}},
		"cut inside":  {whole.CutBytes(2, EndFIN), []Op{{Data: []byte("hello")}, {Data: []byte("on"), End: EndFIN}}},
		"silent":      {Response{Opening: []byte("hello"), Wait: time.Minute, End: EndHang}, []Op{{Data: []byte("hello")}, {Wait: time.Minute, End: EndHang}}},
		"nothing":     {Response{Opening: []byte{}, End: EndFIN}, []Op{{End: EndFIN}}},
	} {
		if diff := cmp.Diff(c.want, c.resp.Script(Meta{}).Ops); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Shows that a session that cannot be dialled fails as a connection of HTTP does.
func TestSessionRefused(t *testing.T) {
	_, err := WireScript{Dial: Refused("db.example:5432")}.RoundTrip(newFakeClock(), statement(t))
	if !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("got %v", err)
	}
}
