package cassette

import (
	"fmt"
	"testing"
)

// Shows that what was recorded when a file had one scenario is that one's where it comes
// first, and is not replaced by a recording of another one that was put before it.
func TestRecordingsWithoutAScenario(t *testing.T) {
	of := func(scenarios ...string) (list []*Interaction) {
		for _, s := range scenarios {
			list = append(list, &Interaction{Scenario: s, Step: "ask"})
		}
		return list
	}
	for _, c := range []struct {
		old, fresh []*Interaction
		file       []string
		want       []string
	}{
		{of(""), of("old"), []string{"old"}, []string{""}},
		{of(""), of("new"), []string{"old", "new"}, []string{"old"}},
		{of(""), of("new"), []string{"new", "old"}, []string{""}}, // it was "new", which is replaced
		{of(""), of("new", "old"), []string{"new", "old"}, []string{"new"}},
		{of("", "new"), of("new"), []string{"new", "old"}, []string{"old", "new"}},
		{of("", "new"), nil, []string{"new", "old"}, []string{"old", "new"}},
		{of("old", "new"), of("new"), []string{"new", "old"}, []string{"old", "new"}},
	} {
		var got []string
		for _, it := range retagged(c.old, c.file, c.fresh) {
			got = append(got, it.Scenario)
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%v of a file with %q, recorded now: %v: %q, want %q", len(c.old), c.file, len(c.fresh), got, c.want)
		}
	}
}
