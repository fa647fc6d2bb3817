package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"
)

// A guarded queue has TLS and lets in nobody without credentials.
type guarded struct{ url, ca, creds string }

// secured starts such a server on loopback, until the test ends.
func secured(t *testing.T) guarded {
	t.Helper()
	dir := t.TempDir()
	g := guarded{ca: filepath.Join(dir, "ca.pem"), creds: filepath.Join(dir, "queue.creds")}
	o := &server.Options{Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: filepath.Join(dir, "store"), NoSigs: true, NoLog: true}
	o.TLSConfig = &tls.Config{Certificates: []tls.Certificate{certificate(t, g.ca)}}
	credentials(t, o, g.creds)
	g.url = strings.Replace(started(t, o), "nats://", "tls://", 1)
	return g
}

// certificate is one for loopback, whose authority is written to a file.
func certificate(t *testing.T, ca string) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "queue"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// credentials has a server let in who has those that it writes to a file.
func credentials(t *testing.T, o *server.Options, file string) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	operator, err := nkeys.CreateOperator()
	must(err)
	id, err := operator.PublicKey()
	must(err)
	claims := jwt.NewOperatorClaims(id)
	_, err = claims.Encode(operator)
	must(err)
	resolver := &server.MemAccResolver{}
	account := func(name string, stores bool) (nkeys.KeyPair, string) {
		key, err := nkeys.CreateAccount()
		must(err)
		id, err := key.PublicKey()
		must(err)
		c := jwt.NewAccountClaims(id)
		if c.Name = name; stores {
			c.Limits.JetStreamLimits = jwt.JetStreamLimits{MemoryStorage: jwt.NoLimit, DiskStorage: jwt.NoLimit, Streams: jwt.NoLimit, Consumer: jwt.NoLimit}
		}
		text, err := c.Encode(operator)
		must(err)
		must(resolver.Store(id, text))
		return key, id
	}
	_, o.SystemAccount = account("system", false)
	key, _ := account("scenario", true)
	o.TrustedOperators, o.AccountResolver = []*jwt.OperatorClaims{claims}, resolver
	user, err := nkeys.CreateUser()
	must(err)
	id, err = user.PublicKey()
	must(err)
	text, err := jwt.NewUserClaims(id).Encode(key)
	must(err)
	seed, err := user.Seed()
	must(err)
	creds, err := jwt.FormatUserConfig(text, seed)
	must(err)
	must(os.WriteFile(file, creds, 0o600))
}

// Shows that a server with the configuration of the page is one that every command can
// use, that the help of the command shows it, too, and that the rights there are those that
// the test of rights takes away.
func TestRecipeOfAServer(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(source, "..", "docs", "scale.md"))
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile("(?s)```\n(jetstream .*?)```").FindSubmatch(page)
	if m == nil {
		t.Fatal("the page has no configuration")
	}
	if string(m[1]) != queueConf {
		t.Errorf("the help shows another one than the page:\n%s", queueConf)
	}
	if code, out, _ := called(t, nil, "help", "queue"); code != 0 || !strings.Contains(out, indented(queueConf)) {
		t.Errorf("scenario-dist help queue: exit code %d\n%s", code, out)
	}
	dir := folder(t, benchWith("rate = 600\n  idempotent = false", `echo '{"n": 1}'`))
	ca, cert, key := filepath.Join(dir, "ca.pem"), filepath.Join(dir, "queue.pem"), filepath.Join(dir, "queue-key.pem")
	pair := certificate(t, ca)
	der, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	for path, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: pair.Certificate[0]}, key: {Type: "PRIVATE KEY", Bytes: der}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("QUEUE_PASSWORD", "p")
	text := strings.NewReplacer("queue.pem", cert, "queue-key.pem", key, "/var/lib/scenario-queue", t.TempDir()).Replace(string(m[1]))
	for _, right := range rights {
		if !strings.Contains(text, strconv.Quote(right)) {
			t.Errorf("the page does not list %s", right)
		}
	}
	env := map[string]string{"SCENARIO_QUEUE": strings.Replace(configured(t, text, "workers:p"), "nats://", "tls://", 1), "SCENARIO_QUEUE_CA": ca}
	worker := calling(t, env, "worker", "--until-done")
	code, out, errs := calledWithin(t, soon, env, "submit")
	if code != 0 || !strings.Contains(out, "6 of 6 cases passed") {
		t.Errorf("submit: exit code %d\n%s%s", code, out, errs)
	}
	if code := <-worker.code; code != 0 {
		t.Errorf("worker: exit code %d\n%s", code, worker.errs)
	}
	for _, args := range [][]string{{"status"}, {"collect", runID.FindStringSubmatch(errs)[1]}} {
		if code, out, errs := calledWithin(t, soon, env, args...); code != 0 {
			t.Errorf("%s: exit code %d\n%s%s", args[0], code, out, errs)
		}
	}
}

// Shows that a queue with TLS and credentials is used with both and refused without
// either, and that a file of credentials is never shown.
func TestGuardedQueue(t *testing.T) {
	g := secured(t)
	folder(t, map[string]string{"a.scenario.hcl": someScenarios})
	process(t, "worker", "--queue", g.url, "--queue-ca", g.ca, "--creds", g.creds)
	env := map[string]string{"SCENARIO_QUEUE": g.url, "SCENARIO_QUEUE_CA": g.ca, "SCENARIO_CREDS": g.creds}
	if code, out, errs := called(t, env, "submit"); code != 1 || !strings.Contains(out, "1 passed, 1 failed") {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
	secret, err := os.ReadFile(g.creds)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		without, said string
	}{
		{"SCENARIO_QUEUE_CA", "certificate"},
		{"SCENARIO_CREDS", "Authorization"},
	} {
		some := map[string]string{}
		for name, value := range env {
			if name != c.without {
				some[name] = value
			}
		}
		code, out, errs := called(t, some, "submit")
		if code != 2 || !strings.Contains(errs, c.said) {
			t.Errorf("without %s: exit code %d\n%s%s", c.without, code, out, errs)
		}
		for line := range strings.Lines(string(secret)) {
			if len(line) > 40 && !strings.HasPrefix(line, "-") && strings.Contains(errs, strings.TrimSpace(line)) {
				t.Errorf("without %s the credentials are shown", c.without)
			}
		}
	}
}
