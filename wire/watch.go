package wire

import "net/http"

// A Watch follows a script while it is played to one client. Its methods are
// called by the goroutines that play and read, Sent by one at a time.
type Watch interface {
	// Sent says that n more bytes have reached the client.
	Sent(n int)
	// End says, once, that the exchange is over; left says that the client ended
	// it while the script had more to say or to wait for.
	End(left bool)
}

// RoundTripWatched is [WireScript.RoundTrip] with somebody who follows it. A
// script that goes through to a transport is not followed.
func (s WireScript) RoundTripWatched(c Clock, r *http.Request, w Watch) (*http.Response, error) {
	return s.roundTrip(c, r, w)
}

// over tells whoever watches that the exchange has ended.
func (c *conn) over(left bool) {
	if c.watch == nil {
		return
	}
	c.mu.Lock()
	told := c.told
	c.told = true
	c.mu.Unlock()
	if !told {
		c.watch.End(left)
	}
}

// leftOver reports whether a client that reads no more leaves something behind.
func (c *conn) leftOver() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.spent
}
