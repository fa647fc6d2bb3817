package agentloom

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// V49, V50: the hash of a request is that of Python's json.dumps; model and
// temperature count, and 0 may be 0 or 0.0. The sums were computed by Python.
func TestV49V50PromptHash(t *testing.T) {
	base := Prompt{Model: "gpt-4o-mini", Messages: []Message{{"user", "hash me"}}}
	number := func(f float64) *float64 { return &f }
	tokens := 100
	for name, tt := range map[string]struct {
		change func(*Prompt)
		want   []string
	}{
		"V49":   {func(*Prompt) {}, []string{"89469d4c2baa0203229de565fa0a0b9dba77c2f99d7f10c968b6d36c5b0deb45"}},
		"model": {func(p *Prompt) { p.Model = "gpt-4o" }, []string{"33c8c25470cb348d8fc5f09ef5d375df7851b6a3be133c700e42e219e6d55690"}},
		"warm":  {func(p *Prompt) { p.Temperature = number(0.7) }, []string{"87b1e4d54b5b80a68a34b5b22e4a0dccd8ac8ba119357185aaee2840bcd6bc7c"}},
		"cold":  {func(p *Prompt) { p.Temperature = number(0) }, []string{"985a73ac79f0c7230a4a46e03c09f7b61756ecd93348107e8c59068c1567e0ee", "123c8606884a0590c09cd32ac71ffd35ac444150519111ab1b21de6d05028960"}},
		"all": {func(p *Prompt) {
			p.Temperature, p.MaxTokens = number(1e-05), &tokens
			p.Messages = []Message{{"system", "be \"brief\"\n"}, {"user", "é \u2028 😀 \x7f"}}
		}, []string{"f44352897cf92754f18afeed716d4cdcecdf99af9e00abaf9d5038dc83e43119"}},
	} {
		p := base
		tt.change(&p)
		if d := cmp.Diff(tt.want, p.Hashes()); d != "" {
			t.Errorf("%s\n%s", name, d)
		}
	}
}
