package server

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/providers/mcp"
	"github.com/scenario-lang/scenario/wire"
)

// errLeft is the cause of the end of an exchange whose client left.
var errLeft = errors.New("the client left")

// A conn is one connection of a client.
type conn struct {
	server *Server
	net    net.Conn
	origin Origin
	n      int

	in     *input
	reader *bufio.Reader
	served int // requests that were answered
	// secure says that the client speaks TLS.
	secure bool
}

// A request is one that was read to its end, or the answer to what is none.
type request struct {
	*http.Request
	body []byte
	// trouble is what is wrong with it, and status what it is answered with, 0
	// for a close without a word.
	trouble error
	status  int

	ctx    context.Context
	cancel context.CancelCauseFunc
	// played is closed when the answer has been played.
	played chan struct{}
}

// begin serves the client in the protocol of its service.
func (c *conn) begin() {
	switch c.origin.Base.Scheme {
	case "postgres", "postgresql":
		c.converse()
	case mcp.SchemePipe:
		c.pipes()
	default:
		c.serve()
	}
}

func (c *conn) serve() {
	c.in = &input{net: c.net}
	c.reader = bufio.NewReader(c.in)
	requests := make(chan *request)
	c.server.group.Go(func() {
		defer close(requests)
		if c.greet() {
			c.read(requests)
		}
	})
	for r := range requests {
		keeps := c.play(r)
		if !keeps {
			c.net.Close()
		}
		r.cancel(nil)
		close(r.played)
		if !keeps {
			break
		}
	}
	c.net.Close()
	for r := range requests { // what was read already; it ends, as the connection has
		r.cancel(nil)
		close(r.played)
	}
}

// read reads requests, one after the other, and watches for the client's leaving
// while one is answered.
func (c *conn) read(requests chan<- *request) {
	for {
		r := c.next()
		if r == nil {
			return
		}
		r.ctx, r.cancel = context.WithCancelCause(c.server.ctx)
		r.played = make(chan struct{})
		c.in.within(1, time.Time{}) // a byte of what comes next
		requests <- r
		if r.trouble != nil {
			<-r.played
			return
		}
		_, err := c.reader.Peek(1)
		if err != nil && !errors.Is(err, errTooLarge) {
			r.cancel(errLeft)
		}
		<-r.played
		if err != nil {
			return
		}
	}
}

// next reads a request to its end. It is nil where the connection ended instead.
func (c *conn) next() *request {
	limits := c.server.limits
	c.in.within(limits.Head, time.Now().Add(limits.Idle))
	if _, err := c.reader.Peek(1); err != nil {
		return nil
	}
	c.in.within(limits.Head, time.Now().Add(limits.Beginning))
	r, err := http.ReadRequest(c.reader)
	if err == nil && r.Method == http.MethodConnect {
		if c.tunnel(r) {
			return c.next()
		}
		return nil
	}
	if err != nil {
		if c.in.err != nil {
			err = c.in.err
		}
		return headTrouble(err)
	}
	c.in.within(math.MaxInt64, time.Time{})
	c.in.stalled = limits.Stalled
	if r.ProtoAtLeast(1, 1) && strings.EqualFold(r.Header.Get("Expect"), "100-continue") && r.ContentLength != 0 {
		_ = c.net.SetWriteDeadline(time.Now().Add(limits.Stalled))
		if _, err := io.WriteString(c.net, "HTTP/1.1 100 Continue\r\n\r\n"); err != nil {
			return nil
		}
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, limits.Body+1))
	switch {
	case isTimeout(err):
		return &request{trouble: fmt.Errorf("the body did not come within %s", limits.Stalled), status: http.StatusRequestTimeout}
	case err != nil:
		return &request{trouble: fmt.Errorf("the body did not come to its end: %w", err)}
	case int64(len(body)) > limits.Body:
		return &request{trouble: fmt.Errorf("the body is larger than %d bytes", limits.Body), status: http.StatusRequestEntityTooLarge}
	}
	return &request{Request: r, body: body}
}

// headTrouble is what is wrong with a head that could not be read, nil where there
// was none.
func headTrouble(err error) *request {
	switch {
	case errors.Is(err, errTooLarge):
		return &request{trouble: errors.New("the head of the request is too large"), status: http.StatusRequestHeaderFieldsTooLarge}
	case isTimeout(err):
		return &request{trouble: errors.New("the head of the request did not come in time"), status: http.StatusRequestTimeout}
	case isEnd(err), errors.Is(err, io.ErrUnexpectedEOF):
		return &request{trouble: errors.New("the connection ended inside the head of a request")}
	}
	return &request{trouble: fmt.Errorf("this is no request of HTTP/1.1: %w", err), status: http.StatusBadRequest}
}

// play answers a request, and reports whether the connection can go on.
func (c *conn) play(r *request) (keeps bool) {
	if r.trouble != nil {
		c.server.run.Noted(interp.Trouble{Provider: c.origin.Provider, Status: r.status, Message: r.trouble.Error()})
		c.refuse(r.status, r.trouble.Error())
		return false
	}
	asked := interp.Asked{Request: c.addressed(r), Body: r.body, Listener: c.origin.Provider, Connection: c.n, Reused: c.served > 0}
	c.served++
	x, err := c.server.run.Answer(r.ctx, asked)
	var refused *Refusal
	if errors.As(err, &refused) {
		c.say(refused.Script)
	}
	if err != nil {
		return false
	}
	if service := x.Relay(); service != nil {
		return c.relay(r, x, service)
	}
	script := x.Script()
	served := script.Serve(r.ctx, x.Clock(), &paced{c.net, c.server.limits.Stalled}, wire.ServeOptions{Reached: x.Reached, Sending: x.Sending, CutGap: cutGap(c.net)})
	x.Served(served)
	c.gaveUp(served.Err)
	return served.Err == nil && script.KeepsOpen() && !r.Close && !x.Closes()
}

// cutGap is how far apart the pieces of a stream leave: enough for a client of a real
// network, which joins what has come, to read the first by itself.
func cutGap(c net.Conn) time.Duration {
	for {
		if _, ok := c.(*net.TCPConn); ok {
			return 3 * time.Millisecond
		}
		outer, ok := c.(interface{ NetConn() net.Conn })
		if !ok {
			return 0
		}
		c = outer.NetConn()
	}
}

// gaveUp tells of a client that has stopped reading, where that is why an answer ended.
func (c *conn) gaveUp(err error) {
	if !isTimeout(err) || c.server.ctx.Err() != nil {
		return
	}
	text := fmt.Sprintf("a client of provider %q read nothing of its answer for %s, so its connection was closed", c.origin.name(), c.server.limits.Stalled)
	c.server.run.Noted(interp.Trouble{Provider: c.origin.Provider, Message: text, Warning: text + ".\nhint: have the program read every answer to its end, or close it"})
}

// addressed is a request with the address of the service that it was meant for.
func (c *conn) addressed(r *request) *http.Request {
	own := r.WithContext(r.ctx)
	target := *r.URL
	if target.Host == "" {
		target.Scheme, target.Host = c.origin.Base.Scheme, c.origin.Base.Host
	}
	if target.Host == "" { // asked of the proxy itself
		target.Scheme, target.Host = "http", r.Host
	}
	own.Header.Del("Proxy-Connection")
	c.received(own.Header)
	own.Header.Del("Proxy-Authorization")
	own.URL, own.RequestURI = &target, ""
	maps.Copy(own.Header, c.origin.Header)
	return own
}

// received tells the run of what a client gave for the proxy, which is no part of a request
// that the service would get.
func (c *conn) received(h http.Header) {
	if h.Get("Proxy-Authorization") != "" {
		c.server.run.Received(http.Header{"Proxy-Authorization": h.Values("Proxy-Authorization")})
	}
}

// refuse answers what is no request, and gives the client a moment to read it
// before the close of the connection discards what it has still sent.
func (c *conn) refuse(status int, why string) {
	if status == 0 {
		return
	}
	resp := wire.Response{
		Status: status, Header: []wire.Field{{Name: "Content-Type", Value: "text/plain"}, {Name: "Connection", Value: "close"}}, Parts: []wire.Part{{Data: []byte(why + "\n")}},
	}
	c.say(resp.Script(wire.Meta{}))
}

// say plays the last words on a connection, of no run.
func (c *conn) say(script wire.WireScript) {
	_ = script.Serve(c.server.ctx, wire.System(), &paced{c.net, c.server.limits.Stalled}, wire.ServeOptions{})
	if half, ok := c.net.(interface{ CloseWrite() error }); ok && half.CloseWrite() == nil {
		_ = c.net.SetReadDeadline(time.Now().Add(wire.ResetGap))
		_, _ = io.CopyN(io.Discard, c.net, c.server.limits.Head)
	}
}
