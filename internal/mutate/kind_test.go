package mutate

import (
	"slices"
	"strings"
	"testing"
)

// A policy, a strategy and a deadline are put in the place of another one of the kind where they can differ in a run,
// with what the schema has for it.
func TestKinds(t *testing.T) {
	const two = "target \"one\" { provider = provider.a }\n  target \"two\" { provider = provider.b }"
	for _, c := range []struct{ text, want, with string }{
		{"retry \"exponential\" \"r\" {}", `retry.r retry "exponential" → "linear"`, `increment = "1s"`},
		{"retry \"exponential\" \"r\" {\n  base = \"2s\"\n  multiplier = 3\n  max_delay = \"9s\"\n}", `retry.r retry "exponential" → "linear"`, "delay = \"2s\"\n  increment = \"4s\"\n"},
		{"retry \"exponential\" \"r\" { max_retries = 2 }", "", ""},
		{"retry \"exponential\" \"r\" { multiplier = 1 }", "", ""},
		{"retry \"exponential\" \"r\" { jitter = \"full\" }", "", ""},
		{"retry \"linear\" \"r\" {\n  delay = \"2s\"\n  increment = \"3s\"\n}", `retry.r retry "linear" → "exponential"`, "base = \"2s\"\n  multiplier = 2.5\n"},
		{"retry \"linear\" \"r\" {}", "", ""},
		{"gateway \"g\" {\n  strategy = \"round_robin\"\n  " + two + "\n}", `gateway.g strategy "round_robin" → "least_busy"`, `strategy = "least_busy"`},
		{"gateway \"g\" {\n  " + two + "\n}", "", ""},
		{"gateway \"g\" {\n  strategy = \"round_robin\"\n  target \"one\" { provider = provider.a }\n}", "", ""},
		{"workflow \"w\" {\n  step \"http\" \"a\" { idle_timeout = \"5s\" }\n}", `step.a idle_timeout "5s" → attempt_timeout`, `attempt_timeout = "5s"`},
		{"workflow \"w\" {\n  step \"http\" \"a\" {\n    first_byte_timeout = \"5s\"\n    attempt_timeout = \"9s\"\n  }\n}", `step.a first_byte_timeout "5s" → timeout`, ` timeout = "5s"`},
		{"workflow \"w\" {\n  step \"http\" \"a\" { timeout = \"5s\" }\n}", "", ""},
		{"workflow \"w\" {\n  step \"http\" \"a\" {\n    timeout = \"5s\"\n    retry = retry.r\n  }\n}", `step.a timeout "5s" → attempt_timeout`, `attempt_timeout = "5s"`},
		{"workflow \"w\" {\n  step \"http\" \"a\" {\n    timeout = \"5s\"\n    retry = retry.none\n  }\n}", "", ""},
	} {
		u := &unit{path: "a.scenario.hcl", source: []byte(c.text + "\n")}
		list := u.mutants([]string{"kind"})
		var got []string
		for _, m := range list {
			got = append(got, m.Declaration+" "+m.Change)
			if !strings.Contains(string(m.Text()), c.with) || strings.Contains(string(m.Text()), "max_delay") {
				t.Errorf("%s: the mutant is\n%s", c.text, m.Text())
			}
		}
		if want := strings.Fields(c.want); len(want) == 0 && len(got) > 0 || len(want) > 0 && !slices.Equal(got, []string{c.want}) {
			t.Errorf("%s: got %q, want %q", c.text, got, c.want)
		}
	}
}
