package schema

import (
	"fmt"
	"runtime"
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

// Shows that what the strings of a list have in common takes memory in proportion to
// their number, whatever is known of them: eight times as many take no more than twelve
// times as much, where the square of it would be sixty-four times.
func TestCommonTakesProportion(t *testing.T) {
	for name, of := range map[string]func(i int) *Shape{
		"written":  func(i int) *Shape { return Written(fmt.Sprint("word ", i)) },
		"members":  func(i int) *Shape { return OneOf(&Words{Noun: fmt.Sprint("word ", i), Members: []string{"a"}}) },
		"computed": func(i int) *Shape { return Computed(func(s string) string { return s }, Written(fmt.Sprint(i))) },
	} {
		built := func(n int) uint64 {
			list := make([]*Shape, n)
			for i := range list {
				list[i] = of(i)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			Common(list)
			runtime.ReadMemStats(&after)
			return after.TotalAlloc - before.TotalAlloc
		}
		if few, many := built(500), built(4000); many > 12*few {
			t.Errorf("%s: 500 take %d bytes, 4000 take %d", name, few, many)
		}
	}
}
