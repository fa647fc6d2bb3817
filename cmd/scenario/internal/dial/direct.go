package dial

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/scenario-lang/scenario/providers"
)

// connecting is how long one address may take to accept a connection.
const connecting = 5 * time.Second

// A Direct way leads to one server at some addresses, of which the first that
// accepts is used, whatever a request names, and past every proxy. It is safe for
// concurrent use.
type Direct struct {
	addresses []string
	http      *http.Transport
}

// NewDirect is the way to a server. Each request has a connection of its own: on
// one that was used before a client tries again by itself where it finds it
// closed, and nobody sees that.
func NewDirect(addresses []string) *Direct {
	d := &Direct{addresses: addresses}
	d.http = &http.Transport{DialContext: d.connect, DisableKeepAlives: true, DisableCompression: true}
	return d
}

// RoundTrip implements http.RoundTripper. A request is sent as the scenario has it: with the names of its header
// fields as they are written, and without Accept-Encoding unless it has one.
func (d *Direct) RoundTrip(req *http.Request) (*http.Response, error) {
	return d.http.RoundTrip(providers.Spelled(req))
}

// Refusals says of each address why it accepts no connection. It is nil where one
// does.
func (d *Direct) Refusals(ctx context.Context) []string {
	var list []string
	for _, address := range d.addresses {
		c, err := dialOne(ctx, address)
		if err == nil {
			c.Close()
			return nil
		}
		list = append(list, fmt.Sprintf("%s: %s", address, reason(err)))
	}
	return list
}

// reason is an error without the address that it names.
func reason(err error) error {
	if op := (*net.OpError)(nil); errors.As(err, &op) {
		return op.Err
	}
	return err
}

// connect is for http.Transport.
func (d *Direct) connect(ctx context.Context, _, _ string) (c net.Conn, err error) {
	var first error
	for _, address := range d.addresses {
		if c, err = dialOne(ctx, address); err == nil {
			return c, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

func dialOne(ctx context.Context, address string) (net.Conn, error) {
	return (&net.Dialer{Timeout: connecting}).DialContext(ctx, "tcp", address)
}
