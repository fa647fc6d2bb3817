package redact

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// A carrier is a way in which a name and a value can stand together. ‹n› stands for the name
// and ‹v› for the value.
type carrier struct {
	name, text string
	// shown is why the value stays, "" where it is hidden.
	shown string
}

// carriers are all that are known, in the form that a program writes.
var carriers = []carrier{
	{"member of JSON", `{"a":1,"‹n›":"‹v›","b":2}`, ""},
	{"member with spaces", "{\n  \"‹n›\" : \"‹v›\"\n}\n", ""},
	{"member in an object", `{"headers":{"‹n›":"‹v›"}}`, ""},
	{"object", `{"‹n›":{"old":"‹v›","new":"‹v›"}}`, ""},
	{"object of people", `{"‹n›":{"ann":"‹v›"}}`, ""},
	{"object in an object", `{"‹n›":{"access":{"value":"‹v›"}}}`, ""},
	{"object of lists", `{"‹n›":{"ann":["‹v›","‹v›"]}}`, ""},
	{"object in several lines", "{\n  \"‹n›\": {\n    \"old\": \"‹v›\",\n    \"new\": \"‹v›\"\n  },\n  \"x\": 1\n}\n", ""},
	{"list of objects", `{"‹n›":[{"value":"‹v›"}]}`, ""},
	{"list", `{"‹n›":["‹v›"]}`, ""},
	{"list in several lines", "{\n  \"‹n›\": [\n    \"‹v›\",\n    \"‹v›\"\n  ]\n}\n", ""},
	{"JSON in a string", `{"text":"{\"‹n›\":\"‹v›\"}"}`, ""},
	{"object in a string", `{"text":"{\"‹n›\":{\"old\":\"‹v›\"}}"}`, ""},
	{"events of a stream", "data: {\"‹n›\":{\"old\":\"‹v›\"}}\n\n", ""},
	{"lines of JSON", "{\"‹n›\":\"‹v›\"}\n{\"‹n›\":{\"ann\":\"‹v›\"}}\n", ""},
	{"pair of name and value", `{"fields":[{"name":"‹n›","value":"‹v›"}]}`, ""},
	{"pair of key and val", `{"fields":[{"key":"‹n›","val":"‹v›"}]}`, ""},
	{"pair of k and v", `{"fields":[{"k":"‹n›","v":"‹v›"}]}`, ""},
	{"pair of field and value", `{"fields":[{"field":"‹n›","value":"‹v›"}]}`, ""},
	{"pair of id and text", `{"fields":[{"id":"‹n›","text":"‹v›"}]}`, ""},
	{"value before its name", `{"fields":[{"v":"‹v›","k":"‹n›"}]}`, ""},
	{"pair of a key and a typed value", `{"attributes":[{"key":"‹n›","value":{"stringValue":"‹v›"}}]}`, ""},
	{"pair of a name and a typed value", "{\n  \"name\": \"‹n›\",\n  \"value\": { \"S\" : \"‹v›\" }\n}\n", ""},
	{"typed value before its name", `{"fields":[{"value":{"S":"‹v›"},"key":"‹n›"}]}`, ""},
	{"assignment in quotes of a page", `<p title="‹n›=&quot;‹v›&quot;">‹n›: &#34;‹v›&#34;</p>`, ""},
	{"pair in several lines", "{\n  \"name\": \"‹n›\",\n  \"value\": \"‹v›\"\n}\n", ""},
	{"pair in a list", `["‹n›", "‹v›"]`, ""},
	{"pair of XML", `<add key="‹n›" value="‹v›"/>`, ""},
	{"pair of YAML", "env:\n- name: ‹n›\n  value: ‹v›\n", ""},
	{"query", "http://h.example/a?x=1&‹n›=‹v›", ""},
	{"query of a path", "GET /a?x=1&‹n›=‹v› 200", ""},
	{"query in a query", "http://h.example/a?next=https%3A%2F%2Fx.example%2F%3F‹n›%3D‹v›", ""},
	{"query alone", `{"sas":"sv=2020-08-04&‹n›=‹v›"}`, ""},
	{"query alone, escaped", `{"sas":"sv=2020-08-04\u0026‹n›=‹v›"}`, ""},
	{"fragment", "http://h.example/a#‹n›=‹v›", ""},
	{"path", "POST http://h.example/hooks/‹n›/‹v›", ""},
	{"path alone", "POST /hooks/‹n›/‹v› 200\n", ""},
	{"part of a form", "--b\r\nContent-Disposition: form-data; name=\"‹n›\"\r\n\r\n‹v›\r\n--b--\r\n", ""},
	{"CSV", "user,‹n›\nann,‹v›\nbob,‹v›\n", ""},
	{"CSV in quotes", "\"user\",\"‹n›\"\n\"ann\",\"‹v›\"\n", ""},
	{"CSV with semicolons", "user;‹n›;city\r\nann;‹v›;Bern\r\n", ""},
	{"CSV in a string", `{"csv":"user,‹n›\nann,‹v›\n"}`, ""},
	{"CSV in quotes, in a string", `{"csv":"\"user\",\"‹n›\"\n\"ann\",\"‹v›\"\n"}`, ""},
	{"tabs", "user\t‹n›\nann\t‹v›\n", ""},
	{"table of a database", " user | ‹n› \n------+-----\n ann  | ‹v›\n(1 row)\n", ""},
	{"table of Markdown", "| user | ‹n› |\n|---|---|\n| ann | ‹v› |\n", ""},
	{"variable", "‹n›=‹v›", ""},
	{"variable of a shell", "export ‹n›='‹v›'\n", ""},
	{"settings", "[main]\n‹n› = ‹v›\n", ""},
	{"section of settings", "[‹n›]\nann = ‹v›\n", ""},
	{"YAML", "a: 1\n‹n›: ‹v›\n", ""},
	{"block of YAML", "‹n›:\n  old: ‹v›\n  new: ‹v›\nx: 1\n", ""},
	{"block of YAML in a string", `{"yaml":"‹n›:\n  old: ‹v›\n"}`, ""},
	{"list of YAML", "‹n›:\n- ‹v›\nx: 1\n", ""},
	{"element", "<a><‹n›>‹v›</‹n›></a>", ""},
	{"element in an element", "<‹n›><old>‹v›</old><new>‹v›</new></‹n›>", ""},
	{"attribute", `<user ‹n›="‹v›"/>`, ""},
	{"cookie", "Cookie: ‹n›=‹v›; theme=dark", ""},
	{"header in a log", "‹n›: ‹v›\n", ""},
	{"assignment in SQL", "UPDATE users SET ‹n› = '‹v›' WHERE id = 1", ""},
	{"row of SQL", "INSERT INTO users (name, ‹n›) VALUES ('ann', '‹v›');", ""},
	{"arguments of SQL", `{"query":"UPDATE users SET ‹n› = $1 WHERE id = $2","args":["‹v›",1]}`, ""},
	{"option", "tool --‹n› ‹v› --x", ""},
	{"option with a sign", "tool --‹n›=‹v›", ""},
	{"dictionary of Python", "{'‹n›': '‹v›'}", ""},
	{"dictionary in a dictionary", "{'‹n›': {'old': '‹v›', 'new': '‹v›'}}", ""},
	{"array of PHP", `"‹n›" => ["old" => "‹v›"]`, ""},
	{"columns without signs", "USER   ‹n›\nann    ‹v›\n", "only their places say which value is of which name"},
	{"sentence", "the ‹n› is ‹v›", "rules do not read sentences"},
}

// TestCarriers shows that a credential is hidden however a name and a value stand together, and
// alike whether a text comes as a whole or in pieces; and that what is hidden stays as it is.
func TestCarriers(t *testing.T) {
	var none *Redactor
	hidden := 0
	for _, c := range carriers {
		for _, name := range []string{"password", "api_key", "clientSecret", "access-token"} {
			for _, value := range []string{"Gs6zAw1vHd38KqTy", "f3b81c5d09e24a7796d0b2ac41e85f37"} {
				text := strings.NewReplacer("‹n›", name, "‹v›", value).Replace(c.text)
				if strings.HasSuffix(c.name, "of SQL") || strings.HasSuffix(c.name, "in SQL") {
					text = strings.ReplaceAll(text, "access-token", "access_token")
				}
				shown := none.Text(text)
				if is := !strings.Contains(shown, value); is != (c.shown == "") {
					t.Errorf("%s: that it is hidden is %v: %q", c.name, is, shown)
					continue
				}
				if c.shown != "" {
					continue
				}
				hidden++
				if again := none.Text(shown); again != shown {
					t.Errorf("%s: a second time it is %q", c.name, again)
				}
				var out strings.Builder
				w := none.Writer(&out)
				for _, piece := range strings.SplitAfter(text, "") {
					_, _ = io.WriteString(w, piece)
				}
				_ = w.Close()
				if out.String() != shown {
					t.Errorf("%s: written in pieces it is %q, and as a whole %q", c.name, out.String(), shown)
				}
				if got := none.Body("text/plain", text); got != shown {
					t.Errorf("%s: as a body it is %q", c.name, got)
				}
			}
		}
	}
	if hidden == 0 {
		t.Error("no carrier hides anything")
	}
}

// TestCarriersOfRequests shows the same for what a request has no text for: its address, its
// header and its form; and that what is hidden is known from then on.
func TestCarriersOfRequests(t *testing.T) {
	const value = "Gs6zAw1vHd38KqTy"
	var none *Redactor
	for what, in := range map[string]Request{
		"query":              {URL: "http://h.example/a?api_key=" + value},
		"query in a query":   {URL: "http://h.example/a?next=https%3A%2F%2Fx.example%2F%3Ftoken%3D" + value},
		"path":               {URL: "http://h.example/hooks/token/" + value + "?x=1"},
		"path of a key":      {URL: "http://h.example/key/" + value},
		"user":               {URL: "http://ann:" + value + "@h.example/"},
		"field":              {Header: http.Header{"X-Api-Key": {value}}},
		"field of a word":    {Header: http.Header{"X-Pat": {value}}},
		"field of the other": {Header: http.Header{"Cookie": {"sid=" + value}}},
		"form":               {Header: http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}, Body: []byte("a=1&password=" + value)},
		"object":             {Body: []byte(`{"password":{"old":"` + value + `"}}`)},
		"escaped name":       {Body: []byte(`{"pass\u0077ord":"` + value + `"}`)},
		"escaped in a text":  {Body: []byte(`{"a":"{\"pass\\u0077ord\":\"` + value + `\"}"}`)},
		"user and password":  {Body: []byte(`{"auth":["ann","` + value + `"]}`)},
	} {
		shown := none.Request(in)
		all := shown.URL + string(shown.Body)
		for _, values := range shown.Header {
			all += strings.Join(values, " ")
		}
		if strings.Contains(all, value) {
			t.Errorf("%s: it is shown: %s", what, all)
		}
		known := false
		for _, c := range Credentials(in) {
			known = known || strings.Contains(c, value)
		}
		if !known {
			t.Errorf("%s: it is not known from then on", what)
		}
	}
}

// TestWordsOfVariablesHideFields shows that a word which hides a variable of the environment
// hides a header field that ends with it, too.
func TestWordsOfVariablesHideFields(t *testing.T) {
	const value = "q8Zr2LmN5vTx9KpW3sYdB7hJ"
	var none *Redactor
	for _, list := range [][]string{secretWords, firstOrLast, lastWords, drawnWords} {
		for _, word := range list {
			if EnvironmentCredentials([]string{"MY_" + word + "=" + value}) == nil {
				t.Errorf("%s hides no variable", word)
			}
			if name := "X-" + word[:1] + strings.ToLower(word[1:]); none.Header(name, value) == value || !MayBeSecretField(name) {
				t.Errorf("%s is shown", name)
			}
		}
	}
	for _, name := range []string{"X-Auth-Type", "X-Token-Count", "X-Pattern", "X-Compat", "X-Format", "Sec-WebSocket-Version"} {
		if none.Header(name, value) != value {
			t.Errorf("%s is hidden", name)
		}
	}
}

// TestOrdinaryCarriers shows what stays: what is said about a credential, what only looks like
// one of these forms, and values that nobody drew.
func TestOrdinaryCarriers(t *testing.T) {
	for _, text := range []string{
		`{"tokens":{"prompt":12,"completion":34}}`, `{"usage":{"tokens":{"total":4711,"model":"gpt-4o-mini-2024-07-18"}}}`,
		`{"token":{"type":"bearer","expires_in":3600,"expires_at":"2026-01-01T00:00:00Z","scope":"read:all2"}}`,
		`{"password":{"min_length":8,"pattern":"[a-z0-9]{8,}","algorithm":"sha256","updated_at":"2026-01-01T00:00:00Z"}}`,
		`{"properties":{"password":{"type":"string","description":"8 letters, 1 digit","example":"hunter2hunter2","format":"password"}}}`,
		`{"token":{"text":" hello","logprob":-0.25,"bytes":[104,101]}}`, `{"secret":{"name":"db-password-v2","arn":"arn:aws:secretsmanager:eu-1:12345678:secret:db","id":"550e8400-e29b-41d4-a716-446655440000"}}`,
		`{"password":{"value":"optional"}}`, `{"auth":["basic","oauth2"]}`, `{"auth":["ann","bob"]}`, `{"api_key":{"label":{"value":"Key17b8c"}}}`, `{"keys":{"a":"Gs6zAw1vHd38KqTy"}}`,
		"user,password\nann,required\nbob,optional\n", "name,token,count\nhello,prompt,12\n", "id,city\n1,Bern\n", "Hello, password, and more\nnothing 4711abcd here\n", "password, user\nsee below for 4711abcd\n",
		"| field | password |\n|---|---|\n| required | yes |\n", "a,b&c=d\n", "x=1&y=2", "sort=key&key=name", "if a && b { c=d&e }", "key=value&other=thing",
		"/key/orders/17", "/tokens/Cf7xRo4mQy21BjDi", "GET /token/refresh-all-sessions 200", "/secret/readme.md", "/v1/secrets/Cf7xRo4mQy21BjDi", "src/token/scanner_test2.go", "/key/550e8400-e29b-41d4-a716-446655440000",
		`{"fields":[{"key":"token","text":"function1"}]}`, `{"type":"password","text":"Password1"}`, `{"id":"password","label":"Passwort2"}`, `{"name":"token","content":"section17b"}`, `{"key":"city","val":"Gs6zAw1vHd38KqTy"}`,
		"password:\n  min_length: 8\n  hash: argon2id\n  changed: 2026-01-01\nx: Gs6zAw1vHd38KqTy\n", "[tokens]\nprompt = 12\nmodel = gpt-4o\n", "<password><min>8</min><policy>strict1</policy></password>",
		`{"pass\u0065d":"Gs6zAw1vHd38KqTy"}`, "{'password': {'type': 'string', 'min': 8}}", `{"cookie":{"domain":"x1.example","path":"/a1b2c3","expires":"2026-01-01T00:00:00Z"}}`,
	} {
		if shown := (*Redactor)(nil).Text(text); shown != text {
			t.Errorf("%s is shown as %s", text, shown)
		}
		var out strings.Builder
		w := (*Redactor)(nil).Writer(&out)
		_, _ = io.WriteString(w, text)
		if _ = w.Close(); out.String() != text {
			t.Errorf("%s is written as %s", text, out.String())
		}
	}
}
