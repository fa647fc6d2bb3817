package cassette

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/scenario-lang/scenario/wire"
)

// A file of go-vcr v2 loads with its parts split and what no longer fits its
// body dropped, and says that nothing proves it whole.
func TestParseV1(t *testing.T) {
	c := parsed(t, []byte(v1))
	if c.Format != "go-vcr 1" || c.Own || len(c.Interactions) != 2 {
		t.Fatalf("got %s, own %v, %d interactions", c.Format, c.Own, len(c.Interactions))
	}
	if len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "no end marker") {
		t.Errorf("warnings: %q", c.Warnings)
	}
	first, second := c.Interactions[0], c.Interactions[1]
	want := wire.Response{
		Status: 200, Wait: 1500 * time.Millisecond,
		Header: []wire.Field{{Name: "Content-Type", Value: "application/json"}},
		Parts:  []wire.Part{{Data: []byte(`{"id":"x","choices":[]}`)}},
	}
	if d := cmp.Diff(want, first.Response); d != "" {
		t.Error(d)
	}
	if first.Index != 1 || first.Line != 4 || second.Line != 24 {
		t.Errorf("index %d, lines %d and %d", first.Index, first.Line, second.Line)
	}
	if got := first.RequestHeader.Get("Content-Type"); got != "application/json" {
		t.Errorf("a lower-case recorded name is read as %q", got)
	}
	parts := []wire.Part{
		{Data: []byte("data: 1\r\n\r\n"), Kind: wire.PartEvent},
		{Data: []byte("data: [DONE]\r\n\r\n"), Kind: wire.PartDone},
	}
	if d := cmp.Diff(parts, second.Response.Parts); d != "" || !second.Response.Stream {
		t.Errorf("stream %v\n%s", second.Response.Stream, d)
	}
}

// What proves that a foreign file was cut or damaged is refused with the line,
// the interaction and the field; so is what another tool wrote, by its name.
func TestParseRefuses(t *testing.T) {
	edit := func(old, new string) string {
		if !strings.Contains(v1, old) {
			t.Fatalf("%q is not in the sample", old)
		}
		return strings.Replace(v1, old, new, 1)
	}
	until := func(text string) string {
		at := strings.Index(v1, text)
		if at < 0 {
			t.Fatalf("%q is not in the sample", text)
		}
		return v1[:at]
	}
	for name, tt := range map[string]struct {
		data, want string
		line       int
	}{
		"nothing":          {"", "the file is empty", 0},
		"a scalar":         {"hello", "is a plain value", 1},
		"a list":           {"- 1", "is a list", 1},
		"no version":       {edit("version: 1\n", ""), `"version" is missing`, 2},
		"version 3":        {edit("version: 1", "version: 3"), `version "3" is unknown`, 2},
		"no interactions":  {"version: 1\n", `"interactions" is missing`, 1},
		"empty":            {"version: 1\ninteractions:\n", "it is empty", 2},
		"nil interaction":  {v1 + "- \n", "interaction 3 is empty; the file seems cut", 38},
		"no response":      {until("  response:"), "interaction 1 has no response", 4},
		"respose":          {edit("  response:\n", "  respose:\n"), `interaction 1 has the unknown key "respose", did you mean "response"?`, 12},
		"metod":            {edit("    method: POST\n", "    metod: POST\n"), `the request of interaction 1 has the unknown key "metod", did you mean "method"?`, 11},
		"interaction":      {edit("interactions:\n", "interaction:\n"), `the file has the unknown key "interaction", did you mean "interactions"?`, 3},
		"no body":          {until(`body: '{"id"`), "interaction 1 has no response", 4},
		"no duration":      {until("    duration: 250ms"), "the response has no duration, which others have", 31},
		"no status":        {edit("    status: 200 OK\n", ""), "the response has no status", 13},
		"no code":          {edit("    code: 200\n", ""), "the response has no code", 13},
		"no answer's body": {edit("    body: '{\"id\":\"x\",\"choices\":[]}'\n", ""), "the response has no body", 13},
		"no method":        {edit("    method: POST\n", ""), "the request has no method", 5},
		"bad YAML":         {until(`"choices":[]`), "not valid YAML", 0},
		"cut JSON":         {edit(`"choices":[]}`, `"choices":[`), "the JSON body of the response does not close", 4},
		"cut event":        {edit(`[DONE]\r\n\r\n`, `{\"a\":`), "last event of the response's stream is cut", 24},
		"code":             {edit("code: 200", "code: 0"), "0 is no status code", 4},
		"text for code":    {edit("code: 200", "code: many"), "interaction 1:", 22},
		"line in a header": {edit("- \"99\"\n      Content-Encoding", "- \"99\"\n      X-A: [\"a\\nb\"]\n      Content-Encoding"), "line break", 4},
		"negative time":    {edit("1.5s", "-1.5s"), "negative", 4},
		"twice":            {edit("    method: POST\n", "    method: POST\n    method: GET\n"), "already defined", 12},
		"HAR":              {`{"log": {"version": "1.2", "entries": []}}`, "a HAR file", 1},
		"aimock":           {`{"fixtures": []}`, "aimock", 1},
		"WireMock":         {`{"request": {}, "response": {}}`, "WireMock", 1},
		"AgentLoom":        {"answer: {content: x}", "that is no JSON", 1},
		"OpenAPI":          {"openapi: 3.1.0", "OpenAPI", 1},
		"OTLP":             {`{"resourceSpans": []}`, "OTLP", 1},
		"Ruby":             {"http_interactions: []", "Ruby", 1},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := Parse("dir/a.yaml", []byte(tt.data))
			var e *LoadError
			if c != nil || !errors.As(err, &e) {
				t.Fatalf("got %v, %v", c, err)
			}
			if !strings.HasPrefix(err.Error(), "dir/a.yaml:") || !strings.Contains(err.Error(), tt.want) || e.Hint == "" {
				t.Errorf("want %q with a hint in:\n%v", tt.want, err)
			}
			if tt.line != 0 && e.Line != tt.line {
				t.Errorf("line %d, want %d: %v", e.Line, tt.line, err)
			}
		})
	}
}

// What proves nothing passes: an answer that is no JSON though it says so, a
// stream whose server leaves the last blank line out, the empty duration of the
// first go-vcr, and unknown keys, which are reported with their line.
func TestParseAccepts(t *testing.T) {
	for name, tt := range map[string]struct{ old, new, warning string }{
		"no JSON":          {`'{"id":"x","choices":[]}'`, `"<html>"`, ""},
		"no blank line":    {`[DONE]\r\n\r\n`, `[DONE]`, ""},
		"whole last event": {`data: [DONE]\r\n\r\n`, `data: {\"a\":1}\n`, ""},
		"last comment":     {`data: [DONE]\r\n\r\n`, `: bye\n`, ""},
		"empty duration":   {"1.5s", `""`, ""},
		"no duration":      {"    duration: 1.5s\n", "", ""},
		"no form":          {"    form: {}\n", "", ""},
		"empty headers":    {"    headers: {}\n", "    headers:\n", ""},
		"no headers":       {"    headers: {}\n", "", ""},
		"unknown key":      {"    duration: 1.5s\n", "    duration: 1.5s\n    mood: good\n", `line 24: the response of interaction 1 has the unknown key "mood"`},
	} {
		t.Run(name, func(t *testing.T) {
			c := parsed(t, []byte(strings.Replace(v1, tt.old, tt.new, 1)))
			if len(c.Interactions) != 2 || !strings.Contains(strings.Join(c.Warnings, "\n"), tt.warning) {
				t.Errorf("%d interactions, warnings %q", len(c.Interactions), c.Warnings)
			}
		})
	}
}

// V53: a file of ours that is cut anywhere but at its last line end is refused
// and stays untouched.
func TestV53EveryCutOfOurs(t *testing.T) {
	broken := streamed("b")
	broken.Response.End = wire.EndRST
	refused := &Interaction{Step: "c", Attempt: 1, Method: "GET", URL: chatURL, Error: "refused"}
	data := written(t, recorded("a", 1, `{"q":"über\n"}`, `{"a":1}`), broken, refused)
	for n := range len(data) - 1 {
		if c, err := Parse("", data[:n]); err == nil {
			t.Errorf("cut at %d of %d: loaded with %d interactions:\n%s", n, len(data), len(c.Interactions), data[:n])
		}
	}
	for _, n := range []int{len(data) - 1, len(data)} {
		if _, err := Parse("", data[:n]); err != nil {
			t.Errorf("cut at %d of %d: %v", n, len(data), err)
		}
	}
	path := filepath.Join(t.TempDir(), "cut.yaml")
	cut := data[:len(data)-9]
	if err := os.WriteFile(path, cut, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Load(path)
	if err == nil || !strings.Contains(err.Error(), "truncated") || !strings.HasPrefix(err.Error(), path) {
		t.Errorf("got %v", err)
	}
	if after, _ := os.ReadFile(path); !bytes.Equal(after, cut) {
		t.Error("loading changed the file")
	}
}

// A changed byte in a file of ours is refused, and the message names the
// interaction that was changed, or the line ends if those were.
func TestOursChanged(t *testing.T) {
	data := written(t, recorded("a", 1, `{}`, `{"a":1}`), recorded("a", 2, `{}`, `{"a":2}`))
	for name, tt := range map[string]struct{ old, new, want string }{
		"an answer":    {`{"a":2}`, `{"a":3}`, "interaction 2 is not as it was written"},
		"a key":        {"attempt: 2", "attempt: 3", "interaction 2 is not as it was written"},
		"line ends":    {"\n", "\r\n", "autocrlf"},
		"the header":   {"provider: openai", "provider: opinai", "its bytes are not those"},
		"an item lost": {"- request", "  request", "truncated"},
		"appended":     {"x-scenario-end", "x-other: 1\nx-scenario-end", "its bytes are not those"},
		"no header":    {"x-scenario: {", "x-something: {", "the key x-scenario is missing"},
		"newer":        {"{format: 1", "{format: 2", "newer than 1"},
	} {
		t.Run(name, func(t *testing.T) {
			text := string(data)
			at := strings.LastIndex(text, tt.old)
			if name == "line ends" {
				text = strings.ReplaceAll(text, tt.old, tt.new)
			} else {
				text = text[:at] + tt.new + text[at+len(tt.old):]
			}
			_, err := Parse("", []byte(text))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("want %q, got %v", tt.want, err)
			}
		})
	}
	if _, err := Parse("", append(bytes.Clone(data), "# end\n"...)); err == nil || !strings.Contains(err.Error(), "not the last line") {
		t.Errorf("after the end: %v", err)
	}
}

// A file of go-vcr that is cut is refused or warned about, and what remains of
// it has no interaction without its answer, whatever the place of the cut.
func TestEveryCutOfV1(t *testing.T) {
	whole := parsed(t, []byte(v1))
	loaded := 0
	for n := range len(v1) {
		c, err := Parse("", []byte(v1[:n]))
		if err != nil {
			continue
		}
		loaded++
		if !strings.Contains(strings.Join(c.Warnings, ""), "no end marker") {
			t.Errorf("cut at %d: no warning", n)
		}
		for i, it := range c.Interactions {
			if !bytes.Equal(it.Response.Body(), whole.Interactions[i].Response.Body()) {
				t.Errorf("cut at %d: interaction %d has the body %q", n, i+1, it.Response.Body())
			}
		}
	}
	if loaded == 0 || loaded > 20 {
		t.Errorf("%d of %d cuts load; those at the end of an interaction, in its duration, or before the first duration are expected", loaded, len(v1))
	}
}
