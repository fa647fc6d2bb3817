package cassette

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
)

func ruled() *Redactor {
	return (*Redactor)(nil).With(Rules{
		Headers: []string{"X-Tenant"}, Query: []string{"session"}, JSON: []string{"iban", "user.name2"},
		Patterns: []*regexp.Regexp{regexp.MustCompile(`\b\d{4} \d{4}\b`)},
	})
}

// What a rule names is hidden wherever it stands, with the placeholder that
// the value would have anywhere else, and nothing beside it is.
func TestRules(t *testing.T) {
	r := ruled()
	for in, hidden := range map[string][]string{
		`{"iban":"DE1","name":"n"}`:                {"DE1"},
		`{"a":[{"IBAN":["DE1","DE2"],"x":"DE3"}]}`: {"DE1", "DE2"},
		`cut off here", "iban": "DE1", "x": "y"}`:  {"DE1"},
		`{"i_ban":12}`:                                      {"12"},
		`{"user.name2" : "ä\"b"}`:                           {`ä\"b`},
		`{"said":"{\"iban\":\"DE1\"}"}`:                     {"DE1"},
		`see https://a.example/x?a=1&session=s1#session=s2`: {"s1", "s2"},
		`card 1234 5678, not 12345 678`:                     {"1234 5678"},
		`{"iban":"<REDACTED:sha256=0123456789abcdef>"}`:     nil,
		`{"schema":{"iban":{"type":"string"}}}`:             nil,
	} {
		want := in
		for _, h := range hidden {
			secret, shown := h, Placeholder(unescape(h))
			if h == "12" {
				shown = `"` + shown + `"`
			}
			want = strings.ReplaceAll(want, secret, shown)
		}
		if strings.Contains(in, `{\"`) {
			want = `{"said":"{\"iban\":\"` + Placeholder("DE1") + `\"}"}`
		}
		got := r.Text(in)
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", in, got, want)
		}
		if again := r.Text(got); again != got {
			t.Errorf("%s changes again: %s", got, again)
		}
	}
	if got := r.Header("x-tenant", "acme"); got != Placeholder("acme") {
		t.Error(got)
	}
	if got := r.Body("application/x-www-form-urlencoded", "a=1&session=s1"); got != "a=1&session="+Placeholder("s1") {
		t.Error(got)
	}
	if got := strings.Join(r.Chunks([]string{"no 1234", " 56", "78."}), "|"); got != "no "+Placeholder("1234 5678")+"||." {
		t.Error(got)
	}
	if got := (*Redactor)(nil).With(Rules{}); got != nil {
		t.Error("no rules make a redactor")
	}
}

// What a scenario hides does not count in a comparison, and what it does not
// hide still does; by step and by request.
func TestRulesInMatching(t *testing.T) {
	for _, step := range []string{"", "a"} {
		for name, tt := range map[string]struct {
			url, body, tenant string
			want              string
		}{
			"other values":  {chatURL + "?session=2", `{"iban":"DE2","n":1}`, "b", ""},
			"a placeholder": {chatURL + "?session=2", `{"iban":"<REDACTED:sha256=0123456789abcdef>","n":1}`, "b", ""},
			"another body":  {chatURL + "?session=2", `{"iban":"DE2","n":2}`, "b", "n"},
			"without":       {chatURL + "?session=2", `{"n":1}`, "b", "iban"},
		} {
			it := recorded(step, 1, `{"iban":"DE1","n":1}`, `{"n":1}`)
			it.URL, it.Target = chatURL+"?session=1", ""
			it.RequestHeader.Set("X-Tenant", "a")
			p := player(t, Options{Redact: ruled().Alike, Profile: Strict, MatchHeaders: []string{"X-Tenant"}}, it)
			c := call("a", "", tt.url, tt.body)
			c.Request.Header.Set("X-Tenant", tt.tenant)
			before := c.Request.Header.Clone()
			_, err := p.Next(t.Context(), c)
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("%s: %v", name, err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), "body."+tt.want)):
				t.Errorf("%s: got %v, want a difference in %q", name, err, tt.want)
			case err != nil && (strings.Contains(err.Error(), "DE1") || strings.Contains(err.Error(), "DE2")):
				t.Errorf("%s: the message tells what is hidden: %v", name, err)
			}
			if len(http.Header(before)) != len(c.Request.Header) || c.Request.Header.Get("X-Tenant") != tt.tenant {
				t.Errorf("%s: the request was changed: %v", name, c.Request.Header)
			}
		}
	}
}
