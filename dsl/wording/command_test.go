package wording

import "testing"

// A command line becomes the words that a POSIX shell makes of it, and a shell gets what
// only a shell can do.
func TestCommand(t *testing.T) {
	for _, c := range []struct{ command, want string }{
		{"python3 agent.py", `["python3", "agent.py"]`},
		{"  agent\t--name  'a b' \"\" ", `["agent", "--name", "a b", ""]`},
		{`sh -c "echo it's"`, `["sh", "-c", "echo it's"]`},
		{"node a.mjs --model=gpt-4o", `["node", "a.mjs", "--model=gpt-4o"]`},
		{"agent | tee log", `["sh", "-c", "agent | tee log"]`},
		{"agent $HOME", `["sh", "-c", "agent $HOME"]`},
		{"agent '$HOME' %{x}", `["agent", "$HOME", "%%{x}"]`},
		{"echo ${HOME}", `["sh", "-c", "echo $${HOME}"]`},
		{"agent 'open", `["sh", "-c", "agent 'open"]`},
		{"agent '\x07'", `["agent", "\u0007"]`},
		{"", `["sh", "-c", ""]`},
	} {
		if got := Command(c.command); got != c.want {
			t.Errorf("Command(%q) = %s, want %s", c.command, got, c.want)
		}
	}
}
