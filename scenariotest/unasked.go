package scenariotest

import (
	"fmt"

	"github.com/scenario-lang/scenario/interp"
)

// unasked says of a run that does not hold which requests never came: code that has a
// client of its own asks the real network, and all else that is wrong follows from that.
func unasked(run *interp.Outside) []string {
	missing := run.Unasked()
	if run.Asked() == 0 && len(missing) > 0 {
		return []string{"no request reached s.Client(): does the code that is tested use it?\nhint: give it s.Client(), s.Transport(), s.DialContext or s.Stdio. With a client of its own it asks the real network"}
	}
	var list []string
	for _, p := range missing {
		list = append(list, fmt.Sprintf("no request to provider %q reached s.Client(), though others did: does the code that asks it use it?", p.Name))
	}
	return list
}
