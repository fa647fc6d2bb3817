package scenario

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/scenario-lang/scenario/internal/server"
	"github.com/scenario-lang/scenario/interp"
)

// A Dialled connection says for which endpoint and in which lane its requests
// are, where nothing else tells; "" leaves that to the file.
type Dialled struct{ Endpoint, Lane string }

func (d Dialled) header() http.Header {
	h := http.Header{}
	if d.Endpoint != "" {
		h.Set(interp.HeaderEndpoint, d.Endpoint)
	}
	if d.Lane != "" {
		h.Set(interp.HeaderLane, d.Lane)
	}
	return h
}

// DialContext connects to a provider in the place of the network, for clients
// that want a connection and no transport, such as those of a database. The
// address, a host with its port, is that of a base_url. What answers is a
// goroutine or two for each connection, which [Driven.Finish] ends. An address of
// no provider breaks a gate.
//
// TLS is not spoken: what asks https:// is given [Driven.Transport].
func (d *Driven) DialContext(ctx context.Context, network, address string, as Dialled) (net.Conn, error) {
	if !strings.HasPrefix(network, "tcp") {
		return nil, fmt.Errorf("%s cannot be dialled over %s: the providers of a scenario are there over TCP", address, network)
	}
	if ctx.Err() != nil { // as a net.Dialer, which then dials nobody
		return nil, &net.OpError{Op: "dial", Net: network, Addr: remote(address), Err: ctx.Err()}
	}
	at, err := d.originAt(address)
	if err != nil {
		return nil, err
	}
	at.Header = as.header()
	return d.connect(at, pipe, remote(address))
}

// Stdio is the standard input and output of a provider that is a process.
// Closing it ends that.
func (d *Driven) Stdio(provider string, as Dialled) (io.ReadWriteCloser, error) {
	var names []string
	for _, p := range d.scenario.plan.Asked() {
		if p.Command == nil {
			continue
		}
		names = append(names, p.Name)
		if p.Name != provider {
			continue
		}
		// The client of a process that crashes reads the end.
		return d.connect(server.Origin{Provider: p.Name, Base: p.Base(), Header: as.header()}, func(remote) (near, far net.Conn) { return net.Pipe() }, remote(p.Address()))
	}
	if names == nil {
		return nil, fmt.Errorf("provider %q is no process: no provider that the program can ask has a command", provider)
	}
	return nil, fmt.Errorf("provider %q is no process: those with a command are %s", provider, strings.Join(names, ", "))
}

// Connections counts those that were made and that nobody has closed.
func (d *Driven) Connections() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.open
}

// originAt is the service at an address. Where several providers have it, what
// is asked tells whose it is.
func (d *Driven) originAt(address string) (server.Origin, error) {
	var found []server.Origin
	for _, p := range d.scenario.plan.Asked() {
		if p.At(address) {
			found = append(found, server.Origin{Provider: p.Name, Base: p.Base()})
		}
	}
	switch {
	case len(found) == 0:
		d.outside.Unlisted(address)
		return server.Origin{}, fmt.Errorf("%s is the address of no provider", address)
	case found[0].Base.Scheme == "https":
		return server.Origin{}, fmt.Errorf("%s is asked over TLS, which is not spoken here: give the client the transport of the scenario", address)
	case len(found) > 1:
		return server.Origin{Base: found[0].Base}, nil
	}
	return found[0], nil
}

// unread is how long a client may leave what it is answered unread. Nothing is kept for it
// on the way, as the buffers of sockets do, and fake time costs a test nothing: one that
// comes back for an answer after minutes has to find it.
const unread = 24 * time.Hour

// connect makes a connection whose other end the run answers.
func (d *Driven) connect(at server.Origin, ends func(remote) (near, far net.Conn), to remote) (net.Conn, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.over {
		return nil, interp.ErrFinished
	}
	if d.server == nil {
		limits := server.DefaultLimits
		limits.Stalled = unread
		d.server = server.New(d.outside, limits, server.Interception{})
	}
	ours, theirs := ends(to)
	d.server.Serve(theirs, at)
	d.open++
	return &dialled{Conn: ours, closed: sync.OnceFunc(func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.open--
	})}, nil
}

// hangUp ends all connections.
func (d *Driven) hangUp() {
	d.mu.Lock()
	d.over = true
	s := d.server
	d.mu.Unlock()
	if s != nil {
		s.Close()
	}
}

// settle gives what the other ends of connections have still to do its time, in
// which a client that has read all is one that has been answered.
func (d *Driven) settle(patience time.Duration) {
	d.mu.Lock()
	used := d.server != nil
	d.mu.Unlock()
	if used {
		_ = d.clock.Sleep(context.Background(), patience)
	}
}

// A dialled connection tells when it is closed.
type dialled struct {
	net.Conn
	closed func()
}

// A remote is the address that was dialled.
type remote string

// Network implements net.Addr.
func (remote) Network() string { return "tcp" }

// String implements net.Addr.
func (r remote) String() string { return string(r) }

// Close implements net.Conn.
func (c *dialled) Close() error {
	c.closed()
	return c.Conn.Close()
}
