package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/scenario-lang/scenario/cassette/redact"
)

// A planted secret is one that a service answers with, or is sent, and of which
// nobody told.
type planted struct {
	what string
	// step is the rest of the step that meets it; the service answers with the
	// body under that type and encoding.
	step              string
	body              string
	contentType       string
	encoding          string
	header            http.Header
	secret, alsoKnown string
}

// shownIn is where a text shows the secret, or its beginning, "" where it does not.
func (x planted) shownIn(data []byte) string {
	begun := x.secret // of which a message may show the beginning
	if len(begun) > 30 && !strings.HasPrefix(begun, "eyJ") {
		begun = begun[:24]
	}
	for _, secret := range []string{x.secret, begun, x.alsoKnown, url.QueryEscape(x.secret)} {
		if at := bytes.Index(data, []byte(secret)); secret != "" && at >= 0 {
			return string(data[max(0, at-60):min(len(data), at+len(secret)+10)])
		}
	}
	return ""
}

// A plant makes secrets of all kinds for all places.
type plant struct {
	draw *rand.Rand
	list []planted
}

func (p *plant) from(letters string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = letters[p.draw.IntN(len(letters))]
	}
	return string(b)
}

const (
	mixed = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
	hexed = "0123456789abcdef"
)

func (p *plant) letters(n int) string { return p.from(mixed, n) }

func (p *plant) add(x planted) {
	if x.step == "" {
		x.step = `method = "GET"` + "\n" + `path = "/PLACE"`
	}
	if x.contentType == "" {
		x.contentType = "application/json"
	}
	if x.body == "" {
		x.body = `{"ok":true}`
	}
	p.list = append(p.list, x)
}

// names are members of JSON, fields of forms and parameters that carry secrets.
func (p *plant) names() {
	for _, name := range []string{
		"access_token", "refresh_token", "id_token", "client_secret", "api_key", "apikey", "password", "secret", "private_key", "authorization",
		"token", "bot_token", "sessionToken", "deviceToken", "SecretAccessKey", "passwd", "pwd", "passphrase", "credentials", "bearer", "jwt", "cookie",
		"csrf_token", "sig", "signature", "app_secret", "webhookSecret", "license_key", "hook-key", "connection_string",
	} {
		for _, place := range []string{"a member", "a nested member", "JSON in a string", "an event", "a form", "a request's member"} {
			s := p.letters(24)
			x := planted{what: name + " as " + place, secret: s}
			member := `"` + name + `": "` + s + `"`
			switch place {
			case "a member":
				x.body = `{` + member + `}`
			case "a nested member":
				x.body = `{"a":[{"b":{` + member + `,"c":1}}]}`
			case "JSON in a string":
				x.body = `{"text":` + strconv.Quote(`{`+member+`}`) + `}`
			case "an event":
				x.contentType, x.body = "text/event-stream", "data: {"+member+"}\n\n"
			case "a form":
				x.step = fmt.Sprintf("method = \"POST\"\npath = \"/PLACE\"\nheaders = { Content-Type = \"application/x-www-form-urlencoded\" }\nbody = \"x=1&%s=%s\"", name, s)
			case "a request's member":
				x.step = fmt.Sprintf("method = \"POST\"\npath = \"/PLACE\"\nheaders = { Content-Type = \"application/json\" }\nbody = %q", `{`+member+`}`)
			}
			p.add(x)
		}
	}
	for _, name := range []string{"otp", "pin", "user_pin"} {
		s := p.from("123456789", 10)
		p.add(planted{what: name, secret: s, body: `{"` + name + `":"` + s + `"}`})
		n := p.from("123456789", 10)
		p.add(planted{what: name + " as a number", secret: n, body: `{"` + name + `": ` + n + `}`})
	}
	for _, name := range []string{
		"key", "api_key", "access_token", "token", "sig", "code", "auth", "subscription-key", "AWSAccessKeyId", "Signature", "X-Goog-Signature", "X-Amz-Signature",
		"X-Goog-Credential", "client_secret", "password",
	} {
		s := p.letters(24)
		p.add(planted{what: "the parameter " + name, secret: s, step: fmt.Sprintf("method = \"GET\"\npath = \"/PLACE?x=1&%s=%s\"", name, s)})
		s = p.letters(24)
		p.add(planted{what: "the parameter " + name + " of a URL in a text", secret: s, body: `{"next":"https://a.example/x?a=1&` + name + "=" + s + `"}`})
	}
	drawn := func() string { return p.letters(20) + "4x7k" }
	for _, name := range []string{"appid", "sid", "sessionid", "ticket", "passcode"} {
		s := drawn()
		p.add(planted{what: "the parameter " + name, secret: s, step: fmt.Sprintf("method = \"GET\"\npath = \"/PLACE?x=1&%s=%s\"", name, s)})
	}
	for what, body := range map[string]string{
		"the member pass": `{"pass":"%s"}`, "the member session_id": `{"session_id":"%s"}`, "the member mfa_code": `{"mfa_code":"%s"}`, "a list of backup_codes": `{"backup_codes":["%s"]}`, "the member webhook_url": `{"webhook_url":"https://h.example/x/%s"}`,
		"a value with its name": `[{"name":"DB_PASSWORD","value":"%s"}]`, "a value with its key": `{"a":[{"value":"%s","key":"api_key"}]}`, "an element with attributes": `<a><b:Password Type="Text">%s</b:Password></a>`,
		"a login of Go": `{"dsn":"bob:%s@tcp(db:3306)/x"}`, "pass in a message": "login pass=%s", "a client of MySQL": "mysql -p%s", "a value in the next line": "password:\n  %s\n",
	} {
		s := drawn()
		p.add(planted{what: what, secret: s, body: fmt.Sprintf(body, s)})
	}
	for _, name := range []string{"X-Session-Id", "X-Original-Cookie", "X-Tenant-Key"} {
		s := drawn()
		p.add(planted{what: "the field " + name, secret: s, step: fmt.Sprintf("method = \"GET\"\npath = \"/PLACE\"\nheaders = { %s = %q }", name, s)})
	}
	for _, name := range []string{"X-Auth-Token", "X-Api-Key", "X-Webhook-Secret", "X-Hub-Signature-256", "Ocp-Apim-Subscription-Key", "Set-Cookie", "X-Vault-Token"} {
		s := p.letters(24)
		p.add(planted{what: "the field " + name + " of an answer", secret: s, header: http.Header{name: {s}}})
		s = p.letters(24)
		p.add(planted{what: "the field " + name + " of a request", secret: s, step: fmt.Sprintf("method = \"GET\"\npath = \"/PLACE\"\nheaders = { %s = %q }", name, s)})
	}
}

// forms are the tokens of services, in what stands around them.
func (p *plant) forms() {
	hex := func(n int) string { return p.from(hexed, n) }
	upper := func(n int) string { return p.from("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", n) }
	for what, form := range map[string]func() (text, secret string){
		"OpenRouter":   func() (string, string) { s := "sk-or-v1-" + hex(64); return s, s },
		"Pinecone":     func() (string, string) { s := "pcsk_" + p.letters(6) + "_" + p.letters(56); return s, s },
		"Fireworks":    func() (string, string) { s := "fw_" + p.letters(24); return s, s },
		"OpenAI":       func() (string, string) { s := "sk-proj-" + p.letters(74) + "T3BlbkFJ" + p.letters(74); return s, s },
		"Anthropic":    func() (string, string) { s := "sk-ant-api03-" + p.letters(93) + "AA"; return s, s },
		"Groq":         func() (string, string) { s := "gsk_" + p.letters(52); return s, s },
		"Hugging Face": func() (string, string) { s := "hf_" + p.letters(34); return s, s },
		"xAI":          func() (string, string) { s := "xai-" + p.letters(80); return s, s },
		"GitHub":       func() (string, string) { s := "ghp_" + p.letters(36); return s, s },
		"GitLab":       func() (string, string) { s := "glpat-" + p.letters(20); return s, s },
		"Google":       func() (string, string) { s := "AIza" + p.letters(35); return s, s },
		"Slack hook": func() (string, string) {
			s := p.letters(9) + "/" + p.letters(11) + "/" + p.letters(24)
			return "https://hooks.slack.com/services/" + s, s
		},
		"Discord hook": func() (string, string) {
			s := "11" + p.from("0123456789", 16) + "/" + p.letters(68)
			return "https://discord.com/api/webhooks/" + s, s
		},
		"Slack": func() (string, string) {
			s := "xoxb-" + p.from("123456789", 12) + "-" + p.from("123456789", 12) + "-" + p.letters(24)
			return s, s
		},
		"Telegram": func() (string, string) { s := p.from("123456789", 10) + ":AA" + p.letters(33); return s, s },
		"Telegram in a path": func() (string, string) {
			s := p.from("123456789", 10) + ":AA" + p.letters(33)
			return "/bot" + s + "/sendMessage", s
		},
		"Twilio":  func() (string, string) { s := "SK" + hex(32); return s, s },
		"Mailgun": func() (string, string) { s := "key-" + hex(32); return s, s },
		"Azure storage": func() (string, string) {
			s := p.letters(86) + "=="
			return "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=" + s + ";EndpointSuffix=core", s
		},
		"age":        func() (string, string) { s := "AGE-SECRET-KEY-1" + upper(58); return s, s },
		"Bearer":     func() (string, string) { s := p.letters(32); return "Authorization: Bearer " + s, s },
		"AWS key":    func() (string, string) { s := "AKIA" + p.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16); return s, s },
		"AWS secret": func() (string, string) { s := p.letters(40); return "aws_secret_access_key = " + s, s },
		"Stripe":     func() (string, string) { s := "sk_live_" + p.letters(24); return s, s },
		"SendGrid":   func() (string, string) { s := "SG." + p.letters(22) + "." + p.letters(43); return s, s },
		"npm":        func() (string, string) { s := "npm_" + p.letters(36); return s, s },
		"JWT": func() (string, string) {
			s := "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIx" + p.letters(20) + "." + p.letters(43)
			return s, s
		},
		"private key": func() (string, string) {
			s := p.letters(64)
			return "-----BEGIN RSA PRIVATE KEY-----\n" + p.letters(64) + "\n" + s + "\n" + p.letters(40) + "\n-----END RSA PRIVATE KEY-----", s
		},
	} {
		for _, place := range []string{"a text", "a member", "Base64", "gzip", "the pieces of a stream"} {
			text, secret := form()
			x := planted{what: what + " in " + place, secret: secret, body: "before " + text + " and after", contentType: "text/plain"}
			switch place {
			case "a member":
				quoted, _ := json.Marshal("before " + text + ", after")
				x.contentType, x.body = "application/json", `{"said":`+string(quoted)+`}`
			case "Base64":
				x.body = "blob: " + base64.StdEncoding.EncodeToString([]byte("a text with "+text+" in it"))
				x.alsoKnown = base64.StdEncoding.EncodeToString([]byte("a text with " + text + " in it"))
			case "gzip":
				var b bytes.Buffer
				z := gzip.NewWriter(&b)
				_, _ = z.Write([]byte(x.body)) // a buffer takes everything
				_ = z.Close()
				x.body, x.encoding = b.String(), "gzip"
				x.step = "method = \"GET\"\npath = \"/PLACE\"\nheaders = { Accept-Encoding = \"gzip\" }"
			case "the pieces of a stream":
				x.contentType, x.body = "text/event-stream", ""
				for rest := "before " + text + " and after"; rest != ""; {
					n := min(len(rest), 3+p.draw.IntN(9))
					quoted, _ := json.Marshal(rest[:n])
					x.body, rest = x.body+`data: {"delta":{"text":`+string(quoted)+"}}\n\n", rest[n:]
				}
			}
			p.add(x)
		}
	}
}

// Shows that no secret that a service answers with, or is sent, stands in clear in
// anything that a live command leaves: the cassette, the trace, every report, what
// it prints of checks that failed on the very texts, and what --check prints when
// every answer has changed.
func TestPlantedSecretsStandNowhere(t *testing.T) {
	p := &plant{draw: rand.New(rand.NewPCG(11, 12))}
	p.names()
	p.forms()
	slices.SortFunc(p.list, func(a, b planted) int { return strings.Compare(a.what, b.what) })
	unknown := "q8Zr2LmN5vTx9KpW3sYdB7hJ"
	var answers atomic.Pointer[[]planted]
	answers.Store(&p.list)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/unknown" {
			fmt.Fprint(w, `{"handle": "`+unknown+`"}`)
			return
		}
		n, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
		list := *answers.Load()
		if err != nil || n >= len(list) {
			http.NotFound(w, r)
			return
		}
		x := list[n]
		for name, values := range x.header {
			w.Header()[name] = values
		}
		w.Header().Set("Content-Type", x.contentType)
		if x.encoding != "" {
			w.Header().Set("Content-Encoding", x.encoding)
		}
		fmt.Fprint(w, x.body)
	}))
	defer srv.Close()
	dir := t.TempDir()
	var file strings.Builder
	file.WriteString("variable \"api\" {}\nprovider \"http\" \"shop\" { base_url = var.api }\nworkflow \"all\" {\n  provider = provider.shop\n  on_failure = \"continue\"\n")
	for i, x := range p.list {
		fmt.Fprintf(&file, "  step \"http\" \"s%d\" {\n%s\n}\n", i, strings.Replace(x.step, "PLACE", strconv.Itoa(i), 1))
	}
	file.WriteString("  step \"http\" \"unknown\" {\n    method = \"GET\"\n    path = \"/unknown\"\n  }\n}\nscenario \"all\" {\n  run = workflow.all\n  cassette { path = \"all.yaml\" }\n")
	for i := range p.list {
		for n, condition := range []string{`step.sN.body == "nothing like that"`, `step.sN.headers == {}`, `step.sN.attempts[0].request == {}`, `step.sN.json == [1]`} {
			fmt.Fprintf(&file, "  assert \"a%d of %d\" { condition = %s }\n", n, i, strings.ReplaceAll(condition, "sN", "s"+strconv.Itoa(i)))
		}
	}
	file.WriteString("}\n")
	writeIn(t, dir, "all.scenario.hcl", file.String())
	s := &standIn{Server: srv}
	reports := []string{"-v", "--trace-out", "trace.jsonl"}
	for _, kind := range []string{"html", "junit", "markdown", "json", "ctrf", "tap", "github", "text", "merge"} {
		reports = append(reports, "--report", kind+"=report."+kind)
	}
	commands := [][]string{{"record"}, {"run"}, {"record", "--check"}, {"record", "--check", "--json"}}
	if testing.Short() {
		commands = commands[:1]
	}
	for _, args := range commands {
		if len(args) > 1 { // what is compared is another answer
			changed := slices.Clone(*answers.Load())
			for i := range changed {
				changed[i].body = strings.Replace(changed[i].body, `{"`, `{"new":1,"`, 1)
			}
			answers.Store(&changed)
		}
		out, code := liveIn(t, dir, s, append(append(slices.Clone(args), reports...), "all.scenario.hcl")...)
		if code != 1 {
			t.Fatalf("%v: exit %d:\n%.3000s", args, code, out)
		}
		writeIn(t, dir, "printed", out)
		if warned := strings.Contains(out, "no rule matches it: "+redact.Placeholder(unknown)); warned != (len(args) == 1 && args[0] == "record") {
			t.Errorf("%v: warned of what no rule knows: %v", args, warned)
		}
		found := 0
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), ".hcl") || e.IsDir() {
				continue
			}
			data, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range p.list {
				if shown := x.shownIn(data); shown != "" {
					if found++; found < 40 {
						t.Errorf("%s, %s: %s stands in …%s…", strings.Join(args, " "), e.Name(), x.what, shown)
					}
				}
			}
		}
		t.Logf("%s: %d secrets, %d found", strings.Join(args, " "), len(p.list), found)
	}
}
