package cassette

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/scenario-lang/scenario/cassette/internal/httptext"
)

const pySample = `interactions:
- request:
    headers:
      content-type: [application/json]
    method: POST
    parsed_body: {model: m}
    uri: https://api.example.com/v1/chat
  response:
    headers:
      content-length: ['9']
      content-type: [application/json]
      transfer-encoding: [chunked]
      vary: [Origin, Accept]
    parsed_body: {id: x}
    status: {code: 429, message: Slow Down}
version: 1
`

// A file of vcrpy is read as PyYAML reads it and its bodies are those that
// Python's json makes: testdata/python.json is what both gave for
// testdata/python.yaml, objects of Python included.
func TestVCRPyLikePython(t *testing.T) {
	c, err := Load("testdata/python.yaml")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("testdata/python.json")
	if err != nil {
		t.Fatal(err)
	}
	var want []struct{ Request, Response string }
	if err := json.Unmarshal(data, &want); err != nil || len(want) != len(c.Interactions) {
		t.Fatalf("%d interactions, %d expected (%v)", len(c.Interactions), len(want), err)
	}
	for i, it := range c.Interactions {
		if d := cmp.Diff(want[i].Request, string(it.RequestBody)); d != "" {
			t.Errorf("request %d\n%s", i+1, d)
		}
		if d := cmp.Diff(want[i].Response, string(it.Response.Body())); d != "" {
			t.Errorf("response %d\n%s", i+1, d)
		}
	}
	first, second := c.Interactions[0], c.Interactions[1]
	if d := cmp.Diff(http.Header{"X-Two": {"one", "two"}, "X-Plain": {"text"}}, second.RequestHeader); d != "" {
		t.Error(d)
	}
	if first.Method != "POST" || first.URL != "https://api.example.com/v1/form?x=1" {
		t.Errorf("%s %s", first.Method, first.URL)
	}
	if p := c.Interactions[2].Protocol; p != "HTTP/1.1" {
		t.Errorf("protocol %q", p)
	}
	if n := len(c.Interactions[3].Response.Parts); n != 3 {
		t.Errorf("the stream has %d parts, not one for each of 3 events", n)
	}
	if d := sameItems(c.Interactions, parsed(t, written(t, c.Interactions...)).Interactions); d != "" {
		t.Errorf("after writing and reading\n%s", d)
	}
}

// The length and the framing of the recorded answer are gone, every value of a
// header stays, and so does the status with its message.
func TestVCRPyFraming(t *testing.T) {
	it := parsed(t, []byte(pySample)).Interactions[0]
	want := http.Header{"content-type": {"application/json"}, "vary": {"Origin", "Accept"}}
	if d := cmp.Diff(want, httptext.Header(it.Response.Header)); d != "" {
		t.Error(d)
	}
	if it.Response.Status != 429 || it.Response.Reason != "Slow Down" || string(it.Response.Body()) != `{"id": "x"}` {
		t.Errorf("%d %q %s", it.Response.Status, it.Response.Reason, it.Response.Body())
	}
}

// A recording of vcrpy in JSON, with tabs and with a character as the pair of
// escapes that Python writes, is read alike.
func TestVCRPyJSON(t *testing.T) {
	c := parsed(t, []byte("{\n\t\"version\": 1,\n\t\"interactions\": [\n\t\t{\"request\": {\"method\": \"GET\", \"uri\": \"https://a/\", \"body\": null, \"headers\": {}},\n"+
		"\t\t\"response\": {\"status\": {\"code\": 200, \"message\": \"OK\"}, \"headers\": {}, \"body\": {\"string\": \"\\ud83d\\ude00 \\/ \\u00e9\"}}}\n\t]\n}\n"))
	it := c.Interactions[0]
	if got := string(it.Response.Body()); got != "😀 / é" || it.Line != 4 || !c.Whole {
		t.Errorf("body %q, line %d, whole %v", got, it.Line, c.Whole)
	}
}

// What may stand for code, what is cut, and what cannot be is refused with the
// line and the reason; a text that looks like a tag is a text.
func TestVCRPyRefuses(t *testing.T) {
	for name, tt := range map[string]struct {
		old, new, want string
		line           int
	}{
		"name":        {"{model: m}", "!!python/name:os.system ''", "the tag !!python/name:os.system may stand for code", 6},
		"apply":       {"{model: m}", "!!python/object/apply:os.system [ls]", "may stand for code", 6},
		"long tag":    {"{model: m}", "!<tag:yaml.org,2002:python/object/apply:os.system> [ls]", "may stand for code", 6},
		"in a key":    {"{model: m}", "{? !!python/module:os '' : 1}", "may stand for code", 6},
		"misplaced":   {"{model: m}", "!!python/object/new:_io.BytesIO [1]", "may stand for code", 6},
		"own tag":     {"{model: m}", "!secret x", "the tag !secret", 6},
		"date":        {"{model: m}", "{at: 2024-01-01}", `"2024-01-01" is nothing that JSON has`, 6},
		"binary":      {"{model: m}", "{a: !!binary QQ==}", "is nothing that JSON has", 6},
		"merge":       {"{model: m}", "{<<: {a: 1}}", "the merge key", 6},
		"twice":       {"{model: m}", "{a: 1, a: 2}", `the key "a" stands twice`, 6},
		"itself":      {"{model: m}", "&a [*a]", "contains itself", 6},
		"no version":  {"version: 1\n", "", "vcrpy writes it last, so the file seems cut", 1},
		"version":     {"version: 1\n", "version: 2\n", `version "2" of vcrpy`, 16},
		"no uri":      {"    uri: https://api.example.com/v1/chat\n", "", "the request has no url", 2},
		"no body":     {"    parsed_body: {model: m}\n", "", "there is no body", 3},
		"no string":   {"parsed_body: {id: x}", "body: {}", "the body of the response has no string", 9},
		"no status":   {"    status: {code: 429, message: Slow Down}\n", "", "no status; the file seems cut", 9},
		"text status": {"{code: 429, message: Slow Down}", "429 Slow Down", `the status is the text "429 Slow Down"; vcrpy writes a code and a message`, 15},
		"no response": {"  response:\n", "  answer:\n", "interaction 1 has no response", 2},
		"respose":     {"  response:\n", "  respose:\n", `interaction 1 has the unknown key "respose", did you mean "response"?`, 8},
		"no headers":  {"    headers:\n      content-type: [application/json]\n", "", "there are no headers", 3},
		"status":      {"code: 429", "code: many", `the status code is "many"`, 15},
		"no code":     {"code: 429", "code: 42", "42 is no status code", 2},
		"reason":      {"Slow Down", `"a\nb"`, "line break", 15},
		"header":      {"[Origin, Accept]", "{a: b}", `the header "vary" has a value that is not a string`, 13},
		"cut event":   {"[application/json]\n      transfer-encoding: [chunked]\n      vary: [Origin, Accept]\n    parsed_body: {id: x}", "[text/event-stream]\n    body: {string: \"data: {\\\"a\"}", "event of the response's stream is cut", 2},
	} {
		t.Run(name, func(t *testing.T) {
			if !strings.Contains(pySample, tt.old) {
				t.Fatalf("%q is not in the sample", tt.old)
			}
			_, err := Parse("a.yaml", []byte(strings.Replace(pySample, tt.old, tt.new, 1)))
			e, ok := err.(*LoadError)
			if !ok || !strings.Contains(e.Problem, tt.want) || e.Hint == "" {
				t.Fatalf("want %q with a hint, got %v", tt.want, err)
			}
			if e.Line != tt.line {
				t.Errorf("line %d, want %d: %v", e.Line, tt.line, err)
			}
		})
	}
	c := parsed(t, []byte(strings.Replace(pySample, "{model: m}", `{text: "!!python/name:os.system"}`, 1)))
	if got := string(c.Interactions[0].RequestBody); got != `{"text": "!!python/name:os.system"}` {
		t.Errorf("body %s", got)
	}
}

// Aliases that stand for far more text than the file has are refused before
// they are written out.
func TestVCRPyAliases(t *testing.T) {
	bomb := "&a [" + strings.Repeat("xxxxxxxx, ", 100) + "x]"
	for i := range 8 {
		name := string(rune('a' + i))
		bomb = "[&" + string(rune('b'+i)) + " [" + bomb + strings.Repeat(", *"+name, 9) + "]]"
	}
	_, err := Parse("", []byte(strings.Replace(pySample, "{model: m}", bomb, 1)))
	if err == nil || !strings.Contains(err.Error(), "far more text") {
		t.Errorf("got %v", err)
	}
}

// A file of vcrpy whose version is not its last key does not prove itself
// whole, and says so; unknown keys are reported with their line.
func TestVCRPyWarns(t *testing.T) {
	c := parsed(t, []byte("version: 1\n"+strings.Replace(pySample, "version: 1\n", "", 1)))
	if c.Whole || len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "no end marker") {
		t.Errorf("whole %v, %q", c.Whole, c.Warnings)
	}
	c = parsed(t, []byte(strings.Replace(pySample, "    method:", "    mood: good\n    method:", 1)))
	if want := `line 5: the request of interaction 1 has the unknown key "mood", which is ignored`; len(c.Warnings) != 1 || c.Warnings[0] != want {
		t.Errorf("%q", c.Warnings)
	}
}

// A file of vcrpy that is cut anywhere before its last key is refused.
func TestEveryCutOfVCRPy(t *testing.T) {
	for n := range strings.Index(pySample, "version: 1") + len("version: ") {
		if _, err := Parse("", []byte(pySample[:n])); err == nil {
			t.Errorf("cut at %d of %d: loaded", n, len(pySample))
		}
	}
}
