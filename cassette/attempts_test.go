package cassette

import (
	"net/http"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/wire"
)

// attempts is a transport that records one attempt after the other, and plays
// them when there is a player.
type attempts struct {
	r    *Recorder
	next http.RoundTripper
	p    *Player
	n    int
	take *Take
}

func (a *attempts) RoundTrip(req *http.Request) (*http.Response, error) {
	a.n++
	call := wire.Call{Step: "answer", Attempt: a.n, Request: req}
	if req.Body != nil {
		call.Body = []byte(`{"q":1}`)
	}
	if a.p == nil {
		a.take = a.r.Begin(call, TakeOptions{Now: time.Now})
		return a.take.RoundTrip(a.next, req)
	}
	script, err := a.p.Next(req.Context(), call)
	if err != nil {
		return nil, err
	}
	return script.RoundTrip(wallClock{wire.System()}, req)
}

// sees is what a client sees of one request.
func (a *attempts) sees(t *testing.T, req *http.Request) seen {
	t.Helper()
	s := sees(a, req)
	if a.p == nil {
		if err := a.take.Seal(true); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// playerOf writes what a recorder has and plays it from the file.
func playerOf(t *testing.T, r *Recorder, path string) *Player {
	t.Helper()
	if _, err := r.Commit(nil); err != nil {
		t.Fatal(err)
	}
	c, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewPlayer(c, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}
