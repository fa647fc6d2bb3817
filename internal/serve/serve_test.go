package serve

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
)

const once = `
provider "http" "data" { base_url = "https://data.test/v1" }
scenario "again" {
  on "data" {
    fault "http_error" { status_code = 503 }
    reply { body = "x" }
  }
  expect "data" { retries = 1 }
}
`

// A world is a service that a test asks.
type world struct {
	t *testing.T
	*Service
	client *http.Client

	mu     sync.Mutex
	judged []Judged
	gates  []string
	notes  []string
}

func compiled(t *testing.T, text string) []*interp.Plan {
	t.Helper()
	l := suite.Loader{Source: suite.FS(fstest.MapFS{"a.scenario.hcl": {Data: []byte(text)}})}
	f := l.Load("a.scenario.hcl")
	if f.Failed() {
		t.Fatal(f.Diags)
	}
	return f.Plans
}

// listen serves the scenarios of a text.
func listen(t *testing.T, text string) *world {
	t.Helper()
	w := &world{t: t, client: &http.Client{Transport: &http.Transport{}}}
	var err error
	w.Service, err = Listen(Options{
		Plans:    compiled(t, text),
		Env:      func(string) (string, bool) { return "", false },
		OnNote:   func(m string) { w.mu.Lock(); w.notes = append(w.notes, m); w.mu.Unlock() },
		OnJudged: func(j Judged) { w.mu.Lock(); w.judged = append(w.judged, j); w.mu.Unlock() },
		OnGate: func(id string, p interp.Problem, _ int) {
			w.mu.Lock()
			w.gates = append(w.gates, id+" "+p.Name)
			w.mu.Unlock()
		},
		Describe: func(j Judged) []byte { return []byte(`"` + j.Verdict + `"`) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	t.Cleanup(w.client.CloseIdleConnections)
	return w
}

// do sends a request, and returns its status and what it got.
func (w *world) do(req *http.Request) (status int, body string) {
	w.t.Helper()
	resp, err := w.client.Do(req)
	if err != nil {
		w.t.Error(err)
		return 0, ""
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Error(err)
	}
	return resp.StatusCode, string(text)
}

func (w *world) request(method, url, body string, header ...string) *http.Request {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		if header[i] == "Host" {
			req.Host = header[i+1]
		}
		req.Header.Set(header[i], header[i+1])
	}
	return req
}

// ask asks the one provider, in the session of a prefix, "" for none.
func (w *world) ask(prefix, path string, header ...string) (status int, body string) {
	w.t.Helper()
	base, err := url.Parse(w.Addresses().Providers["data"])
	if err != nil {
		w.t.Fatal(err)
	}
	return w.do(w.request("GET", "http://"+base.Host+prefix+base.Path+path, "", header...))
}

// control asks the control listener.
func (w *world) control(method, path, body string, header ...string) (status int, text string) {
	w.t.Helper()
	return w.do(w.request(method, w.Addresses().Control+path, body, header...))
}

// Shows that every session is a run of its own, named by the prefix of a path, by a
// header field, or not at all: each gets the script from its beginning, at the
// same time as others.
func TestSessionsAreRunsOfTheirOwn(t *testing.T) {
	w := listen(t, once)
	names := []string{"default", "by-header", "p1", "p2", "p3", "p4", "p5", "p6"}
	var group sync.WaitGroup
	for _, name := range names {
		group.Go(func() {
			prefix, header := "/_s/"+name, []string{}
			switch name {
			case "default":
				prefix = ""
			case "by-header":
				prefix, header = "", []string{"X-Scenario-Session", name}
			}
			for i, want := range []int{503, 200} {
				if status, body := w.ask(prefix, "/x", header...); status != want {
					t.Errorf("%s: request %d: %d %s", name, i, status, body)
				}
			}
		})
	}
	group.Wait()
	w.Finish()
	var judged []string
	for _, j := range w.judged {
		judged = append(judged, j.Session)
		if j.Verdict != interp.Pass || j.Requests != 2 || j.Elapsed <= 0 {
			t.Errorf("%s: %s after %d requests in %s: %v", j.Session, j.Verdict, j.Requests, j.Elapsed, j.Problems)
		}
	}
	slices.Sort(judged)
	slices.Sort(names)
	if !slices.Equal(judged, names) {
		t.Errorf("judged %v, want %v", judged, names)
	}
}

// Shows what a provider is asked below a prefix: the path as it was, with what is
// escaped in it, and none of what names the session.
func TestPrefixesAreCutOff(t *testing.T) {
	w := listen(t, `
provider "http" "data" { base_url = "https://data.test/v1" }
endpoint "plain" {
  provider = provider.data
  match {
    path = "/a/b"
    condition = request.url == "https://data.test/v1/a%2Fb?q=%2F" && lookup(request.headers, "x-scenario-session", null) == null
  }
}
scenario "s" {
  on "plain" {
    reply { body = "reached" }
  }
}
`)
	for _, name := range []string{"", "one"} {
		prefix := ""
		if name != "" {
			prefix = "/_s/" + name
		}
		if status, body := w.ask(prefix, "/a%2Fb?q=%2F"); status != 200 || body != "reached" {
			t.Errorf("session %q: %d %s", name, status, body)
		}
	}
	if status, body := w.ask("/_s/two", "/a%2Fb?q=%2F", HeaderSession, "three"); status != 200 || body != "reached" {
		t.Errorf("%d %s", status, body)
	}
	if _, text := w.control("GET", "/sessions/three", ""); !strings.Contains(text, `"requests":1`) {
		t.Errorf("the header field does not win: %s", text)
	}
}

// Shows the life of a session as the control listener tells it.
func TestLifeOfASession(t *testing.T) {
	w := listen(t, once)
	state := func(want string) {
		t.Helper()
		_, text := w.control("GET", "/sessions/a", "")
		var got struct{ State string }
		if err := json.Unmarshal([]byte(text), &got); err != nil || got.State != want {
			t.Errorf("state of %s is not %q (%v)", text, want, err)
		}
	}
	if status, text := w.control("POST", "/sessions", `{"id": "a", "scenario": "again"}`); status != http.StatusCreated {
		t.Fatal(status, text)
	}
	state("waiting")
	w.ask("/_s/a", "/x")
	state("open")
	w.ask("/_s/a", "/x")
	for range 2 { // the same both times
		if status, text := w.control("POST", "/sessions/a/finish", ""); status != http.StatusOK || !strings.Contains(text, `"result":"pass"`) {
			t.Errorf("%d %s", status, text)
		}
	}
	state("finished")
	if status, body := w.ask("/_s/a", "/x"); status != 599 || !strings.Contains(body, "finished") {
		t.Errorf("a session that is finished answers %d %s", status, body)
	}
	if status, _ := w.control("DELETE", "/sessions/a", ""); status != http.StatusNoContent {
		t.Error(status)
	}
	if status, _ := w.control("GET", "/sessions/a", ""); status != http.StatusNotFound {
		t.Error(status)
	}
	w.ask("", "/x") // one request too few
	if status, text := w.control("POST", "/sessions/default/finish", ""); status != http.StatusConflict || !strings.Contains(text, `"result":"fail"`) {
		t.Errorf("%d %s", status, text)
	}
	if status, _ := w.control("POST", "/sessions", `{"id": "idle"}`); status != http.StatusCreated {
		t.Error(status)
	}
	w.ask("/_s/dropped", "/x")
	w.control("DELETE", "/sessions/dropped", "")
	w.Finish()
	var judged []string
	for _, j := range w.judged {
		judged = append(judged, fmt.Sprint(j.Session, " ", j.Verdict, " ", j.Requests))
	}
	// A session that nobody asked is judged, and one that was deleted is not.
	if got := strings.Join(judged, ", "); got != "a pass 2, default fail 1, idle fail 0" {
		t.Error(got)
	}
	if len(w.gates) != 0 {
		t.Errorf("what the end of a session breaks is told with its result alone, not as %v", w.gates)
	}
}

// Shows that every mistake in a request for a session is refused, in words that
// name it.
func TestControlRefuses(t *testing.T) {
	two := once + strings.ReplaceAll(once[strings.Index(once, "scenario"):], "again", "once more")
	w := listen(t, two)
	w.control("POST", "/sessions", `{"id": "taken", "scenario": "again"}`)
	for _, c := range []struct {
		method, path, body string
		header             []string
		status             int
		says               string
	}{
		{"POST", "/sessions", `{"id": "taken", "scenario": "again"}`, nil, 409, "already"},
		{"POST", "/sessions", `{"id": "a/b", "scenario": "again"}`, nil, 400, "cannot be named"},
		{"POST", "/sessions", `{"id": "` + strings.Repeat("a", 65) + `", "scenario": "again"}`, nil, 400, "cannot be named"},
		{"POST", "/sessions", `{"scenario": "agian"}`, nil, 400, `\"again\", \"once more\"`},
		{"POST", "/sessions", `{}`, nil, 400, "2 scenarios are served"},
		{"POST", "/sessions", ``, nil, 400, "2 scenarios are served"},
		{"POST", "/sessions", `{"name": "x"}`, nil, 400, "unknown field"},
		{"POST", "/sessions", `{} {}`, nil, 400, "more than one value"},
		{"POST", "/sessions", `again`, nil, 400, "the body is not like"},
		{"POST", "/sessions", `{"id": "` + strings.Repeat("a", 2<<20) + `"}`, nil, 400, "too large"},
		{"GET", "/sessions/none", ``, nil, 404, `no session \"none\"`},
		{"POST", "/sessions/none/finish", ``, nil, 404, `no session \"none\"`},
		{"DELETE", "/sessions/none", ``, nil, 404, `no session \"none\"`},
		{"PUT", "/sessions", ``, nil, 404, "has no PUT /sessions"},
		{"GET", "/", ``, nil, 404, "has no GET /"},
		{"GET", "/healthz", ``, []string{"Origin", "http://localhost"}, 403, "browser"},
		{"GET", "/healthz", ``, []string{"Sec-Fetch-Site", "none"}, 403, "browser"},
		{"GET", "/healthz", ``, []string{"Host", "rebound.example"}, 403, "rebound.example"},
		{"GET", "/healthz", ``, []string{"Host", "127.0.0.1.example:80"}, 403, "127.0.0.1.example"},
		{"GET", "/healthz", ``, []string{"Host", "LOCALHOST:1"}, 200, "ok"},
		{"GET", "/healthz", ``, []string{"Host", "[::1]:1"}, 200, "ok"},
		{"POST", "/sessions", `{"scenario": "a.scenario.hcl:once more"}`, nil, 201, `"id":"s1"`},
		{"POST", "/sessions", `{"scenario": "again"}`, nil, 201, `"id":"s2"`},
	} {
		if status, text := w.control(c.method, c.path, c.body, c.header...); status != c.status || !strings.Contains(text, c.says) {
			t.Errorf("%s %s %.60s %v: %d %s\nwant %d with %q", c.method, c.path, c.body, c.header, status, text, c.status, c.says)
		}
	}
	// No session is the only one that a request can mean.
	if status, body := w.ask("", "/x"); status != 599 || !strings.Contains(body, "2 scenarios are served") {
		t.Errorf("%d %s", status, body)
	}
	if status, body := w.ask("/_s/un%20known", "/x"); status != 599 || !strings.Contains(body, "cannot be named") {
		t.Errorf("%d %s", status, body)
	}
}

// Shows that the number of sessions is bounded, and that deleted ones make room.
func TestSessionsAreBounded(t *testing.T) {
	s := newSessions(Options{Plans: compiled(t, once)}, nil)
	for i := range mostSessions {
		if _, err := s.create("", ""); err != nil {
			t.Fatal(i, err)
		}
	}
	if _, err := s.create("", ""); err == nil || !strings.Contains(err.Error(), "delete") {
		t.Errorf("one session too many: %v", err)
	}
	s.delete("s7")
	if x, err := s.create("", ""); err != nil || x.id == "" {
		t.Error(err)
	}
}

// Shows that one name for two addresses is refused.
func TestOneNameOneAddress(t *testing.T) {
	plans := append(compiled(t, once), compiled(t, strings.ReplaceAll(once, "data.test", "other.test"))...)
	_, err := Listen(Options{Plans: plans, Env: os.LookupEnv})
	if err == nil || !strings.Contains(err.Error(), "https://data.test/v1") || !strings.Contains(err.Error(), "https://other.test/v1") {
		t.Error(err)
	}
}

// Shows that services are reached by their own addresses through the proxy, and
// that other hosts are not.
func TestThroughTheProxy(t *testing.T) {
	w := listen(t, once)
	proxy, err := url.Parse(w.Addresses().Proxy)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(proxy), TLSClientConfig: trusting(t, w.Addresses().Env["SSL_CERT_FILE"])}}
	defer client.CloseIdleConnections()
	resp, err := client.Do(w.request("GET", "https://data.test/v1/x", "", HeaderSession, "tunnel"))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != 503 {
		t.Error(resp.Status)
	}
	if resp, err := client.Do(w.request("GET", "https://elsewhere.test/", "")); err == nil {
		resp.Body.Close()
		t.Errorf("another host answers %s", resp.Status)
	}
	w.Finish()
	if len(w.gates) != 1 || w.gates[0] != "default unlisted_host" || len(w.notes) != 1 || !strings.Contains(w.notes[0], "elsewhere.test:443") {
		t.Errorf("gates %v, notes %v", w.gates, w.notes)
	}
}

// Shows that a program is told of services in the variables that its clients look
// for, where two providers share an address of the one listener that stands for
// both: the model says whose a request is.
func TestVariablesTellOfServices(t *testing.T) {
	w := listen(t, `
provider "openai" "small" { model = "s" }
provider "openai" "large" { model = "l" }
provider "http" "data" {
  base_url     = "https://data.test/v1"
  base_url_env = "DATA_URL"
}
scenario "s" {
  on "small" {
    reply { content = "from the small one" }
  }
  on "large" {
    reply { content = "from the large one" }
  }
  on "data" {
    reply { body = "x" }
  }
}
`)
	env := w.Addresses().Env
	for model, want := range map[string]string{"s": "small", "l": "large"} {
		_, text := w.do(w.request("POST", env["OPENAI_BASE_URL"]+"/chat/completions", `{"model":"`+model+`","messages":[{"role":"user","content":"?"}]}`, "Content-Type", "application/json"))
		if !strings.Contains(text, "from the "+want+" one") {
			t.Errorf("model %s: %s", model, text)
		}
	}
	for _, name := range []string{"http_proxy", "all_proxy"} {
		if env[name] != w.Addresses().Proxy {
			t.Errorf("%s is %q", name, env[name])
		}
	}
	if !strings.Contains(env["NODE_OPTIONS"], "--require") {
		t.Errorf("older versions of Node are not led to the proxy: NODE_OPTIONS is %q", env["NODE_OPTIONS"])
	}
	if env["DATA_URL"] != w.Addresses().Providers["data"] || env["OPENAI_API_KEY"] != "scenario" || env["HTTPS_PROXY"] != w.Addresses().Proxy {
		t.Errorf("%v", env)
	}
}

// Shows that the end of a service leaves no file and nothing that listens.
func TestCloseLeavesNothing(t *testing.T) {
	w := listen(t, once)
	w.ask("", "/x")
	files := w.Addresses().Env["SSL_CERT_FILE"]
	if _, err := os.Stat(files); err != nil {
		t.Fatal(err)
	}
	w.Finish()
	w.Close()
	if _, err := os.Stat(filepath.Dir(files)); !os.IsNotExist(err) {
		t.Errorf("%s is still there (%v)", filepath.Dir(files), err)
	}
	for _, address := range []string{w.Addresses().Control + "/healthz", w.Addresses().Providers["data"], w.Addresses().Proxy} {
		if resp, err := w.client.Do(w.request("GET", address, "")); err == nil {
			resp.Body.Close()
			t.Errorf("%s still answers", address)
		}
	}
}

func trusting(t *testing.T, file string) *tls.Config {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(text)
	return &tls.Config{RootCAs: pool}
}

// Shows that a session which nobody asked for anything says so, and what the usual
// reason is, to whoever judges it; and that one which was asked does not.
func TestASessionThatSawNoRequest(t *testing.T) {
	w := listen(t, once)
	for _, c := range []struct {
		id   string
		asks int
	}{{"idle", 0}, {"busy", 1}} {
		if status, text := w.control("POST", "/sessions", `{"id": "`+c.id+`", "scenario": "again"}`); status != http.StatusCreated {
			t.Fatal(status, text)
		}
		for range c.asks {
			w.ask("/_s/"+c.id, "/x")
		}
		_, text := w.control("POST", "/sessions/"+c.id+"/finish", "")
		for _, part := range []string{"the session saw no request", "provider \\\"data\\\" is at " + w.Addresses().Providers["data"], "A constant of a module"} {
			if got := strings.Contains(text, part); got != (c.asks == 0) {
				t.Errorf("%s: that it says %q is %v: %s", c.id, part, got, text)
			}
		}
	}
}

const twoProviders = `
provider "http" "data" { base_url = "https://data.test" }
provider "http" "shop" { base_url = "https://shop.test" }

scenario "both" {
  on "data" {
    reply { body = "1" }
  }
  on "shop" {
    reply { body = "2" }
  }
}
`

// Shows that a session says which provider it saw no request for where it saw others, and
// that requests came for one that had ended: a program that keeps addresses asks there.
func TestASessionThatSawNoRequestToOne(t *testing.T) {
	w := listen(t, twoProviders)
	finish := func(id string, both bool) string {
		if status, text := w.control("POST", "/sessions", `{"id": "`+id+`"}`); status != http.StatusCreated {
			t.Fatal(status, text)
		}
		w.ask("/_s/"+id, "/x")
		if both {
			w.do(w.request("GET", w.Addresses().Providers["shop"]+"/_s/"+id+"/x", ""))
		}
		_, text := w.control("POST", "/sessions/"+id+"/finish", "")
		w.control("DELETE", "/sessions/"+id, "")
		return text
	}
	if text := finish("first", true); strings.Contains(text, "saw no request") {
		t.Error(text)
	}
	if text := finish("second", false); !strings.Contains(text, "no request to one provider: provider \\\"shop\\\" is at ") || strings.Contains(text, "had ended") {
		t.Error(text)
	}
	if status, text := w.do(w.request("GET", w.Addresses().Providers["shop"]+"/_s/first/x", "")); !strings.Contains(text, `the session \"first\" has ended`) {
		t.Error(status, text)
	}
	if text := finish("third", false); !strings.Contains(text, "but 1 request for the session first came after that had ended") {
		t.Error(text)
	}
	if text := finish("fourth", false); strings.Contains(text, "had ended") {
		t.Errorf("it is said again: %s", text)
	}
	if text := finish("first", true); strings.Contains(text, "saw no request") {
		t.Errorf("a name that is used again: %s", text)
	}
}
