package match_test

import (
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/cassette/match"
)

func chat(body string) match.Request {
	return match.Request{Method: "POST", URL: "https://api.example/v1/chat", Body: []byte(body)}
}

// Shows that of two requests which a profile takes for the same, exactly what it
// passes over is told: settings of the model, and nothing that clients send as they
// like.
func TestIgnored(t *testing.T) {
	const said = `"model":"m","messages":[{"role":"user","content":"why?"}]`
	for _, c := range []struct{ profile, recorded, actual, want string }{
		{match.Semantic, `{` + said + `,"temperature":0.1}`, `{` + said + `,"temperature":0.9}`, "body.temperature"},
		{match.Semantic, `{` + said + `,"temperature":1}`, `{` + said + `,"temperature":1.0}`, ""},
		{match.Semantic, `{` + said + `,"seed":1,"user":"a"}`, `{` + said + `}`, "body.seed"},
		{match.Semantic, `{` + said + `,"user":"a"}`, `{` + said + `,"user":"b"}`, "body.user"},
		{match.Semantic, `{` + said + `,"store":true}`, `{` + said + `}`, ""},
		{match.Semantic, `{` + said + `}`, `{` + said + `,"response_format":{"type":"json_object"},"max_tokens":5}`, "body.max_tokens body.response_format"},
		{match.Semantic, `{` + said + `,"generationConfig":{"topK":1}}`, `{` + said + `,"generationConfig":{"topK":2}}`, "body.generationConfig.topK"},
		{match.Semantic, `{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"why?"}]}]}`, `{` + said + `}`, ""},
		{match.Semantic, `{"a":1}`, `{"a":1}`, ""},
		{match.Loose, `{"a":1}`, `{"a":2}`, "body.a"},
		{match.Strict, `{"a":1}`, `{"a":2}`, ""},
	} {
		m := match.Match{Profile: c.profile}
		was, now := chat(c.recorded), chat(c.actual)
		if c.profile != match.Strict && m.Key(was) != m.Key(now) {
			t.Errorf("%s and %s are not the same under %s", c.recorded, c.actual, c.profile)
		}
		var paths []string
		for _, d := range m.Ignored(was, now) {
			paths = append(paths, d.Path)
		}
		if got := strings.Join(paths, " "); got != c.want {
			t.Errorf("%s: %s and %s: %q, want %q", c.profile, c.recorded, c.actual, got, c.want)
		}
	}
}

// Shows what of a request is left to compare where some of it is hidden.
func TestSays(t *testing.T) {
	hides := func(texts ...string) func(match.Request) match.Request {
		return func(r match.Request) match.Request {
			for _, text := range texts {
				r.Body = []byte(strings.ReplaceAll(strings.ReplaceAll(string(r.Body), text+" otherwise", "…"), text, "…"))
			}
			return r
		}
	}
	for _, c := range []struct {
		profile, body string
		hidden        []string
		says          bool
	}{
		{match.Strict, `{"model":"m","messages":[{"role":"user","content":"why?"}]}`, nil, true},
		{match.Strict, `{"model":"m","messages":[{"role":"user","content":"why?"}]}`, []string{"why?"}, false},
		{match.Semantic, `{"model":"m","messages":[{"role":"user","content":"why?"}]}`, []string{"why?"}, false},
		{match.Loose, `{"model":"m","messages":[{"role":"user","content":"why?"}]}`, []string{"why?"}, true},
		{match.Semantic, `{"model":"m","messages":[{"role":"user","content":"why?"},{"role":"user","content":"how?"}]}`, []string{"why?"}, true},
		{match.Strict, `{"password":"why?"}`, []string{"why?"}, false},
		{match.Strict, `{"to":"why?","note":"how?"}`, []string{"why?", "how?"}, false},
		{match.Strict, `{"to":"why?","note":"how?"}`, []string{"why?"}, true},
		{match.Strict, `{"n":1}`, nil, true},
		{match.Strict, ``, nil, true},
	} {
		if got := (match.Match{Profile: c.profile}).Says(chat(c.body), hides(c.hidden...)); got != c.says {
			t.Errorf("%s: %s without %q says something: %v", c.profile, c.body, c.hidden, got)
		}
	}
}
