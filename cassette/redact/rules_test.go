package redact

import (
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
