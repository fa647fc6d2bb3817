package sut

import (
	"context"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/scenario-lang/scenario/interp"
)

// A Way leads to a program that is a server, and to nothing else.
type Way interface {
	http.RoundTripper
	// Refusals says of each address why it accepts no connection. It is nil where
	// one does.
	Refusals(ctx context.Context) []string
}

// A service is a program that is a server, as it is asked.
type service struct {
	Way
	// base is its address as requests name it, and addresses are where it may
	// listen.
	base      *url.URL
	addresses []string
	port      int
	// path, where there is one, is asked to know whether it is ready, and status
	// what it answers then; 0 is any from 200 to 399.
	path   string
	status int

	mu sync.Mutex
	// said is what was the matter when it was last found not to be ready.
	said []string
}

// newService finds out where a program is to serve a provider: at its base_url,
// without one at a port that is free now.
func newService(p *interp.Provider) (*service, error) {
	if p.BaseURL == "" {
		port, err := freePort()
		if err != nil {
			return nil, fmt.Errorf("there is no free port for the program: %w", err)
		}
		s := &service{port: port, base: &url.URL{Scheme: "http", Host: net.JoinHostPort(loopback[0], strconv.Itoa(port))}}
		s.addresses = at(port, loopback...)
		return s, nil
	}
	base, err := url.Parse(p.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("the address of provider %q cannot be read: %w", p.Name, err)
	}
	s := &service{base: base, port: map[string]int{"http": 80, "https": 443}[base.Scheme]}
	if text := base.Port(); text != "" {
		if s.port, err = strconv.Atoi(text); err != nil {
			return nil, fmt.Errorf("the address of provider %q has no port that could be dialled: %w", p.Name, err)
		}
	}
	s.addresses = at(s.port, base.Hostname())
	if base.Hostname() == "localhost" {
		s.addresses = at(s.port, loopback...)
	}
	return s, nil
}

// loopback are the addresses of this machine for itself, one of each family: a
// program may listen at one of them alone.
var loopback = []string{"127.0.0.1", "::1"}

func at(port int, hosts ...string) []string {
	var list []string
	for _, h := range hosts {
		list = append(list, net.JoinHostPort(h, strconv.Itoa(port)))
	}
	return list
}

// given are the ports that programs of this process were given and may not have
// taken yet.
var given struct {
	mu    sync.Mutex
	ports []int
}

// freePort finds a port that nobody has, and gives no two programs the same.
func freePort() (int, error) {
	given.mu.Lock()
	defer given.mu.Unlock()
	for {
		l, err := net.Listen("tcp4", net.JoinHostPort(loopback[0], "0"))
		if err != nil {
			return 0, err
		}
		port := l.Addr().(*net.TCPAddr).Port
		l.Close()
		if !slices.Contains(given.ports, port) {
			given.ports = append(given.ports, port)
			return port, nil
		}
	}
}

// release gives a port back.
func release(port int) {
	given.mu.Lock()
	defer given.mu.Unlock()
	given.ports = slices.DeleteFunc(given.ports, func(p int) bool { return p == port })
}

// URL is where the program is, without a slash at the end.
func (s *service) URL() string { return strings.TrimSuffix(s.base.String(), "/") }

// RoundTrip implements http.RoundTripper: an answer may redirect to anywhere, and
// a step may name any address, but only the program is asked.
func (s *service) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.URL.Scheme != s.base.Scheme || !strings.EqualFold(req.URL.Host, s.base.Host) {
		return nil, fmt.Errorf("%s://%s is not the program under test, which is at %s://%s: nothing else is asked", req.URL.Scheme, req.URL.Host, s.base.Scheme, s.base.Host)
	}
	return s.Way.RoundTrip(req)
}

// glance is how often a program is looked at that is not ready, and answering how
// long it may take to answer then.
const (
	glance    = 20 * time.Millisecond
	answering = 2 * time.Second
)

// reached is closed when the program accepts connections and answers as it is
// asked to; ctx ends the looking.
// It is nil where the program is no server.
func (s *service) reached(ctx context.Context) <-chan struct{} {
	if s == nil {
		return nil
	}
	up := make(chan struct{})
	go func() {
		for ctx.Err() == nil {
			said := s.refuses(ctx)
			if ctx.Err() != nil {
				return
			}
			s.mu.Lock()
			s.said = said
			s.mu.Unlock()
			if said == nil {
				close(up)
				return
			}
			select {
			case <-ctx.Done():
			case <-time.After(glance):
			}
		}
	}()
	return up
}

// refuses says why the program is not ready, nil where it is.
func (s *service) refuses(ctx context.Context) []string {
	ctx, cancel := context.WithTimeout(ctx, answering)
	defer cancel()
	if said := s.Refusals(ctx); said != nil || s.path == "" {
		return said
	}
	address := s.URL() + s.path
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return []string{err.Error()}
	}
	resp, err := s.RoundTrip(req)
	if err != nil {
		return []string{fmt.Sprintf("GET %s: %s", address, err)}
	}
	resp.Body.Close()
	want := strconv.Itoa(s.status)
	if s.status == 0 {
		want = "200 to 399"
	}
	if resp.StatusCode == s.status || s.status == 0 && resp.StatusCode >= 200 && resp.StatusCode <= 399 {
		return nil
	}
	return []string{fmt.Sprintf("GET %s: %d, want %s", address, resp.StatusCode, want)}
}

// told is what was the matter last, a line for each address, and the port that
// the program was given.
func (s *service) told() string {
	if s == nil {
		return ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.said == nil {
		return ""
	}
	return "\n  " + strings.Join(s.said, "\n  ") + fmt.Sprintf("\nIt had PORT=%d.", s.port)
}

// serve finds out where the program is to serve, and adds that to what it is told.
// One that is no server may want a port, too.
func (r *run) serve(a *interp.Addresses) (err error) {
	p := r.sut.Serves
	if p == nil {
		r.port, err = freePort()
		a.Port = r.port
		return err
	}
	s, err := newService(p)
	if err != nil {
		return err
	}
	s.Way = r.options.Reach(s.addresses)
	if ready := r.sut.Ready; ready != nil {
		s.path, s.status = ready.Path, ready.Status
	}
	r.service = s
	maps.Copy(r.sets, r.toldServer())
	r.port, a.Port, a.URLs[p.Name] = s.port, s.port, s.URL()
	return nil
}

// listens is the port of a program that is a server, 0 where it is none.
func (s *service) listens() int {
	if s == nil {
		return 0
	}
	return s.port
}

// toldServer are the variables for a program that is a server.
func (r *run) toldServer() map[string]string {
	vars := map[string]string{"PORT": strconv.Itoa(r.service.port)}
	if p := r.sut.Serves; p.ApiKeyEnv != "" {
		vars[p.ApiKeyEnv] = placeholder
	}
	if p := r.sut.Serves; p.AddressEnv != "" {
		vars[p.AddressEnv] = r.service.URL()
	}
	return vars
}

// occupied is an error where somebody else is where the program is to be.
func (r *run) occupied() error {
	if r.service == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(r.ctx, answering)
	defer cancel()
	if r.service.Refusals(ctx) != nil {
		return nil
	}
	return fmt.Errorf("something listens at %s before the program is started, so nobody would know who answers.\nhint: end it, or leave out the base_url of provider %q: the program then gets a free port in PORT", strings.Join(r.service.addresses, " or "), r.sut.Serves.Name)
}

// dying is how long the end of a program may take to be seen that closed its
// connections by that.
const dying = 200 * time.Millisecond

// drive has the workflow ask the program, where there is one to ask it. What it
// returns is closed when that has ended, and nil where nothing drives. Where the
// workflow had no success, the program may be about to end.
func (r *run) drive() <-chan struct{} {
	if r.service == nil || !r.outside.Drives() {
		return nil
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if r.outside.Drive(interp.DriveOptions{BaseURL: r.service.URL(), Transport: r.came.following(r.service, r.outside.Elapsed), Key: placeholder}) {
			return
		}
		select {
		case <-r.process.Exited():
		case <-r.options.Interrupt:
		case <-time.After(dying):
		}
	}()
	return done
}
