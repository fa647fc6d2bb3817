package authority

import (
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"net/netip"
	"strings"
	"sync"
)

// leavesMost is how many hosts are remembered. More are served, but made anew.
const leavesMost = 1000

// leaves are the certificates that were made, the oldest first in order.
type leaves struct {
	mu    sync.Mutex
	by    map[string]*tls.Certificate
	order []string
}

// Certificate is that of a host: a name in the form in which it goes over the
// wire, or an IP address, with or without brackets. The error says that it is
// neither. A host is known by one certificate as long as it is among the newest
// thousand.
func (a *Authority) Certificate(host string) (*tls.Certificate, error) {
	name, address, err := canonical(host)
	if err != nil {
		return nil, err
	}
	l := &a.leaves
	l.mu.Lock()
	defer l.mu.Unlock()
	if known := l.by[name]; known != nil {
		return known, nil
	}
	made, err := a.sign(name, address)
	if err != nil {
		return nil, fmt.Errorf("cannot make a certificate for %q: %w", host, err)
	}
	l.add(name, made)
	return made, nil
}

func (l *leaves) add(name string, leaf *tls.Certificate) {
	if l.by == nil {
		l.by = map[string]*tls.Certificate{}
	}
	if len(l.order) == leavesMost {
		delete(l.by, l.order[0])
		l.order = append(l.order[:0], l.order[1:]...)
	}
	l.by[name], l.order = leaf, append(l.order, name)
}

// sign makes a leaf, valid as long as the authority.
func (a *Authority) sign(name string, address netip.Addr) (*tls.Certificate, error) {
	serial, err := serialNumber()
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: serial,
		Subject:      pkix.Name{Organization: []string{"scenario"}},
		NotBefore:    a.certificate.NotBefore,
		NotAfter:     a.certificate.NotAfter,
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	if address.IsValid() {
		template.IPAddresses = append(template.IPAddresses, address.AsSlice())
	} else {
		template.DNSNames = []string{name}
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, a.certificate, &a.leafKey.PublicKey, a.key)
	if err != nil {
		return nil, err
	}
	leaf, err := x509.ParseCertificate(raw)
	if err != nil {
		return nil, err
	}
	return &tls.Certificate{Certificate: [][]byte{raw}, PrivateKey: a.leafKey, Leaf: leaf}, nil
}

// canonical is the one form of a host. The address is valid where it is one.
func canonical(host string) (string, netip.Addr, error) {
	bare := strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if address, err := netip.ParseAddr(bare); err == nil {
		address = address.WithZone("").Unmap()
		return address.String(), address, nil
	}
	name := strings.ToLower(strings.TrimSuffix(host, "."))
	if !isHostName(name) {
		return "", netip.Addr{}, fmt.Errorf("%q is neither the name nor the address of a host", host)
	}
	return name, netip.Addr{}, nil
}

// isHostName reports whether a name can stand in a certificate: labels of at
// most 63 letters, digits, hyphens and, as many have them, underscores (RFC 1034,
// RFC 1123). A wildcard is no host.
func isHostName(name string) bool {
	if len(name) > 253 {
		return false
	}
	for label := range strings.SplitSeq(name, ".") {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for _, c := range []byte(label) {
			if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '_' {
				return false
			}
		}
	}
	return true
}
