package interp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// Steps that cannot be swapped may ask the same of a file without steps and
// times at one instant; those that can are ambiguous, also where a third step
// stands between them.
func TestCassetteAmbiguity(t *testing.T) {
	get := func(name string, attrs ...string) string {
		return fmt.Sprintf("  step \"http\" %q {\n    path = \"/a\"\n    %s\n  }\n", name, strings.Join(attrs, "\n    "))
	}
	failing := get("one", "expect_status = [201]", "fallback = step.two", "fallback_on = \"any\"")
	for name, tt := range map[string]struct {
		steps     string
		ambiguous bool
	}{
		"parallel":           {get("one") + get("two"), true},
		"depends":            {get("one") + get("two", "depends_on = [step.one]"), false},
		"reads":              {get("one") + get("two", "when = step.one.body != \"\""), false},
		"declared backwards": {get("one", "depends_on = [step.two]") + get("two"), false},
		"in a chain":         {get("one") + get("two", "depends_on = [step.one]") + get("three", "depends_on = [step.two]"), false},
		"beside a chain":     {get("one") + get("two", "depends_on = [step.three]") + get("three"), true},
		"one before two":     {get("one") + get("two", "depends_on = [step.one]") + get("three", "depends_on = [step.one]"), true},
		"fallback":           {failing + get("two"), false},
		"after the fallback": {failing + get("two") + get("three", "depends_on = [step.one]"), false},
		"beside the failing": {failing + get("two") + get("three"), true},
		"before the failing": {get("three") + strings.Replace(failing, "expect", "depends_on = [step.three]\n    expect", 1) + get("two"), false},
	} {
		t.Run(name, func(t *testing.T) {
			calls := []string{"- /a one", "- /a two", "- /a three"}[:strings.Count(tt.steps, "path")]
			r := playCassette(t, "workflow \"w\" {\n  provider   = provider.api\n  on_failure = \"continue\"\n"+tt.steps+
				"}\nscenario \"s\" {\n  run = workflow.w\n  cassette { path = \"tape.yaml\" }\n  assert \"ended\" { condition = length(events()) > 3 }\n}", recordingsOf(calls...))
			got := false
			for _, p := range r.Problems {
				got = got || p.Name == plan.GateAmbiguous
			}
			if got != tt.ambiguous || !got && r.Verdict != Pass {
				t.Errorf("ambiguous %v, want %v", got, tt.ambiguous)
				complain(t, r)
			}
		})
	}
}
