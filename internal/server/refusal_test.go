package server

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// leaves asks, reads the status of the answer and no body, and closes its connection
// when later is called.
func leaves(t *testing.T, address string) (status string, later func()) {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	_ = c.SetDeadline(time.Now().Add(10 * time.Second))
	if _, err := io.WriteString(c, get); err != nil {
		t.Fatal(err)
	}
	line := make([]byte, len("HTTP/1.1 429"))
	if _, err := io.ReadFull(c, line); err != nil {
		t.Fatal(err)
	}
	return string(line[9:]), func() { c.Close() }
}

// Shows that a refusal whose body its client leaves unread is recorded whole, and that
// the request after it is its retry: while it is recorded and in the replay, whether
// the client closes its connection before it asks again or after that, and whether the
// service sends the body with the head or behind it.
func TestRefusalLeftUnreadIsRecordedWhole(t *testing.T) {
	for _, closes := range []string{"before", "after"} {
		for _, body := range []string{"with the head", "behind it", "in chunks"} {
			asked := atomic.Int32{}
			again := make(chan bool)
			real := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				if asked.Add(1)%2 == 0 {
					close(again)
					fmt.Fprint(w, "at last")
					return
				}
				if body != "in chunks" {
					w.Header().Set("Content-Length", "9")
				}
				w.WriteHeader(http.StatusTooManyRequests)
				if body != "with the head" {
					_ = http.NewResponseController(w).Flush()
					select { // who passes the head on at once lets the client ask again here
					case <-again:
					case <-time.After(200 * time.Millisecond):
					}
				}
				fmt.Fprint(w, "come ")
				_ = http.NewResponseController(w).Flush()
				fmt.Fprint(w, "back")
			}))
			dir := t.TempDir()
			play := func(w *recordedWorld) string {
				status, later := leaves(t, w.base)
				if status != "429" {
					t.Fatalf("got %s", status)
				}
				if closes == "before" {
					later()
				}
				if got := met("http://"+w.base+"/api/a", "GET"); !strings.Contains(got, "at last") {
					t.Errorf("the retry got %q", got)
				}
				later()
				return attempts(w.finish(t))
			}
			const want = "failure/server/1 success/server/1"
			w := relaying(t, dir, real.URL, true)
			if got := play(w); got != want {
				t.Fatalf("closed %s, body %s, recorded: %s, want %s", closes, body, got, want) // who replays that waits for ever
			}
			if _, err := w.recorder.Commit(nil); err != nil {
				t.Fatal(err)
			}
			w.recorder.Close()
			real.Close()
			if got := play(relaying(t, dir, real.URL, false)); got != want {
				t.Errorf("closed %s, body %s, replayed: %s, want %s", closes, body, got, want)
			}
			reader := relaying(t, dir, real.URL, false)
			if got := met("http://"+reader.base+"/api/a", "GET"); !strings.HasPrefix(got, "429 ") || !strings.Contains(got, "come back") {
				data, _ := os.ReadFile(filepath.Join(dir, "a.yaml"))
				t.Errorf("closed %s, body %s: who reads it gets %q of\n%s", closes, body, got, data)
			}
		}
	}
}

// Shows that a refusal that is long in coming, or large, is passed on as it comes: what
// is read ahead has bounds.
func TestReadAheadHasBounds(t *testing.T) {
	from, to := io.Pipe()
	go func() { _, _ = io.WriteString(to, "begun") }()
	b := readAhead(from, 100, time.Millisecond) // and no end
	p := make([]byte, 100)
	if n, err := b.Read(p); string(p[:n]) != "begun" || err != nil {
		t.Errorf("got %q, %v", p[:n], err)
	}
	b.Close()
	large := readAhead(io.NopCloser(io.MultiReader(strings.NewReader(strings.Repeat("x", 1<<20)))), 1000, time.Hour)
	if got, err := io.ReadAll(large); len(got) != 1<<20 || err != nil {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	large.Close()
}
