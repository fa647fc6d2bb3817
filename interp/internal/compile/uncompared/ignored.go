package uncompared

import (
	"github.com/scenario-lang/scenario/cassette/match"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// Refused tells what of the places to ignore can have no effect, whatever was recorded: an
// entry, or "" for all of them, and why.
func Refused(t *plan.Recording, tell func(entry, why string)) {
	for _, path := range t.Ignore {
		if err := match.CheckPath(path); err != nil {
			tell(path, err.Error())
		}
	}
	if t.Match == match.Loose && len(t.Ignore) > 0 {
		tell("", `match = "loose" compares the method and the path alone, so there is nothing that ignore could leave out: take one of them out`)
	}
}
