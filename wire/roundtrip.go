package wire

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
)

// RoundTrip plays the script to the request, in process and without a
// goroutine, and returns what an http.Transport returns that meets the same
// bytes on a fresh HTTP/1.1 connection: the same response, and errors of the
// same types and words, but for addresses, which are fixed ([HostPort]).
//
// Waits happen on c, under the request's context: those before and in the head
// here, the others inside Read of the response's body. Once the context has
// ended its error (its cause) comes before any other. A script whose
// operations run out while the client waits for more bytes is silent, as a
// connection that is kept alive; a script without operations is closed before
// any byte.
//
// The request's body is read to its end and closed, but only closed where no
// connection comes about. As with http.Transport, gzip is decoded where the
// request does not name an encoding, informational responses are skipped but
// for 101, and the response's body must be closed. Close is idempotent, wakes
// a Read that waits, and does not read the rest. A 101 has no writable body
// here, and resp.TLS is nil.
//
// A script that goes through to a transport returns what that returns.
//
// A request whose Proto names another protocol than HTTP is for one of messages:
// the response that comes back has neither status nor header, and its body is
// all that the server sends on the connection.
func (s WireScript) RoundTrip(c Clock, r *http.Request) (*http.Response, error) {
	return s.roundTrip(c, r, nil)
}

// roundTrip is RoundTrip, watched where w is not nil.
func (s WireScript) roundTrip(c Clock, r *http.Request, w Watch) (*http.Response, error) {
	if r.URL == nil {
		closeRequest(r)
		return nil, errors.New("net/http: nil Request.URL")
	}
	if s.Through != nil {
		return s.Through.RoundTrip(r)
	}
	cn := newConn(c, r.Context(), r.URL, s.Ops)
	cn.watch = w
	if err := s.connect(c, r); err != nil {
		closeRequest(r)
		cn.over(r.Context().Err() != nil)
		return nil, err
	}
	if err := drainRequest(r); err != nil {
		cn.over(true)
		return nil, err
	}
	if !overHTTP(r) {
		return s.session(cn, r), nil
	}
	br := readers.Get().(*bufio.Reader)
	br.Reset(cn)
	resp, err := readHead(cn, br, r)
	if err != nil {
		reuse(br)
		if ctx := r.Context(); ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		cn.over(r.Context().Err() != nil)
		return nil, err
	}
	cn.startBody()
	wrapBody(resp, cn, br, r, s.BodyErr)
	return resp, nil
}

// readers keeps buffers, the largest allocation of a small exchange. One
// returns here once its body has ended or was closed, when nobody can reach it
// any more; that of a body closed under a Read is left to that.
var readers = sync.Pool{New: func() any { return bufio.NewReader(nil) }}

func reuse(br *bufio.Reader) {
	br.Reset(nil)
	readers.Put(br)
}

// connect is what happens before a connection carries bytes.
func (s WireScript) connect(c Clock, r *http.Request) error {
	ctx := r.Context()
	if s.Delay > 0 {
		if err := c.Sleep(ctx, s.Delay); err != nil && ctx.Err() == nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return s.refusal()
}

// refusal is the error that stands in place of a connection, if there is one.
func (s WireScript) refusal() error {
	switch {
	case s.Dial != nil:
		return s.Dial
	case s.TLS != nil:
		return s.TLS
	default:
		return s.Err
	}
}

func closeRequest(r *http.Request) {
	if r.Body != nil {
		r.Body.Close()
	}
}

func drainRequest(r *http.Request) error {
	if r.Body == nil {
		return nil
	}
	defer r.Body.Close()
	_, err := io.Copy(io.Discard, r.Body)
	return err
}

// readHead reads up to the body of the final response. An error is bare while
// no byte has arrived; afterwards it is that of a broken connection.
func readHead(cn *conn, br *bufio.Reader, r *http.Request) (*http.Response, error) {
	if _, err := br.Peek(1); err != nil {
		return nil, err
	}
	for {
		resp, err := http.ReadResponse(br, r)
		if err != nil {
			if cn.limit <= 0 {
				err = fmt.Errorf("net/http: server response headers exceeded %d bytes; aborted", headMax)
			}
			return nil, fmt.Errorf("net/http: HTTP/1.x transport connection broken: %w", err)
		}
		if !skipped(resp.StatusCode) {
			return resp, nil
		}
	}
}

func skipped(status int) bool {
	return 100 <= status && status <= 199 && status != http.StatusSwitchingProtocols
}

func wrapBody(resp *http.Response, cn *conn, br *bufio.Reader, r *http.Request, broken error) {
	if r.Method == http.MethodHead || resp.ContentLength == 0 {
		reuse(br) // resp.Body is http.NoBody
		cn.over(false)
		return
	}
	b := &body{conn: cn, buffer: br, framed: resp.Body, broken: broken}
	resp.Body = b
	if asksForGzip(r) && strings.EqualFold(resp.Header.Get("Content-Encoding"), "gzip") {
		resp.Body = &gzipBody{body: b}
		resp.Header.Del("Content-Encoding")
		resp.Header.Del("Content-Length")
		resp.ContentLength = -1
		resp.Uncompressed = true
	}
}

// asksForGzip reports whether a transport would have added Accept-Encoding.
func asksForGzip(r *http.Request) bool {
	return r.Method != http.MethodHead &&
		r.Header.Get("Accept-Encoding") == "" &&
		r.Header.Get("Range") == ""
}
