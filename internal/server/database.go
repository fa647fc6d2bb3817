package server

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/sql"
	"github.com/scenario-lang/scenario/providers/sql/serve"
	"github.com/scenario-lang/scenario/wire"
)

// A database is a run as one client of a database asks it.
type database struct {
	*conn
	base url.URL // with the database that the client wants
	// clock is that of the run that was asked last.
	clock *current

	mu     sync.Mutex
	cancel func() // ends the statement under way, nil for none
	asked  bool   // that something was
}

// converse serves a client of a database to its end.
func (c *conn) converse() {
	ctx, left := context.WithCancelCause(c.server.ctx)
	defer left(nil)
	_, can := c.server.run.(SessionRun)
	_, joins := c.server.run.(Joiner)
	if !can && !joins {
		c.server.run.Noted(interp.Trouble{Provider: c.origin.Provider, Message: "a client wanted a session of a database, which is not served"})
		return
	}
	d := &database{conn: c, base: *c.origin.Base, clock: &current{wire.System()}}
	c.server.enrol(c.n, d)
	defer c.server.dismiss(c.n)
	_ = c.net.SetReadDeadline(time.Now().Add(c.server.limits.Beginning))
	in := newAhead(c.net, c.server.limits.Body, left)
	c.server.group.Go(in.run)
	err := serve.Session(ctx, d.clock, &paced{in, c.server.limits.Stalled}, d)
	if d.asked {
		c.gaveUp(err)
	}
	if err != nil && c.server.ctx.Err() == nil && !isTimeout(err) {
		d.Noted("the session ended: " + err.Error())
	}
}

// A current clock is that of whoever is asked, which may be another one the next time.
// It belongs to one session.
type current struct{ wire.Clock }

// joined is the run of a request, and the request as that one is asked.
func (d *database) joined(a interp.Asked) (SessionRun, interp.Asked, error) {
	run, _ := d.server.run.(SessionRun)
	if j, ok := d.server.run.(Joiner); ok {
		var err error
		if run, a, err = j.Join(a); err != nil {
			return nil, a, err
		}
	}
	d.clock.Clock = run.Clock()
	return run, a, nil
}

// Connect implements serve.Server.
func (d *database) Connect(ctx context.Context, to serve.Startup) (serve.Exchange, error) {
	_ = d.net.SetReadDeadline(time.Time{}) // a pool may keep its sessions for long
	if to.Database != "" {
		d.base.Path, d.base.RawPath = "/"+to.Database, ""
	}
	address, err := sql.Address(d.base.String())
	if err != nil {
		return nil, err
	}
	req := &http.Request{Method: http.MethodConnect, URL: address, Header: http.Header{}, Proto: "PostgreSQL/3.0", ProtoMajor: 3}
	run, a, err := d.joined(d.of(req.WithContext(ctx), nil))
	if err != nil {
		return refusedOr(nil, err)
	}
	x, err := run.Connect(ctx, a)
	if err != nil || x != nil {
		return refusedOr(x, err)
	}
	run.Message(d.origin.Provider, "startup", map[string]any{"user": to.User, "database": strings.TrimPrefix(a.Request.URL.Path, "/")})
	return nil, nil
}

// of is a request as the run is asked it.
func (d *database) of(req *http.Request, body []byte) interp.Asked {
	return interp.Asked{Request: req, Body: body, Listener: d.origin.Provider, Connection: d.n, Reused: d.asked}
}

// refusedOr is an exchange, or what tells a client that no run answers it.
func refusedOr(x *interp.Exchange, err error) (serve.Exchange, error) {
	var r *Refusal
	switch {
	case errors.As(err, &r):
		return serve.Unfollowed(sql.Adapter{}.Refusal(r.Reason).Script(wire.Meta{})), nil
	case err != nil:
		return nil, err
	}
	return x, nil
}

// envelope is a statement as a request.
func (d *database) envelope(ctx context.Context, query string, args []any) (interp.Asked, error) {
	req, err := sql.Adapter{}.Request(ctx, providers.Input{BaseURL: d.base.String(), Statement: query, Args: args})
	if err != nil {
		return interp.Asked{}, fmt.Errorf("the statement cannot be told: %w", err)
	}
	req.Header.Del(sql.Dialled)
	maps.Copy(req.Header, d.origin.Header)
	body, err := providers.TakeBody(req)
	return d.of(req, body), err
}

// Due implements serve.Server.
func (d *database) Due(ctx context.Context, query string) []wire.WireScript {
	a, err := d.envelope(ctx, query, nil)
	if err != nil {
		return nil
	}
	run, a, err := d.joined(a)
	if err != nil {
		return nil
	}
	return run.Due(a)
}

// Ask implements serve.Server.
func (d *database) Ask(ctx context.Context, s serve.Statement) (serve.Exchange, error) {
	a, err := d.envelope(ctx, s.Query, s.Args)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	d.cancel = s.Cancel
	d.mu.Unlock()
	run, a, err := d.joined(a)
	if err != nil {
		return refusedOr(nil, err)
	}
	x, err := run.Answer(ctx, a)
	d.asked = true
	return refusedOr(x, err)
}

// Process implements serve.Server.
func (d *database) Process() uint32 { return uint32(d.n) }

// Cancel implements serve.Server.
func (d *database) Cancel(process uint32, _ []byte) {
	if other := d.server.client(int(process)); other != nil {
		other.mu.Lock()
		defer other.mu.Unlock()
		if other.cancel != nil {
			other.cancel()
		}
	}
}

// Noted implements serve.Server.
func (d *database) Noted(message string) {
	t := interp.Trouble{Provider: d.origin.Provider, Message: message}
	d.server.run.Noted(t)
}

// enrol makes a client of a database known to those who want its statement ended.
func (s *Server) enrol(n int, d *database) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.databases[n] = d
}

func (s *Server) dismiss(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.databases, n)
}

func (s *Server) client(n int) *database {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.databases[n]
}
