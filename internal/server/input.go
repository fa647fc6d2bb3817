package server

import (
	"errors"
	"io"
	"net"
	"os"
	"time"
)

// errTooLarge is the error of a client that sent more than it may.
var errTooLarge = errors.New("more was sent than is allowed")

// An input reads a connection within limits of size and time. Only the goroutine
// that reads uses it.
type input struct {
	net  net.Conn
	left int64
	// stalled, where positive, is how long each read may take.
	stalled time.Duration
	// err is why the last read failed: what parses a head says that it ends too
	// early.
	err error
}

// Read implements io.Reader.
func (in *input) Read(p []byte) (int, error) {
	if in.left <= 0 {
		in.err = errTooLarge
		return 0, errTooLarge
	}
	if in.stalled > 0 {
		_ = in.net.SetReadDeadline(time.Now().Add(in.stalled)) // a connection that has none ends by itself
	}
	n, err := in.net.Read(p[:min(int64(len(p)), in.left)])
	in.left -= int64(n)
	in.err = err
	return n, err
}

// within allows so many more bytes until a time; the zero time is any.
func (in *input) within(n int64, until time.Time) {
	in.left, in.stalled = n, 0
	_ = in.net.SetReadDeadline(until)
}

// a paced connection gives up a write that makes no progress.
type paced struct {
	net.Conn
	stalled time.Duration
}

// NetConn is the connection below, for resets.
func (p *paced) NetConn() net.Conn { return p.Conn }

// pace is how much is written under one deadline.
const pace = 64 << 10

// Write implements net.Conn.
func (p *paced) Write(b []byte) (int, error) {
	written := 0
	for written < len(b) {
		if err := p.SetWriteDeadline(time.Now().Add(p.stalled)); err != nil {
			return written, err
		}
		n, err := p.Conn.Write(b[written:min(written+pace, len(b))])
		written += n
		if err != nil {
			return written, err
		}
	}
	return written, nil
}

func isTimeout(err error) bool { return errors.Is(err, os.ErrDeadlineExceeded) }

// isEnd reports whether an error is that of a connection which the client ended
// between two requests.
func isEnd(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed) }
