package circumstance

import (
	"encoding/base64"
	"fmt"
	"slices"
	"testing"

	"github.com/scenario-lang/scenario/interp/internal/event"
)

// The examples that the services print of their signatures, and the token of jwt.io.
var signatures = []struct {
	of, key, body, field string
	fields               map[string]string
}{
	{
		of: "GitHub", key: "It's a Secret to Everybody", body: "Hello, World!", field: "x-hub-signature-256",
		fields: map[string]string{"X-Hub-Signature-256": "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"},
	},
	{
		of: "Slack", key: "8f742231b10e8888abcd99yyyzzz85a5", field: "x-slack-signature",
		body:   "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c",
		fields: map[string]string{"X-Slack-Request-Timestamp": "1531420618", "X-Slack-Signature": "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503"},
	},
	{
		of: "jwt.io", key: "your-256-bit-secret", field: "authorization",
		fields: map[string]string{"Authorization": "Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c"},
	},
}

// Shows that a signature is known to be right where its key is one of the texts that the server was given, whatever
// it is a signature of, and that it is not with any other key, or of another body.
func TestSignaturesThatAreRight(t *testing.T) {
	signs := func(i int, body string, given ...string) bool {
		s := signatures[i]
		return slices.ContainsFunc(Parts(&event.Request{Body: body, URL: "http://h/hook"}, s.fields, given), func(p Part) bool { return p.Signs })
	}
	for i, s := range signatures {
		if signs(i, s.body, "other", s.key) {
			t.Errorf("%s: it is not seen to be right", s.of)
		}
		if !signs(i, s.body) || !signs(i, s.body, "other") {
			t.Errorf("%s: it is right without its key", s.of)
		}
		if s.body != "" && !signs(i, s.body+" ", s.key) {
			t.Errorf("%s: it is right of another body", s.of)
		}
	}
}

// Shows in which parts two requests differ: what names a thing does only in more than its digits, a time always,
// and of a token its claims.
func TestPartsInWhichRequestsDiffer(t *testing.T) {
	token := func(claims string) map[string]string {
		return map[string]string{"Authorization": "Bearer eyJhbGciOiJub25lIn0." + base64.RawURLEncoding.EncodeToString([]byte(claims)) + "." + base64.RawURLEncoding.EncodeToString([]byte("sum of "+claims))}
	}
	hook := func(time, signature string) map[string]string {
		return map[string]string{"X-Timestamp": time, "X-Signature": signature}
	}
	const of = "the token in the header field authorization"
	for _, c := range []struct {
		what      string
		a, b      event.Request
		one, two  map[string]string
		names     string
		signature string
	}{
		{"the same", event.Request{Body: `{"id":1}`}, event.Request{Body: `{"id":1}`}, nil, nil, "[]", ""},
		{"another thing", event.Request{Body: `{"id":"o-1"}`}, event.Request{Body: `{"id":"o-22"}`}, nil, nil, "[]", ""},
		{"another word", event.Request{Body: `{"role":"admin"}`}, event.Request{Body: `{"role":"guest"}`}, nil, nil, "[the member role]", ""},
		{"a member less", event.Request{Body: `{"id":1}`}, event.Request{Body: `{"id":1,"cents":7}`}, nil, nil, "[the member cents]", ""},
		{"a member more", event.Request{Body: `{"id":1,"cents":7}`}, event.Request{Body: `{"id":1}`}, nil, nil, "[the member cents]", ""},
		{"a parameter", event.Request{URL: "http://h/a?q=x"}, event.Request{URL: "http://h/a?q=y"}, nil, nil, "[the query parameter q]", ""},
		{"a claim", event.Request{}, event.Request{}, token(`{"sub":"ann","exp":1}`), token(`{"sub":"ann","exp":2}`), "[the claim exp of " + of + "]", "the signature of " + of},
		{"a time", event.Request{}, event.Request{}, hook("1", "f00d"), hook("2", "beef"), "[the header field x-timestamp]", "the header field x-signature"},
		{"a signature alone", event.Request{}, event.Request{}, hook("1", "f00d"), hook("1", "beef"), "[]", "the header field x-signature"},
		{"a body under one signature", event.Request{Body: `{"a":"x"}`}, event.Request{Body: `{"a":"y"}`}, hook("1", "f00d"), hook("1", "f00d"), "[the member a]", ""},
		{"no signature", event.Request{}, event.Request{}, map[string]string{}, map[string]string{"X-Signature": "f00d"}, "[]", ""},
	} {
		names, signature := Differ(Parts(&c.a, c.one, nil), Parts(&c.b, c.two, nil))
		if fmt.Sprint(names) != c.names || signature != c.signature {
			t.Errorf("%s: %v and %q, want %s and %q", c.what, names, signature, c.names, c.signature)
		}
	}
}
