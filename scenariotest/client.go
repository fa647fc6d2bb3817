package scenariotest

import (
	"net/http"

	"github.com/scenario-lang/scenario/interp"
)

// Transport answers requests from the scenario, in the place of the network.
func (s *Scenario) Transport() http.RoundTripper {
	return labelled{s.driven.Transport(), s.endpoint, s.lane}
}

// Client is an HTTP client whose requests the scenario answers.
func (s *Scenario) Client() *http.Client { return &http.Client{Transport: s.Transport()} }

// labelled adds to every request where it belongs.
type labelled struct {
	http.RoundTripper
	endpoint, lane string
}

// RoundTrip implements http.RoundTripper.
func (l labelled) RoundTrip(r *http.Request) (*http.Response, error) {
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
