package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/internal/command/cli"
)

// The table of docs/security.md has a row for every command and for nothing else,
// and the flags that it names exist.
func TestSecurityPage(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(repository, "docs", "security.md"))
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	root := root(new(cli.App))
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, "|")
		if len(cells) != 7 || !strings.HasPrefix(cells[1], " `") {
			continue
		}
		name := strings.Trim(cells[1], " `")
		if strings.HasPrefix(name, "scenario-dist ") { // another program, which has a table of its own
			continue
		}
		listed = append(listed, name)
		cmd, rest, err := root.Find(strings.Fields(name))
		if err != nil || len(rest) > 0 {
			continue // said below
		}
		for i, word := range strings.Split(line, "`") {
			if flag, is := strings.CutPrefix(word, "--"); is && i%2 == 1 && cmd.Flags().Lookup(flag) == nil {
				t.Errorf("%s has no flag --%s", name, flag)
			}
		}
	}
	want := slices.DeleteFunc(runnable(root), func(name string) bool { return name == "cassette" })
	want = append(want, "exit-codes", "language")
	slices.Sort(want)
	slices.Sort(listed)
	if want = slices.Compact(want); !slices.Equal(listed, want) {
		t.Errorf("the table lists\n%q, and the commands are\n%q", listed, want)
	}
}

// What the page calls safe starts nothing and dials nothing, with a file that asks
// for both: a program of a bench, one of a server, an address.
func TestSafeCommandsStartNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	srv := newCountingService(t)
	file := `
provider "http" "p" {
  base_url = "` + srv.URL + `"
  headers  = { x = env("PLANTED") }
}
provider "mcp" "m" { command = ["sh", "-c", "touch started"] }
workflow "w" {
  on_failure = "continue"
  step "http" "a" {
    provider = provider.p
    path     = "/"
  }
  step "mcp" "b" {
    provider = provider.m
    tool     = "t"
  }
}
scenario "s" {
  run = workflow.w
  on "a" {
    reply { body = "ok" }
  }
  on "b" {
    reply { content = "ok" }
  }
}
bench "b" {
  cases = [{ id = "a" }]
  sut { command = ["sh", "-c", "touch started"] }
  rubric { command = ["sh", "-c", "touch started"] }
}
`
	writeIn(t, ".", "a.scenario.hcl", file)
	env := func(name string) (string, bool) {
		if name == "PLANTED" {
			return "planted-5d1c", true
		}
		return "", false
	}
	for _, args := range [][]string{
		{"test", "-v", "--trace-out", "t.jsonl", "--report", "html=r.html"},
		{"validate"},
		{"plan", "a.scenario.hcl"},
		{"explain", "a.scenario.hcl"},
		{"judge", "t.jsonl", "a.scenario.hcl", "-v"},
		{"fmt", "--diff"},
		{"cassette", "gc"},
	} {
		var out strings.Builder
		if code := run(args, strings.NewReader(""), &out, &out, env); code > 1 && args[0] != "cassette" {
			t.Errorf("%v: exit %d\n%s", args, code, out.String())
		}
		if _, err := os.Stat("started"); err == nil || srv.asked.Load() > 0 {
			t.Fatalf("%v started or dialled something", args)
		}
		for _, name := range []string{"t.jsonl", "r.html"} {
			if text, err := os.ReadFile(name); err == nil {
				out.Write(text)
			}
		}
		if strings.Contains(out.String(), "planted-5d1c") {
			t.Errorf("%v shows a variable of the environment", args)
		}
	}
}

// A countingService is one that counts what it is asked.
type countingService struct {
	*httptest.Server
	asked atomic.Int32
}

func newCountingService(t *testing.T) *countingService {
	c := &countingService{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { c.asked.Add(1) }))
	t.Cleanup(c.Close)
	return c
}

// runnable are the commands below one that do something.
func runnable(c *cobra.Command) []string {
	var names []string
	for _, sub := range c.Commands() {
		if sub.Runnable() && sub.IsAvailableCommand() && sub.Name() != "help" && !(sub.HasParent() && sub.Parent().Name() == "completion") {
			names = append(names, strings.TrimPrefix(sub.CommandPath(), "scenario "))
		}
		names = append(names, runnable(sub)...)
	}
	return names
}
