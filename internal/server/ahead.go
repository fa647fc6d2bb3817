package server

import (
	"context"
	"net"
	"sync"
)

// An ahead connection reads what its client sends before anybody asks for it, so
// that the client is seen leaving in the middle of an answer.
type ahead struct {
	net.Conn
	// left is told when nothing more will come.
	left context.CancelCauseFunc
	most int // bytes that are kept

	mu      sync.Mutex
	changed *sync.Cond
	data    []byte
	err     error
}

func newAhead(c net.Conn, most int64, left context.CancelCauseFunc) *ahead {
	a := &ahead{Conn: c, left: left, most: int(most)}
	a.changed = sync.NewCond(&a.mu)
	return a
}

// NetConn is the connection below, for resets.
func (a *ahead) NetConn() net.Conn { return a.Conn }

// run reads until the connection ends.
func (a *ahead) run() {
	buf := make([]byte, 32<<10)
	for {
		n, err := a.Conn.Read(buf)
		a.mu.Lock()
		a.data = append(a.data, buf[:n]...)
		a.err = err
		a.changed.Broadcast()
		for err == nil && len(a.data) > a.most && a.err == nil {
			a.changed.Wait()
		}
		a.mu.Unlock()
		if err != nil {
			a.left(errLeft)
			return
		}
	}
}

// Close implements net.Conn. Who waits for somebody to read is told, too.
func (a *ahead) Close() error {
	err := a.Conn.Close()
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.err == nil {
		a.err = net.ErrClosed
	}
	a.changed.Broadcast()
	return err
}

// Read implements net.Conn.
func (a *ahead) Read(p []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for len(a.data) == 0 && a.err == nil {
		a.changed.Wait()
	}
	if len(a.data) == 0 {
		return 0, a.err
	}
	n := copy(p, a.data)
	a.data = a.data[n:]
	if len(a.data) == 0 {
		a.data = nil
	}
	a.changed.Broadcast()
	return n, nil
}
