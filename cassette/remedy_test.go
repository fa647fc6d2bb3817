package cassette

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/cassette/match"
)

var suggested = regexp.MustCompile("set `(match|ignore) = (.*?)` in the cassette block")

// What a message suggests for a difference that does not matter makes the two
// requests equal, and where the model is told something else nothing is
// suggested.
func TestRemedies(t *testing.T) {
	const said = `"model":"m","messages":[{"role":"user","content":"why?"}]`
	for _, c := range []struct{ recorded, actual, want string }{
		{`{` + said + `,"temperature":0}`, `{` + said + `,"temperature":1}`, `match "semantic"`},
		{`{` + said + `}`, `{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"why?"}]}]}`, `match "semantic"`},
		{`{` + said + `}`, `{"model":"m","messages":[{"role":"user","content":"how?"}]}`, ""},
		{`{` + said + `,"seed":1}`, `{"model":"n","messages":[{"role":"user","content":"why?"}],"seed":2}`, ""},
		{`{"amount":1,"trace":"a"}`, `{"amount":1,"trace":"b"}`, `ignore ["body.trace"]`},
		{`{` + said + `}`, `{` + said + `,"metadata":{"sent_at":"now"}}`, `ignore ["body.metadata"]`},
		{`{` + said + `,"metadata":{}}`, `{` + said + `,"metadata":{"sent_at":"now"}}`, `ignore ["body.metadata.sent_at"]`},
		{`{"a":"x "}`, `{"a":"x"}`, `match "semantic"`},
		{`{"a":1,"b":1,"c":1,"d":1}`, `{"a":2,"b":2,"c":2,"d":2}`, `match "loose"`},
	} {
		p := player(t, Options{}, recorded("a", 1, c.recorded, `{}`))
		text := missOf(t, p, call("a", "main", chatURL, c.actual)).Error()
		found := suggested.FindStringSubmatch(text)
		if found == nil {
			if c.want != "" {
				t.Errorf("%s, %s: nothing is suggested\n%s", c.recorded, c.actual, text)
			}
			continue
		}
		if got := found[1] + " " + found[2]; got != c.want {
			t.Errorf("%s, %s: %s, want %s", c.recorded, c.actual, got, c.want)
		}
		o := Options{}
		if found[1] == "match" {
			o.Profile = strings.Trim(found[2], `"`)
		} else if err := json.Unmarshal([]byte(found[2]), &o.Ignore); err != nil {
			t.Fatal(err)
		}
		mustPlay(t, player(t, o, recorded("a", 1, c.recorded, `{}`)), call("a", "main", chatURL, c.actual))
	}
}

// What is ignored already stays in what is suggested.
func TestRemedyExtendsIgnore(t *testing.T) {
	p := player(t, Options{Ignore: []string{"body.trace"}}, recorded("a", 1, `{"n":1,"trace":"a"}`, `{}`))
	text := missOf(t, p, call("a", "main", chatURL, `{"n":1,"trace":"b","at":2}`)).Error()
	if want := "set `ignore = [\"body.trace\", \"body.at\"]`"; !strings.Contains(text, want) {
		t.Errorf("%s is not in\n%s", want, text)
	}
}

// An empty file is said to be empty, and not to have been played.
func TestMissOfAnEmptyFile(t *testing.T) {
	if text := missOf(t, player(t, Options{}), call("a", "main", chatURL, `{"n":1}`)).Error(); !strings.Contains(text, "\n  it has no interactions\n") {
		t.Error(text)
	}
}

// A message names the command that records the answer, and after a renaming the
// interaction that it would have been.
func TestMissesNameWhatHelps(t *testing.T) {
	o := Options{Scenario: "new", Again: "scenario record --drifted f.hcl"}
	it := recorded("a", 1, `{"n":1}`, `{}`)
	it.Scenario = "old"
	p := player(t, o, it)
	m := missOf(t, p, call("a", "main", chatURL, `{"n":1}`))
	for _, part := range []string{`nearest: interaction 1 (line 5, step "a", scenario "old", attempt 1)`, "was the scenario renamed?", "`scenario record --drifted f.hcl`"} {
		if !strings.Contains(m.Error(), part) || m.Gate != Unmatched {
			t.Errorf("%q is not in\n%s", part, m)
		}
	}
	it = recorded("a", 1, `{"n":1}`, `{}`)
	p = player(t, o, it)
	for _, c := range []struct{ step, gate string }{{"b", Unmatched}, {"a", Drifted}} {
		m := missOf(t, p, call(c.step, "main", chatURL, `{"n":2}`))
		if !strings.Contains(m.Error(), "hint: `scenario record --drifted f.hcl` records the answer; or ") || m.Gate != c.gate {
			t.Errorf("%s: %s", c.gate, m)
		}
	}
	if slices.Contains(p.Played(), 1) {
		t.Error("an interaction of another request answered something")
	}
	if m := missOf(t, p, call("a", "main", chatURL, `{"n":1}`)); m.Gate != OverConsumed || !strings.Contains(m.Error(), "--drifted f.hcl") {
		t.Error(m)
	}
	if (match.Match{}).Compares(it.Request(), "body.m") {
		t.Error("what is not there is compared")
	}
}
