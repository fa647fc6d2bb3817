package lint_test

import (
	"fmt"
	"strings"
	"testing"
)

// Shows that a program is warned of whose end a shell hides, unless the scenario does not ask how it
// ends: it allows a failure and reads nothing of it, waits for something else, or the program serves.
func TestShellsThatHideHowAProgramEnds(t *testing.T) {
	const pipe, list = `command = ["sh", "-c", "python3 agent.py | tee log"]`, `command = ["sh", "-c", "python3 agent.py; echo done"]`
	const allows = `allow = ["unexpected_failure"]`
	for _, c := range []struct{ sut, rest, warns string }{
		{pipe, "", "set -o pipefail"},
		{list, "", "Write && in the place of ;"},
		{pipe, `expect "run" { status = "success" }`, "set -o pipefail"},
		{pipe, allows + "\n" + `expect "run" { status = "success" }`, "set -o pipefail"},
		{list, allows + "\n" + `assert "ends" { condition = sut.exit_code == 0 }`, "Write && in the place of ;"},
		{list, allows + "\n" + `assert "asks" { condition = length(endpoint.llm.attempts) == 1 }`, ""},
		{pipe + "\nuntil = length(endpoint.llm.attempts) == 1", "", ""},
		{pipe + "\nserves = provider.shop", "", ""},
		{`command = ["bash", "-c", "set -o pipefail; python3 agent.py | tee log"]`, "", ""},
		{`command = ["sh", "-c", "python3 agent.py && echo done"]`, "", ""},
		{`command = ["python3", "agent.py"]`, "", ""},
	} {
		source := fmt.Sprintf("provider \"openai\" \"llm\" {}\nprovider \"http\" \"shop\" {}\nscenario \"s\" {\n sut {\n %s\n }\n on \"llm\" {\n reply { content = \"x\" }\n }\n %s\n}\n", c.sut, c.rest)
		warned := ""
		for _, line := range said(t, source, nil) {
			if strings.Contains(line, "The shell says how") {
				warned += line
			}
		}
		if (warned == "") != (c.warns == "") || !strings.Contains(warned, c.warns) {
			t.Errorf("%s %s: %q, want %q", c.sut, c.rest, warned, c.warns)
		}
	}
}
