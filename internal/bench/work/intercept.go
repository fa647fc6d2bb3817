package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing/fstest"
	"time"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/server"
	"github.com/scenario-lang/scenario/internal/server/authority"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
	"github.com/scenario-lang/scenario/wire"
)

// The requests of a sample, each on a connection of its own, and how many hosts
// there are: new hosts are new to the process.
const (
	intercepted = 60
	hosts       = 600
)

// interceptions are requests that a proxy answers for any host, over TLS, and
// requests to a server of crypto/tls that signs its certificates the same way.
func interceptions() []work {
	var all []work
	for name, again := range map[string]bool{"intercept/new": false, "intercept/same": true} {
		host := 0
		which := func() string {
			if !again {
				host++
			}
			return fmt.Sprintf("h%d.test", host%hosts)
		}
		all = append(all,
			work{name, func() (func() (int, error), error) {
				asServing()
				client, err := throughProxy()
				return func() (int, error) { return intercepted, getAll(client, which) }, err
			}},
			work{name + "/floor", func() (func() (int, error), error) {
				asServing()
				client, err := toBareServer()
				return func() (int, error) { return intercepted, getAll(client, which) }, err
			}})
	}
	return all
}

// asServing sets the collector that exec and serve set, as these intercept.
func asServing() {
	memory := cli.TuneMemory(os.LookupEnv)
	memory.Serve()
}

func getAll(client *http.Client, which func() string) error {
	for range intercepted {
		resp, err := client.Get("https://" + which() + "/a")
		if err != nil {
			return err
		}
		text, err := io.ReadAll(resp.Body)
		if err = errors.Join(err, resp.Body.Close()); err != nil || string(text) != "well" {
			return fmt.Errorf("%s: %q, %w", resp.Status, text, err)
		}
	}
	return nil
}

func throughProxy() (*http.Client, error) {
	var text strings.Builder
	for n := range hosts {
		fmt.Fprintf(&text, "provider \"http\" \"p%d\" { base_url = \"https://h%d.test\" }\n", n, n)
	}
	text.WriteString("scenario \"s\" {\n")
	for n := range hosts {
		fmt.Fprintf(&text, "  on \"p%d\" {\n    reply {\n      body  = \"well\"\n      times = \"*\"\n    }\n  }\n", n)
	}
	text.WriteString("  expect \"run\" { status = \"success\" }\n}\n")
	l := suite.Loader{Source: suite.FS(fstest.MapFS{"a.scenario.hcl": {Data: []byte(text.String())}})}
	f := l.Load("a.scenario.hcl")
	if f.Failed() {
		return nil, f.Diags
	}
	ca, err := authority.New(func(string) (string, bool) { return "", false })
	if err != nil {
		return nil, err
	}
	outside := interp.NewOutside(f.Plans[0], interp.OutsideOptions{Clock: wire.System(), Way: interp.Exec, Patience: 50 * time.Millisecond})
	address, err := server.New(outside, server.DefaultLimits, server.Interception{Authority: ca}).Proxy()
	if err != nil {
		return nil, err
	}
	proxy, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	return &http.Client{Transport: &http.Transport{
		Proxy: http.ProxyURL(proxy), DisableKeepAlives: true, TLSClientConfig: &tls.Config{RootCAs: ca.Pool()},
	}}, nil
}

// toBareServer is a client of a TLS server of the standard library that has a
// certificate for each host, which it signs when it is first asked for it.
func toBareServer() (*http.Client, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	root := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "root"}, NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	signed, err := x509.CreateCertificate(rand.Reader, root, root, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	if root, err = x509.ParseCertificate(signed); err != nil {
		return nil, err
	}
	var mu sync.Mutex
	known := map[string]*tls.Certificate{}
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "well")
	}))
	srv.TLS = &tls.Config{GetCertificate: func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
		mu.Lock()
		defer mu.Unlock()
		if c := known[hello.ServerName]; c != nil {
			return c, nil
		}
		leaf := &x509.Certificate{
			SerialNumber: big.NewInt(int64(len(known)) + 2), DNSNames: []string{hello.ServerName}, NotAfter: time.Now().Add(time.Hour),
			KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		}
		own, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			return nil, err
		}
		raw, err := x509.CreateCertificate(rand.Reader, leaf, root, &own.PublicKey, key)
		if err != nil {
			return nil, err
		}
		known[hello.ServerName] = &tls.Certificate{Certificate: [][]byte{raw}, PrivateKey: own}
		return known[hello.ServerName], nil
	}}
	srv.StartTLS()
	address := srv.Listener.Addr().String()
	pool := x509.NewCertPool()
	pool.AddCert(root)
	return &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true, TLSClientConfig: &tls.Config{RootCAs: pool},
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, address)
		},
	}}, nil
}
