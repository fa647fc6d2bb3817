package redact

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// Shows that what a function of the language makes of a secret, the same whoever
// asks, is hidden like the secret.
func TestChangedSecrets(t *testing.T) {
	const secret = " s3cr3t-Of-A-Kind\n"
	r := New([]string{secret})
	for name, changed := range map[string]string{
		"trimspace": "s3cr3t-Of-A-Kind", "upper": " S3CR3T-OF-A-KIND\n", "lower": " s3cr3t-of-a-kind\n", "strrev": "\ndniK-A-fO-t3rc3s ",
		"hex": "207333637233742d4f662d412d4b696e640a", "HEX": "207333637233742D4F662D412D4B696E640A",
		"base64": "IHMzY3IzdC1PZi1BLUtpbmQK", "urlencode": "+s3cr3t-Of-A-Kind%0A",
	} {
		if got := r.Text("<" + changed + ">"); strings.Contains(got, strings.TrimSpace(changed)) {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := New([]string{"s3cr3t-of-a-kind"}).Text("S3cr3t-Of-A-Kind: x"); got != Placeholder("s3cr3t-of-a-kind")+": x" {
		t.Errorf("the name of a header field: %q", got)
	}
	for _, word := range []string{"PASS", "Passwd"} { // lower case letters of these are everywhere
		if got := New([]string{word}).Text(strings.ToLower(word)); got != strings.ToLower(word) {
			t.Errorf("%s: %q", word, got)
		}
	}
}

// streams write what a model says in pieces, as families do.
var streams = map[string]struct {
	contentType string
	write       func(pieces []string) string
}{
	"openai": {"text/event-stream", func(p []string) string { return events(p, `{"choices":[{"delta":{"content":%s}}]}`) }},
	"arguments": {"text/event-stream; charset=utf-8", func(p []string) string {
		return events(p, `{"choices":[{"delta":{"tool_calls":[{"function":{"arguments":%s}}]}}]}`)
	}},
	"anthropic": {"text/event-stream", func(p []string) string {
		return events(p, `{"type":"content_block_delta","delta":{"partial_json":%s}}`)
	}},
	"ollama": {"application/x-ndjson", func(p []string) string {
		var b strings.Builder
		for _, text := range p {
			quoted, _ := json.Marshal(text)
			fmt.Fprintf(&b, `{"message":{"content":%s},"done":false}`+"\n", quoted)
		}
		return b.String()
	}},
}

func events(pieces []string, form string) string {
	var b strings.Builder
	for _, text := range pieces {
		quoted, _ := json.Marshal(text)
		fmt.Fprintf(&b, "data: "+form+"\n\n", quoted)
	}
	return b.String()
}

// Shows that a secret under a name is hidden wherever a stream cuts what a model
// says: in a cassette by the content type, in a trace, which has none, by its lines;
// and in the chunks of an attempt. All events stay what they are.
func TestNamesInPieces(t *testing.T) {
	for _, said := range []string{
		`{"user":"ann","password":"hunter-4Two"}`, `{"api_key": "hunter-4Two", "n": 1}`, `call it with password = "hunter-4Two" now`,
		`{"headers":{"Authorization":"hunter-4Two"}}`, "password: hunter-4Two\nuser: ann",
	} {
		for size := 1; size < 9; size++ {
			var pieces []string
			for rest := said; rest != ""; {
				n := min(size, len(rest))
				pieces, rest = append(pieces, rest[:n]), rest[n:]
			}
			for name, s := range streams {
				body := s.write(pieces)
				for where, got := range map[string]string{
					"stored":  (*Redactor)(nil).Stored(http.Header{"Content-Type": {s.contentType}}, body),
					"shown":   (*Redactor)(nil).Lines(body),
					"of more": New([]string{"another value"}).Lines(body),
				} {
					if text := joinedText(t, got); strings.Contains(text, "hunter") || strings.Contains(text, "4Two") || !strings.Contains(text, Placeholder("hunter-4Two")) {
						t.Errorf("%s, %s in pieces of %d: %s", name, where, size, text)
					}
				}
			}
			if text := strings.Join((*Redactor)(nil).Chunks(pieces), ""); strings.Contains(text, "hunter") {
				t.Errorf("chunks of %d: %s", size, text)
			}
		}
	}
}

// joinedText is all that the strings of a stream say that are no names or words of
// its form.
func joinedText(t *testing.T, body string) string {
	var b strings.Builder
	for line := range strings.Lines(body) {
		var v any
		if line = strings.TrimPrefix(strings.TrimSpace(line), "data: "); line == "" {
			continue
		}
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		eachText(v, func(text string) {
			if text != "content_block_delta" {
				b.WriteString(text)
			}
		})
	}
	return b.String()
}

func eachText(v any, f func(string)) {
	switch v := v.(type) {
	case string:
		f(v)
	case []any:
		for _, e := range v {
			eachText(e, f)
		}
	case map[string]any:
		for _, e := range v {
			eachText(e, f)
		}
	}
}

// Shows that a value without quotes behind the name of a secret is hidden when it has
// letters and digits, and that words of a sentence, references and measures stay.
func TestBareAssignments(t *testing.T) {
	for _, text := range []string{
		"password: hunter2 is wrong", "password=hunter2", "login failed (password=hunter2)", "user=a password=hunter2, host=b", "PGPASSWORD=hunter2 psql",
		"db.password = hunter2", "client_secret: hunter2.", "api_key:hunter2\nnext: 1", "http.request.header.cookie=hunter2",
	} {
		if got := (*Redactor)(nil).Text(text); strings.Contains(got, "hunter2") || !strings.Contains(got, Placeholder("hunter2")) {
			t.Errorf("%q: %q", text, got)
		} else if again := (*Redactor)(nil).Text(got); again != got {
			t.Errorf("%q: %q, and then %q", text, got, again)
		}
	}
	for _, text := range []string{
		"password: string", "password = required", "api_key=$KEY2", "api_key=${var.key2}", "secret: var.secret", "cookie: none", "Authorization: Bearer", "max_tokens=4096",
		"token: expected string, got int64", "password: 5s", "public_key=abc123def", "password: null",
	} {
		if got := (*Redactor)(nil).Text(text); got != text {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// Shows that the text of an XML element is hidden by the name of the element.
func TestElements(t *testing.T) {
	const secret = "<r><Password>h4nter</Password><s:ApiKey>h4nter</s:ApiKey><user>h4nter</user><password><a/></password><password></password></r>"
	escaped := url.QueryEscape(Placeholder("h4nter"))
	want := strings.NewReplacer("d>h4nter", "d>"+escaped, "y>h4nter", "y>"+escaped).Replace(secret)
	got := (*Redactor)(nil).Text(secret)
	if got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if again := (*Redactor)(nil).Text(got); again != got {
		t.Errorf("again: %s", again)
	}
}

// Shows that names of parts with dots, as telemetry has them, tell what their last
// part does.
func TestDottedNames(t *testing.T) {
	for name, want := range map[string]bool{
		"http.request.header.cookie": true, "http.response.header.set-cookie": true, "session_cookie": true, "db.password": true, "app.user.api_key": true,
		"http.request.header.accept": false, "cookie.count": false, "cookies": false,
	} {
		if IsSecretName(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
		text := fmt.Sprintf(`{"%s":"v4lue"}`, name)
		if got := (*Redactor)(nil).Text(text); (got != text) != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// Shows that a private key is hidden without its last line, in lines and in JSON, and
// that the words alone are no key.
func TestKeysWithoutAnEnd(t *testing.T) {
	line := base64.StdEncoding.EncodeToString([]byte("0123456789 abcdefghijklmnopqrstuvwxyz ABCDEFGHIJ"))
	for _, mark := range []string{"-----BEGIN RSA PRIVATE KEY-----\n", "-----BEGIN PRIVATE KEY-----\n", "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00FF\n\n"} {
		key := mark + line + "\n" + line + "\n" + line[:20]
		quoted, _ := json.Marshal(key)
		for _, text := range []string{key, "it is " + key, string(quoted)} {
			if got := (*Redactor)(nil).Recording().Text(text); strings.Contains(got, line[:16]) {
				t.Errorf("%q: %q", text, got)
			}
		}
	}
	const words = "-----BEGIN PRIVATE KEY----- is how a key in that form begins, which nobody should send"
	if got := (*Redactor)(nil).Recording().Text(words); got != words {
		t.Errorf("%q", got)
	}
}
