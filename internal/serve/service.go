package serve

import (
	"context"
	"fmt"
	"maps"
	"net"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/scenario-lang/scenario/internal/server"
	"github.com/scenario-lang/scenario/internal/server/authority"
	"github.com/scenario-lang/scenario/internal/sut"
	"github.com/scenario-lang/scenario/interp"
)

// Options say what is served.
type Options struct {
	// Plans are the scenarios that sessions can play, all with the way
	// interp.Serve.
	Plans []*interp.Plan
	// Ports are those of the listeners that a program expects, by provider, and
	// Control is that of the control listener; 0 is any.
	Ports   map[string]int
	Control int
	// Bridge is the command that joins its standard streams to an address, which
	// follows it with a token.
	Bridge []string
	// Keep is how many exchanges a session remembers, 0 for [Keep].
	Keep int
	// Env finds a variable of the environment; certificates are found by some.
	Env func(name string) (string, bool)
	// Environment is what programs that are started beside the service have, so that
	// sessions hide the secrets in it.
	Environment []string
	// OnSecret, where not nil, is told of secrets when they become known, which what is
	// shown of sessions must hide. It must not block.
	OnSecret func(values []string)
	// OnGate and OnExchange, where not nil, are told what happens in a session, and
	// OnNote what belongs to none. They are called from many goroutines, one at a
	// time for each session, and must not block or call the service.
	OnGate     func(session string, p interp.Problem, times int)
	OnExchange func(session string, e interp.Ended)
	OnNote     func(message string)
	// OnJudged, where not nil, is told of every session that is judged, by one at a
	// time.
	OnJudged func(j Judged)
	// Describe is a result as the control listener tells it.
	Describe func(j Judged) []byte
	// Words are a result for people, as the control listener tells it, too.
	Words func(j Judged) string
}

// Keep is how many exchanges a session remembers: those are what conditions read.
const Keep = 10_000

// A Judged session has come to its end.
type Judged struct {
	Session string
	*interp.Result
	// Warnings are what there is to say that breaks nothing.
	Warnings []string
	// Requests counts what it was asked, and Elapsed is the time from the first of
	// them, 0 without one.
	Requests int
	Elapsed  time.Duration
}

// Failed reports whether the session did not pass.
func (j *Judged) Failed() bool { return j.Verdict == interp.Fail || j.Verdict == interp.Error }

// Addresses are where a service is asked.
type Addresses struct {
	// Providers are the base URLs by the names of the providers, without a slash
	// at the end; those of databases are connection strings.
	Providers map[string]string
	// Commands are those of servers over a pipe, by the names of the providers.
	Commands map[string][]string
	// Control is the URL of the control listener, and Proxy that of a proxy for
	// programs that ask the services by their own addresses.
	Control, Proxy string
	// Env are the variables that tell a program where the services are, as if it
	// were started for the scenarios, and have it trust what answers there.
	Env map[string]string
}

// A Service is what listens, and the sessions that it plays. It is safe for
// concurrent use.
type Service struct {
	*sessions
	server    *server.Server
	authority *authority.Authority
	control   *http.Server
	// served is closed when the control listener has ended.
	served    chan struct{}
	addresses Addresses
}

// Listen begins to serve, on loopback. The error names what cannot be listened
// for.
func Listen(o Options) (*Service, error) {
	asked, err := askedBy(o.Plans)
	if err != nil {
		return nil, err
	}
	if o.Keep == 0 {
		o.Keep = Keep
	}
	s := &Service{sessions: newSessions(o, asked), addresses: Addresses{Providers: map[string]string{}}, served: make(chan struct{})}
	if s.authority, err = authority.New(o.Env); err != nil {
		return nil, fmt.Errorf("there can be no certificates for programs: %w", err)
	}
	s.sessions.at = &s.addresses
	s.server = server.New(s.sessions, server.DefaultLimits, server.Interception{Authority: s.authority})
	if err := s.listen(asked, o); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Service) listen(asked []*interp.Provider, o Options) error {
	listen := func(at server.Origin) (string, error) { return s.server.ListenHTTP(at, 0) }
	at := interp.Addresses{URLs: s.addresses.Providers, DSNs: map[string]string{}, Commands: map[string][]string{}}
	for _, p := range asked {
		if err := sut.Offer(s.server, p, o.Ports[p.Name], o.Bridge, &at); err != nil {
			return err
		}
	}
	maps.Copy(s.addresses.Providers, at.DSNs)
	s.addresses.Commands = at.Commands
	vendors, err := sut.Vendors(asked, s.addresses.Providers, listen)
	if err != nil {
		return err
	}
	if s.addresses.Proxy, err = s.server.Proxy(); err != nil {
		return fmt.Errorf("nothing can listen for the proxy: %w", err)
	}
	s.addresses.Env = sut.Variables(asked, s.addresses.Providers, vendors)
	databases, err := sut.Databases(asked, at.DSNs)
	if err != nil {
		return err
	}
	maps.Copy(s.addresses.Env, databases)
	intercepted, err := sut.Intercepted(s.addresses.Proxy, s.authority, o.Env)
	if err != nil {
		return err
	}
	maps.Copy(s.addresses.Env, intercepted)
	l, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(o.Control)))
	if err != nil {
		return fmt.Errorf("nothing can listen for the control of sessions: %w", err)
	}
	s.addresses.Control = "http://" + l.Addr().String()
	s.control = &http.Server{Handler: s.sessions.handler(), ReadHeaderTimeout: 30 * time.Second, ReadTimeout: time.Minute, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 1 << 16}
	go func() {
		defer close(s.served)
		_ = s.control.Serve(l) // it ends with Close alone
	}()
	return nil
}

// askedBy are the providers that programs can ask in some scenarios, one for each
// name. The error names two of one name that have different addresses.
func askedBy(plans []*interp.Plan) ([]*interp.Provider, error) {
	var list []*interp.Provider
	files := map[string]string{}
	for _, plan := range plans {
		for _, p := range plan.Asked() {
			i := slices.IndexFunc(list, func(known *interp.Provider) bool { return known.Name == p.Name })
			if i < 0 {
				list, files[p.Name] = append(list, p), plan.File
			} else if known := list[i].Address(); known != p.Address() {
				return nil, fmt.Errorf("provider %q is %s in %s and %s in %s, and one listener cannot stand for both: select the scenarios of one of them, or give one provider another name", p.Name, known, files[p.Name], p.Address(), plan.File)
			}
		}
	}
	return list, nil
}

// Addresses are where the service is asked.
func (s *Service) Addresses() Addresses { return s.addresses }

// Finish judges all sessions that are open, in the order in which they began.
// Requests that come later have no answer.
func (s *Service) Finish() { s.sessions.finishAll() }

// Close ends all listeners and connections, and removes what was written. It
// judges nothing.
func (s *Service) Close() {
	if s.control != nil {
		// What Finish has told is read by whoever asked for it.
		ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
		if s.control.Shutdown(ctx) != nil {
			s.control.Close()
		}
		cancel()
		<-s.served
	}
	s.server.Close()
	_ = s.authority.Close() // a temporary directory that stays is no result
}
