package uncompared

import (
	"github.com/scenario-lang/scenario/cassette/match"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// Refused says what of the places to ignore can have no effect, whatever was
// recorded.
func Refused(t *plan.Recording) (why []string) {
	for _, path := range t.Ignore {
		if err := match.CheckPath(path); err != nil {
			why = append(why, err.Error())
		}
	}
	if t.Match == match.Loose && len(t.Ignore) > 0 {
		why = append(why, `match = "loose" compares the method and the path alone, so there is nothing that ignore could leave out: take one of them out`)
	}
	return why
}
