package interp

import (
	"fmt"
	"testing"

	"github.com/scenario-lang/scenario/dsl/language"
)

// Whatever a dynamic block can generate, it says where it generates nothing, and
// not where the file says when it does.
func TestWhatIsNeverGenerated(t *testing.T) {
	tops := 0
	for _, top := range language.File().Blocks {
		if top.Type == "variable" || top.Type == "locals" {
			continue
		}
		tops++
		neverGenerated(t, top.Type, "%s\nscenario \"s\" {\n  run = workflow.w\n  expect \"a\" { content = \"x\" }\n}\n")
	}
	inner := 0
	for _, b := range language.File().Block("scenario").Blocks {
		inner++
		neverGenerated(t, b.Type, "scenario \"s\" {\n  run = workflow.w\n  %s\n  expect \"a\" { content = \"x\" }\n}\n")
	}
	if tops < 5 || inner < 10 {
		t.Errorf("%d blocks of files and %d of scenarios: too few", tops, inner)
	}
}

func neverGenerated(t *testing.T, typ, place string) {
	t.Helper()
	const around = "provider \"openai\" \"m\" { model = \"x\" }\nworkflow \"w\" {\n  provider = provider.m\n  step \"llm\" \"a\" { prompt = \"why?\" }\n}\n"
	for each, want := range map[string]bool{
		`[]`: true, `{}`: true, `fileset("no-such-folder/*.json")`: true, `[for x in [1] : x if x > 1]`: true,
		`true ? [] : [1]`: false,
	} {
		dynamic := fmt.Sprintf("dynamic %q {\n  for_each = %s\n  content {}\n}\n", typ, each)
		_, diags := tryCompile("never.scenario.hcl", around+fmt.Sprintf(place, dynamic))
		got := false
		for _, d := range diags {
			got = got || d.Summary == "Block that is never generated"
		}
		if got != want {
			t.Errorf("%s over %s: warned %v, want %v: %v", typ, each, got, want, diags)
		}
	}
}
