package wire

import (
	"net/url"
	"testing"
)

// Shows the address a request dials, and how a host appears in an error: as an
// address where it is one, else by its name, without a look-up.
func TestAddresses(t *testing.T) {
	for raw, want := range map[string]string{
		"https://api.openai.com/v1":  "api.openai.com:443",
		"http://localhost/":          "localhost:80",
		"http://[::1]:8080/":         "[::1]:8080",
		"https://127.0.0.1:8443/a?b": "127.0.0.1:8443",
	} {
		u, err := url.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		if got := HostPort(u); got != want {
			t.Errorf("%s dials %s, want %s", raw, got, want)
		}
	}
	for host, want := range map[string]string{
		"localhost:80":       "dial tcp 127.0.0.1:80: connect: connection refused",
		"[::1]:8080":         "dial tcp [::1]:8080: connect: connection refused",
		"api.openai.com:443": "dial tcp api.openai.com:443: connect: connection refused",
		"api.openai.com":     "dial tcp api.openai.com:443: connect: connection refused",
		"::1":                "dial tcp [::1]:443: connect: connection refused",
		"a:b":                "dial tcp a:b: connect: connection refused",
		"":                   "dial tcp :443: connect: connection refused",
	} {
		if got := Refused(host).Error(); got != want {
			t.Errorf("%q: got %q, want %q", host, got, want)
		}
	}
	if got, want := ReadReset("h:1").Error(), "read tcp 127.0.0.1:40000->h:1: read: connection reset by peer"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := NotFound("nosuch.invalid:443").Error(), "dial tcp: lookup nosuch.invalid: no such host"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
