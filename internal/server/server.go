package server

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/wire"
)

// A Run answers requests, and is told what was no request. An *interp.Outside
// is one.
type Run interface {
	// Answer decides what a request meets. With an error that is no [Refusal] the
	// connection ends.
	Answer(ctx context.Context, a interp.Asked) (*interp.Exchange, error)
	// Noted is told of what a client sent that no request was read from.
	Noted(t interp.Trouble)
	// Listed reports whether a host with its port is the address of a provider, and
	// Unlisted is told of one that is not.
	Listed(host string) bool
	Unlisted(host string)
	// Received is told of header fields that a client gave for the proxy.
	Received(h http.Header)
}

// A SessionRun is one that also answers clients of databases, whose sessions it
// opens. An *interp.Outside is one.
type SessionRun interface {
	Run
	// Connect decides what a client meets that wants a session, nil where it gets
	// one, and Due lists what a statement could be answered.
	Connect(ctx context.Context, a interp.Asked) (*interp.Exchange, error)
	Due(a interp.Asked) []wire.WireScript
	// Message is told of what is said on a connection and is no request.
	Message(provider, what string, params map[string]any)
	// Clock is that of what waits on a connection.
	Clock() wire.Clock
}

// A Joiner is a run that is made of several, one of which a client of a database or of
// a pipe names in what it asks.
type Joiner interface {
	// Join is the run of a request, and the request without what names it. The
	// error may be a [Refusal].
	Join(a interp.Asked) (SessionRun, interp.Asked, error)
}

// A Refusal is the error of a request that no run answers, and says what its
// client is told.
type Refusal struct {
	Script wire.WireScript
	Reason string
}

// Error implements error.
func (r *Refusal) Error() string { return r.Reason }

// An Origin is the service that a listener stands for.
type Origin struct {
	// Provider names the provider whose own listener it is, "" for that of an
	// address which several have.
	Provider string
	// Base is its address, whose scheme and host requests get.
	Base *url.URL
	// Token, where not "", is what a client of a pipe says first, in a line of its
	// own. Lingers says that its last word need not be its leaving.
	Token   string
	Lingers bool
	// Header is added to what is asked.
	Header http.Header
}

// Limits bound what clients may send, and how long they may take.
type Limits struct {
	Head, Body int64
	// Beginning is how long the head of a request may take from its first byte,
	// Idle how long a connection may be silent between requests, and Stalled how
	// long a write or the body of a request may make no progress.
	Beginning, Idle, Stalled time.Duration
}

// DefaultLimits are those of the command.
var DefaultLimits = Limits{Head: 1 << 20, Body: 64 << 20, Beginning: 30 * time.Second, Idle: 2 * time.Minute, Stalled: 30 * time.Second}

// A Server serves one run. It is safe for concurrent use.
type Server struct {
	run    Run
	limits Limits
	// interception is set before anybody connects.
	interception Interception

	// ctx ends with the server, and its cause is http.ErrServerClosed.
	ctx   context.Context
	close context.CancelCauseFunc
	group sync.WaitGroup

	mu        sync.Mutex
	listeners []net.Listener
	conns     map[net.Conn]bool
	// accepted counts the connections of the run, and origins those of each
	// listener, by its provider or host.
	accepted int
	origins  map[string]int
	// databases are those that have clients, by their connections.
	databases map[int]*database
}

// New makes a server that listens nowhere yet.
func New(run Run, limits Limits, i Interception) *Server {
	s := &Server{interception: i, run: run, limits: limits, conns: map[net.Conn]bool{}, origins: map[string]int{}, databases: map[int]*database{}}
	s.ctx, s.close = context.WithCancelCause(context.Background())
	return s
}

// Listen begins to accept connections for a service, on 127.0.0.1. With a port,
// which a program knows, it is also there on ::1 where the machine has that; 0 is
// any port. It returns the port.
func (s *Server) Listen(at Origin, port int) (int, error) {
	l, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return 0, err
	}
	s.accept(l, at)
	if port != 0 {
		if six, err := net.Listen("tcp6", net.JoinHostPort("::1", strconv.Itoa(port))); err == nil {
			s.accept(six, at)
		}
	}
	return l.Addr().(*net.TCPAddr).Port, nil
}

// ListenHTTP listens for a service of HTTP and returns its address here, which ends
// without a slash.
func (s *Server) ListenHTTP(at Origin, port int) (string, error) {
	port, err := s.Listen(at, port)
	return strings.TrimSuffix(fmt.Sprintf("http://127.0.0.1:%d%s", port, at.Base.Path), "/"), err
}

// Proxy begins to accept connections of clients that ask for any host, on
// 127.0.0.1. It returns its address.
func (s *Server) Proxy() (string, error) { return s.ListenHTTP(Origin{Base: &url.URL{}}, 0) }

func (s *Server) accept(l net.Listener, at Origin) {
	s.mu.Lock()
	s.listeners = append(s.listeners, l)
	s.mu.Unlock()
	s.group.Go(func() {
		for {
			c, err := l.Accept()
			switch {
			case s.ctx.Err() != nil:
				if err == nil {
					c.Close()
				}
				return
			case err != nil: // too many files are open, as a rule
				if wire.System().Sleep(s.ctx, 10*time.Millisecond) != nil {
					return
				}
				continue
			}
			s.Serve(c, at)
		}
	})
}

// Serve serves a connection, which it closes, and returns at once.
func (s *Server) Serve(c net.Conn, at Origin) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() != nil {
		c.Close()
		return
	}
	s.conns[c] = true
	s.accepted++
	s.origins[at.name()]++
	n := s.accepted
	s.group.Go(func() {
		defer func() {
			c.Close()
			s.mu.Lock()
			delete(s.conns, c)
			s.mu.Unlock()
		}()
		(&conn{server: s, net: c, origin: at, n: n}).begin()
	})
}

func (o Origin) name() string {
	if o.Provider != "" {
		return o.Provider
	}
	return o.Base.Host
}

// Accepted counts the connections that came to the listener of a service, by its
// provider or, without one, its host.
func (s *Server) Accepted(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.origins[name]
}

// Drain returns when all connections have ended, or after so long. What a client wrote
// or ended before it went may not have been read when it has gone: a request that it did
// not wait for, or a handshake that it broke off.
func (s *Server) Drain(atMost time.Duration) {
	clock := wire.System()
	for began := clock.Now(); clock.Now().Sub(began) < atMost; {
		s.mu.Lock()
		n := len(s.conns)
		s.mu.Unlock()
		if n == 0 || clock.Sleep(s.ctx, time.Millisecond) != nil {
			return
		}
	}
}

// Close ends all connections and listeners, and returns when nothing of the
// server runs any more.
func (s *Server) Close() {
	s.mu.Lock()
	s.close(http.ErrServerClosed)
	for _, l := range s.listeners {
		l.Close()
	}
	for c := range s.conns {
		c.Close()
	}
	s.mu.Unlock()
	s.group.Wait()
}
