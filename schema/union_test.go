package schema

import (
	"fmt"
	"testing"
)

// Shows that what a long list of literals has in common is known while they are few,
// however often each stands there, and that of many nothing is known: to know all of
// them would take the square of their number.
func TestCommonOfManyTexts(t *testing.T) {
	for _, c := range []struct{ elements, different, want int }{
		{100, 100, 100}, {50000, 3, 3}, {maxMade, maxMade, maxMade}, {maxMade + 1, maxMade + 1, 0}, {50000, 50000, 0},
	} {
		var list []*Shape
		for i := range c.elements {
			list = append(list, Written(fmt.Sprint("word ", i%c.different)))
		}
		s := Common(list)
		if s.Kind != ShapeString || len(s.Texts) != c.want {
			t.Errorf("%d of %d texts: %d are known, want %d", c.elements, c.different, len(s.Texts), c.want)
		}
	}
}
