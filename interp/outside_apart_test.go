package interp

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scenario-lang/scenario/wire"
)

// Shows that a scenario of a server which keeps answers is told of if no two of its requests differ only in who
// asks, whatever the server has in its key, and that it is not if two do, if nothing is kept, or if checks do not
// read two answers.
func TestRequestsThatDifferInWhoAsksAlone(t *testing.T) {
	get := func(path, header, value string) string {
		return fmt.Sprintf("path = %q\n    headers = { %q = %q }", path, header, value)
	}
	post := func(path, body string) string {
		return fmt.Sprintf("method = \"POST\"\n    path = %q\n    json = %s", path, body)
	}
	const november, october, tenant = "/invoices/2025-11", "/invoices/2025-10", "X-Tenant"
	const tenantSaid = `the header field x-tenant says for whom the program is asked, with one value in step "a" and another in step "b"`
	apart := []string{get(november, tenant, "ann"), get(october, tenant, "bob"), get(november, tenant, "ann")}
	whole := func(req *http.Request, body string) string {
		return fmt.Sprint(req.Method, req.URL, req.Header[tenant], req.Header["Authorization"], req.Header["Cookie"], body)
	}
	none := func(*http.Request, string) string { return "" }
	for _, c := range []struct {
		what, name string
		key        func(req *http.Request, body string) string // "" keeps nothing
		steps      []string
		unread     string // steps that no check reads
		want       string // what is told
		made       string // what is put to the test
	}{
		{"in the key", "s", whole, apart, "", tenantSaid, ""},
		{"not in the key", "s", func(req *http.Request, _ string) string { return req.URL.String() }, apart, "", tenantSaid, ""},
		{"the last part of the path", "s", func(req *http.Request, _ string) string { return req.URL.Path[len("/invoices"):] }, apart, "", tenantSaid, ""},
		{"how long it is", "s", func(req *http.Request, _ string) string {
			return fmt.Sprint(len(req.Header.Get(tenant)), req.URL)
		}, apart, "", tenantSaid, ""},
		{"a token", "s", whole, []string{get(november, "Authorization", "Bearer a-1"), get(october, "Authorization", "Bearer b-1"), get(november, "Authorization", "Bearer a-1")}, "", "the header field authorization says", ""},
		{"a cookie", "s", whole, []string{get(november, "Cookie", "sid=1"), get(october, "Cookie", "sid=2"), get(november, "Cookie", "sid=1")}, "", "the header field cookie says", ""},
		{"a language", "s", whole, []string{get("/page/1", "Accept-Language", "de"), get("/page/2", "Accept-Language", "en"), get("/page/1", "Accept-Language", "de")}, "", "the header field accept-language says", ""},
		{"a parameter", "s", whole, []string{`path = "/i/1?userId=7"`, `path = "/i/2?userId=8"`, `path = "/i/1?userId=7"`}, "", "the query parameter userId says", ""},
		{"a part of the path", "s", whole, []string{`path = "/accounts/7/i/1"`, `path = "/accounts/8/i/2"`, `path = "/accounts/7/i/1"`}, "", "the part of the path behind accounts says", ""},
		{"a member", "s", whole, []string{post("/find", `{ customer = { id = "c1" }, word = "tea" }`), post("/find", `{ customer = { id = "c2" }, word = "milk" }`), post("/find", `{ customer = { id = "c1" }, word = "tea" }`)}, "", "the member customer.id says", ""},
		{"what the name says", "orders of tenants", none, apart[:2], "", tenantSaid, ""},

		{"the same for both", "s", whole, []string{apart[0], get(november, tenant, "bob"), apart[1], apart[0]}, "", "", "the header field x-tenant"},
		{"one parameter for both", "s", whole, []string{`path = "/i/1?userId=7"`, `path = "/i/1?userId=8"`, `path = "/i/1?userId=7"`}, "", "", "the query parameter userId"},
		{"nothing is kept", "s", none, apart, "", "", ""},
		{"one tenant", "s", whole, []string{apart[0], get(october, tenant, "ann"), apart[0]}, "", "", ""},
		{"one answer is read", "s", whole, apart, "b", "", ""},
		{"a refusal", "s", whole, []string{apart[0], apart[0], get("/invoices/secret-1", tenant, "bob") + "\n    required = false"}, "", "", ""},
		{"two things", "s", whole, []string{apart[0], get("/reports/2025/11", tenant, "bob"), apart[0]}, "", "", ""},
		{"things with ids of their own", "s", whole, []string{post("/hook", `{ id = "e1", customer = "c1" }`), post("/hook", `{ id = "e2", customer = "c2" }`), post("/hook", `{ id = "e1", customer = "c1" }`)}, "", "", ""},
		{"other names", "s", whole, []string{get(november, "X-User-Agent", "a"), get(october, "X-User-Agent", "b"), get(november, "X-User-Agent", "a")}, "", "", ""},
	} {
		source := "provider \"http\" \"portal\" {}\nprovider \"http\" \"db\" { base_url = \"https://db.test\" }\nworkflow \"w\" {\n  provider = provider.portal\n"
		expects, before := "", ""
		for i, s := range c.steps {
			name := string(rune('a' + i))
			source += fmt.Sprintf("  step \"http\" %q {\n    %s\n    %s\n  }\n", name, s, before)
			before = fmt.Sprintf("depends_on = [step.%s]", name)
			if name != c.unread {
				expects += fmt.Sprintf("  assert %q { condition = length(step.%s.attempts) == 1 }\n", name, name)
			}
		}
		source += fmt.Sprintf("}\nscenario %q {\n  run = workflow.w\n  sut { serves = provider.portal }\n  on \"db\" {\n    reply { times = \"*\" }\n  }\n%s}\n", c.name, expects)
		var trials []Trial
		var r *Result
		synctest.Test(t, func(t *testing.T) {
			run := NewOutside(compileAt(t, "served.scenario.hcl", source)[0], OutsideOptions{Clock: wire.System(), Way: Exec})
			run.Started(1)
			time.Sleep(time.Second) // of fake time
			run.Ready()
			cache := map[string]bool{}
			run.Drive(DriveOptions{BaseURL: "http://127.0.0.1:1", Transport: &server{run: run, answer: func(s *server, w http.ResponseWriter, req *http.Request) error {
				body := ""
				if req.Body != nil {
					all, err := io.ReadAll(req.Body)
					if err != nil {
						return err
					}
					body = string(all)
				}
				if key := c.key(req, body); key == "" || !cache[key] {
					cache[key] = true
					s.ask(req.Context(), "https://db.test"+req.URL.Path)
				}
				if strings.Contains(req.URL.Path, "secret") {
					w.WriteHeader(http.StatusForbidden)
				}
				_, err := io.WriteString(w, "{}")
				return err
			}}})
			time.Sleep(time.Second) // until it has stopped
			r, _ = run.Finish("")
			trials = run.Trials(nil, func() Files { return Files{Whole: true} })
		})
		said, made := "", ""
		for _, trial := range trials {
			if !strings.HasPrefix(trial.Of, "duplicates") {
				said += trial.Why
				if trial.Made {
					made += trial.Of
				}
			}
		}
		if r.Verdict != Pass || !strings.Contains(said, c.want) || c.want == "" && said != "" || made != c.made {
			t.Errorf("%s: %s %s: said %q and made %q", c.what, r.Verdict, told(r), said, made)
		}
	}
}
