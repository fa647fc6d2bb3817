package lint

import (
	"fmt"
	"testing"
)

// Shows that what can be reached from a declaration is found in time that is
// linear in the file, for a long chain and where each means all there are.
func TestReachIsLinear(t *testing.T) {
	const n = 2000
	local := func(i int) reference { return reference{"local", fmt.Sprintf("x%d", i)} }
	for what, refers := range map[string]func(i int) []reference{
		"the one before": func(i int) []reference { return []reference{local(i - 1)} },
		"all":            func(int) []reference { return []reference{{"local", all}} },
		"both":           func(i int) []reference { return []reference{{"local", all}, local(i - 1)} },
	} {
		var list []*declaration
		for i := range n {
			list = append(list, &declaration{root: "local", name: fmt.Sprintf("x%d", i), refers: refers(i)})
		}
		named, looked, marked := byReference(list), 0, map[*declaration]bool{}
		r := reach{seen: references{}, mark: func(d *declaration) { marked[d] = true }, each: func(to reference, f func(*declaration)) bool {
			looked++
			return named.each(to, func(d *declaration) {
				looked++
				f(d)
			})
		}}
		r.from([]reference{local(n - 1)})
		if len(marked) != n {
			t.Errorf("%s: reached %d of %d", what, len(marked), n)
		}
		if looked > 4*n {
			t.Errorf("%s: looked at %d for %d declarations", what, looked, n)
		}
	}
}
