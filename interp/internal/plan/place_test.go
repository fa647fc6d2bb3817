package plan

import (
	"testing"

	"github.com/hashicorp/hcl/v2"
)

// A range in a trace has no name of its file where that is the scenario's own,
// and that of another file as it is seen from there, so that a trace is the same
// wherever the files are; the plan gives it its name again.
func TestRangesInTraces(t *testing.T) {
	for _, c := range []struct{ own, file, told string }{
		{"a.scenario.hcl", "a.scenario.hcl", ""},
		{"dir/a.scenario.hcl", "dir/a.scenario.hcl", ""},
		{"dir/a.scenario.hcl", "dir/b.scenario.hcl", "b.scenario.hcl"},
		{"dir/a.scenario.hcl", "common/b.scenario.hcl", "../common/b.scenario.hcl"},
		{"/tmp/one/a.scenario.hcl", "/tmp/one/b.scenario.hcl", "b.scenario.hcl"},
		{"../a.scenario.hcl", "../lib/b.scenario.hcl", "lib/b.scenario.hcl"},
		{"dir/a.scenario.hcl", "std/resilience", "std/resilience"},
		{"/tmp/one/a.scenario.hcl", "std/resilience", "std/resilience"},
	} {
		p := &Plan{}
		p.File = c.own
		rng := hcl.Range{Filename: c.file, Start: hcl.Pos{Line: 3, Column: 5, Byte: 40}, End: hcl.Pos{Line: 4, Column: 1, Byte: 60}}
		told := p.Told(rng)
		if told.Filename != c.told {
			t.Errorf("in a trace of %s the file %s is %q, want %q", c.own, c.file, told.Filename, c.told)
		}
		if again := p.Range(told); again != rng {
			t.Errorf("in a trace of %s the range %+v is read as %+v", c.own, rng, again)
		}
	}
}
