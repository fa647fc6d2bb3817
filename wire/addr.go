package wire

import (
	"net"
	"net/netip"
	"net/url"
)

// local is the client's end of every simulated connection. It is fixed so that
// equal runs give equal error texts.
var local net.Addr = &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 40000}

// HostPort returns the host and port that a request to u dials: the address in
// the errors of a simulated connection, and what the error constructors take.
// It is "" for a nil u.
func HostPort(u *url.URL) string {
	if u == nil {
		return ""
	}
	port := u.Port()
	if port == "" {
		port = "443"
		if u.Scheme == "http" {
			port = "80"
		}
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// named is the address of a host that was not looked up; it shows its name
// where a real one shows an IP address.
type named string

func (named) Network() string  { return "tcp" }
func (n named) String() string { return string(n) }

// remote is the server's end: a *net.TCPAddr for an IP address or localhost,
// else the name itself. Nothing is looked up; without a port it is 443.
func remote(host string) net.Addr {
	name, port := splitHost(host)
	ip := name
	if name == "localhost" {
		ip = "127.0.0.1"
	}
	if a, err := netip.ParseAddrPort(net.JoinHostPort(ip, port)); err == nil {
		return net.TCPAddrFromAddrPort(a)
	}
	return named(net.JoinHostPort(name, port))
}

func splitHost(host string) (name, port string) {
	if name, port, err := net.SplitHostPort(host); err == nil {
		return name, port
	}
	return host, "443"
}
