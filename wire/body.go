package wire

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"sync/atomic"
)

// Both have the words of the transport's own errors, which are unexported.
var (
	errReadClosed     = errors.New("http: read on closed response body")
	errConcurrentRead = errors.New("http: concurrent read on response body")
)

// body is what a client reads: framed, the standard library's reader of the
// framing, with the transport's rules around it. Errors stay; the context's
// error comes before any other; Close may come at any time, twice too.
//
// It never closes framed, which would read the rest of the script first.
type body struct {
	conn   *conn
	framed io.Reader
	buffer *bufio.Reader
	err    error
	// broken, where not nil, stands for the error of a cut.
	broken error
	// reading keeps a second reader out: the buffer goes to another exchange
	// when the first one ends.
	reading atomic.Bool
}

func (b *body) Read(p []byte) (int, error) {
	if b.conn.isClosed() {
		return 0, errReadClosed
	}
	if !b.reading.CompareAndSwap(false, true) {
		if b.conn.isClosed() { // just now
			return 0, errReadClosed
		}
		return 0, errConcurrentRead
	}
	defer b.reading.Store(false)
	if b.err != nil {
		return 0, b.err
	}
	if b.conn.ctx.Err() != nil {
		return 0, b.fail(context.Cause(b.conn.ctx))
	}
	n, err := b.framed.Read(p)
	switch {
	case err == nil:
		return n, nil
	case err == io.EOF:
	case b.conn.isClosed():
		err = errReadClosed
	case b.conn.ctx.Err() != nil:
		err = context.Cause(b.conn.ctx)
	case b.broken != nil && errors.Is(err, io.ErrUnexpectedEOF):
		err = b.broken
	}
	return n, b.fail(err)
}

func (b *body) fail(err error) error {
	b.err, b.framed = err, nil
	b.conn.over(err != io.EOF && (b.conn.ctx.Err() != nil || b.conn.isClosed()))
	b.conn.release()
	b.forget()
	return err
}

// forget gives the buffer away. Nothing is read from then on.
func (b *body) forget() {
	if b.buffer != nil {
		reuse(b.buffer)
		b.buffer = nil
	}
}

// Close leaves the buffer to a Read that is under way, and else keeps every
// later one out for good.
func (b *body) Close() error {
	b.conn.close()
	b.conn.over(b.conn.leftOver())
	if b.reading.CompareAndSwap(false, true) {
		b.forget()
	}
	return nil
}

// gzipBody decodes a body that the client did not ask to be compressed itself.
// Nothing is read before the first Read, so bad content is an error of the
// body and not of the round trip.
type gzipBody struct {
	*body
	zip *gzip.Reader
	err error
}

func (g *gzipBody) Read(p []byte) (int, error) {
	if g.conn.isClosed() {
		return 0, errReadClosed
	}
	if g.zip == nil && g.err == nil {
		g.zip, g.err = gzip.NewReader(g.body)
	}
	if g.err != nil {
		return 0, g.err
	}
	return g.zip.Read(p)
}
