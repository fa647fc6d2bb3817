package interp

import (
	"fmt"
	"testing"
)

// Shows that the success of a run whose steps are fanouts alone shows nothing, also where
// something happens to what their subs call, and where it gives a result of them as its own. It
// shows something where an event cancels what is under way, or another step stands beside them.
func TestRunsOfFanoutsAlone(t *testing.T) {
	const source = `
actor "health" {
  handler "trigger" { takes = "2s" }
}
actor "general" {
  handler "trigger" { return = "done" }
}
workflow "w" {
  %s
  step "fanout" "all" {
    sub "health" { target = actor.health.trigger }
    sub "general" { target = actor.general.trigger }
  }
}
scenario "s" {
  run = workflow.w
  %s
  %s
}
`
	const (
		kill   = "event \"crash\" {\n at = \"1s\"\n kill = actor.health\n}"
		cancel = "event \"stop\" {\n at = %q\n cancel = %s\n optional = true\n}"
		call   = "call \"c\" {\n at = \"0s\"\n target = actor.general.trigger\n}"
		status = `expect "run" { status = "success" }`
	)
	run, late := fmt.Sprintf(cancel, "1s", `"run"`), fmt.Sprintf(cancel, "5s", `"run"`)
	wait := "step \"wait\" \"beside\" { for = \"1s\" }"
	assert := func(condition string) string { return fmt.Sprintf("assert \"x\" { condition = %s }", condition) }
	for _, c := range []struct {
		workflow, event, check string
		shows                  bool
	}{
		{"", "", status, false},
		{"", kill, status, false},
		{"", call, status, false},
		{"", kill, `expect "run" { error = null }`, false},
		{"", kill, assert(`run.status == "success"`), false},
		{"", kill, assert(`run.error == null`), false},
		{"", kill, assert(`run.status != "failed"`), false},
		{"", kill, `expect "all" { status = "success" }`, false},
		{"output = step.all.subs", kill, status, false},
		{"output = step.all.subs[0].status", kill, status, true},
		{"", kill, assert(`[for s in fanout.all.subs : s.status] == ["failed", "success"]`), true},
		{"", run, assert(`run.status == "cancelled"`), true},
		{"", run, assert(`run.status != "success"`), true},
		{"", late, status, true},
		{"", late, `expect "all" { status = "success" }`, true},
		{wait, kill, status, true},
	} {
		r := Run(mustCompile(t, fmt.Sprintf(source, c.workflow, c.event, c.check))[0], RunOptions{})
		if told := told(r); (countIdle(r) == 0) != c.shows {
			t.Errorf("%s %s %s: that it shows something is %v; %s: %s", c.workflow, c.event, c.check, c.shows, r.Verdict, told)
		}
	}
}
