package server

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/providers/mcp"
	"github.com/scenario-lang/scenario/wire"
)

// Token is what a bridge says first, so that nobody else joins a pipe.
func Token() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // it never fails
	return hex.EncodeToString(b[:])
}

// A pipe is a run as a client asks it that speaks in lines of JSON, as to a
// process: requests are answered as soon as they can, each by itself.
type pipe struct {
	*conn
	base *url.URL

	// writing has what a line takes while it is written, one at a time. It is a channel
	// and no mutex: who waits for one keeps fake time from passing, and with it the end of
	// what it waits for.
	writing chan struct{}
	group   sync.WaitGroup

	mu sync.Mutex
	// under are the requests that have no whole answer, by their ids.
	under map[string]context.CancelCauseFunc
	count int
}

// errCancelled is the cause of the end of a request that its client took back.
var errCancelled = errors.New("the client took the request back")

// lingering is how long after the last word of a client answers still go on: one
// that writes to a pipe and closes it wants to read what comes.
const lingering = 50 * time.Millisecond

// begun is the least time that passes. In a test with fake time it passes once all that the
// client asked for has been begun, so that a client which asks and leaves at once was
// answered as far as it can be, however goroutines are scheduled.
const begun = time.Nanosecond

// pipes serves a client of a server over a pipe to its end.
func (c *conn) pipes() {
	ctx, left := context.WithCancelCause(c.server.ctx)
	defer left(nil)
	_ = c.net.SetReadDeadline(time.Now().Add(c.server.limits.Beginning))
	c.in = &input{net: c.net}
	c.in.within(math.MaxInt64, time.Now().Add(c.server.limits.Beginning))
	reader := bufio.NewReaderSize(c.in, 64<<10)
	below, admitted := c.admitted(reader)
	if !admitted {
		return
	}
	c.in.within(math.MaxInt64, time.Time{})
	base := *c.origin.Base
	base.Path = below + base.Path
	p := &pipe{conn: c, base: &base, writing: make(chan struct{}, 1), under: map[string]context.CancelCauseFunc{}}
	// That the client has left is told below, once all that it said has been read and the
	// answers under way had their time.
	in := newAhead(&prefixed{c.net, reader}, c.server.limits.Body, func(error) {})
	c.server.group.Go(in.run)
	p.read(ctx, bufio.NewReaderSize(in, 64<<10))
	rest := begun
	if c.origin.Lingers {
		rest = lingering
	}
	_ = wire.System().Sleep(ctx, rest)
	left(errLeft)
	p.group.Wait()
	in.Close()
}

// belowMax bounds what a client says behind the token.
const belowMax = 200

// admitted reports whether a client says the token of the listener first, in a line of
// its own. Behind it may stand a path, below which all of its requests are.
func (c *conn) admitted(r *bufio.Reader) (below string, ok bool) {
	if c.origin.Token == "" {
		return "", true
	}
	said := make([]byte, len(c.origin.Token))
	_, err := io.ReadFull(r, said)
	if err == nil && subtle.ConstantTimeCompare(said, []byte(c.origin.Token)) == 1 {
		if below, ok = restOf(r); ok {
			return below, true
		}
	}
	c.server.run.Noted(interp.Trouble{Provider: c.origin.Provider, Message: "a client that did not say the token of the pipe was turned away"})
	return "", false
}

// restOf is the path behind a token, to the end of the line.
func restOf(r *bufio.Reader) (path string, ok bool) {
	var line []byte
	for len(line) <= belowMax {
		b, err := r.ReadByte()
		switch {
		case err != nil:
			return "", false
		case b == '\n':
			path, spaced := strings.CutPrefix(string(line), " ")
			return path, len(line) == 0 || spaced && strings.HasPrefix(path, "/")
		}
		line = append(line, b)
	}
	return "", false
}

// read begins an exchange for each line, until the client leaves.
func (p *pipe) read(ctx context.Context, r *bufio.Reader) {
	for {
		line, err := p.line(r)
		if err != nil {
			if errors.Is(err, errTooLarge) {
				p.trouble(fmt.Sprintf("a message is larger than %d bytes", p.server.limits.Body))
			}
			return
		}
		line = bytes.TrimSpace(line)
		if len(line) > 0 && !p.begun(ctx, line) {
			return
		}
	}
}

// line is the next line, of a bounded size.
func (p *pipe) line(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case int64(len(line)) > p.server.limits.Body:
			return nil, errTooLarge
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && (err != io.EOF || len(bytes.TrimSpace(line)) == 0):
			return nil, err
		}
		return line, nil // the last one may have no end
	}
}

func (p *pipe) trouble(message string) {
	p.server.run.Noted(interp.Trouble{Provider: p.origin.Provider, Message: message})
}

// begun answers a message. What it takes from the run is taken in the order of
// the messages, so that is done before the next is read; only waits overlap.
func (p *pipe) begun(ctx context.Context, line []byte) bool {
	var says struct {
		ID     json.RawMessage
		Method string
		Params struct {
			RequestID json.RawMessage `json:"requestId"`
		}
	}
	_ = json.Unmarshal(line, &says) // the run says what is wrong with it
	if says.Method == "notifications/cancelled" {
		p.end(string(says.Params.RequestID))
	}
	own, cancel := context.WithCancelCause(ctx)
	id := string(says.ID)
	p.mu.Lock()
	p.count++
	if id != "" && says.Method != "" {
		p.under[id] = cancel
	}
	reused := p.count > 1
	p.mu.Unlock()
	req := &http.Request{Method: http.MethodPost, URL: p.base, Header: http.Header{"Content-Type": {"application/json"}}, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}
	maps.Copy(req.Header, p.origin.Header)
	asked := interp.Asked{Request: req.WithContext(own), Body: line, Listener: p.origin.Provider, Connection: p.n, Reused: reused}
	taken := make(chan struct{})
	p.group.Go(func() {
		defer cancel(nil)
		x, err := p.server.run.Answer(own, asked)
		close(taken)
		var refused *Refusal
		if errors.As(err, &refused) {
			in, _ := mcp.Adapter{}.Read(req, line)
			in.Pipe = true
			_, _ = (&lines{pipe: p}).Write(mcp.Adapter{}.Gate(in, refused.Reason).Body())
		}
		if err != nil {
			return
		}
		p.play(own, x)
		p.mu.Lock()
		delete(p.under, id)
		p.mu.Unlock()
	})
	select {
	case <-taken:
	case <-time.After(patience):
	}
	return p.server.ctx.Err() == nil
}

// patience is more than a request needs to get into its lane. There it may wait
// for the end of another one, which the next message may bring.
const patience = 5 * time.Millisecond

// end ends a request that its client took back.
func (p *pipe) end(id string) {
	p.mu.Lock()
	cancel := p.under[id]
	p.mu.Unlock()
	if cancel != nil {
		cancel(errCancelled)
	}
}

// play says an answer. One that ends the connection ends the whole pipe.
func (p *pipe) play(ctx context.Context, x *interp.Exchange) {
	script := x.Script()
	status := script.Status()
	bare := script.Unframed()
	if status == http.StatusAccepted {
		x.Served(wire.Served{Sent: len(script.Bytes()), By: wire.ByServer}) // nothing is said to a notification
		return
	}
	before := make([]int, len(script.Ops)+1)
	for i, op := range script.Ops {
		before[i+1] = before[i] + len(op.Data)
	}
	reached := 0
	out := &lines{pipe: p}
	served := bare.Serve(ctx, x.Clock(), out, wire.ServeOptions{Reached: func(op int) {
		reached = op
		x.Reached(op)
	}, Sending: x.Sending})
	out.release()
	served.Sent = before[reached]
	if served.Err == nil && served.By == wire.ByServer {
		served.Sent = len(script.Bytes())
	}
	x.Served(served)
	p.gaveUp(served.Err)
	if served.Err == nil && !bare.KeepsOpen() && served.By == wire.ByServer {
		p.net.Close()
	}
}

// lines is the connection as one answer writes to it: whole lines, so that no
// other answer comes between their bytes.
type lines struct {
	*pipe
	holds bool
}

// Write implements net.Conn.
func (l *lines) Write(b []byte) (int, error) {
	if !l.holds {
		l.writing <- struct{}{}
		l.holds = true
	}
	n, err := (&paced{l.net, l.server.limits.Stalled}).Write(b)
	if err != nil {
		l.net.Close() // nobody could tell where the next line begins
	}
	if err != nil || bytes.HasSuffix(b, []byte("\n")) {
		l.release()
	}
	return n, err
}

func (l *lines) release() {
	if l.holds {
		l.holds = false
		<-l.writing
	}
}

// Close implements net.Conn: what is taken back ends an answer, and not the
// pipe.
func (l *lines) Close() error { return nil }

// The rest of net.Conn.

func (l *lines) Read([]byte) (int, error)          { return 0, io.EOF }
func (l *lines) LocalAddr() net.Addr               { return l.net.LocalAddr() }
func (l *lines) RemoteAddr() net.Addr              { return l.net.RemoteAddr() }
func (l *lines) SetDeadline(t time.Time) error     { return l.net.SetDeadline(t) }
func (l *lines) SetReadDeadline(t time.Time) error { return l.net.SetReadDeadline(t) }
func (l *lines) SetWriteDeadline(t time.Time) error {
	return l.net.SetWriteDeadline(t)
}
