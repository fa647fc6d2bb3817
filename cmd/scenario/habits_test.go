package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/internal/command/cli"
)

// Shows that flags which people type by habit, from other test runners, are
// refused with the flag or the command that does the same here.
func TestFlagsByHabit(t *testing.T) {
	for _, c := range []struct{ typed, want string }{
		{"test -k refund", "--run EXPRESSION"},                // pytest
		{"test -t refund", "--run EXPRESSION"},                // jest, vitest
		{"test --filter refund", "--run EXPRESSION"},          // PHPUnit
		{"test --grep=refund", "--run EXPRESSION"},            // Playwright, mocha
		{"test -g refund", "--run EXPRESSION"},                // mocha
		{"test --only", "--run EXPRESSION"},                   // node --test
		{"test --test-name-pattern=x", "--run EXPRESSION"},    // node --test
		{"test --testNamePattern x", "--run EXPRESSION"},      // jest
		{"test --deselect x", "--skip EXPRESSION"},            // pytest
		{"test --bail", "--fail-fast"},                        // jest
		{"test -x", "--fail-fast"},                            // pytest
		{"test -qx", "--fail-fast"},                           // pytest
		{"test --maxfail=1", "--fail-fast"},                   // pytest
		{"test -failfast", "--fail-fast"},                     // go test
		{"test --jobs 4", "--parallel N"},                     // make, cargo
		{"test -j4", "--parallel N"},                          // make
		{"test -p 4", "--parallel N"},                         // go test
		{"test --maxWorkers=4", "--parallel N"},               // jest
		{"test -i", "--parallel 1"},                           // jest --runInBand
		{"test -u", "--update"},                               // jest
		{"test --snapshot-update", "--update"},                // syrupy
		{"test -run refund", "did you mean --run?"},           // go test
		{"test -run=refund", "did you mean --run?"},           // go test
		{"test -count 2", "did you mean --count?"},            // go test
		{"test -timeout=3s", "did you mean --timeout?"},       // go test
		{"test -shuffle on", "did you mean --shuffle?"},       // go test
		{"test -race", "--count N compares several"},          // go test
		{"test -cover", "scenario coverage"},                  // go test
		{"test --coverage", "scenario coverage"},              // jest
		{"test --junit x.xml", "--report junit=junit.xml"},    // many
		{"test --junitxml=x.xml", "--report junit=junit.xml"}, // pytest
		{"test --reporter junit", "--report KIND=FILE"},       // mocha
		{"test -o x.xml", "--report KIND=FILE"},               // many
		{"test -m slow", "--tag NAME"},                        // pytest
		{"test --tags slow", "--tag NAME"},                    // rspec
		{"test -w", "--watch"},                                // mocha
		{"test --collect-only", "--list"},                     // pytest
		{"test --dry-run", "--list"},                          // many
		{"test --silent", "type -q"},                          // jest
		{"test --debug", "type -v"},                           // many
		{"test --repeat-each=3", "--count N"},                 // Playwright
		{"test --retries 2", "fails every time"},              // Playwright
		{"test --random-order", "--shuffle on"},               // pytest
		{"test -D x=1", "--var NAME=VALUE"},                   // maven
		{"test --no-color", "--color never"},                  // many
		{"test --config x.yaml", "no configuration file"},     // many
		{"test --lf", "FILE:LINE"},                            // pytest
		{"test --live", "scenario run"},                       // ours, elsewhere
		{"test --record", "scenario record"},                  // vcr
		{"run -k x", "--run EXPRESSION"},                      // pytest
		{"bench -n x", "--run EXPRESSION"},                    // many
		{"exec -j 2", "--parallel N"},                         // make
		{"serve --port 8080", "--listen NAME=PORT"},           // servers
		{"serve -p 8080", "--listen NAME=PORT"},               // servers
		{"exec --port 8080", "--listen NAME=PORT"},            // servers
		{"exec a.scenario.hcl --python3 agent.py", "a program follows -- and a space: scenario exec … -- python3"},
		{"explore --node agent.mjs", "scenario explore … -- node"},
		{"-v", "scenario version"}, // python, node
		{"test a.scenario.hcl -- python3 agent.py", "scenario exec a.scenario.hcl -- python3 agent.py"},
		{"validate -- python3 agent.py", "scenario exec -- python3 agent.py"},
		{"explain stream_truncate", "scenario help fault stream_truncate"},
		{"test unused_reply", "scenario help gate unused_reply"},
		{"explain http_eror", "scenario help fault http_error"},
	} {
		_, said, code := typed(t, strings.Fields(c.typed)...)
		if _, hint, ok := strings.Cut(said, "hint: "); code != 2 || !ok || !strings.Contains(hint, c.want) {
			t.Errorf("scenario %s exits with code %d and says\n%swant code 2 and a hint with %q", c.typed, code, said, c.want)
		}
	}
}

// Shows that commands by habit are answered with ours.
func TestCommandsByHabit(t *testing.T) {
	for word, want := range map[string]string{
		"lint": "scenario validate", "check": "scenario validate", "format": "scenario fmt", "new": "scenario init",
		"list": "scenario test --list", "faults": "scenario help fault", "mock": "scenario serve", "watch": "scenario test --watch",
		"serv": "serve", "tets": "test", "coverge": "coverage",
	} {
		if _, said, code := typed(t, word); code != 2 || !strings.Contains(said, want) {
			t.Errorf("scenario %s exits with code %d and says\n%swant code 2 and %q", word, code, said, want)
		}
	}
}

// Shows the same of what follows a command.
func TestPartsOfCommandsByHabit(t *testing.T) {
	for words, want := range map[string]string{
		"cassette check a.yaml": "hint: type scenario cassette verify", "cassette list": "hint: type scenario cassette ls",
		"cassette inspect a.yaml": "hint: type scenario cassette show", "cassette verfy a.yaml": `Did you mean "verify"?`,
	} {
		if _, said, code := typed(t, strings.Fields(words)...); code != 2 || !strings.Contains(said, want) {
			t.Errorf("scenario %s exits with code %d and says\n%swant code 2 and %q", words, code, said, want)
		}
	}
}

// Shows that what hints of habits and examples name is there: commands, and
// their flags.
func TestNamedFlagsExist(t *testing.T) {
	top := root(&cli.App{Env: func(string) (string, bool) { return "", false }})
	for path, text := range examples {
		for line := range strings.Lines(text) {
			line, _, _ = strings.Cut(line, "#")
			for part := range strings.SplitSeq(line, "&&") {
				checkTyped(t, top, path, strings.Fields(part))
			}
		}
	}
	for _, hint := range cli.Hints() {
		for _, part := range regexp.MustCompile(`scenario [a-z][a-z -]*`).FindAllString(hint, -1) {
			checkTyped(t, top, hint, strings.Fields(part))
		}
	}
	var without func(cmd *cobra.Command, path string)
	without = func(cmd *cobra.Command, path string) {
		if cmd.IsAvailableCommand() && cmd.Name() != "completion" && cmd.Example == "" {
			t.Errorf("scenario %s --help has no example", path)
		}
		for _, sub := range cmd.Commands() {
			without(sub, strings.TrimSpace(path+" "+sub.Name()))
		}
	}
	without(top, "")
	for path := range examples {
		if path == "help" {
			continue
		}
		if cmd, rest, err := top.Find(strings.Fields(path)); err != nil || len(rest) > 0 || cmd.Example == "" {
			t.Errorf("there is an example for scenario %s, which is no command", path)
		}
	}
}

// checkTyped finds what a command line names, as far as its flags.
func checkTyped(t *testing.T, top *cobra.Command, where string, words []string) {
	t.Helper()
	if len(words) == 0 {
		return
	}
	if words[0] != "scenario" {
		t.Errorf("%q in %q is no command of ours", words, where)
		return
	}
	if len(words) > 1 && (words[1] == "help" || words[1] == "completion") { // cobra adds them when it runs
		return
	}
	cmd, _, err := top.Find(words[1:])
	if err != nil || cmd == top && len(words) > 1 {
		t.Errorf("%q in %q: there is no such command", words, where)
		return
	}
	for _, word := range words[1:] {
		if word == "--" || word == "--help" {
			break
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(word, "--"), "=")
		if short, ok := strings.CutPrefix(word, "-"); ok && len(short) == 1 {
			if cmd.Flags().ShorthandLookup(short) == nil {
				t.Errorf("%q in %q: there is no flag %s", words, where, word)
			}
		} else if strings.HasPrefix(word, "--") && cmd.Flags().Lookup(name) == nil {
			t.Errorf("%q in %q: there is no flag %s", words, where, word)
		}
	}
}

// typed is what a command line prints and how it ends.
func typed(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(args, strings.NewReader(""), &out, &errs, func(string) (string, bool) { return "", false })
	return out.String(), errs.String(), code
}
