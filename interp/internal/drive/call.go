package drive

import (
	"slices"
	"time"
)

// A call is what a program means by one: an attempt, and those that ask the same
// again.
type call struct {
	n        int
	attempts []*Exchange
}

// belongs finds the call of an attempt that has ended, or begins one. It is the
// latest of its lane that asked the same and had nothing under way, unless that
// ended in success. Attempts are put together when they end: a client that gave
// up and asks again may be seen leaving only after it did.
func (l *lane) belongs(x *Exchange) *call {
	for _, c := range slices.Backward(l.calls) {
		last := c.attempts[len(c.attempts)-1]
		if last.at > x.started+seen || !same(last, x) {
			continue
		}
		if continues(last, x) {
			c.attempts = append(c.attempts, x)
			return c
		}
		break // the latest that asked the same is over
	}
	l.endpoint.calls++
	c := &call{n: l.endpoint.calls, attempts: []*Exchange{x}}
	l.calls = append(l.calls, c)
	return c
}

// continues reports whether an attempt that asks the same as the last one of a
// call is another one of it.
func continues(last, x *Exchange) bool {
	key, count := x.request.http.Header.Get("Idempotency-Key"), retryCount(x.request.http.Header)
	switch {
	case last.outcome == "success", count != nil && *count == 0:
		return false
	case last.outcome == "cancelled" && last.sent > 0:
		return key != "" || count != nil
	}
	return true
}

// seen is how much later than the next attempt the end of the one before it may
// be seen.
const seen = 50 * time.Millisecond

// same reports whether two attempts ask the same: by their Idempotency-Key where
// one has it, else by what they ask.
func same(a, b *Exchange) bool {
	one, other := a.request.http, b.request.http
	if k, l := one.Header.Get("Idempotency-Key"), other.Header.Get("Idempotency-Key"); k != "" || l != "" {
		return k == l
	}
	return one.Method == other.Method && one.URL.RequestURI() == other.URL.RequestURI() && a.canonical() == b.canonical()
}

// canonical is the body as it is compared.
func (x *Exchange) canonical() string {
	if v := x.request.value(); !v.IsNull() {
		return laneText(v)
	}
	return string(x.request.body)
}
