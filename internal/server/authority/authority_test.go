package authority

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// environment is a lookup of some variables.
func environment(list ...string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		for _, v := range list {
			if value, ok := strings.CutPrefix(v, name+"="); ok {
				return value, true
			}
		}
		return "", false
	}
}

func made(t *testing.T, list ...string) *Authority {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	a, err := New(environment(list...))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return a
}

// handshake joins a client to what serves a host.
func handshake(a *Authority, host string, client *tls.Config) (tls.ConnectionState, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return tls.ConnectionState{}, err
	}
	defer l.Close()
	served := make(chan error, 1)
	go func() {
		far, err := l.Accept()
		if err != nil {
			served <- err
			return
		}
		defer far.Close()
		served <- tls.Server(far, a.Config(host)).Handshake()
	}()
	near, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		return tls.ConnectionState{}, err
	}
	defer near.Close()
	c := tls.Client(near, client)
	err = c.Handshake()
	near.Close()
	return c.ConnectionState(), errors.Join(err, <-served)
}

// A client that trusts the authority trusts it for every host, by name and by
// address, in both versions of TLS, and is offered HTTP/1.1 alone.
func TestEveryHostIsVouchedFor(t *testing.T) {
	a := made(t)
	for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		for _, host := range []string{"api.openai.com", "a_b.example", "localhost", "127.0.0.1", "::1", strings.Repeat("a.", 120) + "example"} {
			state, err := handshake(a, host, &tls.Config{
				RootCAs: a.Pool(), ServerName: host, MinVersion: version, MaxVersion: version, NextProtos: []string{"h2", "http/1.1"},
			})
			if err != nil || state.Version != version || state.NegotiatedProtocol != "http/1.1" || state.DidResume {
				t.Errorf("%s with %s: %+v, %v", host, tls.VersionName(version), state.NegotiatedProtocol, err)
			}
		}
	}
	if _, err := handshake(a, "localhost", &tls.Config{RootCAs: a.Pool(), ServerName: "localhost", MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}); err == nil {
		t.Error("TLS 1.1 was spoken")
	}
	if _, err := handshake(a, "localhost", &tls.Config{RootCAs: a.Pool(), ServerName: "localhost", NextProtos: []string{"h2"}}); err == nil {
		t.Error("a client of HTTP/2 alone was served")
	}
}

// A client that says in its hello whom it asks is answered as that one, whatever
// the connection was made to.
func TestTheHelloDecides(t *testing.T) {
	a := made(t)
	if _, err := handshake(a, "127.0.0.1", &tls.Config{RootCAs: a.Pool(), ServerName: "api.openai.com"}); err != nil {
		t.Error(err)
	}
	if _, err := handshake(a, "api.openai.com", &tls.Config{RootCAs: a.Pool(), ServerName: "127.0.0.1"}); err == nil {
		t.Error("an address has no name in a hello, and the connection was made to another")
	}
}

// Nobody else is believed: neither an authority of another run, nor a leaf in the
// place of the authority.
func TestOneRunAlone(t *testing.T) {
	a, other := made(t), made(t)
	if _, err := handshake(a, "localhost", &tls.Config{RootCAs: other.Pool(), ServerName: "localhost"}); err == nil {
		t.Error("the authority of another run was believed")
	}
	leaf, err := a.Certificate("localhost")
	if err != nil {
		t.Fatal(err)
	}
	if leaf.Leaf.IsCA || !bytes.Equal(leaf.Leaf.AuthorityKeyId, a.certificate.SubjectKeyId) || len(a.certificate.SubjectKeyId) == 0 {
		t.Errorf("%+v", leaf.Leaf)
	}
	now := time.Now()
	for _, c := range []*x509.Certificate{leaf.Leaf, a.certificate} {
		if days := c.NotAfter.Sub(c.NotBefore).Hours() / 24; days > 398 || c.NotBefore.After(now.Add(-23*time.Hour)) || c.NotAfter.Before(now.AddDate(1, 0, 0)) {
			t.Errorf("valid from %s to %s, %.0f days", c.NotBefore, c.NotAfter, days)
		}
	}
}

// A host has one form and one certificate; what is none is refused.
func TestHosts(t *testing.T) {
	a := made(t)
	for _, same := range [][]string{
		{"api.openai.com", "API.OpenAI.com", "api.openai.com."},
		{"::1", "[::1]", "0:0:0:0:0:0:0:1", "::1%lo"},
		{"127.0.0.1", "::ffff:127.0.0.1"},
	} {
		first, err := a.Certificate(same[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, host := range same[1:] {
			if got, err := a.Certificate(host); got != first || err != nil {
				t.Errorf("%s is not %s: %v", host, same[0], err)
			}
		}
	}
	for _, host := range []string{
		"", ".", "a..b", "*.openai.com", "openai.com:443", "a b", "a/b", "münchen.de", "-a.com", "a-.com",
		strings.Repeat("a", 64) + ".com", strings.Repeat("a.", 127) + "a", "a\x00b",
	} {
		if _, err := a.Certificate(host); err == nil || !strings.Contains(err.Error(), "neither the name nor the address") {
			t.Errorf("%q: %v", host, err)
		}
	}
}

// Of so many hosts the newest are remembered, whoever asks at once.
func TestRememberedHosts(t *testing.T) {
	a := made(t)
	first, err := a.Certificate("first.example")
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for worker := range 4 {
		group.Go(func() {
			for n := range leavesMost / 2 {
				if _, err := a.Certificate(fmt.Sprintf("%d.example", worker%2*leavesMost/2+n)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if len(a.leaves.by) != leavesMost || len(a.leaves.order) != leavesMost {
		t.Errorf("%d and %d are remembered", len(a.leaves.by), len(a.leaves.order))
	}
	if again, err := a.Certificate("first.example"); again == first || err != nil {
		t.Errorf("the oldest is remembered: %v", err)
	}
}

// certificatesIn are those of a file, in its order.
func certificatesIn(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for {
		var block *pem.Block
		if block, text = pem.Decode(text); block == nil {
			return list
		}
		list = append(list, string(block.Bytes))
	}
}

// What a program trusted before, wherever its environment names it, it trusts
// with us, each file once; what is no list is passed over.
func TestTrustIsKept(t *testing.T) {
	dir := t.TempDir()
	var der []string
	file := func(name string, count int) string {
		var text bytes.Buffer
		text.WriteString("# a comment\n")
		for range count {
			ca, err := create(time.Now())
			if err != nil {
				t.Fatal(err)
			}
			der = append(der, string(ca.certificate.Raw))
			text.Write(ca.PEM())
		}
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	own, requests, node := file("own.pem", 2), file("requests.pem", 1), file("node.pem", 1)
	file("certs/one.pem", 1)
	file("certs/two.pem", 1)
	if err := os.WriteFile(filepath.Join(dir, "certs", "README"), []byte("no list"), 0o600); err != nil {
		t.Fatal(err)
	}
	a := made(
		t, "SSL_CERT_FILE="+own, "SSL_CERT_DIR="+filepath.Join(dir, "certs")+string(filepath.ListSeparator)+"/nowhere",
		"REQUESTS_CA_BUNDLE="+requests, "CURL_CA_BUNDLE="+requests, "PIP_CERT=", "AWS_CA_BUNDLE=/nowhere/at/all.pem", "NODE_EXTRA_CA_CERTS="+node,
	)
	sorted := func(list []string) []string { return slices.Sorted(slices.Values(list)) }
	bundle := certificatesIn(t, a.Variables()["SSL_CERT_FILE"])
	want := append([]string{string(a.certificate.Raw)}, der[0], der[1], der[2], der[4], der[5])
	if bundle[0] != want[0] || !slices.Equal(sorted(bundle), sorted(want)) {
		t.Errorf("%d certificates in place of the system's, want %d", len(bundle), len(want))
	}
	if added := certificatesIn(t, a.Variables()["NODE_EXTRA_CA_CERTS"]); !slices.Equal(added, []string{want[0], der[3]}) {
		t.Errorf("%d certificates beside the client's own, want 2", len(added))
	}
}

// Without a word of the environment it is the system's list, whole.
func TestTheSystemIsTrusted(t *testing.T) {
	i := slices.IndexFunc(systemFiles, func(path string) bool { _, err := os.Stat(path); return err == nil })
	if i < 0 {
		t.Skip("no list of this system is known")
	}
	list := certificatesIn(t, systemFiles[i])
	a := made(t)
	if got := certificatesIn(t, a.Variables()["SSL_CERT_FILE"]); len(got) != len(list)+1 {
		t.Errorf("%d certificates, the system has %d", len(got), len(list))
	}
	if got := certificatesIn(t, a.Variables()["NODE_EXTRA_CA_CERTS"]); len(got) != 1 {
		t.Errorf("%d certificates are added, want ours alone", len(got))
	}
}

// What is written is for its owner, has no key, and goes with the run.
func TestFiles(t *testing.T) {
	a := made(t)
	info, err := os.Stat(a.Dir())
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	entries, err := os.ReadDir(a.Dir())
	if err != nil || len(entries) != 2 {
		t.Errorf("%v, %v", entries, err)
	}
	for name, path := range a.Variables() {
		text, err := os.ReadFile(path)
		if err != nil || !bytes.HasPrefix(text, a.PEM()) || bytes.Contains(text, []byte("PRIVATE")) {
			t.Errorf("%s names %s: %v", name, path, err)
		}
	}
	for range 2 {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(a.Dir()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the directory is left: %v", err)
	}
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	if _, err := New(environment()); runtime.GOOS != "windows" && (err == nil || !strings.Contains(err.Error(), "cannot write the certificate of the run")) {
		t.Errorf("written nowhere: %v", err)
	}
}

// BenchmarkNew is what a run waits for before its program starts.
func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		a, err := New(os.LookupEnv)
		if err != nil {
			b.Fatal(err)
		}
		a.Close()
	}
}

// BenchmarkCertificate is what a connection to a new host costs.
func BenchmarkCertificate(b *testing.B) {
	a, err := create(time.Now())
	if err != nil {
		b.Fatal(err)
	}
	for n := 0; b.Loop(); n++ {
		if _, err := a.Certificate(fmt.Sprintf("host-%d.example", n)); err != nil {
			b.Fatal(err)
		}
	}
}
