package shell

import "testing"

// Shows in which texts a shell hides how a program of it ended. What each of them comes to is as
// POSIX says it (2.9.2 and 2.9.3 of the shell command language): the status of a pipeline and of a
// list is that of its last command.
func TestHides(t *testing.T) {
	for _, c := range []struct {
		command           []string
		operator, program string
	}{
		{[]string{"sh", "-c", "python3 crash.py | tee agent.log"}, "|", "python3"},
		{[]string{"/bin/bash", "-lc", "python3 crash.py |& tee agent.log"}, "|", "python3"},
		{[]string{"sh", "-c", "python3 crash.py 2>&1|tee agent.log"}, "|", "python3"},
		{[]string{"sh", "-c", "exec node a.mjs; echo done"}, "", ""},
		{[]string{"sh", "-c", "node a.mjs; echo done"}, ";", "node"},
		{[]string{"sh", "-c", "node a.mjs\necho done\n"}, ";", "node"},
		{[]string{"sh", "-c", "KEY=1 node a.mjs; node b.mjs"}, ";", "node"},
		{[]string{"sh", "-c", "npm ci && node a.mjs; echo done"}, ";", "npm"},
		{[]string{"sh", "-c", "node a.mjs | tee log && echo ok"}, "|", "node"},
		{[]string{"sh", "-ec", "node a.mjs | tee log"}, "|", "node"},
		{[]string{"bash", "-c", "set -e; node a.mjs | tee log"}, "|", "node"},
		// The program is the last command, or its failure the end.
		{[]string{"python3", "agent.py", "a | b"}, "", ""},
		{[]string{"sh", "-c", "python3 agent.py"}, "", ""},
		{[]string{"sh", "-c", "python3 agent.py;"}, "", ""},
		{[]string{"sh", "-c", "npm ci && node a.mjs || exit 3"}, "", ""},
		{[]string{"sh", "-c", "cd app; export A=1; B=2; node a.mjs # ; | not"}, "", ""},
		{[]string{"sh", "-c", "echo hello | node a.mjs"}, "", ""},
		{[]string{"sh", "-c", "cat in.txt | node a.mjs"}, "", ""},
		{[]string{"sh", "-c", "node -e 'a(); b | c'"}, "", ""},
		{[]string{"sh", "-c", `node -e "a(\"x\"); b | c" \; d`}, "", ""},
		{[]string{"sh", "-c", "node a.mjs $(ls | head -1)"}, "", ""},
		{[]string{"sh", "-c", "npm ci; exec node a.mjs"}, "", ""},
		{[]string{"sh", "-c", "rm log || true; node a.mjs"}, "", ""},
		{[]string{"bash", "-c", "set -o pipefail; node a.mjs | tee log"}, "", ""},
		{[]string{"bash", "-o", "pipefail", "-c", "node a.mjs | tee log"}, "", ""},
		{[]string{"bash", "-c", "set -euo pipefail; npm ci; node a.mjs | tee log"}, "", ""},
		{[]string{"sh", "-ec", "npm ci; node a.mjs"}, "", ""},
		{[]string{"sh", "-e", "-c", "npm ci; node a.mjs"}, "", ""},
		{[]string{"sh", "-c", "set -e\nnpm ci\nnode a.mjs"}, "", ""},
		{[]string{"sh", "-c", "node a.mjs; code=$?; rm log; exit $code"}, "", ""},
		{[]string{"sh", "-c", "if true; then node a.mjs; fi"}, "", ""},
	} {
		operator, program := Hides(c.command)
		if operator != c.operator || program != c.program {
			t.Errorf("%q: %q of %q, want %q of %q", c.command, operator, program, c.operator, c.program)
		}
	}
}

// Shows that no text breaks the reading of it.
func FuzzHides(f *testing.F) {
	for _, text := range []string{"a | b", "a;b", "'a", `\`, "(", "a#b # c", "&&||;|", "\n", "set -e; a|b"} {
		f.Add(text)
	}
	f.Fuzz(func(_ *testing.T, text string) { Hides([]string{"sh", "-c", text}) })
}
