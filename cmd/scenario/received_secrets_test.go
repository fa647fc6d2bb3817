//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/report"
)

// A said secret is one that a program has and says: in a request, or in its environment.
type said struct {
	way    string // how we come to know it
	secret string
}

// A telling is what the program of the test sends and says.
type telling struct {
	// Requests are sent in their order.
	Requests []toldRequest
	// Say is written afterwards, Echo asked for as paths.
	Say, Echo []string
	Stderr    bool
	// Proxies are addresses and the password that the proxy is given for each.
	Proxies map[string]string
}

type toldRequest struct {
	Query, Body, ContentType string
	Header                   http.Header
}

// tellSecrets is the program: it sends what the file says that it is given, then says it, in
// pieces that end anywhere, and fails.
func tellSecrets() {
	data, err := os.ReadFile(os.Args[1])
	var t telling
	if err == nil {
		err = json.Unmarshal(data, &t)
	}
	if err != nil {
		panic(err)
	}
	base := os.Args[2]
	send := func(method, path string, q toldRequest) {
		req, err := http.NewRequest(method, base+path+q.Query, strings.NewReader(q.Body))
		if err != nil {
			panic(err)
		}
		req.Header = q.Header.Clone()
		if req.Header == nil {
			req.Header = http.Header{}
		}
		req.Header.Set("Content-Type", q.ContentType)
		if resp, err := http.DefaultClient.Do(req); err == nil {
			_, _ = io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
		}
	}
	for _, q := range t.Requests {
		send("POST", "/said", q)
	}
	for address, password := range t.Proxies {
		if proxy, err := url.Parse(os.Getenv("HTTPS_PROXY")); err == nil && proxy.Host != "" {
			proxy.User = url.UserPassword("u", password)
			through := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(proxy)}}
			_, _ = through.Get(address) // nobody answers
		}
	}
	out := os.Stdout
	if t.Stderr {
		out = os.Stderr
	}
	for i, text := range t.Say {
		n := len(text) / 2
		fmt.Fprint(out, "said ", text[:n])
		fmt.Fprint(out, text[n:], " ", base64.StdEncoding.EncodeToString([]byte("u:"+text)))
		if i%8 == 7 {
			fmt.Fprintln(out)
		}
	}
	fmt.Fprintln(out, "all said")
	for _, text := range t.Echo {
		send("GET", "/echo/"+url.PathEscape(text), toldRequest{})
	}
	os.Exit(3)
}

// secretsOf makes what the program tells, by every name that the redactor knows, and the
// environment that it has.
func secretsOf(t *testing.T) (telling, []said, map[string]string) {
	draw := rand.New(rand.NewPCG(5, 6))
	var list []said
	fresh := func(way string) string {
		b := make([]byte, 14)
		for i := range b {
			b[i] = "abcdefghijkmnpqrstuvwxyz23456789"[draw.IntN(32)]
		}
		s := string(b[:6]) + "4" + string(b[6:])
		if shown := (*redact.Redactor)(nil).Recording().Text("said " + s); shown != "said "+s {
			t.Fatalf("%s has a form that is known: %s", s, shown)
		}
		list = append(list, said{way, s})
		return s
	}
	var tell telling
	fields, ends, parameters, members := redact.SecretNames()
	for _, end := range ends {
		fields = append(fields, "x-shop"+end)
	}
	const ourOwn = "mcp-session-id" // we give the session its name
	for _, name := range fields {
		h := http.Header{}
		switch {
		case name == ourOwn, name == "proxy-authorization":
			continue
		case strings.HasSuffix(name, "cookie"):
			h.Set(name, "theme=dark; sid="+fresh("field "+name))
		default:
			h.Set(name, fresh("field "+name))
		}
		tell.Requests = append(tell.Requests, toldRequest{Header: h})
	}
	for _, scheme := range []string{"Bearer", "Token", "ApiKey"} {
		tell.Requests = append(tell.Requests, toldRequest{Header: http.Header{"Authorization": {scheme + " " + fresh("scheme "+scheme)}}})
	}
	user, password := fresh("user of Basic"), fresh("password of Basic")
	packed := base64.StdEncoding.EncodeToString([]byte(user + ":" + password))
	list = append(list, said{"Basic", packed})
	tell.Requests = append(tell.Requests, toldRequest{Header: http.Header{"Authorization": {"Basic " + packed}}})
	for _, name := range parameters {
		tell.Requests = append(tell.Requests, toldRequest{Query: "?page=1&" + name + "=" + fresh("parameter "+name)})
	}
	for i, name := range members {
		q := toldRequest{ContentType: "application/json"}
		switch i % 4 {
		case 0:
			q.Body = fmt.Sprintf(`{"a":[{%q:%q}]}`, name, fresh("member "+name))
		case 1:
			q.Body = fmt.Sprintf(`{"a":%q}`, fmt.Sprintf(`{%q:%q}`, name, fresh("nested member "+name)))
		case 2:
			q = toldRequest{ContentType: "application/x-www-form-urlencoded", Body: "a=b&" + name + "=" + fresh("form "+name)}
		case 3:
			q = toldRequest{ContentType: "multipart/form-data; boundary=xx", Body: "--xx\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + fresh("multipart "+name) + "\r\n--xx--\r\n"}
		}
		tell.Requests = append(tell.Requests, q)
	}
	tell.Proxies = map[string]string{"https://shop.test/x": fresh("proxy of a tunnel"), "http://shop.test/x": fresh("proxy of a request")}
	env := map[string]string{}
	for _, name := range []string{"GITHUB_TOKEN", "DB_PASSWORD", "AWS_SECRET_ACCESS_KEY", "SHOP_API_KEY", "SIGNING_SECRET", "APP_PRIVATE_KEY", "MYSQL_PWD", "SECRET_KEY_BASE", "OPENAI_API_KEY", "SECRET_X", "GH_PAT", "TOKEN_GITHUB", "API_KEY_OTHER", "PASSWORD_DB", "STRIPE_SK", "REDIS_AUTH", "USER_CREDENTIALS", "AUTH_HEADER", "SEED_PHRASE", "HASH_SALT", "STRIPE_KEY"} {
		env[name] = fresh("variable " + name)
	}
	env["DATABASE_URL"] = "postgres://app:" + fresh("password in DATABASE_URL") + "@db.test/x"
	env["NAMED_BY_FLAG"] = fresh("--env")
	for _, x := range list {
		tell.Say, tell.Echo = append(tell.Say, x.secret), append(tell.Echo, x.secret)
	}
	return tell, list, env
}

// Shows that no credential that a program has stands in clear in anything that a command
// leaves which starts programs or answers them: what it prints, with -v and while the
// program runs, every format of report, traces and finds. What is known to be a
// credential is so by the names of the redactor's own lists, and by those of variables;
// the values have no known form.
func TestReceivedSecretsStandNowhere(t *testing.T) {
	tell, list, env := secretsOf(t)
	fileSecret := "in4thefile-" + list[0].secret[:8]
	list = append(list, said{"env of sut", fileSecret})
	tell.Say, tell.Echo = append(tell.Say, fileSecret), append(tell.Echo, fileSecret)
	for name, value := range env {
		t.Setenv(name, value)
	}
	const file = `provider "http" "shop" { base_url = "https://shop.test" }
provider "http" "named" {
  base_url = "https://named.test"
  headers  = { X-Named = env("NAMED_BY_FLAG") }
}
endpoint "said" {
  provider = provider.shop
  match { path = "/said" }
}
scenario "s" {
  sut {
    command = ["tellsecrets", "tell.json", provider.shop.url]
    env     = { SHOP_SECRET = "FILE" }
  }
  on "said" {
    reply {
      body  = "ok"
      times = 1000
    }
  }
  allow = ["unused_reply"]
  assert "out" { condition = length(sut.stdout) + length(sut.stderr) == 1 && sut.stdout == "" || sut.stdout == "x" || sut.stderr == "x" }
  assert "asked" { condition = endpoint.said.attempts == [] }
  expect "run" { status = "success" }
}
`
	var reports []string
	for _, f := range report.Formats() {
		if f.Name != "merge" { // for the parts of a suite
			reports = append(reports, "--report", f.Name+"=report."+f.Name)
		}
	}
	ofParts := []string{"--report", "merge=report.merge"}
	for _, c := range []struct {
		name   string
		args   []string
		stderr bool
		serves bool
	}{
		{"exec", []string{"exec", "-v", "--env", "NAMED_BY_FLAG", "--trace-out", "trace.jsonl", "a.scenario.hcl"}, true, false},
		{"exec, standard output", []string{"exec", "--env", "NAMED_BY_FLAG", "--trace-out", "trace.jsonl", "a.scenario.hcl"}, false, false},
		{"exec --json", []string{"exec", "--json", "--env", "NAMED_BY_FLAG", "a.scenario.hcl"}, true, false},
		{"explore --exec", []string{"explore", "--exec", "--budget", "2runs", "--emit", "finds", "--env", "NAMED_BY_FLAG", "a.scenario.hcl"}, true, false},
		{"explore --exec --json", []string{"explore", "--exec", "--json", "--budget", "2runs", "--env", "NAMED_BY_FLAG", "a.scenario.hcl"}, false, false},
		{"serve", []string{"serve", "-v", "--env", "NAMED_BY_FLAG", "--trace-out", "trace.jsonl", "serve.scenario.hcl"}, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			tell.Stderr = c.stderr
			data, err := json.Marshal(tell)
			if err != nil {
				t.Fatal(err)
			}
			text := strings.Replace(file, "FILE", fileSecret, 1)
			passes := text // what is explored passes by itself
			if strings.HasPrefix(c.name, "explore") {
				at, end := strings.Index(text, "  assert \"out\""), strings.Index(text, "  expect \"run\"")
				passes = text[:at] + "  expect \"run\" { status = \"failed\" }\n}\n" + strings.TrimPrefix(text[end:], "  expect \"run\" { status = \"success\" }\n}\n")
				passes = strings.Replace(passes, `["unused_reply"]`, `["unused_reply", "unmatched_call"]`, 1)
				passes += "invariant \"quiet\" { condition = !strcontains(sut.stdout, \"said\") && !strcontains(sut.stderr, \"said\") || !contains(events()[*].type, \"fault\") }\n"
			}
			writeIn(t, ".", "tell.json", string(data))
			writeIn(t, ".", "a.scenario.hcl", passes)
			at, end := strings.Index(text, "  sut {"), strings.Index(text, "  on \"said\"")
			writeIn(t, ".", "serve.scenario.hcl", strings.Replace(text[:at]+text[end:], "  assert \"out\"", "  # assert \"out\"", 1))
			var out, errs bytes.Buffer
			code := 0
			if c.serves {
				code = servedTo(t, append(c.args, reports...), &out, &errs)
			} else {
				args := append(slices.Clone(c.args), reports...)
				if c.args[0] == "exec" {
					args = append(args, ofParts...)
				}
				code = run(args, strings.NewReader(""), &out, &errs, os.LookupEnv)
			}
			if code != 1 && code != 0 {
				t.Fatalf("exit %d: %.2000s%.2000s", code, &out, &errs)
			}
			writeIn(t, ".", "stdout.txt", out.String())
			writeIn(t, ".", "stderr.txt", errs.String())
			files, hidden := 0, 0
			err = filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
				own := path == "tell.json" || path == "a.scenario.hcl" || path == "serve.scenario.hcl"
				if err != nil || d.IsDir() || own {
					return err
				}
				files++
				shown, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				hidden += bytes.Count(shown, []byte("REDACTED"))
				for _, x := range list {
					if c.serves && strings.HasPrefix(x.way, "proxy") {
						continue // it has none
					}
					if x.way == "env of sut" && (c.serves || strings.HasPrefix(path, "finds") || strings.HasPrefix(path, "report.merge")) {
						continue // nobody is given it, and a find is the file that has it
					}
					coded := base64.StdEncoding.EncodeToString([]byte("u:" + x.secret))
					for _, form := range []string{x.secret, url.PathEscape(x.secret), coded[4:16]} {
						if at := bytes.Index(shown, []byte(form)); at >= 0 {
							t.Errorf("%s shows the %s: …%s…", path, x.way, shown[max(0, at-80):min(len(shown), at+30)])
							break
						}
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if want := len(report.Formats()) + 1; files < want || hidden < len(list) {
				t.Errorf("%d files, want %d or more, in which %d secrets are hidden, want %d or more", files, want, hidden, len(list))
			}
		})
	}
}

// Shows that what is no secret stays readable: the key that programs have of us, which is
// the word scenario, and values that are words.
func TestReceivedWordsStay(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("DB_PASSWORD", "postgres")
	t.Setenv("OPENAI_API_KEY", "test")
	const words = "a scenario of u:scenario with postgres, a test with value and Bearer scenario"
	var tell telling
	for _, value := range []string{"Bearer scenario", "Basic " + base64.StdEncoding.EncodeToString([]byte("u:scenario")), "Bearer test"} {
		tell.Requests = append(tell.Requests, toldRequest{Query: "?key=value", Header: http.Header{"Authorization": {value}, "X-Api-Key": {"scenario"}}, Body: `{"password":"postgres"}`})
	}
	tell.Say = []string{words}
	data, err := json.Marshal(tell)
	if err != nil {
		t.Fatal(err)
	}
	writeIn(t, ".", "tell.json", string(data))
	writeIn(t, ".", "a.scenario.hcl", `provider "http" "shop" { base_url = "https://shop.test" }
scenario "s" {
  sut { command = ["tellsecrets", "tell.json", provider.shop.url] }
  on "shop" {
    reply { times = 3 }
  }
  expect "run" { status = "success" }
}
`)
	var out, errs bytes.Buffer
	if code := run([]string{"exec", "a.scenario.hcl"}, strings.NewReader(""), &out, &errs, os.LookupEnv); code != 1 {
		t.Fatalf("exit %d: %s%s", code, &out, &errs)
	}
	for name, text := range map[string]string{"standard output": out.String(), "standard error": errs.String()} {
		if !strings.Contains(text, "said "+words) {
			t.Errorf("%s does not have the words:\n%s", name, text)
		}
	}
}

// servedTo serves a program that somebody else starts, until that has ended.
func servedTo(t *testing.T, args []string, out, errs *bytes.Buffer) int {
	t.Helper()
	from, to := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- run(args, strings.NewReader(""), to, errs, os.LookupEnv)
		to.Close()
	}()
	lines := bufio.NewReader(from)
	line, err := lines.ReadString('\n')
	if err != nil {
		t.Fatal(err, errs)
	}
	out.WriteString(line)
	var at struct{ Providers map[string]string }
	if err := json.Unmarshal([]byte(line), &at); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("tellsecrets", "tell.json", at.Providers["shop"])
	if err := cmd.Run(); err == nil || cmd.ProcessState.ExitCode() != 3 {
		t.Error("the program did not come to its end:", err)
	}
	if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(out, lines)
	return <-ended
}
