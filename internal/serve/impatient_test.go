package serve

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/trace"
)

// impatience is a service that is slow twice, with answers whose order matters. Whoever
// gives up twice and asks on is one call.
const impatience = `
provider "http" "data" { base_url = "https://data.test/v1" }
scenario "given up twice" {
  on "data" {
    reply {
      latency = "60s"
      body    = "too late"
    }
    reply {
      latency = "61s"
      body    = "later"
    }
    reply { body = "at last" }
  }
  assert "one call" { condition = length(endpoint.data.calls) == 1 }
  assert "its attempts, in their order" {
    condition = [for a in endpoint.data.attempts : a.outcome] == ["cancelled", "cancelled", "success"]
  }
  assert "who ended them" {
    condition = [for a in endpoint.data.attempts : a.ended_by] == ["client", "client", "server"]
  }
}
`

// A leaver asks for something, leaves once that has its entry, and asks for the next at
// once.
type leaver func(ctx context.Context, w *world, session string, read func(n int)) error

// leavers are the ways in which clients give up: net/http when a request is called off, and
// over a socket of their own with an end or a reset.
var leavers = map[string]leaver{
	"a request that is called off": func(ctx context.Context, w *world, session string, read func(int)) error {
		for n := range 2 {
			ctx, off := context.WithCancel(ctx)
			go func() {
				read(n)
				off()
			}()
			resp, err := w.client.Do(w.inIts(ctx, session))
			if err == nil {
				_, err = io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
			if off(); err == nil {
				return fmt.Errorf("request %d had an answer", n)
			}
		}
		return nil
	},
	"the end of a connection": func(_ context.Context, w *world, session string, read func(int)) error {
		return w.hangsUp(session, read, func(net.Conn) error { return nil })
	},
	"a reset": func(_ context.Context, w *world, session string, read func(int)) error {
		return w.hangsUp(session, read, func(c net.Conn) error { return c.(*net.TCPConn).SetLinger(0) })
	},
}

// inIts is a request in a session.
func (w *world) inIts(ctx context.Context, session string) *http.Request {
	base, err := url.Parse(w.Addresses().Providers["data"])
	if err != nil {
		panic(err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+base.Host+PrefixSession+session+base.Path+"/x", nil)
	if err != nil {
		panic(err)
	}
	return req
}

// hangsUp asks twice over connections that end as soon as the request has its entry.
func (w *world) hangsUp(session string, read func(int), ends func(net.Conn) error) error {
	for n := range 2 {
		req := w.inIts(context.Background(), session)
		c, err := net.Dial("tcp", req.URL.Host)
		if err != nil {
			return err
		}
		if err := req.Write(c); err != nil {
			return err
		}
		read(n)
		if err := ends(c); err != nil {
			return err
		}
		c.Close()
	}
	return nil
}

// Shows over real sockets, with the patience of the command, that a client which gives up
// and asks again at once breaks no gate, gets the entries in their order, and makes one
// call: a thousand times, eight at a time. Whether a client is seen leaving in time is a
// matter of the machine, which has nothing else to do then. For one that has, package server
// shows the same with a minute of patience, and package interp at exact times.
func TestImpatientClients(t *testing.T) {
	if os.Getenv("SCENARIO_ENDURANCE") == "" {
		t.Skip("depends on the machine: make endurance")
	}
	const runs = 1000
	for name, leaves := range leavers {
		t.Run(name, func(t *testing.T) {
			w := listen(t, impatience)
			var next, ambiguous atomic.Int64
			var group sync.WaitGroup
			for range 8 {
				group.Go(func() {
					for n := next.Add(1); n <= runs && !t.Failed(); n = next.Add(1) {
						if w.impatient(t, fmt.Sprintf("r%d", n), leaves) {
							ambiguous.Add(1)
						}
					}
				})
			}
			group.Wait()
			if n := ambiguous.Load(); n > 0 {
				t.Errorf("%d of %d runs were ambiguous", n, runs)
			}
		})
	}
}

// impatient is one run, and whether it was ambiguous.
func (w *world) impatient(t *testing.T, session string, leaves leaver) (ambiguous bool) {
	if status, text := w.control("POST", "/sessions", `{"id": "`+session+`"}`); status != http.StatusCreated {
		t.Error(status, text)
		return false
	}
	read := func(n int) { // until it has its entry
		for from := time.Now(); w.find(session).attempts() <= n; time.Sleep(time.Millisecond) {
			if time.Since(from) > time.Minute {
				t.Errorf("%s: request %d has no entry", session, n)
				return
			}
		}
	}
	if err := leaves(t.Context(), w, session, read); err != nil {
		t.Error(err)
		return false
	}
	status, body := w.do(w.inIts(t.Context(), session))
	j := w.finish(w.find(session))
	if slices.ContainsFunc(j.Problems, func(p interp.Problem) bool { return p.Name == "ambiguous" }) {
		return true
	}
	if status != http.StatusOK || body != "at last" || j.Verdict != interp.Pass {
		t.Errorf("%s: %d %s, %s", session, status, body, words(j.Problems))
	}
	return false
}

// attempts are those that have begun.
func (x *session) attempts() (n int) {
	x.mu.Lock()
	outside := x.outside
	x.mu.Unlock()
	if outside == nil {
		return 0
	}
	for _, e := range outside.Trace() {
		if e.Type == trace.AttemptStart {
			n++
		}
	}
	return n
}

func words(problems []interp.Problem) string {
	var list []string
	for _, p := range problems {
		list = append(list, p.Name+": "+p.Message)
	}
	return strings.Join(list, "\n")
}
