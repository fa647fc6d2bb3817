package redact

import (
	"hash/fnv"
	"math/rand/v2"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/cassette/internal/forms"
)

// Every rule finds what its own pattern says, wherever it stands: the quick look
// before a pattern leaves none of it out. The samples are made from the syntax of
// the patterns, and not by the code that looks for them.
func TestEveryRuleFindsItsForm(t *testing.T) {
	for i := range forms.All() {
		r := &forms.All()[i]
		h := fnv.New64a()
		h.Write([]byte(r.ID)) // each rule has draws of its own, whichever others there are
		draw := rand.New(rand.NewPCG(h.Sum64(), 1))
		tree, err := syntax.Parse(r.Pattern, syntax.Perl)
		if err != nil {
			t.Fatalf("%s: %v", r.ID, err)
		}
		missed, taken := 0, 0
		for range 20 {
			sample := strings.Trim(sampleOf(draw, tree), " \n\r\t")
			if !slices.ContainsFunc(r.Words, func(w string) bool { return strings.Contains(strings.ToLower(sample), w) }) {
				continue // as the rule was published
			}
			c := &compiledForms()[i]
			c.compile()
			m := c.pattern.FindStringSubmatchIndex(sample)
			if m == nil {
				continue // a word boundary was not met
			}
			from, to := secretOf(r, m)
			if !c.takes(sample[from:to]) {
				continue
			}
			secret := sample[from:to]
			taken++
			for _, text := range []string{sample, "before it. " + sample + "\nand more", `{"text":"say ` + strings.ReplaceAll(sample, "\n", " ") + ` twice"}`} {
				if !strings.Contains(text, secret) || c.pattern.FindString(text) == "" {
					continue
				}
				if strings.Contains(HideTokens(text), secret) {
					missed++
					if missed == 1 {
						t.Errorf("%s: %q is shown in %q", r.ID, secret, HideTokens(text))
					}
				}
			}
		}
		if taken == 0 {
			t.Logf("%s: no sample", r.ID)
		}
	}
}

// sampleOf is a text of a form.
func sampleOf(draw *rand.Rand, n *syntax.Regexp) string {
	var b strings.Builder
	repeat := func(least, most int) {
		if most < 0 || most > least+8 {
			most = least + 8
		}
		for range least + draw.IntN(most-least+1) {
			b.WriteString(sampleOf(draw, n.Sub[0]))
		}
	}
	switch n.Op {
	case syntax.OpLiteral:
		b.WriteString(string(n.Rune))
	case syntax.OpCharClass:
		var all []rune
		for i := 0; i+1 < len(n.Rune); i += 2 {
			for c := max(n.Rune[i], ' '); c <= n.Rune[i+1] && c <= '~'; c++ {
				all = append(all, c)
			}
		}
		if len(all) > 0 {
			b.WriteRune(all[draw.IntN(len(all))])
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte("abcdefgh0123XYZ"[draw.IntN(15)])
	case syntax.OpCapture, syntax.OpConcat:
		for _, sub := range n.Sub {
			b.WriteString(sampleOf(draw, sub))
		}
	case syntax.OpAlternate:
		b.WriteString(sampleOf(draw, n.Sub[draw.IntN(len(n.Sub))]))
	case syntax.OpStar:
		repeat(0, -1)
	case syntax.OpPlus:
		repeat(1, -1)
	case syntax.OpQuest:
		repeat(0, 1)
	case syntax.OpRepeat:
		repeat(n.Min, n.Max)
	}
	return b.String()
}
