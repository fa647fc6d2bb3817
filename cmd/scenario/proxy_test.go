package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"
)

// A standInProxy is a proxy on loopback that leads every host to a stand-in,
// over TLS too, with a certificate that its Env makes the command trust. So a
// file is recorded with the address of the real service in it.
type standInProxy struct {
	*standIn
	// Env is what the command's environment needs.
	Env []string
	// Connected counts the tunnels that were asked for.
	Connected atomic.Int32

	proxy, secure *httptest.Server
}

// newStandInProxy keeps its certificate in a folder.
func newStandInProxy(dir, host string) (*standInProxy, error) {
	cert, pemText, err := certificateFor(host)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "authority.pem")
	if err := os.WriteFile(file, pemText, 0o666); err != nil {
		return nil, err
	}
	p := &standInProxy{standIn: newStandIn()}
	p.secure = httptest.NewUnstartedServer(http.HandlerFunc(p.answer))
	p.secure.TLS = &tls.Config{Certificates: []tls.Certificate{cert}}
	p.secure.StartTLS()
	p.proxy = httptest.NewServer(http.HandlerFunc(p.connect))
	p.Env = []string{"HTTPS_PROXY=" + p.proxy.URL, "HTTP_PROXY=" + p.proxy.URL, "NO_PROXY=", "no_proxy=", "SSL_CERT_FILE=" + file, "OPENAI_API_KEY=" + standInKey}
	return p, nil
}

// connect opens a tunnel to the stand-in, or answers for it where the request
// came in clear.
func (p *standInProxy) connect(w http.ResponseWriter, r *http.Request) {
	p.Connected.Add(1)
	if r.Method != http.MethodConnect {
		p.answer(w, r)
		return
	}
	there, err := net.Dial("tcp", p.secure.Listener.Addr().String())
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	here, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		there.Close()
		return
	}
	_, _ = io.WriteString(here, "HTTP/1.1 200 Connection established\r\n\r\n")
	go func() {
		_, _ = io.Copy(there, here)
		there.Close()
	}()
	_, _ = io.Copy(here, there)
	here.Close()
}

func (p *standInProxy) Close() {
	p.proxy.CloseClientConnections()
	p.secure.CloseClientConnections()
	p.proxy.Close()
	p.secure.Close()
	p.standIn.Close()
}

// certificateFor is a certificate that vouches for itself.
func certificateFor(host string) (tls.Certificate, []byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "stand-in"}, DNSNames: []string{host},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return tls.Certificate{}, nil, err
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), nil
}
