package nodeproxy

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/scenario-lang/scenario/internal/server/authority"
)

// A proxy answers in the place of any host but refused.test.
type proxy struct {
	ca *authority.Authority

	mu    sync.Mutex
	asked []string
}

func (p *proxy) list() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.asked)
}

// listen serves until the test ends.
func (p *proxy) listen(t *testing.T) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go p.serve(conn.(*net.TCPConn))
		}
	}()
	return l.Addr().String()
}

func (p *proxy) serve(raw *net.TCPConn) {
	defer raw.Close()
	req, err := http.ReadRequest(bufio.NewReader(raw))
	if err != nil {
		return
	}
	p.mu.Lock()
	p.asked = append(p.asked, strings.TrimSpace(req.Method+" "+req.Host+" "+req.Header.Get("Proxy-Authorization")))
	p.mu.Unlock()
	host, port, _ := net.SplitHostPort(req.Host)
	switch host {
	case "refused.test":
		io.WriteString(raw, "HTTP/1.1 403 scenario: unlisted_host\r\n\r\n")
		return
	case "silent.test":
		return
	}
	var conn net.Conn = raw
	if req.Method != http.MethodConnect { // as Node itself asks for what is not TLS
		fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", len(req.Host), req.Host)
		return
	}
	io.WriteString(raw, "HTTP/1.1 200 OK\r\n\r\n")
	if port != "80" {
		conn = tls.Server(raw, p.ca.Config(host))
	}
	in := bufio.NewReader(conn)
	for {
		req, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		io.Copy(io.Discard, req.Body)
		switch req.URL.Path {
		case "/reset":
			raw.SetLinger(0)
			return
		case "/close":
			return
		case "/cut":
			io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nbegun")
			return
		}
		fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(req.Host), req.Host)
	}
}

// node runs a script with a proxy, and with more of an environment.
func node(t *testing.T, p *proxy, script string, more ...string) string {
	t.Helper()
	path, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no Node on this machine: ", err)
	}
	dir := filepath.Join(t.TempDir(), `with a "space"`)
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	variables, err := Variables(dir, func(name string) (string, bool) {
		for _, v := range more {
			if value, ok := strings.CutPrefix(v, name+"="); ok {
				return value, true
			}
		}
		return "", false
	})
	if err != nil {
		t.Fatal(err)
	}
	address := "http://" + p.listen(t)
	cmd := exec.Command(path, "-e", script)
	cmd.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HTTP_PROXY=" + address, "HTTPS_PROXY=" + address, "NO_PROXY=127.0.0.1,localhost,::1",
		"NODE_EXTRA_CA_CERTS=" + p.ca.Variables()["NODE_EXTRA_CA_CERTS"],
	}, more...)
	for name, value := range variables {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return strings.TrimSpace(string(out))
}

func newProxy(t *testing.T) *proxy {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	ca, err := authority.New(func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ca.Close() })
	return &proxy{ca: ca}
}

// knowsProxies reports whether Node does by itself what a test is about: its words
// and its connections are its own then.
func knowsProxies(t *testing.T) bool {
	t.Helper()
	out, err := exec.Command("node", "-p", "process.allowedNodeEnvironmentFlags.has('--use-env-proxy')").Output()
	if err != nil {
		t.Skip("there is no Node on this machine: ", err)
	}
	return strings.TrimSpace(string(out)) == "true"
}

// What a program asks with fetch and with the modules of Node goes through the
// proxy, over TLS and without; what stands in NO_PROXY does not.
func TestNodeAsksTheProxy(t *testing.T) {
	p := newProxy(t)
	local := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "local") }))
	defer local.Close()
	got := node(t, p, `
const read = (module, url) => new Promise((yes, no) => require(module).get(url, r => { let s = ''; r.on('data', d => s += d).on('end', () => yes(s)) }).on('error', no));
(async () => {
  console.log(await (await fetch('https://api.openai.test/v1', { method: 'POST', body: '{}' })).text());
  console.log(await (await fetch('https://api.openai.test/v1')).text());
  console.log(await (await fetch('https://[2001:db8::1]:8443/')).text());
  console.log(await (await fetch('http://plain.test/')).text());
  console.log(await read('https', 'https://module.test:8443/a?b=c'));
  console.log(await read('http', 'http://module.test/'));
  console.log(await (await fetch('`+local.URL+`')).text(), await read('http', '`+local.URL+`'));
})();`)
	if want := "api.openai.test\napi.openai.test\n[2001:db8::1]:8443\nplain.test\nmodule.test:8443\nmodule.test\nlocal local"; got != want {
		t.Errorf("answers:\n%s\nwant:\n%s", got, want)
	}
	want := []string{"CONNECT api.openai.test:443", "CONNECT [2001:db8::1]:8443", "CONNECT plain.test:80", "CONNECT module.test:8443", "CONNECT module.test:80"}
	if knowsProxies(t) {
		want = []string{"CONNECT api.openai.test:443", "CONNECT [2001:db8::1]:8443", "CONNECT plain.test:80", "CONNECT module.test:8443", "GET module.test"}
	}
	// Node itself decides how many connections it makes to a host.
	if got := slices.Compact(p.list()); !slices.Equal(got, want) {
		t.Errorf("the proxy was asked %q, want %q", got, want)
	}
}

// What befalls a connection behind the proxy reaches the program as it would
// without one, and a proxy that refuses is quoted.
func TestNodeSeesWhatBefalls(t *testing.T) {
	if knowsProxies(t) {
		t.Skip("this Node knows proxies by itself")
	}
	got := node(t, newProxy(t), `
(async () => {
  for (const path of ['https://a.test/reset', 'https://a.test/close', 'http://a.test/reset', 'https://a.test/cut', 'https://refused.test/', 'https://silent.test/']) {
    try {
      const body = await (await fetch(path)).text();
      console.log('no error', body);
    } catch (e) {
      console.log(path, '|', e.message, '|', e.cause?.code, '|', e.cause?.message);
    }
  }
  require('https').get('https://refused.test/').on('error', e => console.log(e.message));
})();`)
	lines := strings.Split(got, "\n")
	for i, want := range []string{
		"https://a.test/reset | fetch failed | ECONNRESET |",
		"https://a.test/close | fetch failed | UND_ERR_SOCKET | other side closed",
		"http://a.test/reset | fetch failed | ECONNRESET |",
		"https://a.test/cut | terminated | UND_ERR_SOCKET | other side closed",
		"https://refused.test/ | fetch failed | undefined | the proxy refused CONNECT refused.test:443: HTTP/1.1 403 scenario: unlisted_host",
		"https://silent.test/ | fetch failed | ECONNRESET | the proxy closed the connection before it answered CONNECT silent.test:443",
		"the proxy refused CONNECT refused.test:443: HTTP/1.1 403 scenario: unlisted_host",
	} {
		if i >= len(lines) || !strings.HasPrefix(lines[i], want) {
			t.Errorf("want %q of:\n%s", want, got)
		}
	}
}

// The program's own options, credentials of the proxy and exceptions are kept to.
func TestNodeKeepsTheEnvironment(t *testing.T) {
	if knowsProxies(t) {
		t.Skip("this Node knows proxies by itself")
	}
	p := newProxy(t)
	first := filepath.Join(t.TempDir(), "first.cjs")
	if err := os.WriteFile(first, []byte(`console.log('first'); process.env.HTTPS_PROXY = process.env.HTTPS_PROXY.replace('http://', 'http://me:a%20b@');`), 0o600); err != nil {
		t.Fatal(err)
	}
	got := node(t, p, `
(async () => {
  console.log(await (await fetch('https://a.test/')).text());
  for (const url of ['https://deep.own.invalid/', 'https://own.invalid/', 'https://port.invalid:8443/', 'https://star.invalid'])
    await fetch(url).catch(e => console.log(e.cause.code));
  console.log(await (await fetch('https://port.invalid/')).text());
  console.log(await (await fetch('https://notown.invalid/')).text());
})();`, "NODE_OPTIONS=--require "+first, "no_proxy=own.invalid, port.invalid:8443 *.star.invalid")
	if want := "first\na.test\nENOTFOUND\nENOTFOUND\nENOTFOUND\nENOTFOUND\nport.invalid\nnotown.invalid"; strings.ReplaceAll(got, "EAI_AGAIN", "ENOTFOUND") != want {
		t.Errorf("%s\nwant:\n%s", got, want)
	}
	if asked := p.list(); len(asked) == 0 || asked[0] != "CONNECT a.test:443 Basic bWU6YSBi" {
		t.Errorf("the proxy was asked %q", asked)
	}
}

// Where Node knows proxies by itself, or there is none, all is left as it is.
func TestNodeIsLeftAlone(t *testing.T) {
	if knowsProxies(t) {
		if got := node(t, newProxy(t), `console.log(require('https').globalAgent.constructor.name)`); got != "Agent" {
			t.Errorf("the agent is a %s", got)
		}
		return
	}
	newer := filepath.Join(t.TempDir(), "newer.cjs")
	if err := os.WriteFile(newer, []byte(`Object.defineProperty(process, 'allowedNodeEnvironmentFlags', { value: new Set(['--use-env-proxy']) });`), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, more := range map[string]string{
		"newer":                   "NODE_OPTIONS=--require " + newer,
		"no proxy":                "HTTP_PROXY=\x00HTTPS_PROXY=",
		"a proxy of another kind": "HTTP_PROXY=socks5://127.0.0.1:1\x00HTTPS_PROXY=https://127.0.0.1:1",
		"an address that is none": "HTTP_PROXY=http://[\x00HTTPS_PROXY=://",
	} {
		got := node(t, newProxy(t), `
const before = require('https').globalAgent.constructor.name;
console.log(before, globalThis[Symbol.for('undici.globalDispatcher.1')] === undefined);`, strings.Split(more, "\x00")...)
		if got != "Agent true" {
			t.Errorf("%s: %s", name, got)
		}
	}
}
