package scenario

import (
	"errors"
	"io"
	"net"
	"sync/atomic"

	"github.com/scenario-lang/scenario/wire"
)

// pipe makes a connection of two ends in memory. Where the far end is closed like
// a socket without a linger, the near one reads a reset, as from a socket.
func pipe(to remote) (near, far net.Conn) {
	a, b := net.Pipe()
	cut := new(atomic.Bool)
	return &nearEnd{a, to, cut}, &farEnd{b, cut}
}

// A nearEnd is that of the client.
type nearEnd struct {
	net.Conn
	to  remote
	cut *atomic.Bool
}

// RemoteAddr implements net.Conn. A client of a database dials it again to have a
// statement ended.
func (c *nearEnd) RemoteAddr() net.Addr { return c.to }

// Read implements net.Conn.
func (c *nearEnd) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if errors.Is(err, io.EOF) && c.cut.Load() {
		err = wire.ReadReset(c.to.String())
	}
	return n, err
}

// A farEnd is that of the server.
type farEnd struct {
	net.Conn
	cut *atomic.Bool
}

// SetLinger is what is said before a reset: that nothing is waited for.
func (c *farEnd) SetLinger(seconds int) error {
	c.cut.Store(seconds == 0)
	return nil
}
