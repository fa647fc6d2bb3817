//go:build unix

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/scenario-lang/scenario/internal/command/cli"
)

// written are the flags that name files which are written: those take pipes and
// devices.
var written = []string{"output", "report", "trace-out", "promote-faults", "state", "draft"}

// goodSuite is a scenario that passes, with what the commands read besides.
var goodSuite = map[string]string{
	"go.mod": "",
	"good.scenario.hcl": `provider "openai" "p" { model = "m" }
workflow "w" {
  provider = provider.p
  step "llm" "s" { prompt = "hi" }
}
scenario "one" {
  run = workflow.w
  on "s" {
    reply { content = "hello" }
  }
  assert "says it" {
    condition = step.s.content == "hello"
  }
}
`,
}

// irregulars make something at a path that never ends, or never begins, for
// whoever reads it. What a system has none of is left out.
var irregulars = map[string]func(path string) error{
	"a pipe":   func(path string) error { return syscall.Mkfifo(path, 0o600) },
	"a device": func(path string) error { return os.Symlink("/dev/zero", path) },
}

func makeIrregular(t *testing.T, what, path string) {
	t.Helper()
	if err := irregulars[what](path); err != nil {
		t.Skipf("there is no %s here: %v", what, err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Skipf("there is no %s here: %v", what, err)
	}
}

// ended is what a call of the command printed, which must not wait for a file.
func ended(t *testing.T, args ...string) played {
	t.Helper()
	a, end := surroundings(passed)
	done := make(chan played, 1)
	go func() { done <- end(execute(a, args)) }()
	select {
	case got := <-done:
		return got
	case <-time.After(time.Minute):
		t.Fatalf("%q waits for a file that never ends", args)
		return played{}
	}
}

// operands is how many files a command must be given, one for any number.
func operands(use string) int {
	words := strings.Fields(use)[1:]
	return max(1, len(slices.DeleteFunc(words, func(w string) bool { return strings.ContainsAny(w, "[]|") })))
}

// Shows that every command refuses, for every file that it is told to read and
// under every name that such a file may have, what is no regular file: it
// neither waits for a pipe nor reads a device for ever.
func TestCommandsReadRegularFilesAlone(t *testing.T) {
	names := []string{"x", "x.scenario.hcl", "x.yaml", "x.har", "x.json", "x.tape"}
	for what := range irregulars {
		inDirectory(t, goodSuite)
		for _, name := range names {
			makeIrregular(t, what, name)
		}
		refused := func(args ...string) bool {
			t.Helper()
			got := ended(t, args...)
			if got.code == 0 {
				t.Errorf("%q passes:\n%s", args, got.stdout+got.stderr)
			}
			return strings.Contains(strings.Join(strings.Fields(got.stdout+got.stderr), " "), "it is "+what+", and only regular files are read")
		}
		tried := 0
		eachCommand(root((&cli.App{})), func(cmd *cobra.Command) {
			call := strings.Fields(cmd.CommandPath())[1:]
			if use := cmd.Use; strings.Contains(use, "file") || strings.Contains(use, "path") {
				tried++
				any := false
				for _, name := range names {
					any = refused(append(call, slices.Repeat([]string{name}, operands(use))...)...) || any
				}
				if !any {
					t.Errorf("%q does not say that its file is %s", call, what)
				}
			}
			cmd.Flags().VisitAll(func(f *pflag.Flag) {
				value, _ := pflag.UnquoteUsage(f)
				if slices.Contains(written, f.Name) || !regexp.MustCompile(`\b(file|path)\b`).MatchString(value) {
					return
				}
				tried++
				args := append(call, "--"+f.Name, "x")
				if names := len(strings.Fields(cmd.Use)) > 1; names {
					args = append(args, slices.Repeat([]string{"good.scenario.hcl"}, operands(cmd.Use))...)
				}
				if !refused(args...) {
					t.Errorf("%q does not say that x is %s", args, what)
				}
			})
		})
		if tried < 20 {
			t.Errorf("%d files of commands were tried, of more than 20", tried)
		}
	}
}

func eachCommand(cmd *cobra.Command, do func(*cobra.Command)) {
	if cmd.Runnable() {
		do(cmd)
	}
	for _, sub := range cmd.Commands() {
		eachCommand(sub, do)
	}
}

// Shows that what a scenario file names is not waited for either: imports,
// cassettes with their bodies, files and snapshots.
func TestScenariosReadRegularFilesAlone(t *testing.T) {
	good := goodSuite["good.scenario.hcl"]
	within := func(block string) string { return strings.TrimSuffix(good, "}\n") + "  " + block + "\n}\n" }
	for _, linked := range []bool{false, true} {
		for text, path := range map[string]string{
			"import = [\"x.scenario.hcl\"]\n" + good:                      "x.scenario.hcl",
			within(`cassette { path = "x.yaml" }`):                        "x.yaml",
			strings.Replace(good, `"hi"`, `file("x")`, 1):                 "x",
			strings.Replace(good, `"hi"`, `file(fileset("*.txt")[0])`, 1): "x.txt",
			within(`snapshot "x" { value = step.s.content }`):             filepath.Join("snapshots", "good", "one", "x.golden"),
		} {
			inDirectory(t, map[string]string{"go.mod": "", "good.scenario.hcl": text})
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if linked {
				makeIrregular(t, "a pipe", "pipe")
				to, err := filepath.Rel(filepath.Dir(path), "pipe")
				if err == nil {
					err = os.Symlink(to, path)
				}
				if err != nil {
					t.Fatal(err)
				}
			} else {
				makeIrregular(t, "a pipe", path)
			}
			for _, command := range []string{"test", "validate", "plan", "explain", "run", "record", "fmt"} {
				got := ended(t, command, "good.scenario.hcl")
				said := strings.Join(strings.Fields(got.stdout+got.stderr), " ")
				if (command == "test" || command == "validate") && !strings.Contains(said, "it is a pipe, and only regular files are read") {
					t.Errorf("%s does not say that %s is a pipe:\n%s", command, path, got.stderr)
				}
			}
		}
	}
}
