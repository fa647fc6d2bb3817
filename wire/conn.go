package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/url"
	"sync"
	"time"
)

// headMax bounds the head of a response, informational ones included, as the
// standard library's transport does by default.
const headMax = 10 << 20

var errHeadTooLong = fmt.Errorf("read limit of %d bytes exhausted", headMax)

var errWoke = errors.New("wire: the clock returned from an endless sleep; Sleep(ctx, Forever) must wait for ctx")

// conn is the client's end of a connection that a script plays: a reader that
// waits on the clock inside Read. One goroutine reads; any may close.
type conn struct {
	clock Clock
	ctx   context.Context
	to    *url.URL
	ops   []Op
	data  []byte
	apart int // bytes of data that no Read goes past, 0 for all
	end   End
	limit int64
	watch Watch // nil for none

	// mu guards what follows and is never held over a wait.
	mu       sync.Mutex
	closable bool
	closed   bool
	wait     context.Context
	cancel   context.CancelFunc
	// spent says that all bytes were read and no end is to come, and told that
	// the watch knows of the end.
	spent, told bool
}

func newConn(c Clock, ctx context.Context, to *url.URL, ops []Op) *conn {
	cn := &conn{clock: c, ctx: ctx, to: to, ops: ops, limit: headMax}
	if len(ops) == 0 {
		cn.end = EndFIN
	}
	return cn
}

// Read delivers the bytes of one operation at a time, and of one that has a Cut
// those of one side. After the last operation
// it is silent, as a connection that is kept alive.
func (c *conn) Read(p []byte) (int, error) {
	if c.limit <= 0 {
		return 0, errHeadTooLong
	}
	for len(c.data) == 0 {
		if err := c.next(); err != nil {
			return 0, err
		}
	}
	if int64(len(p)) > c.limit {
		p = p[:c.limit]
	}
	if c.apart > 0 && c.apart < len(p) {
		p = p[:c.apart]
	}
	n := copy(p, c.data)
	c.data = c.data[n:]
	c.apart = max(c.apart-n, 0)
	c.limit -= int64(n)
	if c.watch != nil {
		c.followed(n)
	}
	return n, nil
}

// followed tells whoever watches of bytes that were read.
func (c *conn) followed(n int) {
	if len(c.data) == 0 && len(c.ops) == 0 {
		c.mu.Lock()
		c.spent = c.end == EndNone || c.end == EndFIN
		c.mu.Unlock()
	}
	c.watch.Sent(n)
}

// next lets the end of the current operation strike, or else waits for the
// next operation.
func (c *conn) next() error {
	switch c.end {
	case EndFIN:
		return io.EOF
	case EndRST:
		c.end = EndFIN // a socket reports its reset once, and EOF from then on
		return ReadReset(HostPort(c.to))
	case EndTimeout:
		return ReadTimeout(HostPort(c.to))
	}
	if c.end == EndHang || len(c.ops) == 0 {
		return c.silence()
	}
	op := c.ops[0]
	if err := c.sleep(op.Wait); err != nil {
		return err
	}
	c.ops, c.data, c.apart, c.end = c.ops[1:], op.Data, op.Cut, op.End
	return nil
}

func (c *conn) silence() error {
	if err := c.sleep(Forever); err != nil {
		return err
	}
	return errWoke
}

func (c *conn) sleep(d time.Duration) error {
	if d <= 0 {
		return nil
	}
	ctx, err := c.waiting()
	if err != nil {
		return err
	}
	return c.clock.Sleep(ctx, d)
}

// waiting returns the context to sleep under: in the body one that close ends,
// made only now because most answers never wait in their body.
func (c *conn) waiting() (context.Context, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.closed:
		return nil, errReadClosed
	case !c.closable:
		return c.ctx, nil
	case c.wait == nil:
		c.wait, c.cancel = c.clock.WithCancel(c.ctx)
	}
	return c.wait, nil
}

// startBody ends the head: its size limit is lifted, and close may now come at
// any time.
func (c *conn) startBody() {
	c.limit = math.MaxInt64
	c.mu.Lock()
	c.closable = true
	c.mu.Unlock()
}

// close wakes a reader that waits and frees the waits' context.
func (c *conn) close() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.release()
}

func (c *conn) isClosed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closed
}

// release frees the waits' context once nothing will be read any more.
func (c *conn) release() {
	c.mu.Lock()
	cancel := c.cancel
	c.cancel = nil
	c.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}
