package plan

import (
	"net/url"
	"strings"
)

// PlaceholderKey is the value of keys of programs that have no real one. Clients
// refuse to start without any.
const PlaceholderKey = "scenario"

// Base is Address, parsed, once for all who ask. It must not be changed. One that
// cannot be read, which compiling reports, has no parts.
func (p *Provider) Base() *url.URL {
	p.parsing.Do(func() {
		var err error
		if p.base, err = url.Parse(p.Address()); err != nil {
			p.base = &url.URL{}
		}
	})
	return p.base
}

// At reports whether a host with its port, such as a program dials, is that of the
// provider.
func (p *Provider) At(host string) bool { return strings.EqualFold(HostPort(p.Base()), host) }

// ports are the usual ones of schemes.
var ports = map[string]string{"http": "80", "https": "443", "postgres": "5432", "postgresql": "5432"}

// HostPort is the host of an address with its port, also where that is the
// scheme's own.
func HostPort(u *url.URL) string {
	if port := ports[u.Scheme]; u.Port() == "" && port != "" {
		return strings.TrimSuffix(u.Host, ":") + ":" + port
	}
	return u.Host
}
