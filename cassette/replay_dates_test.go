package cassette

import (
	"context"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/wire"
)

// What a server says of instants is as far ahead in a replay as it was when it was
// recorded, exchange by exchange.
func TestReplayMovesDates(t *testing.T) {
	began := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	now := began
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", now.Add(30*time.Second).Format(http.TimeFormat))
		w.Header().Set("X-Ratelimit-Reset", "1772600767") // began, as `date -u -d @1772600767` says
		w.Header().Set("X-Ratelimit-Remaining", "1772600767")
		w.WriteHeader(http.StatusTooManyRequests)
	}))
	defer server.Close()
	path := filepath.Join(t.TempDir(), "tape.yaml")
	r := recorderFor(t, path, RecordOptions{RecordedAt: began.Add(-time.Hour)})
	for n := 1; n <= 2; n++ {
		call := dialled(t, "ask", n, server.URL, "{}")
		take := r.Begin(call, TakeOptions{Now: func() time.Time { return now }})
		resp, err := take.RoundTrip(http.DefaultTransport, call.Request)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if err := take.Seal(true); err != nil {
			t.Fatal(err)
		}
		now = now.Add(10 * time.Minute)
	}
	if _, err := r.Commit(nil); err != nil {
		t.Fatal(err)
	}
	tape, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	for i, at := range []time.Time{began, began.Add(10 * time.Minute)} {
		if got := tape.Interactions[i].RecordedAt; !got.Equal(at) {
			t.Errorf("interaction %d was recorded at %s, want %s", i+1, got, at)
		}
	}

	virtual := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	p, err := NewPlayer(tape, Options{Now: func() time.Time { return virtual }})
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range []map[string]string{
		{"Retry-After": "Sat, 01 Jan 2000 00:00:30 GMT", "X-Ratelimit-Reset": "946684800", "X-Ratelimit-Remaining": "1772600767"},
		{"Retry-After": "Sat, 01 Jan 2000 00:05:30 GMT", "X-Ratelimit-Reset": "946684500"}, // ten minutes ago, five minutes on
	} {
		it, err := p.Take(context.Background(), dialled(t, "ask", n+1, server.URL, "{}"))
		if err != nil {
			t.Fatal(err)
		}
		for name, value := range want {
			if got := field(it.Response.Header, name); got != value {
				t.Errorf("answer %d: %s is %q, want %q", n+1, name, got, value)
			}
		}
		virtual = virtual.Add(5 * time.Minute)
	}
	if got := field(tape.Interactions[0].Response.Header, "Retry-After"); got != "Wed, 04 Mar 2026 05:06:37 GMT" {
		t.Errorf("the cassette itself says %q now", got)
	}
}

// Of a recording that does not know when an exchange was, the answer's Date tells,
// or else the file; without either nothing moves.
func TestReplayMovesDatesOfOthers(t *testing.T) {
	recorded := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	const retry = "Wed, 04 Mar 2026 05:07:07 GMT"
	for _, c := range []struct {
		date string
		file time.Time
		want string
	}{
		{"Wed, 04 Mar 2026 05:06:47 GMT", recorded, "Sat, 01 Jan 2000 00:00:20 GMT"},
		{"", recorded, "Sat, 01 Jan 2000 00:01:00 GMT"},
		{"", time.Time{}, retry},
	} {
		it := &Interaction{Index: 1, Step: "ask", Method: "POST", URL: "http://x.test", RequestBody: []byte("{}"), Response: wire.Response{Status: 429, Header: []wire.Field{{Name: "Retry-After", Value: retry}}}}
		if c.date != "" {
			it.Response.Header = append(it.Response.Header, wire.Field{Name: "Date", Value: c.date})
		}
		p, err := NewPlayer(&Cassette{Interactions: []*Interaction{it}, RecordedAt: c.file, Own: true}, Options{Now: func() time.Time { return time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC) }})
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Interaction("ask", 1)
		if err != nil {
			t.Fatal(err)
		}
		if value := field(got.Response.Header, "Retry-After"); value != c.want {
			t.Errorf("with Date %q and the file's %s, Retry-After is %q, want %q", c.date, c.file, value, c.want)
		}
	}
}

func field(fields []wire.Field, name string) string {
	for _, f := range fields {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}
