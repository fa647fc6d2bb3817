package wire

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"time"
)

// EndedBy says which side ended an exchange.
type EndedBy string

const (
	// ByServer is an exchange that was played to its end, or that the server
	// gave up.
	ByServer EndedBy = "server"
	// ByClient is one whose client left before that.
	ByClient EndedBy = "client"
)

// Served is what became of a script on a connection.
type Served struct {
	// Sent counts the bytes of the script that the connection took. What was
	// taken need not have arrived.
	Sent int
	// Status is that of the answer once its whole head was sent, else 0.
	Status int
	// By is who ended the exchange. A hang is never over by itself: whoever
	// ends ctx ends it.
	By EndedBy
	// Err is why the script was not played to its end: the error of the write or
	// of the clock. It is nil for a hang that the client ended, and whatever
	// becomes of closing the connection.
	Err error
}

// ServeOptions are for a server that wants to follow what it serves. The zero
// value follows nothing.
type ServeOptions struct {
	// Reached, where not nil, is called for every operation of the script, by
	// its index in Ops, when its wait is over and before its bytes are written
	// or its end strikes. What a client does after the bytes, such as asking
	// again at once, comes later. It must not block.
	Reached func(op int)
	// Sending, where not nil, is called before each write, which takes 64 KiB at
	// most, before a reset, and before a close that follows a wait: what a client
	// does because it has the last of an answer, or because the answer broke off,
	// comes after the last call. It must not block.
	Sending func()
	// CutGap passes between the two sides of a Cut, of the first few of a script,
	// so that a client which is not slow itself reads them one by one. The waits
	// that follow are shorter by it. Zero is for a connection that joins no writes.
	CutGap time.Duration
}

// cutsApart is for how many cuts of a script a CutGap passes.
const cutsApart = 3

// Serve is [WireScript.ServeConn] for a server in which another goroutine reads
// the connection, to see that the client leaves, and ends ctx then: every wait
// ends with ctx, and a hang waits for ctx and reads nothing. ctx must belong to
// c.
//
// When ctx ends, its cause tells by whom: [http.ErrServerClosed] is the server,
// any other cause the client. A write that fails is the client's leaving, too,
// unless a deadline of conn passed or this side closed it. Bytes are written
// without a look at ctx, so only a deadline of conn bounds a client that stays
// and does not read.
//
// conn is closed unless Err is nil and the script [WireScript.KeepsOpen]. A
// wrapper around a connection needs a method NetConn, as *tls.Conn has, or
// SetLinger: behind one that hides both a reset is an ordinary close. On a reset
// the connection below is closed before the wrapper is.
func (s WireScript) Serve(ctx context.Context, c Clock, conn net.Conn, opts ServeOptions) Served {
	p := tcpPlayer{clock: c, conn: conn, ctx: ctx, reached: opts.Reached, sending: opts.Sending, cutGap: opts.CutGap}
	hung := false
	p.silence = func() error {
		hung = true
		return p.hang()
	}
	err := p.play(s)
	served := Served{Sent: p.sent, By: ByServer}
	if h := s.head(); p.sent >= h.to {
		served.Status = h.status
	}
	switch {
	case err != nil && !p.over:
		conn.Close()
		served.By, served.Err = endedBy(ctx, err), err
	case hung:
		served.By = ByClient
	}
	return served
}

// hang is silence until ctx ends. Where the client ended it that is what a hang
// is for.
func (p *tcpPlayer) hang() error {
	err := p.clock.Sleep(p.ctx, Forever)
	switch {
	case err == nil:
		return errWoke
	case endedBy(p.ctx, err) == ByClient:
		return nil
	}
	return err
}

// endedBy tells who is to blame for the error that ended a script.
func endedBy(ctx context.Context, err error) EndedBy {
	switch {
	case errors.Is(context.Cause(ctx), http.ErrServerClosed),
		errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, net.ErrClosed), errors.Is(err, errWoke):
		return ByServer
	default:
		return ByClient
	}
}
