package redact

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The names, signs and quotings in which languages, shells, headers and messages write
// a secret. A line has %N for the name and %V for the value.
var (
	spokenNames = []string{
		"password", "Password", "DB_PASSWORD", "dbPassword", "db.password", "api_key", "apiKey", "API-KEY", "X-Api-Key", "client_secret", "clientSecret", "secret", "access_token", "passwd", "pwd", "db_pwd", "adminPwd", "IMAP_PWD", "DB_PASS", "smtpPass",
		"private_key", "AccountKey", "SharedAccessKey", "passphrase", "connection_string", "X-Auth-Token", "auth_token", "bot_token", "token", "session_key", "signing-key",
	}
	spokenSigns = []string{"=", " = ", ": ", ":", " : ", " => ", "=>", " := ", ":  "}
	// spokenQuotes stand around a name and around a value.
	spokenQuotes = []string{"", `'`, `"`, "`", `\'`, `\"`, `\\\"`}
	spokenForms  = []string{
		"%N%S%V", "{%N%S%V}", "{'id': 1, %N%S%V, 'user': 'ann'}", "Client(%N%S%V)", "export %N%S%V\nnext", "f(%N%S%V, x)", "host=h %N%S%V\n", "2024-05-01T10:00:00Z INFO %N%S%V", "config[%N]%S%V", "<a %N%S%V/>",
		"url?%N%S%V", "env: %N%S%V;", "const %N%S%V", "--%N%S%V", "\t%N%S%V\n", "x\n%N%S%V\ny", `x\n%N%S%V\ny`,
	}
	// spokenAsIs are forms that bring their own signs.
	spokenAsIs = []string{
		"run --%N %V", "run -%N %V --next", "run --%N=%V", "run --%N '%V'", `["run", "--%N", "%V"]`, "['--%N', '%V']", "%N\t%V", "user\tann\n%N\t%V\n", `%N\t%V\n`, "('%N', '%V')", `[("%N", "%V"), ("a", "b")]`,
		"%N: Some(\"%V\")", "%N: Some('%V'),", "%N=SecretStr('%V')", `%N: String::from("%V")`, "%N = b'%V'", `%N: "%V", `, "%N: &'%V'", "%N: str = '%V'", "%N: Optional[str] = \"%V\"", "const %N: &str = \"%V\";",
		"%N: ['%V']", "'%N': ['%V', 'x']", `{"%N": ["%V"]}`, `{"%N":"%V"}`, `{"%N": '%V'}`, "'%N' =\\u003e '%V'", "<%N>%V</%N>", "%N='%V", "%N = %V", "$env:%N = '%V'", "%N:'%V'", ":%N => '%V'", "\"%N\"=>\"%V\"",
	}
	spokenValues = []string{"ZQe78M820PI5x", "3fEOLk282NgnQ", "v3nqIx926QvGW", "7Qe8M20PIx5kTr41bNsW"}
)

// Shows that a secret behind its name is hidden in every sign, quoting and form, in a
// text, in the lines that a program writes, in the pieces of a stream and in what is
// recorded; and that hiding again changes nothing.
func TestEverySpellingIsHidden(t *testing.T) {
	var texts []string
	for n, name := range spokenNames {
		value := spokenValues[n%3]
		if kindOf(name) == secretKey {
			value = spokenValues[3] // a name that is of other things, too
		}
		put := func(form, sign, around, quote string) {
			// A bare name stands with a quoted value and the other way round.
			texts = append(texts, strings.NewReplacer("%N", around+name+around, "%S", sign, "%V", quote+value+quote).Replace(form))
		}
		for _, sign := range spokenSigns {
			for i, form := range spokenForms {
				for j, quote := range spokenQuotes {
					if n > 3 && (i+j+n)%5 > 0 {
						continue // every name meets every sign, and a fifth of the rest
					}
					for _, around := range []string{"", `'`, `"`} {
						if form == "--%N%S%V" && around != "" || around == `"` && (quote == `\"` || quote == `\\\"` || quote == `\'`) {
							continue
						}
						put(form, sign, around, quote)
					}
				}
			}
		}
		for _, form := range spokenAsIs {
			put(form, "", "", "")
		}
	}
	wrong := 0
	for i, text := range texts {
		outputs := map[string]string{"text": (*Redactor)(nil).Text(text)}
		if i%7 == 0 {
			outputs["recorded"] = (*Redactor)(nil).Recording().Text(text)
			outputs["stored"] = (*Redactor)(nil).Stored(http.Header{"Content-Type": {"text/plain"}}, text)
			for _, size := range []int{1, 3} {
				pieces := piecesOf(text, size)
				outputs[fmt.Sprint("written in ", size)] = writtenIn(t, (*Redactor)(nil), pieces)
				outputs[fmt.Sprint("chunks of ", size)] = strings.Join((*Redactor)(nil).Chunks(pieces), "")
				outputs[fmt.Sprint("streamed in ", size)] = joinedText(t, (*Redactor)(nil).Lines(streams["openai"].write(pieces)))
			}
			if quoted, _ := json.Marshal(map[string]string{"stdout": text}); !strings.Contains(text, "</") { // an element is none there
				outputs["within JSON"] = (*Redactor)(nil).Text(string(quoted))
			}
		}
		for where, got := range outputs {
			for _, value := range spokenValues {
				if strings.Contains(got, value) || strings.Contains(text, value) && !strings.Contains(got, "REDACTED") {
					if wrong++; wrong < 40 {
						t.Errorf("%s: %q is shown as %q", where, text, got)
					}
				}
			}
			if again := (*Redactor)(nil).Text(got); where == "text" && again != got {
				if wrong++; wrong < 40 {
					t.Errorf("%q: %q, and then %q", text, got, again)
				}
			}
		}
	}
	t.Logf("%d texts, %d wrong", len(texts), wrong)
}

func piecesOf(text string, size int) (pieces []string) {
	for rest := text; rest != ""; {
		n := min(size, len(rest))
		pieces, rest = append(pieces, rest[:n]), rest[n:]
	}
	return pieces
}

// Shows that headers and cookies, and what only looks like a list, are hidden in part.
func TestSpellingsOfTheirOwn(t *testing.T) {
	p := Placeholder
	for text, want := range map[string]string{
		"Cookie: theme=dark; session=qkjbzR9978sZ":                           "Cookie: theme=dark; session=" + p("qkjbzR9978sZ"),
		"Set-Cookie: sid=a1b2c3d4; Max-Age=3600; Path=/x; Expires=Wed, 2024": "Set-Cookie: sid=" + p("a1b2c3d4") + "; Max-Age=3600; Path=/x; Expires=Wed, 2024",
		"Authorization: Bearer TFJ9Vf748S0lqq":                               "Authorization: Bearer " + p("TFJ9Vf748S0lqq"),
		"> authorization: token TFJ9Vf748S0lqq\n":                            "> authorization: token " + p("TFJ9Vf748S0lqq") + "\n",
		"curl -H 'Authorization: Basic dXNlcjpwdw=='":                        "curl -H 'Authorization: Basic " + p("dXNlcjpwdw==") + "'",
		"{'Authorization': 'Bearer TFJ9Vf748S0lqq'}":                         "{'Authorization': '" + p("Bearer TFJ9Vf748S0lqq") + "'}",
		`{"tokens": ["ZQe78M820PI5x", "b"]}`:                                 `{"tokens": ["` + p("ZQe78M820PI5x") + `", "` + p("b") + `"]}`,
		"{'api_keys': ['ZQe78M820PI5x', '3fEOLk282NgnQ']}":                   "{'api_keys': ['" + p("ZQe78M820PI5x") + "', '" + p("3fEOLk282NgnQ") + "']}",
		`password = 'it\'s-1-secret' x`:                                      `password = '` + p(`it\'s-1-secret`) + `' x`,
		`{'password': "it's-1-secret", 'a': 'b'}`:                            `{'password': "` + p("it's-1-secret") + `", 'a': 'b'}`,
		"DB_PASS=rk8QZ7s1 run":                                               "DB_PASS=" + p("rk8QZ7s1") + " run",
		"AccountKey=abcDEF0123456789+/abcDEF0123456789==;Endpoint=x":         "AccountKey=" + p("abcDEF0123456789+/abcDEF0123456789==") + ";Endpoint=x",
	} {
		if got := (*Redactor)(nil).Text(text); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}

// innocent are texts about secrets, with none in them.
var innocent = []string{
	"The password must not be empty.", "password: it's required", "Enter the 'password' and the \"token\".", "max_tokens = 100", "max_tokens: 4096, 'total_tokens': 128", "token count: 12", "tokens: 1234", "prompt_tokens=12", `{'max_tokens': 100}`,
	"pass  12 scenarios, fail 0", "first_pass: 12ms", "bypass = true", "the key is 'a', the value is 'b2'", "key: value1", "key = 'name1'", "keys: ['a1', 'b2']", "primary_key='id2'", "sort_key = 'created_at_2'", "public_key = 'abc123def'",
	"token = os.environ['API_TOKEN_2']", "api_key=os.getenv(\"OPENAI_API_KEY\")", "api_key: $OPENAI_API_KEY", "api_key = ${var.key2}", "password = var.db_password", "password=$1", "--password", "--token FILE", "--api-key KEY", "run --token --verbose2", "password\tdescription",
	"Authorization: Bearer", "Authorization: Bearer $TOKEN2", "Authorization: the server said 401", "Cookie: none", "Set-Cookie: theme=dark; Path=/", "cookies: 12", "author='Jane Doe'", "the secretary's note: 'call 555123'", "monkey='bananas1'",
	"token: expected string, got int64", "api_version='v1.2.3'", "secret: v1.2.3", "10:30:00 token refreshed", "2024-05-01T10:00:00Z key rotated", "if password == nil {", "password != ''", "type Token = 'a' | 'b'", "case 'token', 'secret', 'password':",
	`["password", "token", "api_key"]`, "('password', 'username', 'email')", "pin: 12", "spin='1234'", "cache_key: user_profile_12", "idempotency_key='order-42-retry-1'", "next_page_token: abc123", "trace_key=550e8400-e29b-41d4-a716-446655440000",
	"passes='12'", "compass = 'north1'", "author_key: 'jane'", "token_type='bearer'", "token_url: https://id.example.com/oauth2/token",
}

// Shows that what is no secret stays as it is: prose, code, numbers, times, versions.
func TestInnocentTextsStay(t *testing.T) {
	for _, text := range innocent {
		if got := (*Redactor)(nil).Text(text); got != text {
			t.Errorf("%q is shown as %q", text, got)
		}
	}
}

// shownInDocs are the values under names of secrets in pages and scenarios that are
// hidden: examples of secrets.
var shownInDocs = regexp.MustCompile(`://[^/ ]*@|hunter2|Bearer \$\{`)

// Shows that of the pages and the scenarios of this project nothing is hidden but what
// they show as a secret.
func TestPagesStay(t *testing.T) {
	for _, root := range []string{"../../docs", "../../scenarios", "../../examples"} {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || strings.Contains(path, "node_modules") {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil || len(data) > 1<<20 {
				return err
			}
			for n, line := range strings.Split(string(data), "\n") {
				if got := (*Redactor)(nil).Text(line); got != line && !shownInDocs.MatchString(line) {
					t.Errorf("%s:%d: %.300s\n is shown as %.300s", path, n+1, line, got)
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}
