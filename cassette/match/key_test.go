package match

import (
	"fmt"
	"math/big"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func request(body string) Request {
	return Request{Method: "POST", URL: "https://api.example.com/v1/chat/completions", Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(body)}
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

// One text is the same in every form in which vendors take it, and nothing else
// is: expected per the vendors' references on messages, content blocks and
// parts.
func TestSemanticForms(t *testing.T) {
	said := func(content string) string { return `{"messages":[{"role":"user","content":` + content + `}]}` }
	gemini := func(turn string) string { return `{"contents":[` + turn + `]}` }
	id := func(id string) string {
		if id == "" {
			return ""
		}
		return `"id":"` + id + `",`
	}
	call := func(of, name string, arg int) string {
		return fmt.Sprintf(`{"role":"model","parts":[{"functionCall":{%s"name":%q,"args":{"a":%d}}}]}`, id(of), name, arg)
	}
	result := func(of, name string, value int) string {
		return fmt.Sprintf(`{"role":"user","parts":[{"functionResponse":{%s"name":%q,"response":{"result":"%d"}}}]}`, id(of), name, value)
	}
	for name, tt := range map[string]struct {
		a, b  string
		equal bool
	}{
		"lone block":            {said(`"Hi"`), said(`[{"type":"text","text":"Hi"}]`), true},
		"cached block":          {said(`"Hi"`), said(`[{"type":"text","text":"Hi","cache_control":{"type":"ephemeral"}}]`), true},
		"input_text":            {`{"input":[{"role":"user","content":"Hi"}]}`, `{"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"Hi"}]}]}`, true},
		"output_text":           {`{"input":[{"role":"assistant","content":"Hi"}]}`, `{"input":[{"type":"message","id":"msg_1","status":"completed","role":"assistant","content":[{"type":"output_text","text":"Hi","annotations":[]}]}]}`, true},
		"input":                 {`{"input":"Hi"}`, `{"input":[{"role":"user","content":"Hi"}]}`, true},
		"two blocks":            {said(`"a b"`), said(`[{"type":"text","text":"a "},{"type":"text","text":"b"}]`), true},
		"joined otherwise":      {said(`"a b"`), said(`[{"type":"text","text":"a"},{"type":"text","text":"b"}]`), false},
		"joined without space":  {said(`"ab"`), said(`[{"type":"text","text":"a "},{"type":"text","text":"b"}]`), false},
		"another text":          {said(`"Hi"`), said(`[{"type":"text","text":"Ho"}]`), false},
		"image":                 {said(`"Hi"`), said(`[{"type":"text","text":"Hi"},{"type":"image","source":{"type":"url","url":"u"}}]`), false},
		"image alone":           {said(`""`), said(`[{"type":"image","source":{"type":"url","url":"u"}}]`), false},
		"another image":         {said(`[{"type":"image","source":"u"}]`), said(`[{"type":"image","source":"v"}]`), false},
		"thinking":              {said(`"Hi"`), said(`[{"type":"thinking","text":"Hi"}]`), false},
		"citations":             {said(`"Hi"`), said(`[{"type":"text","text":"Hi","citations":[{"url":"u"}]}]`), false},
		"no block":              {said(`""`), said(`[]`), false},
		"another role":          {said(`"Hi"`), `{"messages":[{"role":"assistant","content":[{"type":"text","text":"Hi"}]}]}`, false},
		"tool result":           {said(`[{"type":"tool_result","tool_use_id":"t","content":"5"}]`), said(`[{"type":"tool_result","tool_use_id":"t","cache_control":{"type":"ephemeral"},"content":[{"type":"text","text":"5"}]}]`), true},
		"another tool result":   {said(`[{"type":"tool_result","tool_use_id":"t","content":"5"}]`), said(`[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"6"}]}]`), false},
		"failed tool":           {said(`[{"type":"tool_result","tool_use_id":"t","content":"5"}]`), said(`[{"type":"tool_result","tool_use_id":"t","is_error":true,"content":"5"}]`), false},
		"call output":           {`{"input":[{"type":"function_call_output","call_id":"c","output":"5"}]}`, `{"input":[{"type":"function_call_output","call_id":"c","output":[{"type":"input_text","text":"5"}]}]}`, true},
		"an argument":           {`{"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{"content":[{"type":"text","text":"a"}]}}]}]}`, `{"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{"content":"a"}}]}]}`, false},
		"system":                {`{"messages":[],"system":"a"}`, `{"messages":[],"system":[{"type":"text","text":"a"}]}`, true},
		"another system":        {`{"messages":[],"system":"a"}`, `{"messages":[],"system":[{"type":"text","text":"b"}]}`, false},
		"parts":                 {gemini(`{"role":"user","parts":[{"text":"ab"}]}`), gemini(`{"parts":[{"text":"a"},{"text":"b"}]}`), true},
		"lone part":             {gemini(`{"role":"user","parts":[{"text":"a"}]}`), gemini(`{"role":"user","parts":{"text":"a"}}`), true},
		"other parts":           {gemini(`{"role":"user","parts":[{"text":"ab"}]}`), gemini(`{"role":"user","parts":[{"text":"a"},{"text":" b"}]}`), false},
		"role of parts":         {gemini(`{"role":"model","parts":[{"text":"a"}]}`), gemini(`{"parts":[{"text":"a"}]}`), false},
		"thought":               {gemini(`{"role":"model","parts":[{"text":"a"}]}`), gemini(`{"role":"model","parts":[{"text":"a","thought":true}]}`), false},
		"inline data":           {gemini(`{"role":"user","parts":[{"text":"a"}]}`), gemini(`{"role":"user","parts":[{"text":"a"},{"inlineData":{"data":"aGk="}}]}`), false},
		"made-up id":            {gemini(call("", "f", 1) + "," + result("", "f", 1)), gemini(call("1", "f", 1) + "," + result("1", "f", 1)), true},
		"made-up ids":           {gemini(call("", "f", 1) + "," + call("", "f", 2) + "," + result("", "f", 1) + "," + result("", "f", 2)), gemini(call("x", "f", 1) + "," + call("y", "f", 2) + "," + result("x", "f", 1) + "," + result("y", "f", 2)), true},
		"results swapped":       {gemini(call("x", "f", 1) + "," + call("y", "f", 2) + "," + result("x", "f", 1) + "," + result("y", "f", 2)), gemini(call("x", "f", 1) + "," + call("y", "f", 2) + "," + result("y", "f", 1) + "," + result("x", "f", 2)), false},
		"result of no call":     {gemini(call("1", "f", 1) + "," + result("1", "f", 1)), gemini(call("1", "f", 1) + "," + result("2", "f", 1)), false},
		"instruction":           {`{"contents":[],"systemInstruction":{"role":"user","parts":[{"text":"a"}]}}`, `{"contents":[],"system_instruction":{"parts":{"text":"a"}}}`, true},
		"another instruction":   {`{"contents":[],"systemInstruction":{"parts":[{"text":"a"}]}}`, `{"contents":[],"system_instruction":{"parts":{"text":"b"}}}`, false},
		"without a instruction": {`{"contents":[],"systemInstruction":{"parts":[{"text":"a"}]}}`, `{"contents":[]}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			m := Match{Profile: Semantic}
			a, b := request(tt.a), request(tt.b)
			if equal := m.Key(a) == m.Key(b); equal != tt.equal || (len(m.Diff(a, b)) == 0) != tt.equal {
				t.Errorf("equal %v, want %v; differences %v", equal, tt.equal, m.Diff(a, b))
			}
			if strict := (Match{}); strict.Key(a) == strict.Key(b) {
				t.Error("strict takes two forms for one")
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
	m := Match{Ignore: []string{"body.l[*].t"}}
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
	around := "…" + strings.Repeat("ä", 8) + "%d" + strings.Repeat("ä", 22) + "…"
	want := []FieldDiff{
		{"path", `"/x"`, `"/y"`},
		{"query.p[0]", `"1"`, `"2"`},
		{"body.a", "null", "(absent)"},
		{`body.b[1]["c d"]`, fmt.Sprintf(around, 1), fmt.Sprintf(around, 2)},
		{"body.b[2]", "(absent)", "3"},
		{"body.n", "1.5", `"1.5"`},
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
