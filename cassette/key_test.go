package cassette

import (
	"fmt"
	"math/big"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func request(body string) Request {
	return Request{Method: "POST", URL: chatURL, Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(body)}
}

// What each profile takes for equal and what not, per the table of profiles.
func TestProfiles(t *testing.T) {
	base := `{"model":"m","messages":[{"role":"user","content":"Hi"}],"temperature":1}`
	for name, tt := range map[string]struct {
		a, b                    Request
		strict, semantic, loose bool
	}{
		"same":             {request(base), request(base), true, true, true},
		"key order":        {request(base), request(`{"temperature":1,"messages":[{"content":"Hi","role":"user"}],"model":"m"}`), true, true, true},
		"number spelling":  {request(base), request(strings.Replace(base, `:1}`, `:10e-1}`, 1)), true, true, true},
		"sampling":         {request(base), request(strings.Replace(base, `:1}`, `:0.5}`, 1)), false, true, true},
		"white space":      {request(base), request(strings.Replace(base, `"Hi"`, `" Hi\r\n"`, 1)), false, true, true},
		"line ends":        {request(strings.Replace(base, `"Hi"`, `"a\nb"`, 1)), request(strings.Replace(base, `"Hi"`, `"a\r\nb"`, 1)), false, true, true},
		"text":             {request(base), request(strings.Replace(base, `"Hi"`, `"Ho"`, 1)), false, false, true},
		"no text":          {request(`{"messages":[{"role":"assistant","content":null,"tool_calls":[]}]}`), request(`{"messages":[{"role":"assistant","tool_calls":[]}]}`), false, true, true},
		"null argument":    {request(`{"contents":[{"parts":[{"args":{"a":null}}]}]}`), request(`{"contents":[{"parts":[{"args":{}}]}]}`), false, false, true},
		"model":            {request(base), request(strings.Replace(base, `"m"`, `"n"`, 1)), false, false, true},
		"stream":           {request(base), request(strings.Replace(base, `:1}`, `:1,"stream":true}`, 1)), false, false, true},
		"no stream":        {request(base), request(strings.Replace(base, `:1}`, `:1,"stream":false}`, 1)), false, true, true},
		"volatile":         {request(base), request(strings.Replace(base, `:1}`, `:1,"request_id":"x"}`, 1)), true, true, true},
		"tool description": {request(base[:len(base)-1] + `,"tools":[{"type":"function","function":{"name":"f","description":"a","parameters":{"type":"object"}}}]}`), request(base[:len(base)-1] + `,"tools":[{"type":"function","function":{"name":"f","description":"b","parameters":{"type":"object"}}}]}`), false, true, true},
		"tool schema":      {request(`{"messages":[],"tools":[{"name":"f","input_schema":{"a":1}}]}`), request(`{"messages":[],"tools":[{"name":"f","input_schema":{"a":2}}]}`), false, false, true},
		"tools of Gemini":  {request(`{"contents":[],"tools":[{"functionDeclarations":[{"name":"f","parameters":{}}]}]}`), request(`{"contents":[],"tools":[{"functionDeclarations":[{"name":"g","parameters":{}}]}]}`), false, false, true},
		"system":           {request(`{"messages":[],"system":"a"}`), request(`{"messages":[],"system":"b"}`), false, false, true},
		"no model call":    {request(`{"city":"Rome"}`), request(`{"city":"Oslo"}`), false, false, true},
		"host":             {Request{URL: "https://A.example.com:443/x"}, Request{URL: "https://b.example.com/x"}, false, true, true},
		"host case":        {Request{URL: "https://A.example.com:443/x"}, Request{URL: "https://a.example.com/x"}, true, true, true},
		"path":             {Request{URL: "https://a.example.com/x"}, Request{URL: "https://a.example.com/y"}, false, false, false},
		"no path":          {Request{URL: "https://a.example.com/"}, Request{URL: "https://a.example.com"}, true, true, true},
		"method":           {Request{Method: "GET", URL: "/x"}, Request{Method: "DELETE", URL: "/x"}, false, false, false},
		"method case":      {Request{Method: "post", URL: "/x"}, Request{Method: "POST", URL: "/x"}, true, true, true},
		"query":            {Request{URL: "/x?a=1&b=2"}, Request{URL: "/x?a=1&b=3"}, false, false, true},
		"query order":      {Request{URL: "/x?a=1&b=2"}, Request{URL: "/x?b=2&a=1"}, true, true, true},
		"credential":       {Request{URL: "/x?key=a&alt=sse"}, Request{URL: "/x?alt=sse&key=b"}, true, true, true},
		"raw body":         {Request{URL: "/x", Body: []byte("a")}, Request{URL: "/x", Body: []byte("b")}, false, false, true},
		"binary body":      {Request{URL: "/x", Body: []byte("\xff")}, Request{URL: "/x", Body: []byte("\xfe")}, false, false, true},
		"multipart":        {multipart("AaB03x"), multipart("zZ9"), true, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			for i, profile := range Profiles() {
				m := Match{Profile: profile}
				want := []bool{tt.strict, tt.semantic, tt.loose}[i]
				diffs := m.Diff(tt.a, tt.b)
				if equal := m.Key(tt.a) == m.Key(tt.b); equal != want || (len(diffs) == 0) != want {
					t.Errorf("%s: equal %v, want %v; differences %v", profile, equal, want, diffs)
				}
			}
		})
	}
}

func multipart(boundary string) Request {
	return Request{
		URL: "/x", Header: http.Header{"Content-Type": {"multipart/form-data; boundary=" + boundary}},
		Body: []byte("--" + boundary + "\r\n\r\ntext\r\n--" + boundary + "--\r\n"),
	}
}

// Header fields count where they are named and nowhere else; ignored fields of
// the body do not, in every item of a list.
func TestMatchOptions(t *testing.T) {
	a, b := request(`{"l":[{"t":1,"x":1},{"t":2}]}`), request(`{"l":[{"t":3,"x":1},{"t":4}]}`)
	b.Header = http.Header{"X-Tenant": {"b"}, "Content-Type": {"application/json"}}
	m := Match{Ignore: []string{"l.t"}}
	if d := m.Diff(a, b); len(d) != 0 || m.Key(a) != m.Key(b) {
		t.Errorf("ignored fields count: %v", d)
	}
	m.Headers = []string{"x-tenant"}
	want := []FieldDiff{{"header X-Tenant[0]", "(absent)", `"b"`}}
	if d := cmp.Diff(want, m.Diff(a, b)); d != "" || m.Key(a) == m.Key(b) {
		t.Error(d)
	}
}

// A difference names the field, and shows of long values what surrounds the
// first place where they differ; the order is that of the fields, then of keys.
func TestDiff(t *testing.T) {
	long := strings.Repeat("ä", 300)
	a := Request{Method: "POST", URL: "https://a/x?p=1", Body: []byte(`{"b":[1,{"c d":"` + long + `1` + long + `"}],"a":null,"n":1.50}`)}
	b := Request{Method: "POST", URL: "https://a/y?p=2", Body: []byte(`{"b":[1,{"c d":"` + long + `2` + long + `"},3],"n":"1.5"}`)}
	around := "…" + strings.Repeat("ä", 10) + "%d" + strings.Repeat("ä", 30) + "…"
	want := []FieldDiff{
		{"path", `"/x"`, `"/y"`},
		{"query.p[0]", `"1"`, `"2"`},
		{"body.a", "null", "(absent)"},
		{`body.b[1]["c d"]`, fmt.Sprintf(around, 1), fmt.Sprintf(around, 2)},
		{"body.b[2]", "(absent)", "3"},
		{"body.n", "15e-1", `"1.5"`},
	}
	got := Match{}.Diff(a, b)
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	many := strings.Repeat("1,", 500)
	if d := (Match{}).Diff(request("["+many+"1]"), request("["+strings.ReplaceAll(many, "1", "2")+"2]")); len(d) != diffsMax {
		t.Errorf("%d differences, want %d", len(d), diffsMax)
	}
}

// Numbers are equal exactly when their values are, without rounding, and a
// huge exponent costs nothing.
func TestCanonicalNumber(t *testing.T) {
	texts := []string{
		"0", "-0", "0.0", "0e5", "1", "1.0", "10e-1", "0.1e1", "-1", "100", "1e2", "1E+2", "1e-2", "0.01", "0.010",
		"12345678901234567890", "12345678901234567891", "9007199254740993", "9007199254740992.0", "1.10", "1.1", "1.01",
		"0e0000000000000000000", "1e0000000000000000000002", "1e-0000000000000000000",
	}
	for _, a := range texts {
		for _, b := range texts {
			x, _ := new(big.Rat).SetString(a)
			y, _ := new(big.Rat).SetString(b)
			if equal := canonicalNumber(a) == canonicalNumber(b); equal != (x.Cmp(y) == 0) {
				t.Errorf("%s and %s: equal %v", a, b, equal)
			}
		}
	}
	for _, huge := range []string{"1e999999999999", "1e99999999999999999999999", "1e-99999999999999999999999"} {
		if n := canonicalNumber(huge); len(n) > 40 {
			t.Errorf("%s became %d bytes", huge, len(n))
		}
	}
}
