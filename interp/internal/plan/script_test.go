package plan

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// Shows that which script a step gets does not depend on how many there are, and that there
// are lists by their addresses only where there are many.
func TestScriptFor(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 5, manyScripts - 1, manyScripts, 200} {
		p := &Plan{}
		address := func() string {
			if i := draw.IntN(n/2 + 2); i > 0 {
				return fmt.Sprintf("s%d", i)
			}
			return "*"
		}
		for range n {
			s := &Script{Address: address(), Target: []string{"", "", "a", "b"}[draw.IntN(4)]}
			if draw.IntN(10) == 0 {
				s.Part = &Part{}
			}
			p.Scripts = append(p.Scripts, s)
		}
		p.FindScripts()
		if found := p.ScriptsAt != nil; found != (n >= manyScripts) {
			t.Errorf("of %d scripts there are lists by their addresses: %t", n, found)
		}
		all := &Plan{Scripts: p.Scripts} // in which each is looked at
		for range 500 {
			step, target := address(), []string{"", "a", "b", "c"}[draw.IntN(4)]
			if got, want := p.ScriptFor(step, target), all.ScriptFor(step, target); got != want {
				t.Errorf("of %d scripts, %s with target %q gets %+v, want %+v", n, step, target, got, want)
			}
		}
	}
}
