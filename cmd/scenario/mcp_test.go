package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// An agent is a client of `scenario mcp`, which runs in a directory.
type agent struct {
	*testing.T
	dir     string
	session *sdk.ClientSession
}

func newAgent(t *testing.T, flags ...string) *agent {
	t.Helper()
	a := &agent{T: t, dir: t.TempDir()}
	cmd := exec.Command(filepath.Join(commandDir(t), "scenario"), append([]string{"mcp"}, flags...)...)
	cmd.Dir = a.dir
	cmd.Env = append(cleanEnv(), "SCENARIO_REPORT=json=written.json", "SCENARIO_VAR_question=leaked", "SECRET_KEY=leaked")
	cmd.Stderr = os.Stderr
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test"}, nil).Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	a.session = session
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	return a
}

// ask calls a tool; wrong says whether the call itself could not be done.
func (a *agent) ask(tool string, args map[string]any) (text string, wrong bool) {
	a.Helper()
	r, err := a.session.CallTool(a.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		a.Fatalf("%s %v: %v", tool, args, err)
	}
	return r.Content[0].(*sdk.TextContent).Text, r.IsError
}

// wants asks, and the answer must have all of the phrases.
func (a *agent) wants(tool string, args map[string]any, phrases ...string) string {
	a.Helper()
	text, wrong := a.ask(tool, args)
	for _, p := range phrases {
		if !strings.Contains(text, p) {
			a.Errorf("%s %v (wrong: %t) has no %q:\n%s", tool, args, wrong, p, text)
		}
	}
	return text
}

// save writes a file, as agents do with their own tools.
func (a *agent) save(name, text string) {
	a.Helper()
	if err := os.WriteFile(filepath.Join(a.dir, name), []byte(text), 0o666); err != nil {
		a.Fatal(err)
	}
}

// block is the first block of HCL behind a heading.
func block(t *testing.T, text, heading string) string {
	t.Helper()
	_, rest, _ := strings.Cut(text, heading)
	_, rest, ok := strings.Cut(rest, "```hcl\n")
	body, _, closed := strings.Cut(rest, "```")
	if !ok || !closed {
		t.Fatalf("no block behind %q:\n%s", heading, text)
	}
	return body
}

// files are the names of what is in the agent's directory.
func (a *agent) files() string {
	entries, err := os.ReadDir(a.dir)
	if err != nil {
		a.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

// Shows that an agent comes from an empty directory to a scenario that passes and one
// that fails, knowing nothing but what the tools answer, and that no tool writes a
// file unless it is told to.
func TestAgentFromAnEmptyDirectory(t *testing.T) {
	a := newAgent(t)
	if text := a.session.InitializeResult().Instructions; !strings.Contains(text, "Begin with the tool help") {
		t.Fatalf("nothing says how to begin:\n%s", text)
	}
	tools, err := a.session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range tools.Tools {
		names = append(names, tool.Name)
	}
	slices.Sort(names)
	if got := strings.Join(names, " "); got != "explain explore fmt help plan test validate" {
		t.Errorf("the tools are %s", got)
	}
	start := a.wants("help", nil)
	green := block(t, start, "1-hello.scenario.hcl:")

	// Before anything is saved.
	draft := map[string]any{"files": map[string]any{"draft.scenario.hcl": green}}
	a.wants("validate", draft, "1 file is valid", "exit code 0")
	a.wants("test", draft, "1 passed, 0 failed", "exit code 0")
	if got := a.files(); got != "" {
		t.Fatalf("there is %s", got)
	}

	// A mistake is named with its place, and mended.
	a.save("shop.scenario.hcl", strings.Replace(green, "max_retries = 3", "max_retry = 3", 1))
	broken := a.wants("validate", nil, "shop.scenario.hcl line 9", "max_retries", "exit code 3")
	if !strings.Contains(broken, "max_retry") {
		t.Errorf("it does not name the word:\n%s", broken)
	}
	a.save("shop.scenario.hcl", green)
	a.wants("test", map[string]any{"paths": []any{"shop.scenario.hcl"}}, "1 passed, 0 failed", "exit code 0")

	// The second file of the start is red, for the reason that it gives.
	a.save("red.scenario.hcl", block(t, start, "2-mistake.scenario.hcl:"))
	a.wants("test", nil, "1 passed, 1 failed", "asks again after the 20 s that the server named", "exit code 1")
	a.wants("explain", map[string]any{"path": "red.scenario.hcl"}, "429", "exit code 0")
	a.wants("plan", map[string]any{"path": "shop.scenario.hcl", "run": "two server errors"}, `two server errors, then an answer`)
	a.wants("explore", map[string]any{"paths": []any{"shop.scenario.hcl"}, "max_k": 1, "budget": 50}, "exit code")
	a.wants("help", map[string]any{"topic": "fault http_error"}, "status_code")
	a.wants("help", map[string]any{"topic": "gate"}, "unused_reply")

	// Formatting returns the text, and writes it where it is told to.
	ugly := "locals   {\n x=1\n}\n"
	a.save("ugly.scenario.hcl", ugly)
	pretty := "locals {\n  x = 1\n}\n"
	if got, _ := a.ask("fmt", map[string]any{"text": ugly}); got != pretty {
		t.Errorf("formatted: %q", got)
	}
	if got, _ := a.ask("fmt", map[string]any{"path": "ugly.scenario.hcl"}); got != pretty || a.load("ugly.scenario.hcl") != ugly {
		t.Errorf("formatted: %q, and on the disk is %q", got, a.load("ugly.scenario.hcl"))
	}
	a.wants("fmt", map[string]any{"path": "ugly.scenario.hcl", "write": true}, "written")
	if got := a.load("ugly.scenario.hcl"); got != pretty {
		t.Errorf("written: %q", got)
	}
	if got := a.files(); got != "red.scenario.hcl shop.scenario.hcl ugly.scenario.hcl" {
		t.Errorf("there is %s", got)
	}
}

func (a *agent) load(name string) string {
	a.Helper()
	text, err := os.ReadFile(filepath.Join(a.dir, name))
	if err != nil {
		a.Fatal(err)
	}
	return string(text)
}

// Shows that no tool reads or writes outside of the directory that the server was
// started in, whatever leads there, nor anything of the environment, nor a hidden file.
func TestAgentIsConfined(t *testing.T) {
	a := newAgent(t)
	outside := t.TempDir()
	const secret = "the-secret-of-others"
	if err := os.WriteFile(filepath.Join(outside, "other.scenario.hcl"), []byte("locals { x = \""+secret+"\" \n"), 0o666); err != nil {
		t.Fatal(err)
	}
	a.save(".env", secret)
	if runtime.GOOS != "windows" {
		for name, to := range map[string]string{"link.scenario.hcl": filepath.Join(outside, "other.scenario.hcl"), "dir": outside, "shown": ".env"} {
			if err := os.Symlink(to, filepath.Join(a.dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	a.save("reads.scenario.hcl", `
provider "http" "api" { base_url = "https://${env("SECRET_KEY")}.example" }
locals { x = file("../`+filepath.Base(outside)+`/other.scenario.hcl") }
`)
	reads := func(expr string) map[string]any {
		return map[string]any{"files": map[string]any{"r.scenario.hcl": `
workflow "w" {
  step "value" "v" { value = ` + expr + ` }
}
scenario "s" {
  run = workflow.w
  assert "x" { condition = step.v.output == "" }
}
`}, "paths": []any{"r.scenario.hcl"}, "verbose": true}
	}
	other := filepath.Join(outside, "other.scenario.hcl")
	for _, c := range []struct {
		tool string
		args map[string]any
	}{
		{"validate", map[string]any{"paths": []any{other}}},
		{"test", map[string]any{"paths": []any{"../" + filepath.Base(outside)}}},
		{"test", map[string]any{"paths": []any{"link.scenario.hcl"}}},
		{"test", map[string]any{"paths": []any{"dir"}}},
		{"test", map[string]any{"paths": []any{"dir/other.scenario.hcl"}}},
		{"explain", map[string]any{"path": other}},
		{"plan", map[string]any{"path": "dir/other.scenario.hcl"}},
		{"explore", map[string]any{"paths": []any{other}}},
		{"fmt", map[string]any{"path": other}},
		{"fmt", map[string]any{"path": "dir/other.scenario.hcl", "write": true}},
		{"fmt", map[string]any{"path": "link.scenario.hcl", "write": true}},
		{"fmt", map[string]any{"path": ".env"}},
		{"test", map[string]any{"paths": []any{"reads.scenario.hcl"}}},
		{"test", reads(`file("dir/other.scenario.hcl")`)},
		{"test", reads(`file("../` + filepath.Base(outside) + `/other.scenario.hcl")`)},
		{"test", reads(`file("shown")`)},
		{"test", reads(`file(".env")`)},
		{"test", map[string]any{"paths": []any{"--report=json=out.json"}}},
		{"test", map[string]any{"files": map[string]any{"../x.scenario.hcl": ""}}},
		{"test", map[string]any{"files": map[string]any{"/x.scenario.hcl": ""}}},
		{"test", map[string]any{"run": "x --report=json=out.json"}},
		{"help", map[string]any{"topic": "--version"}},
	} {
		text, wrong := a.ask(c.tool, c.args)
		if strings.Contains(text, secret) || strings.Contains(text, "leaked") || strings.Contains(text, "exit code 0") {
			t.Errorf("%s %v (wrong: %t):\n%s", c.tool, c.args, wrong, text)
		}
	}
	for _, name := range []string{"out.json", "written.json"} {
		if strings.Contains(a.files(), name) {
			t.Errorf("%s was written", name)
		}
	}
}

// Shows that a call ends within its limit whatever its file asks for, with a bounded
// answer, and that the server answers the next one.
func TestAgentIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for a second of real time")
	}
	a := newAgent(t, "--timeout", "1s")
	long := `
provider "openai" "p" { model = "m" }
retry "linear" "std" {
  delay       = "1s"
  max_retries = 1000
}
workflow "w" {
  provider = provider.p
  step "llm" "a" {
    prompt = "x"
    retry  = retry.std
  }
}
scenario "s" {
  for_each = toset([for i in range(COUNT) : tostring(i)])
  run      = workflow.w
  on "a" {
    fault "http_error" {
      status_code = 500
      times       = 1001
    }
  }
  expect "a" { status = "success" }
}
`
	many := map[string]any{"verbose": true, "files": map[string]any{"many.scenario.hcl": strings.Replace(long, "COUNT", "1000", 1)}}
	began := time.Now()
	text, wrong := a.ask("test", many)
	if took := time.Since(began); !wrong || !strings.Contains(text, "did not end within 1s") || took > 20*time.Second {
		t.Errorf("after %s, wrong: %t:\n%.2000s", took, wrong, text)
	}
	// What follows has to end, however slow the machine is.
	a = newAgent(t)
	few := map[string]any{"verbose": true, "files": map[string]any{"few.scenario.hcl": strings.Replace(long, "COUNT", "12", 1)}}
	if text, _ := a.ask("test", few); len(text) > 64<<10 || !strings.Contains(text, "bytes are left out here") || !strings.Contains(text, "12 failed") {
		t.Errorf("%d bytes:\n%.1000s\n…\n%s", len(text), text, text[max(0, len(text)-1000):])
	}
	if text, wrong := a.ask("explore", map[string]any{"budget": 1 << 20}); !wrong {
		t.Error(text)
	}
	big := map[string]any{"files": map[string]any{"big.scenario.hcl": strings.Repeat("#", 2<<20)}}
	if text, wrong := a.ask("validate", big); !wrong || !strings.Contains(text, "bytes") {
		t.Errorf("%.200s", text)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, cancel)
	if _, err := a.session.CallTool(ctx, &sdk.CallToolParams{Name: "test", Arguments: many}); err == nil {
		t.Error("a call that was cancelled has a result")
	}
	a.wants("help", map[string]any{"topic": "kind"}, "llm")
}
