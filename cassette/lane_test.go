package cassette

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/wire"
)

// Shows that a lane is given what was recorded in it, in whatever order the lanes
// ask, that a lane of which nothing was recorded is given nothing, and that what
// was recorded without lanes answers all of them.
func TestLanesPlayTheirOwn(t *testing.T) {
	n := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		n++
		fmt.Fprintf(w, "answer %d", n)
	}))
	defer server.Close()
	path := filepath.Join(t.TempDir(), "lanes.yaml")
	r := recorderFor(t, path, RecordOptions{})
	in := func(lane, step string) wire.Call {
		c := dialled(t, step, n+1, server.URL, "{}")
		c.Lane = lane
		return c
	}
	for _, call := range []wire.Call{in("a", "work"), in("b", "work"), in("a", "work"), in("", "plain")} {
		call.Attempt = n + 1
		if err := recordOne(t, r, http.DefaultTransport, call); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.Commit(nil); err != nil {
		t.Fatal(err)
	}
	c, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewPlayer(c, Options{Latency: NoLatency, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	for _, ask := range []struct{ lane, step, want string }{
		{"b", "work", "answer 2"}, {"a", "work", "answer 1"}, {"a", "work", "answer 3"}, {"c", "plain", "answer 4"},
	} {
		if got := mustPlay(t, p, in(ask.lane, ask.step)); got != ask.want {
			t.Errorf("lane %q of %s: %q, want %q", ask.lane, ask.step, got, ask.want)
		}
	}
	fresh, err := NewPlayer(c, Options{Latency: NoLatency})
	if err != nil {
		t.Fatal(err)
	}
	if m := missOf(t, fresh, in("c", "work")); m.Gate != Unmatched || !strings.Contains(m.Message, `lane "c"`) || !strings.Contains(m.Message, "recorded in lanes") {
		t.Errorf("%s: %s", m.Gate, m.Message)
	}
}
