package scenariotest

import (
	"context"
	"io"
	"net"
	"net/http"

	"github.com/scenario-lang/scenario"
	"github.com/scenario-lang/scenario/interp"
)

// Transport answers requests from the scenario, in the place of the network.
func (s *Scenario) Transport() http.RoundTripper {
	return labelled{s.state, s.driven.Transport(), s.endpoint, s.lane}
}

// Client is an HTTP client whose requests the scenario answers.
func (s *Scenario) Client() *http.Client { return &http.Client{Transport: s.Transport()} }

// DialContext connects to a provider in the place of the network: for clients that
// want a connection and no transport, such as those of a database. The address,
// a host with its port, is that of a base_url, and selects the provider. A client
// that looks names up itself has to be kept from that.
func (s *Scenario) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	return s.driven.DialContext(ctx, network, address, scenario.Dialled{Endpoint: s.endpoint, Lane: s.lane})
}

// Stdio is the standard input and output of a provider that is a process: one
// with a command. Closing it ends the process. It fails the test where there is
// no such provider, and so belongs into its goroutine.
func (s *Scenario) Stdio(provider string) io.ReadWriteCloser {
	s.t.Helper()
	pipe, err := s.driven.Stdio(provider, scenario.Dialled{Endpoint: s.endpoint, Lane: s.lane})
	if err != nil {
		s.t.Fatal(err)
	}
	return pipe
}

// labelled adds to every request where it belongs.
type labelled struct {
	*state
	http.RoundTripper
	endpoint, lane string
}

// RoundTrip implements http.RoundTripper.
func (l labelled) RoundTrip(r *http.Request) (*http.Response, error) {
	l.endUseless()
	if l.endpoint == "" && l.lane == "" {
		return l.RoundTripper.RoundTrip(r)
	}
	own := r.Clone(r.Context())
	if l.endpoint != "" {
		own.Header.Set(interp.HeaderEndpoint, l.endpoint)
	}
	if l.lane != "" {
		own.Header.Set(interp.HeaderLane, l.lane)
	}
	return l.RoundTripper.RoundTrip(own)
}
