package authority

import (
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// served answers every request, as localhost and 127.0.0.1, until the test ends.
func served(t *testing.T, a *Authority) (port string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{
		Handler:           http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "answered") }),
		ErrorLog:          log.New(io.Discard, "", 0), // of clients that refuse
		ReadHeaderTimeout: time.Minute,
	}
	go s.Serve(tls.NewListener(l, a.Config("127.0.0.1")))
	t.Cleanup(func() { s.Close() })
	_, port, _ = net.SplitHostPort(l.Addr().String())
	return port
}

// The clients that people have, each as it is without a word about trust in its
// code: %s is the address.
var clients = []struct {
	name string
	// has fails where the client is not on this machine.
	has  []string
	args []string
}{
	{"curl", []string{"curl", "--version"}, []string{"curl", "-sS", "--noproxy", "*", "%s"}},
	{"python", []string{"python3", "-c", "import ssl"}, []string{"python3", "-c", `
import urllib.request
print(urllib.request.urlopen("%s").read().decode())`}},
	// Python 3.13 does this for everybody.
	{"python strictly", []string{"python3", "-c", "import ssl"}, []string{"python3", "-c", `
import ssl, urllib.request
context = ssl.create_default_context()
context.verify_flags |= ssl.VERIFY_X509_STRICT | ssl.VERIFY_X509_PARTIAL_CHAIN
print(urllib.request.urlopen("%s", context=context).read().decode())`}},
	{"requests", []string{"python3", "-c", "import requests"}, []string{"python3", "-c", `
import requests
print(requests.get("%s").text)`}},
	{"node fetch", []string{"node", "-e", "fetch"}, []string{"node", "-e", `fetch("%s").then(r => r.text()).then(console.log)`}},
	{"node https", []string{"node", "--version"}, []string{"node", "-e", `require("https").get("%s", r => r.pipe(process.stdout))`}},
	{"git", []string{"git", "--version"}, []string{"git", "ls-remote", "%s"}},
	{"go", nil, []string{os.Args[0], "-test.run=^TestBeingAClient$", "%s"}},
}

// Shows that the variables alone make the clients of this machine trust a host,
// and that it is they which do: without them the same clients refuse.
func TestClients(t *testing.T) {
	a := made(t)
	port := served(t, a)
	bare := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "GIT_TERMINAL_PROMPT=0", "BE_A_CLIENT=1"}
	trusting := bare
	for name, value := range a.Variables() {
		trusting = append(trusting[:len(trusting):len(trusting)], name+"="+value)
	}
	for _, c := range clients {
		t.Run(c.name, func(t *testing.T) {
			if c.has != nil {
				if out, err := exec.Command(c.has[0], c.has[1:]...).CombinedOutput(); err != nil {
					t.Skipf("not on this machine: %v: %s", err, out)
				}
			}
			for _, host := range []string{"localhost", "127.0.0.1"} {
				ask := func(env []string) (string, error) {
					args := append([]string(nil), c.args...)
					for i := range args {
						args[i] = strings.ReplaceAll(args[i], "%s", "https://"+host+":"+port+"/")
					}
					cmd := exec.Command(args[0], args[1:]...)
					cmd.Env = env
					out, err := cmd.CombinedOutput()
					return string(out), err
				}
				out, err := ask(trusting)
				answered := err == nil && strings.Contains(out, "answered")
				if c.name == "git" { // it prints nothing of a repository without branches
					answered = err == nil
				}
				if !answered {
					t.Errorf("%s with the variables: %v\n%s", host, err, out)
				}
				if out, err := ask(bare); err == nil || strings.Contains(out, "answered") || !strings.Contains(strings.ToLower(out), "certificate") && c.name != "node fetch" {
					t.Errorf("%s without the variables: %v\n%s", host, err, out)
				}
			}
		})
	}
}

// TestBeingAClient is the client in Go: this test, started by the other one.
func TestBeingAClient(t *testing.T) {
	if os.Getenv("BE_A_CLIENT") == "" {
		t.Skip("TestClients starts it")
	}
	resp, err := http.Get(os.Args[len(os.Args)-1])
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	os.Stdout.Write(body)
}
