package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
)

// invalidSuite has an error in each of two files, one of them in an import of
// two others, and one file that is valid.
var invalidSuite = map[string]string{
	"go.mod":                  "",
	"a.scenario.hcl":          "import = [\"lib/shared.scenario.hcl\"]\n\nscenario \"one\" {\n  run = workflow.none\n}\n",
	"b.scenario.hcl":          "import = [\"lib/shared.scenario.hcl\"]\n",
	"c.scenario.hcl":          "workflow \"w\" {\n  nonsense = 1\n}\n",
	"lib/shared.scenario.hcl": "retry \"exponential\" \"r\" {\n  max_retry = 2\n}\n",
}

// inDirectory writes files into a new working directory.
func inDirectory(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// Shows that every error which standard error has of a file is in a report of
// every kind, in that order, with its place and its words, for test, run and
// bench alike, and that the shards of such a suite merge into the same reports
// and the same exit code.
func TestErrorsOfFilesAreInEveryReport(t *testing.T) {
	inDirectory(t, invalidSuite)
	reports := func(prefix string) (args []string) {
		for _, name := range harness.FormatNames() {
			args = append(args, "--report", fmt.Sprintf("%s=%s.%s", name, prefix, name))
		}
		return args
	}
	call := func(env map[string]string, args ...string) played {
		t.Helper()
		a, end := surroundings(passed)
		a.Env = func(name string) (string, bool) { v, ok := env[name]; return v, ok }
		got := end(execute(a, args))
		if got.code != int(cli.ExitInvalid) {
			t.Fatalf("%q ends with %d, not %d:\n%s", args, got.code, cli.ExitInvalid, got.stderr)
		}
		return got
	}
	whole := call(nil, append(reports("whole"), "test")...)
	type message struct{ file, at, summary, detail string }
	var said []message
	for part := range strings.SplitSeq(whole.stderr, "\n\n") {
		lines := strings.Split(part, "\n")
		var m message
		m.summary = strings.TrimPrefix(lines[0], "Error: ")
		fmt.Sscanf(lines[1], "  on %s line %s", &m.file, &m.at)
		m.at = strings.Trim(m.at, ":,")
		m.detail, _, _ = strings.Cut(lines[4], " ")
		said = append(said, m)
	}
	if len(said) < 3 || said[0].file == "" || said[0].at == "" {
		t.Fatalf("standard error is read as %q:\n%s", said, whole.stderr)
	}
	complete := func(what, text string) {
		t.Helper()
		at := 0
		for _, m := range said {
			if i := strings.Index(text[at:], m.summary); i >= 0 {
				at += i
			} else if i < 0 {
				t.Errorf("%s lacks %q, or has it too early:\n%s", what, m.summary, text)
			}
			for _, want := range []string{m.file, m.at, m.detail} {
				if !strings.Contains(text, want) {
					t.Errorf("%s lacks %q of %q:\n%s", what, want, m.summary, text)
				}
			}
		}
	}
	for _, name := range harness.FormatNames() {
		complete(name, readText(t, "whole."+name))
	}
	complete("text=-", call(nil, "test", "--report", "text=-").stdout)
	for _, command := range []string{"run", "record", "bench"} {
		call(nil, append(reports(command), command, ".")...)
		for _, name := range harness.FormatNames() {
			complete(command+" "+name, readText(t, command+"."+name))
		}
	}
	github := call(map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": "summary.md"}, "test", "--json")
	complete("--json", github.stdout)
	complete("the summary of the step", readText(t, "summary.md"))
	if annotations := strings.Count(github.stderr, "\n::error file="); annotations != len(said) {
		t.Errorf("there are %d annotations, and %d errors:\n%s", annotations, len(said), github.stderr)
	}

	merge := append(reports("merged"), "merge")
	for i := 1; i <= 3; i++ {
		call(nil, "test", "--shard", fmt.Sprintf("%d/3", i), "--report", fmt.Sprintf("merge=%d.part", i))
		merge = append(merge, fmt.Sprintf("%d.part", i))
	}
	merged := call(nil, merge...)
	for _, name := range harness.FormatNames() {
		if want, got := readText(t, "whole."+name), readText(t, "merged."+name); got != want {
			t.Errorf("merged %s is\n%s\nwant\n%s", name, got, want)
		}
	}
	if merged.stdout != github.stdout {
		t.Errorf("merge prints\n%s\nwant\n%s", merged.stdout, github.stdout)
	}
}

// Shows that shards which do not agree on what is wrong with the files are not
// taken for parts of one suite, and that the message has the error.
func TestMergeOfInvalidAndValidShards(t *testing.T) {
	inDirectory(t, map[string]string{"go.mod": "", "c.scenario.hcl": invalidSuite["c.scenario.hcl"]})
	call := func(want cli.ExitCode, args ...string) played {
		t.Helper()
		a, end := surroundings(passed)
		got := end(execute(a, args))
		if got.code != int(want) {
			t.Fatalf("%q ends with %d, not %d:\n%s", args, got.code, want, got.stderr)
		}
		return got
	}
	call(cli.ExitInvalid, "test", "--shard", "1/2", "--report", "merge=1.part")
	if err := os.WriteFile("c.scenario.hcl", []byte("\nscenario \"s\" {\n  rnu = 1\n}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	call(cli.ExitInvalid, "test", "--shard", "2/2", "--report", "merge=2.part")
	got := call(cli.ExitInternal, "merge", "1.part", "2.part")
	got.check(t, int(cli.ExitInternal), "", "1.part and 2.part have different errors in files")

	valid := "{\"schema\":\"scenario.merge/1\"}\n{\"schema\":\"scenario.merge/1\",\"type\":\"shard\",\"shard\":2,\"shards\":2,\"scenarios\":0,\"positions\":[]}\n{\"type\":\"summary\",\"incomplete\":false}\n"
	if err := os.WriteFile("2.part", []byte(valid), 0o666); err != nil {
		t.Fatal(err)
	}
	got = call(cli.ExitInternal, "merge", "1.part", "2.part")
	got.check(t, int(cli.ExitInternal), "", "2.part has results, and 1.part has none, because of an error in a file: c.scenario.hcl:")
}

// Shows that a cassette that cannot be loaded is told apart from what an author did
// wrong, and that merge exits with the code of the shards.
func TestKindsOfDiagnostics(t *testing.T) {
	inDirectory(t, map[string]string{"go.mod": "", "cassette.yaml": "version: [", "a.scenario.hcl": "provider \"openai\" \"p\" { model = \"m\" }\nworkflow \"w\" {\n  provider = provider.p\n  step \"llm\" \"s\" { prompt = \"hi\" }\n}\nscenario \"one\" {\n  run      = workflow.w\n  cassette { path = \"cassette.yaml\" }\n}\n"})
	a, end := surroundings(passed)
	if got := end(execute(a, []string{"test", "--report", "merge=1.part", "--report", "junit=1.xml"})); got.code != int(cli.ExitCassette) {
		t.Fatalf("test ends with %d:\n%s", got.code, got.stderr)
	}
	if junit := readText(t, "1.xml"); !strings.Contains(junit, `type="bad_cassette">a.scenario.hcl:8:`) {
		t.Errorf("the report is\n%s", junit)
	}
	a, end = surroundings(passed)
	if got := end(execute(a, []string{"merge", "1.part"})); got.code != int(cli.ExitCassette) {
		t.Errorf("merge ends with %d:\n%s", got.code, got.stderr)
	}
}
