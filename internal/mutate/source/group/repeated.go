package group

import (
	"fmt"

	"github.com/scenario-lang/scenario/internal/mutate/inner"
)

// many bounds in how many places one change is made at once.
const many = 16

// Repeated are the changes that are the same at two or more places of a text, each made at all of them: what is put into a
// key is left out where it is written and where it is read. None is longer than span. Shown of a place is what the change
// says of it.
func Repeated(text string, places []Place, span int, line func(int) int) (list []Edit) {
	for _, set := range byKey(places) {
		if len(set) < 2 || len(set) > many || set[len(set)-1].To-set[0].From > span {
			continue
		}
		from, to, with := Join(text, set)
		lines := linesOf(set, line)
		where := fmt.Sprintf(" in %d places", len(set))
		if len(lines) > 1 {
			where = " in lines " + listed(lines)
		}
		list = append(list, Edit{From: from, To: to, Text: with, Change: inner.Short(set[0].Shown, 78-len([]rune(where))) + where})
	}
	return list
}
