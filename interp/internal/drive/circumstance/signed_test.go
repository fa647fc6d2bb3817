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
		{"an empty list", event.Request{Body: `{"items":[]}`}, event.Request{Body: `{"items":["tea"],"address":{"city":"Ulm","zip":"1"}}`}, nil, nil, "[the member address the member items]", ""},
		{"an empty list, as there is none", event.Request{Body: `{"items":[],"note":null}`}, event.Request{Body: `{"note":""}`}, nil, nil, "[]", ""},
		{"an empty body", event.Request{Body: `{}`}, event.Request{Body: `{"a":1,"b":2}`}, nil, nil, "[the body]", ""},
		{"no JSON", event.Request{Body: `{`}, event.Request{Body: `{"a":1,"b":2}`}, nil, nil, "[the body]", ""},
		{"a text for JSON", event.Request{Body: `x`}, event.Request{Body: `{"a":1}`}, map[string]string{"Content-Type": "text/plain"}, map[string]string{"Content-Type": "application/json"}, "[the body]", ""},
		{"other claims", event.Request{}, event.Request{}, token(`{"role":"x"}`), token(`{"exp":1}`), "[the claim role of " + of + " the claim exp of " + of + "]", "the signature of " + of},
		{"an object as a text", event.Request{Body: `{"a":"x"}`}, event.Request{Body: `{"a":{"b":1,"c":2}}`}, nil, nil, "[the member a]", ""},
		{"an address", event.Request{Body: `{"url":"http://10.0.0.5/paid"}`}, event.Request{Body: `{"url":"https://203.0.113.7/paid"}`}, nil, nil, "[the scheme of the member url the host of the member url]", ""},
		{"another machine", event.Request{Body: `{"ip":"10.0.0.5"}`}, event.Request{Body: `{"ip":"20.0.0.5"}`}, nil, nil, "[the member ip]", ""},
		{"no address", event.Request{Body: `{"url":"x"}`}, event.Request{Body: `{"url":"https://203.0.113.7/paid"}`}, nil, nil, "[the member url]", ""},
		{"a form", event.Request{Body: `a=x&b=1`}, event.Request{Body: `a=y&b=2`}, map[string]string{"Content-Type": "application/x-www-form-urlencoded"}, map[string]string{"Content-Type": "application/x-www-form-urlencoded"}, "[the form field a]", ""},
		{"another name and text", event.Request{Body: `{"email":"ann@a.example","note":"x y"}`}, event.Request{Body: `{"email":"bob@b.example","note":"z"}`}, nil, nil, "[]", ""},
		{"no email", event.Request{Body: `{"email":"ann"}`}, event.Request{Body: `{"email":"bob@b.example"}`}, nil, nil, "[the member email]", ""},
		{"another state", event.Request{URL: "http://h/a?state=st-1"}, event.Request{URL: "http://h/a?state=st-2"}, nil, nil, "[the query parameter state]", ""},
		{"no cookie", event.Request{}, event.Request{}, map[string]string{"Cookie": "a=; b=2"}, map[string]string{"Cookie": "a=1; b=2"}, "[the cookie a]", ""},
		{"another user", event.Request{}, event.Request{}, map[string]string{"X-User": "u-1"}, map[string]string{"X-User": "u-2"}, "[the header field x-user]", ""},
		{"no token", event.Request{}, event.Request{}, map[string]string{"Authorization": "Bearer "}, token(`{"sub":"ann","exp":2}`), "[the header field authorization]", ""},
		{"another token of another user", event.Request{}, event.Request{}, token(`{"sub":"ann","iat":1}`), token(`{"sub":"bob","iat":2}`), "[]", "the signature of " + of},
		{"another idempotency key", event.Request{}, event.Request{}, map[string]string{"Idempotency-Key": "a"}, map[string]string{"Idempotency-Key": "b"}, "[]", ""},
		{"a parameter", event.Request{URL: "http://h/a?q=x"}, event.Request{URL: "http://h/a?q=y"}, nil, nil, "[the query parameter q]", ""},
		{"a claim", event.Request{}, event.Request{}, token(`{"sub":"ann","exp":1}`), token(`{"sub":"ann","exp":2}`), "[the claim exp of " + of + "]", "the signature of " + of},
		{"a time", event.Request{}, event.Request{}, hook("1", "f00d"), hook("2", "beef"), "[the header field x-timestamp]", "the header field x-signature"},
		{"a signature alone", event.Request{}, event.Request{}, hook("1", "f00d"), hook("1", "beef"), "[]", "the header field x-signature"},
		{"a body under one signature", event.Request{Body: `{"a":"x"}`}, event.Request{Body: `{"a":"y"}`}, hook("1", "f00d"), hook("1", "f00d"), "[the member a]", ""},
		{"no signature", event.Request{}, event.Request{}, map[string]string{}, map[string]string{"X-Signature": "f00d"}, "[the header field x-signature]", ""},
	} {
		d := Differ(Parts(&c.a, c.one, nil), Parts(&c.b, c.two, nil))
		if fmt.Sprint(d.Parts) != c.names || d.Signature != c.signature {
			t.Errorf("%s: %+v, want %s and %q", c.what, d, c.names, c.signature)
		}
	}
}

// Shows what is said of a difference beside its parts: that two requests are the same, which an idempotency key or
// another name keeps them from being; what the first one lacks, where that is all; and the address of all pieces.
func TestDifferencesOfRequests(t *testing.T) {
	parts := func(body string, fields map[string]string) []Part {
		return Parts(&event.Request{Body: body, URL: "http://h/a"}, fields, nil)
	}
	cookie := map[string]string{"Cookie": "s=1"}
	for _, c := range []struct {
		what           string
		a, b           []Part
		none           bool
		lacks, address string
	}{
		{"the same", parts(`{"a":"x"}`, cookie), parts(`{"a":"x"}`, cookie), true, "", ""},
		{"another thing", parts(`{"id":1}`, nil), parts(`{"id":2}`, nil), false, "", ""},
		{"another key", parts("", map[string]string{"Idempotency-Key": "a"}), parts("", map[string]string{"Idempotency-Key": "b"}), false, "", ""},
		{"no cookie", parts("", nil), parts("", cookie), false, "the cookie s", ""},
		{"a scheme alone", parts("", map[string]string{"Authorization": "Bearer "}), parts("", map[string]string{"Authorization": "Bearer x"}), false, "the header field authorization", ""},
		{"no token", parts("", map[string]string{"Authorization": "Bearer x"}), parts("", map[string]string{"Authorization": "Bearer eyJhbGciOiJub25lIn0.eyJhIjoxfQ.eA"}), false, "", ""},
		{"a cookie more", parts("", cookie), parts("", nil), false, "", ""},
		{"no cookie, and another body", parts(`{"a":"x"}`, nil), parts(`{"a":"y"}`, cookie), false, "", ""},
		{"an address", parts(`{"url":"http://a/p"}`, nil), parts(`{"url":"https://b/p"}`, nil), false, "", "the member url"},
		{"two addresses", parts(`{"url":"http://a/p","to":"http://a/p"}`, nil), parts(`{"url":"https://a/p","to":"https://a/p"}`, nil), false, "", ""},
		{"an address and more", parts(`{"url":"http://a/p","a":"x"}`, nil), parts(`{"url":"https://a/p","a":"y"}`, nil), false, "", ""},
	} {
		if d := Differ(c.a, c.b); d.None() != c.none || d.Lacks != c.lacks || d.Address != c.address {
			t.Errorf("%s: %+v", c.what, d)
		}
	}
	right := func(s string) []Part {
		return Parts(&event.Request{Body: "Hello, World!"}, map[string]string{"X-Hub-Signature-256": s}, []string{signatures[0].key})
	}
	good, bad := right(signatures[0].fields["X-Hub-Signature-256"]), right("sha256=f00d")
	if d := Differ(good, bad); !d.None() {
		t.Errorf("a right signature differs from another one: %+v", d)
	}
	if d := Differ(bad, good); d.Signature == "" || len(d.Parts) > 0 {
		t.Errorf("a signature does not differ from one that is right: %+v", d)
	}
	if d := Differ(right(""), good); d.Lacks != "the header field x-hub-signature-256" {
		t.Errorf("no signature: %+v", d)
	}
	if long := parts(string(make([]byte, signedMax+1)), nil); long != nil {
		t.Errorf("a long request has %d parts", len(long))
	}
	if none := parts("", nil); none == nil {
		t.Error("a request without parts is as one that is not known")
	}
}
