package dial

import (
	"net/http"

	"github.com/scenario-lang/scenario/providers/sql"
)

// Network dials whatever a step calls: databases by their own protocol,
// everything else over HTTP as http.DefaultTransport does, with HTTP/2 where the
// server has it and the proxies of the environment. It is safe for concurrent
// use.
func Network() http.RoundTripper {
	return network{http.DefaultTransport.(*http.Transport).Clone()}
}

type network struct{ http http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (n network) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.URL.Scheme == sql.Scheme {
		return dialDatabase(req)
	}
	return n.http.RoundTrip(req)
}
