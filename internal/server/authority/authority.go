package authority

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// An Authority makes certificates for hosts. It is safe for concurrent use.
type Authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	// leafKey is that of every leaf: they have one owner.
	leafKey *ecdsa.PrivateKey
	leaves  leaves

	dir       string
	variables map[string]string
}

// Certificates are valid from a day ago, for clocks that are behind, to longer
// than any process that holds the key will run. More than 825 days Apple's
// clients do not accept, whoever signed (support.apple.com/103769).
const (
	early    = 24 * time.Hour
	validity = 396 * 24 * time.Hour
)

// New makes an authority and writes its certificate, alone and together with
// those that the program would trust without us, into a temporary directory.
// Lookup reads the environment of the program: whom it names there is still
// trusted. [Authority.Close] removes the directory.
func New(lookup func(string) (string, bool)) (*Authority, error) {
	a, err := create(time.Now())
	if err != nil {
		return nil, fmt.Errorf("cannot make a certificate authority: %w", err)
	}
	if err := a.write(lookup); err != nil {
		_ = a.Close()
		return nil, fmt.Errorf("cannot write the certificate of the run: %w", err)
	}
	return a, nil
}

func create(now time.Time) (*Authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	leafKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	serial, err := serialNumber()
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber:          serial,
		Subject:               pkix.Name{Organization: []string{"scenario"}, CommonName: "scenario, for one run"},
		NotBefore:             now.Add(-early),
		NotAfter:              now.Add(validity),
		KeyUsage:              x509.KeyUsageCertSign | x509.KeyUsageCRLSign,
		BasicConstraintsValid: true,
		IsCA:                  true,
		MaxPathLenZero:        true,
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	certificate, err := x509.ParseCertificate(raw)
	if err != nil {
		return nil, err
	}
	return &Authority{certificate: certificate, key: key, leafKey: leafKey}, nil
}

// serialNumber is one that nobody else has: clients remember who had which.
func serialNumber() (*big.Int, error) {
	n, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 126))
	if err != nil {
		return nil, err
	}
	return n.Add(n, big.NewInt(1)), nil
}

// PEM is the authority's certificate as files have it.
func (a *Authority) PEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.certificate.Raw})
}

// Pool has the authority alone, for clients in Go.
func (a *Authority) Pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.certificate)
	return pool
}

// Dir is the directory of the run's files, which others may be put into. Only
// its owner may enter it.
func (a *Authority) Dir() string { return a.dir }

// Variables are the environment variables that make the usual clients trust the
// authority, and nobody less than before. Clients with a list of their own that
// no variable adds to are not among them, such as Java, what was built with GnuTLS
// (wget on Debian), and programs in Go on macOS and Windows.
func (a *Authority) Variables() map[string]string { return a.variables }

// Close removes the directory.
func (a *Authority) Close() error {
	if a.dir == "" {
		return nil
	}
	open.Delete(a.dir)
	return os.RemoveAll(a.dir)
}

// open are the directories of the authorities of this process that are not closed, for
// one that has no time to close them.
var open sync.Map

// Sweep removes the directories of all authorities that are not closed, for a process
// that is about to die. It is safe beside everything else, which may find that its files
// are gone.
func Sweep() {
	open.Range(func(dir, _ any) bool {
		_ = os.RemoveAll(dir.(string)) // there is nobody left to be told
		return true
	})
}

// Config is the server's side of a connection that was made to host, a name or
// an address without a port: a client that asks for another name in its hello
// (SNI) is given that one's certificate. It offers HTTP/1.1 alone, and no
// session is resumed, so that no handshake depends on one before it.
func (a *Authority) Config(host string) *tls.Config {
	return &tls.Config{
		MinVersion:             tls.VersionTLS12,
		NextProtos:             []string{"http/1.1"},
		SessionTicketsDisabled: true,
		GetCertificate: func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
			if hello.ServerName != "" {
				return a.Certificate(hello.ServerName)
			}
			return a.Certificate(host)
		},
	}
}

func (a *Authority) write(lookup func(string) (string, bool)) (err error) {
	// Its mode is 0700.
	if a.dir, err = os.MkdirTemp("", "scenario-run-"); err != nil {
		return err
	}
	open.Store(a.dir, nil)
	a.variables = map[string]string{}
	for _, f := range []struct {
		name      string
		variables []string
		trusted   [][]byte
	}{
		// What replaces the system's list gets that list, too.
		{"bundle.pem", replacing, trusted(lookup, replacing, true)},
		// What is added to it gets what was added before.
		{"added.pem", adding, trusted(lookup, adding, false)},
	} {
		path := filepath.Join(a.dir, f.name)
		if err := os.WriteFile(path, bytes.Join(append([][]byte{a.PEM()}, f.trusted...), []byte("\n")), 0o600); err != nil {
			return err
		}
		for _, name := range f.variables {
			a.variables[name] = path
		}
	}
	return nil
}
