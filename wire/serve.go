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
// of the clock, after which conn is closed. To bound a write to a peer that does
// not read and the silence of a hang, set conn's deadlines; to end waits early,
// use [WireScript.Serve].
func (s WireScript) ServeConn(c Clock, conn net.Conn) error {
	p := tcpPlayer{clock: c, conn: conn, ctx: context.Background()}
	p.silence = p.untilClosed
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

// A tcpPlayer plays one script on a connection.
type tcpPlayer struct {
	clock Clock
	conn  net.Conn
	// ctx ends every wait.
	ctx context.Context
	// silence lasts as long as a hang does. It closes nothing.
	silence func() error
	// reached, where not nil, is told of every operation whose wait is over.
	reached func(op int)
	// sending, where not nil, is told before bytes or an end leave, and told says that
	// it was, with no wait since.
	sending func()
	told    bool
	// held is the head of an answer, which leaves with the bytes behind it: a client that
	// has a head may act on it, and the rest is not to come later than that.
	held []byte
	// sent counts the bytes that the connection took.
	sent int
	// over says that the script has been played to its end, and only closing is
	// left.
	over bool
	// cutGap is that of the options. cuts counts the operations that were sent in
	// two, and gaps is the time between their two sides that no wait has made up for.
	cutGap time.Duration
	cuts   int
	gaps   time.Duration
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
		return p.close()
	}
	for i, op := range s.Ops {
		if err := p.sleep(p.due(op.Wait)); err != nil {
			return err
		}
		if p.reached != nil {
			p.reached(i)
		}
		if i == 0 && len(s.Ops) > 1 && op.Cut == 0 && op.End == EndNone {
			p.held = op.Data
			continue
		}
		if err := p.sendApart(op); err != nil {
			return err
		}
		if op.End != EndNone {
			return p.finish(op.End)
		}
	}
	return p.send(nil)
}

// due is what is left of a wait after the gaps before it.
func (p *tcpPlayer) due(wait time.Duration) time.Duration {
	early := min(wait, p.gaps)
	p.gaps -= early
	return wait - early
}

// sendApart sends the bytes of an operation, those behind its cut by themselves.
func (p *tcpPlayer) sendApart(op Op) error {
	if op.Cut <= 0 || op.Cut >= len(op.Data) {
		return p.send(op.Data)
	}
	if err := p.send(op.Data[:op.Cut]); err != nil {
		return err
	}
	if p.cuts++; p.cuts <= cutsApart {
		p.gaps += p.cutGap
		if err := p.sleep(p.cutGap); err != nil {
			return err
		}
	}
	return p.send(op.Data[op.Cut:])
}

// send writes what is held and some bytes behind it.
func (p *tcpPlayer) send(data []byte) error {
	if len(p.held) > 0 {
		data = append(p.held[:len(p.held):len(p.held)], data...) // the script keeps its own
		p.held = nil
	}
	if len(data) == 0 {
		return nil
	}
	p.fresh = true
	for len(data) > 0 {
		piece := data[:min(len(data), maxWrite)]
		p.announce()
		n, err := p.conn.Write(piece)
		p.sent += n
		if err != nil {
			return err
		}
		data = data[len(piece):]
	}
	return nil
}

// maxWrite is how much is written at a time: about what a socket takes at once, so
// that a write has ended soon after it was announced.
const maxWrite = 64 << 10

func (p *tcpPlayer) announce() {
	p.told = true
	if p.sending != nil {
		p.sending()
	}
}

func (p *tcpPlayer) finish(end End) error {
	switch end {
	case EndFIN:
		return p.close()
	case EndRST:
		return p.reset()
	default:
		if err := p.silence(); err != nil {
			return err
		}
		p.told = true // the client ended it
		return p.close()
	}
}

func (p *tcpPlayer) close() error {
	if !p.told {
		p.announce() // who knows the length had it all before
	}
	p.over = true
	return p.conn.Close()
}

// untilClosed is silence until the peer ends it; how it does so is no error of
// ours.
func (p *tcpPlayer) untilClosed() error {
	_, _ = io.Copy(io.Discard, p.conn)
	return nil
}

func (p *tcpPlayer) sleep(d time.Duration) error {
	if d <= 0 {
		return nil
	}
	if err := p.send(nil); err != nil {
		return err
	}
	p.told = false
	if d >= ResetGap {
		p.fresh = false
	}
	return p.clock.Sleep(p.ctx, d)
}

// reset closes so that the peer gets a TCP RST. Where there is no TCP below,
// as on a pipe, it is an ordinary close.
func (p *tcpPlayer) reset() error {
	if p.fresh {
		// Nobody is left to receive the bytes where the context has ended.
		if err := p.sleep(ResetGap); err != nil && p.ctx.Err() == nil {
			return err
		}
	}
	p.over = true
	p.announce()
	below := lowest(p.conn)
	if l, ok := below.(lingerer); ok {
		if err := l.SetLinger(0); err != nil {
			return err
		}
	}
	// Closing what is below TLS first keeps its close_notify off the wire.
	err := below.Close()
	if below != p.conn {
		_ = p.conn.Close() // it only learns that it is closed
	}
	return err
}

// A lingerer is a connection that can be told what becomes of unsent bytes, as
// *net.TCPConn can.
type lingerer interface{ SetLinger(sec int) error }

// lowest is the connection below TLS and whatever else is wrapped around it and
// has a method NetConn, as *tls.Conn has.
func lowest(conn net.Conn) net.Conn {
	for {
		if _, ok := conn.(lingerer); ok {
			return conn
		}
		outer, ok := conn.(interface{ NetConn() net.Conn })
		if !ok {
			return conn
		}
		conn = outer.NetConn()
	}
}
