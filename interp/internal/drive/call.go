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
	// last is its latest attempt, and recent are those, in order, that one whose client
	// is seen leaving late may have come before.
	last   member
	recent []link
}

// A member is what a call keeps of an attempt of it.
type member struct {
	n       int // counts the attempts of the endpoint as they begin; 0 for no attempt
	started time.Duration
	// free is the earliest instant at which its client may have made the next.
	free    time.Duration
	outcome string
	sent    int
	// keyed says that it has an Idempotency-Key, and count what its client counts.
	keyed bool
	count *int
}

// A link is an attempt of a call, and the one before it.
type link struct {
	member
	before member
}

// member is what calls keep of an attempt that has ended.
func (x *Exchange) member() member {
	h := x.request.http.Header
	return member{n: x.n, started: x.started, free: x.free(), outcome: x.outcome, sent: x.sent, keyed: h.Get("Idempotency-Key") != "", count: retryCount(h)}
}

// continues reports whether an attempt may be made after another that asks the same, in
// one call.
func (m *member) continues(before *member) bool {
	switch {
	case before.outcome == "success", m.count != nil && *m.count == 0:
		return false
	case before.outcome == "cancelled" && before.sent > 0:
		return m.keyed || m.count != nil
	}
	return true
}

// belongs finds the call of an attempt that has ended, or begins one, and says which
// place it has in that, from 1. It is the latest of its lane that asked the same and had
// nothing under way, unless that ended in success. Attempts are put together when they
// end: a client that gave up and asks again may be seen leaving only after it did, and
// even after what it asked then has ended.
func (l *lane) belongs(x *Exchange) (c *call, place int) {
	m := x.member()
	if x.left {
		if c, place = l.left(x.asks(), m); c != nil {
			return c, place
		}
	}
	late := x.run.Now() - x.run.options.Patience
	if c = l.continued(x.asks(), &m); c == nil {
		l.endpoint.calls++
		c = &call{n: l.endpoint.calls}
		k := x.asks()
		l.calls[k] = append(reachable(l.calls[k]), c)
	}
	c.recent = append(slices.DeleteFunc(c.recent, func(k link) bool { return k.started < late }), link{m, c.last})
	c.attempts++
	c.last = m
	return c, c.attempts
}

// left puts an attempt whose client is seen leaving before the one that this made next:
// the first that began in the time that may have passed since it left, where nothing of
// that one's call was under way when the attempt itself began.
func (l *lane) left(k what, m member) (of *call, place int) {
	at := -1
	for _, c := range l.calls[k] {
		for i := range c.recent {
			next := &c.recent[i]
			before := &next.before
			fits := next.started >= m.free && next.n > m.n && next.continues(&m) &&
				(before.n == 0 || before.free <= m.started && before.n < m.n && m.continues(before))
			if fits && (of == nil || next.n < of.recent[at].n) {
				of, at = c, i
			}
		}
	}
	if of == nil {
		return nil, 0
	}
	place = of.attempts - len(of.recent) + at + 1
	of.recent = slices.Insert(of.recent, at, link{m, of.recent[at].before})
	of.recent[at+1].before = m
	of.attempts++
	return of, place
}

// continued is the call that an attempt is another one of, nil for none. Who only
// wants a session of a database may want it for anything: that continues whatever
// failed last, and is continued by whatever is asked next.
func (l *lane) continued(k what, m *member) *call {
	if k == anything {
		var last *call
		for _, calls := range l.calls {
			if c := latest(calls, m.started); c != nil && (last == nil || c.n > last.n) {
				last = c
			}
		}
		if last != nil && m.continues(&last.last) {
			return last
		}
		return nil
	}
	if c := latest(l.calls[k], m.started); c != nil && m.continues(&c.last) {
		return c
	}
	c := latest(l.calls[anything], m.started)
	if c == nil || !m.continues(&c.last) {
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
		if c.last.free <= started {
			return c
		}
	}
	return nil
}

// callsMax is how many calls that ask the same a lane remembers: which of them an attempt
// may yet be part of depends on what is asked beside it.
const callsMax = 64

// reachable are the newest of some calls.
func reachable(calls []*call) []*call {
	if len(calls) < 2*callsMax {
		return calls
	}
	return slices.Clone(calls[len(calls)-callsMax:])
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
