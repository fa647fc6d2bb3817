package wire

import (
	"context"
	"io"
	"net"
	"time"
)

// ResetGap is what [WireScript.ServeConn] waits between bytes and a reset that
// follows them without a longer wait of its own: a reset discards what the
// peer has not yet received.
const ResetGap = 50 * time.Millisecond

// ServeConn plays the script on a connection whose request the caller has read
// to its end; unread data would make every close a reset. It writes exactly
// the script's bytes.
//
// A script that ends, by FIN or reset, closes conn. One that does not leaves
// conn open and the caller decides: a complete response may be followed by
// another request, and after an incomplete one the client meets silence for as
// long as the caller keeps conn. A hang and a read timeout, which a server
// cannot cause, are silence until the peer closes; Dial, TLS and Err are a
// reset, the nearest a server comes to them.
//
// The result is nil when the script was played, else the error of the write or
// of the clock, after which conn is closed. To end waits early, give a clock
// whose Sleep also ends with the server's own context; to bound a write to a
// peer that does not read and the silence of a hang, set conn's deadlines.
func (s WireScript) ServeConn(c Clock, conn net.Conn) error {
	p := tcpPlayer{clock: c, conn: conn}
	if err := p.play(s); err != nil {
		conn.Close()
		return err
	}
	return nil
}

// KeepsOpen reports whether ServeConn leaves its connection open.
func (s WireScript) KeepsOpen() bool {
	if s.refusal() != nil || s.Through != nil || len(s.Ops) == 0 {
		return false
	}
	for _, op := range s.Ops {
		if op.End != EndNone {
			return false
		}
	}
	return true
}

type tcpPlayer struct {
	clock Clock
	conn  net.Conn
	// fresh says that bytes were written and no wait has passed since that
	// would let them arrive.
	fresh bool
}

func (p *tcpPlayer) play(s WireScript) error {
	if err := p.sleep(s.Delay); err != nil {
		return err
	}
	if s.refusal() != nil || s.Through != nil {
		return p.reset()
	}
	if len(s.Ops) == 0 {
		return p.conn.Close()
	}
	for _, op := range s.Ops {
		if err := p.send(op); err != nil {
			return err
		}
		if op.End != EndNone {
			return p.finish(op.End)
		}
	}
	return nil
}

func (p *tcpPlayer) send(op Op) error {
	if err := p.sleep(op.Wait); err != nil || len(op.Data) == 0 {
		return err
	}
	p.fresh = true
	_, err := p.conn.Write(op.Data)
	return err
}

func (p *tcpPlayer) finish(end End) error {
	switch end {
	case EndFIN:
		return p.conn.Close()
	case EndRST:
		return p.reset()
	default:
		// The peer ends the silence; how it does so is no error of ours.
		_, _ = io.Copy(io.Discard, p.conn)
		return p.conn.Close()
	}
}

func (p *tcpPlayer) sleep(d time.Duration) error {
	if d <= 0 {
		return nil
	}
	if d >= ResetGap {
		p.fresh = false
	}
	return p.clock.Sleep(context.Background(), d)
}

// reset closes so that the peer gets a TCP RST. Where there is no TCP below,
// as on a pipe, it is an ordinary close.
func (p *tcpPlayer) reset() error {
	if p.fresh {
		if err := p.sleep(ResetGap); err != nil {
			return err
		}
	}
	tcp := underTLS(p.conn)
	if l, ok := tcp.(interface{ SetLinger(sec int) error }); ok {
		if err := l.SetLinger(0); err != nil {
			return err
		}
	}
	// Closing what is below TLS keeps its close_notify off the wire.
	return tcp.Close()
}

func underTLS(conn net.Conn) net.Conn {
	if t, ok := conn.(interface{ NetConn() net.Conn }); ok {
		return t.NetConn()
	}
	return conn
}
