package found_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/interp/internal/judge/found"
)

// Shows that a search in the first message of a request that finds nothing is told of where another
// message has it, unless a service said that before, or a check or a name says which message is meant.
func TestSearchesInTheFirstMessage(t *testing.T) {
	const (
		sent  = `{"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Pay with 4111."}]}`
		parts = `{"input":[{"role":"system","content":"Be brief."},{"role":"user","content":[{"type":"text","text":"Pay with 4111."}]}]}`
		told  = `{"messages":[{"role":"user","content":"Hm?"},{"role":"assistant","content":"4111"},{"role":"tool","content":"4111"}]}`
		none  = `{"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Pay with [card]."}]}`
		alone = `{"messages":[{"role":"user","content":"Pay with [card]."}]}`

		first = `!strcontains(endpoint.x.attempts[0].request.json.messages[0].content, "4111")`
	)
	for _, c := range []struct {
		text, condition, name, other string
		told                         bool
	}{
		{sent, first, "no card", "true", true},
		{sent, `endpoint.x.attempts != [] && ` + first, "no card", "true", true},
		{sent, `!regexmatch("[0-9]{4}", endpoint.x.attempts[0].request.json.messages[0].content)`, "no card", "true", true},
		{sent, `alltrue([for e in [endpoint.x] : !strcontains(e.attempts[0].request.json.messages[0].content, "4111")])`, "no card", "true", true},
		{parts, strings.Replace(first, "messages", "input", 1), "no card", "true", true},
		{sent, first, "no card", `endpoint.x.attempts[0].request.json.messages[0].role == "system"`, true},

		{none, first, "no card", "true", false},
		{alone, first, "no card", "true", false},
		{told, first, "no card", "true", false},
		{sent, first, "the system prompt has no card", "true", false},
		{sent, first, "no card", `endpoint.x.attempts[0].request.json.messages[1].role == "user"`, false},
		{sent, first, "no card", `strcontains(endpoint.x.attempts[0].request.body, "4111")`, false},
		{sent, `endpoint.x.attempts[0].request.json.messages[0].content != "4111"`, "no card", "true", false},
		{sent, `strcontains(endpoint.x.attempts[0].request.json.messages[0].content, "brief")`, "brief", "true", false},
		{sent, `endswith(endpoint.x.attempts[0].request.json.messages[0].content, "brief.")`, "brief", "true", false},
		{sent, `!anytrue([for m in endpoint.x.attempts[0].request.json.messages : m.role == "system" && strcontains(m.content, "4111")])`, "no card", "true", false},
	} {
		e := parse(t, c.condition)
		why := found.Elsewhere(e, read(t, c.text), found.About{
			Name: c.name, Checks: func() []hclsyntax.Expression { return []hclsyntax.Expression{e, parse(t, c.other)} },
			Told: func() []string { return nil }, Hide: plainly,
		})
		if strings.Contains(why, "the first of several messages") != c.told || !c.told && why != "" {
			t.Errorf("%s of %s, %q beside %s: %q, want one: %v", c.condition, c.text, c.name, c.other, why, c.told)
		}
	}
}

// Shows that a text is looked at as far as the caller lets it, and that its length is what that costs.
func TestLooksCost(t *testing.T) {
	const sent = `{"prompt":"as json","format":"json"}`
	e := parse(t, `strcontains(endpoint.x.attempts[0].request.body, "json")`)
	for _, may := range []bool{true, false} {
		spent := 0
		why := found.Elsewhere(e, read(t, sent), found.About{
			Checks: func() []hclsyntax.Expression { return []hclsyntax.Expression{e} }, Told: func() []string { return nil }, Hide: plainly,
			Spend: func(bytes int) bool { spent += bytes; return may },
		})
		if (why != "") != may || spent != len(sent) {
			t.Errorf("where it may be looked at (%v): %q, %d bytes", may, why, spent)
		}
	}
}
