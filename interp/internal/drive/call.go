package drive

import (
	"crypto/sha256"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/scenario-lang/scenario/cassette/match"
	"github.com/scenario-lang/scenario/trace"
)

// A call is what a program means by one: an attempt, and those that ask the same
// again.
type call struct {
	n, attempts int
	// What became of its last attempt, and the earliest instant at which its client may
	// have made the next.
	free    time.Duration
	outcome string
	sent    int
}

// belongs finds the call of an attempt that has ended, or begins one. It is the
// latest of its lane that asked the same and had nothing under way, unless that
// ended in success. Attempts are put together when they end: a client that gave
// up and asks again may be seen leaving only after it did.
func (l *lane) belongs(x *Exchange) *call {
	c := l.continued(x)
	if c == nil {
		l.endpoint.calls++
		c = &call{n: l.endpoint.calls}
		k := x.asks()
		l.calls[k] = append(reachable(l.calls[k], x.run.earliest()), c)
	}
	c.attempts++
	c.free, c.outcome, c.sent = x.free(), x.outcome, x.sent
	return c
}

// continued is the call that an attempt is another one of, nil for none. Who only
// wants a session of a database may want it for anything: that continues whatever
// failed last, and is continued by whatever is asked next.
func (l *lane) continued(x *Exchange) *call {
	k := x.asks()
	if k == anything {
		var last *call
		for _, calls := range l.calls {
			if c := latest(calls, x.started); c != nil && (last == nil || c.n > last.n) {
				last = c
			}
		}
		if last != nil && last.continuedBy(x) {
			return last
		}
		return nil
	}
	if c := latest(l.calls[k], x.started); c != nil && c.continuedBy(x) {
		return c
	}
	c := latest(l.calls[anything], x.started)
	if c == nil || !c.continuedBy(x) {
		return nil
	}
	l.calls[anything] = slices.DeleteFunc(l.calls[anything], func(o *call) bool { return o == c })
	l.calls[k] = append(l.calls[k], c)
	return c
}

// latest is the last of some calls that had nothing under way when an attempt
// began, nil where none is.
func latest(calls []*call, started time.Duration) *call {
	for _, c := range slices.Backward(calls) {
		if c.free <= started {
			return c
		}
	}
	return nil
}

// reachable are the calls that an attempt which began at some instant, or later,
// may yet be part of.
func reachable(calls []*call, since time.Duration) []*call {
	for i, c := range slices.Backward(calls) {
		if c.free <= since {
			return calls[i:]
		}
	}
	return calls
}

// earliest is when the first of the exchanges under way began.
func (r *Run) earliest() time.Duration {
	at := r.Now()
	for _, x := range r.open {
		at = min(at, x.started)
	}
	return at
}

// continuedBy reports whether an attempt that asks the same is another one of the
// call.
func (c *call) continuedBy(x *Exchange) bool {
	key, count := x.request.http.Header.Get("Idempotency-Key"), retryCount(x.request.http.Header)
	switch {
	case c.outcome == "success", count != nil && *count == 0:
		return false
	case c.outcome == "cancelled" && c.sent > 0:
		return key != "" || count != nil
	}
	return true
}

// What attempts ask, as they are compared.
type what [sha256.Size]byte

// anything is what a client asks that only wants a session.
var anything what

// asks is what an attempt asks: two ask the same by their Idempotency-Key where one
// has it, else by what they say.
func (x *Exchange) asks() what {
	if x.connects() {
		return anything
	}
	if x.compared != nil {
		return *x.compared
	}
	again := x.request.known
	if again != nil && again.asks != nil {
		x.compared = again.asks
		return *x.compared
	}
	k := x.lane.compared(x)
	x.compared = &k
	if again != nil {
		again.asks = &k
	}
	return k
}

// compared is what an attempt asks, as it is compared. Programs repeat themselves
// byte for byte, so what the one before came to is remembered.
func (l *lane) compared(x *Exchange) what {
	req := x.request.http
	if key := req.Header.Get("Idempotency-Key"); key != "" {
		return hashed("", "", key)
	}
	uri := req.URL.RequestURI()
	if said := hashed(req.Method, uri, string(x.request.body)); said != l.said.bytes {
		l.said.bytes, l.said.asks = said, hashed(req.Method, uri, x.canonical())
	}
	return l.said.asks
}

// hashed is what stands for a request, or, without a method, for its key.
func hashed(method, uri, said string) (k what) {
	h := sha256.New()
	for _, text := range []string{method, uri, said} {
		_, _ = io.WriteString(h, text)
		_, _ = h.Write([]byte{0})
	}
	h.Sum(k[:0])
	return k
}

// canonical is the body as it is compared: of a message of JSON-RPC what it asks,
// and not by which number.
func (x *Exchange) canonical() string {
	if rpc := x.request.in.RPC; rpc.Method != "" {
		params, _ := rpc.Params.(map[string]any)
		params = maps.Clone(params)
		delete(params, "_meta")
		return rpc.Method + string(trace.AppendValue(nil, params))
	}
	return match.BodyKey(match.Request{Header: x.request.http.Header, Body: x.request.body})
}
