//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/scenario-lang/scenario/internal/command/cli"
)

// hostile is what a file of somebody else may say, as bytes; hostileHCL is the same
// in a string of the language, and hostileYAML in one of YAML and JSON.
const (
	hostile     = "hi\x1b[2J\x1b]0;t\x07\r\n::error title=planted::x\n##vso[planted]\u202egnp.\u2066\u009b1m"
	hostileHCL  = `hi\u001b[2J\u001b]0;t\u0007\r\n::error title=planted::x\n##vso[planted]\u202egnp.\u2066\u009b1m`
	hostileYAML = hostileHCL
	// hostileName is a name of a file.
	hostileName = "a\x1b[2J\r\n::error title=planted::x\n\u202e##vso[planted]"
)

// hostileFiles are a suite that says it wherever a text can stand. ADDRESS is a
// service that says it, too.
func hostileFiles(address string) map[string]string {
	text := func(s string) string {
		return strings.NewReplacer("HOSTILE", hostileHCL, "ADDRESS", address).Replace(s)
	}
	suite := text(`
variable "v" {
  description = "HOSTILE"
  default     = "HOSTILE"
}
locals { l = "HOSTILE" }
provider "http" "p" {
  base_url = "ADDRESS"
  headers  = { x-own = "own" }
}
workflow "w" {
  provider   = provider.p
  inputs     = { i = "HOSTILE" }
  on_failure = "continue"
  output     = "HOSTILE${local.l}"
  step "http" "a" {
    method = "POST"
    path   = "/a"
    body   = "HOSTILE${var.v}${input.i}"
  }
  step "http" "b" { path = "/b" }
}
invariant "HOSTILE" { condition = step.a.body != "HOSTILE${local.l}" }
scenario "HOSTILE" {
  description = "HOSTILE"
  tags        = ["HOSTILE"]
  run         = workflow.w
  inputs      = { i = "HOSTILE" }
  on "a" {
    reply { body = "HOSTILE" }
  }
  on "b" {
    fault "error" {
      type    = "HOSTILE"
      message = "HOSTILE"
      stack   = "HOSTILE"
    }
  }
  expect "a" { body = "HOSTILE!" }
  assert "HOSTILE" { condition = step.a.body == "" }
  assert "message" {
    condition     = step.a.body == ""
    error_message = "HOSTILE${step.a.body}"
  }
  snapshot "s" { value = step.a.body }
}
scenario "skipped" {
  run  = workflow.w
  skip = "HOSTILE"
}
scenario "recorded" {
  run = workflow.w
  cassette { path = "tape.yaml" }
}
`)
	live := text(`
provider "http" "p" { base_url = "ADDRESS" }
workflow "w" {
  provider = provider.p
  step "http" "a" {
    path    = "/live"
    headers = { x-sent = "own" }
  }
}
scenario "HOSTILE" {
  run = workflow.w
  cassette { path = "live.yaml" }
  assert "HOSTILE" { condition = step.a.body == "" }
}
`)
	explored := text(`
provider "http" "p" { base_url = "ADDRESS" }
workflow "w" {
  provider   = provider.p
  on_failure = "continue"
  step "http" "HOSTILE" {
    path     = "/"
    required = false
    timeout  = "5s"
  }
}
invariant "HOSTILE" {
  condition     = steps[0].status == null || steps[0].status == "success"
  error_message = "HOSTILE"
}
scenario "HOSTILE" {
  run = workflow.w
  on "HOSTILE" {
    reply { body = "HOSTILE" }
  }
  expect "run" { status = "success" }
}
`)
	bench := text(`
bench "HOSTILE" {
  cases = [{ id = "a", input = "HOSTILE" }, { id = "b" }]
  sut { command = ["sh", "./sut.sh"] }
  rubric { command = ["sh", "./sut.sh"] }
  gate "HOSTILE" { min_passed = 2 }
}
bench "absent" {
  cases = [{ id = "a" }]
  sut { command = ["./HOSTILE"] }
}
`)
	printed := "printf '" + strings.NewReplacer("\x1b", `\033`, "\x07", `\007`, "\r", `\r`, "\n", `\n`).Replace(hostile) + `\n'`
	tape := "version: 2\ninteractions:\n"
	for i, path := range []string{"a", "b"} {
		tape += fmt.Sprintf("- id: %d\n  request:\n    method: %s\n    url: %q\n    body: \"%s\"\n    headers: {X-A: [\"%s\"]}\n  response:\n    status: 200 OK\n    code: 200\n    body: \"%s\"\n    headers: {X-A: [\"%[5]s\"]}\n",
			i, []string{"POST", "GET"}[i], address+"/"+path, hostileYAML, "x\\u202ey", hostileYAML)
	}
	return map[string]string{
		"go.mod": "module x", "good/good.scenario.hcl": suite, "good/" + hostileName + ".scenario.hcl": suite, "good/go.mod": "", "live/live.scenario.hcl": live, "live/go.mod": "",
		"bench/bench.scenario.hcl": bench, "bench/sut.sh": printed + "\n" + printed + " >&2\nexit 3\n", "bench/go.mod": "", "explored/explored.scenario.hcl": explored, "explored/go.mod": "",
		"bad/" + hostileName + ".scenario.hcl": suite + "\n" + hostile + "\n", "bad/go.mod": "",
		"bad/words.scenario.hcl": text("scenario \"HOSTILE\" {\n  run = workflow.none\n  tegs = [\"HOSTILE\"]\n}\nworkflow \"HOSTILE\" {}\nretry \"HOSTILE\" \"x\" {}\n# ") + hostile + "\n",
		"good/tape.yaml":         tape, "tape.yaml": tape, hostileName + ".yaml": tape, "broken.yaml": "version: 2\ninteractions: \"" + hostileYAML + "\"\n",
		"driven/driven.scenario.hcl": text("provider \"http\" \"HOSTILE\" { base_url = \"ADDRESS\" }\nscenario \"HOSTILE\" {\n  on \"HOSTILE\" {\n    reply { body = \"HOSTILE\" }\n  }\n  expect \"run\" { status = \"failed\" }\n}\n"), "driven/go.mod": "",
		"vars.hcl": text("v = \"HOSTILE\"\nHOSTILE = 1\n"), "fmt/unformatted.scenario.hcl": "variable   \"x\" {\n  default   = 1 # " + hostile + "\n}\n",
		"fmt/empty.scenario.hcl": "variable \"x\" { default = \"" + hostile + "\" }\n",
		"mapping.json":           `{"mappings":[{"name":"` + hostileYAML + `","request":{"method":"GET","url":"/` + hostileYAML + `"},"response":{"status":200,"body":"` + hostileYAML + `","unknown":1}}]}`,
		"results.json":           `{"schema":"scenario.test/1","type":"scenario","file":"` + hostileYAML + `","name":"` + hostileYAML + `","status":"pass","virtual_ms":0,"failures":[]}` + "\n" + `{"schema":"scenario.test/1","type":"shard","shard":1,"shards":1,"scenarios":1,"positions":[1]}` + "\n" + `{"type":"summary","status":"pass","passed":1,"failed":0,"errored":0,"skipped":0}` + "\n",
	}
}

// hostileCalls are the calls of every command. What a file is to have byte by byte
// is data, and no text for people.
var hostileCalls = []struct {
	command string
	args    [][]string
	data    bool
}{
	{command: "test", args: [][]string{
		{"good"},
		{"good", "-v"},
		{"good", "-v", "--color=always"},
		{"good", "--list"},
		{"good", "--list", "--json"},
		{"good", "--json"},
		{"good", "--shuffle=on"},
		{"good", "--run", hostile},
		{"--var", hostile + "=1"},
		{"good", "--var-file", "vars.hcl"},
		{"good", "--env", hostile},
		{hostileName},
		{"bad"},
		{"bad", "--report", "github=-"},
		{"good", "--report", "junit=-"},
		{"good", "--report", "ctrf=-"},
		{"good", "--report", "tap=-"},
		{"good", "--report", "markdown=-"},
		{"good", "--report", "github=-"},
		{"good", "--report", "text=-"},
		{"good", "--report", "html=-"},
		{"good", "--report", "json=-"},
		{"--" + hostile},
		{"good", "--strict-cassettes"},
		{"good", "--update"},
		{"good", "--report", "junit=nowhere/" + hostile},
	}},
	{command: "exec", args: [][]string{
		{"driven", "-v", "--", "sh", "bench/sut.sh"},
		{"driven", "--json", "--", "sh", "bench/sut.sh"},
		{"driven", "--report", "github=-", "--", "sh", "bench/sut.sh"},
		{"driven", "--", hostile},
		{"driven", "--listen", hostile},
		{"good"},
	}},
	{command: "serve", args: [][]string{
		{"driven", "-v", "--timeout", "300ms"},
		{"driven", "--json", "--timeout", "300ms"},
		{"driven", "--listen", hostile},
		{"good", "--timeout", "300ms"},
	}},
	{command: "bridge", args: [][]string{{}, {hostile, hostile}, {"127.0.0.1:1", hostile}}},
	{command: "run", args: [][]string{{"live", "-v"}, {"live", "--json"}, {"--step", hostile, "live"}, {"live", "--report", "github=-"}}},
	{command: "record", args: [][]string{{"live"}, {"live", "--check"}, {"live", "--check", "--json"}, {"--recover", "live"}}},
	{command: "bench", args: [][]string{
		{"bench"}, {"bench", "--run", "hi", "-v"}, {"bench", "--run", "hi", "--json"}, {"bench", "--run", "hi", "--report", "github=-"}, {"bench", "--baseline", hostile},
	}},
	{command: "validate", args: [][]string{{"good"}, {"bad"}, {"bad", "--format", "json"}, {"bad", "--format", "github"}, {"bad", "--format", "sarif"}, {"--format", hostile}}},
	{command: "plan", args: [][]string{{"good/good.scenario.hcl"}, {"good/good.scenario.hcl", "--hash"}, {"good/good.scenario.hcl", "--json"}, {"good/good.scenario.hcl", "--pretty"}, {"bad/words.scenario.hcl"}}},
	{command: "explain", args: [][]string{{"good/good.scenario.hcl"}, {"good/" + hostileName + ".scenario.hcl"}}},
	{command: "coverage", args: [][]string{
		{"explored"}, {"explored", "--json"}, {"explored", "--open"}, {"good"}, {"bad"}, {"explored", "--report", "html=covered.html"}, {"explored", "--report", hostile},
	}},
	{command: "explore", args: [][]string{
		{"explored"}, {"explored", "--json"}, {"explored", "--list"}, {"explored", "--emit", "explored/found"}, {"good"}, {"bad"}, {"explored", "--kinds", hostile}, {"explored", "--baseline", hostile},
	}},
	{command: "shrink", args: [][]string{
		{"bad"}, {"bad", "--run", hostile}, {"bad", "--keep", hostile}, {"explored", "--run", hostile}, {"good/good.scenario.hcl"}, {hostile},
	}},
	{command: "mutate", args: [][]string{
		{"explored"},
		{"explored", "--json"},
		{"explored", "--emit", "explored/mutants"},
		{"good"},
		{"bad"},
		{"explored", "--only", hostile},
		{"explored", "--explore", hostile},
		{"explored", "--exec"},
		{"good", "--exec", "--source", hostile},
		{"good", "--exec", "--root", hostile},
		{"good", "--exec", "--build", hostile, "--", hostile},
	}},
	{command: "judge", args: [][]string{{"trace.jsonl", "good/good.scenario.hcl", "-v"}, {hostile, "good/good.scenario.hcl"}}},
	{command: "fmt", args: [][]string{{"--check", "fmt"}, {"--diff", "fmt"}, {"bad"}}},
	{command: "fmt", args: [][]string{{"-"}}, data: true},
	{command: "init", args: [][]string{{"new" + hostileName}, {"good/good.scenario.hcl"}}},
	{command: "merge", args: [][]string{{"results.json"}, {hostile}, {"tape.yaml"}, {hostileName + ".yaml"}}},
	{command: "import", args: [][]string{{hostileName + ".yaml"}, {"mapping.json", "-o", "mapped.scenario.hcl"}}},
	{command: "import", args: [][]string{{"mapping.json"}}, data: true},
	{command: "cassette", args: [][]string{{}, {hostile}}},
	{command: "cassette ls", args: [][]string{{"tape.yaml"}, {hostileName + ".yaml"}, {"broken.yaml"}}},
	{command: "cassette show", args: [][]string{{"tape.yaml"}, {"tape.yaml", "1"}, {"tape.yaml", hostile}, {hostileName + ".yaml", "2"}}},
	{command: "cassette diff", args: [][]string{{"tape.yaml", "tape.yaml"}, {"tape.yaml", hostileName + ".yaml"}, {"tape.yaml", "broken.yaml"}, {"--match", hostile, "tape.yaml", "tape.yaml"}}},
	{command: "cassette seal", args: [][]string{{hostileName + ".yaml"}, {"broken.yaml"}, {"tape.yaml"}}},
	{command: "cassette verify", args: [][]string{{"tape.yaml"}, {"broken.yaml"}}},
	{command: "cassette scan", args: [][]string{{"good"}, {"--rules"}}},
	{command: "cassette gc", args: [][]string{{"good"}, {"good/good.scenario.hcl"}}},
	{command: "cassette convert", args: [][]string{{"broken.yaml"}, {"tape.yaml", "-o", hostileName + ".out.yaml"}}},
	{command: "cassette convert", args: [][]string{{"tape.yaml"}}, data: true},
	{command: "lsp", args: [][]string{{"--" + hostile}}},
	{command: "mcp", args: [][]string{{"--" + hostile}}},
	{command: "version", args: [][]string{{}, {hostile}}},
	{command: hostile, args: [][]string{{}}},
}

// Shows that nothing that a file, an answer, a recording or a program says is obeyed
// by a terminal or by the runner of a CI job, whatever the command, and that what
// programs read stays readable.
func TestNothingHostileIsObeyed(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, hostile) // the client may be gone
	}))
	defer srv.Close()
	t.Chdir(t.TempDir())
	for name, text := range hostileFiles(srv.URL) {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Skip("this system has no such names:", err)
		}
	}
	if out, _ := hostileRun(t, "test", "good/good.scenario.hcl", "--trace-out", "trace.jsonl"); !strings.Contains(out, "0 passed, 2 failed, 0 errored, 1 skipped") {
		t.Fatalf("the suite does not run as it should:\n%q", out)
	}
	if out, errs := hostileRun(t, "bench", "bench", "--run", "hi"); !strings.Contains(out, "sut.exception (block): ExitError: exit status 3: hi") {
		t.Fatalf("the bench does not run as it should:\n%q\n%q", out, errs)
	}
	if out, errs := hostileRun(t, "explore", "explored", "--emit", "explored/found"); !strings.Contains(out, "\n       written: ") {
		t.Fatalf("the exploration does not run as it should:\n%q\n%q", out, errs)
	}
	seen := map[string]bool{}
	for _, c := range hostileCalls {
		seen[c.command] = true
		for _, args := range c.args {
			words := strings.Fields(c.command)
			if c.command == hostile {
				words = []string{hostile}
			}
			call := append(words, args...)
			out, errs := hostileRun(t, call...)
			if !c.data {
				inertText(t, call, "standard output", out)
			}
			inertText(t, call, "standard error", errs)
			readableByPrograms(t, call, out)
		}
	}
	for _, name := range runnable(root((&cli.App{Env: noEnv}))) {
		if !seen[name] {
			t.Errorf("no call of %q: add one", name)
		}
	}
}

// Shows that what a file is to have byte by byte comes so.
func TestDataIsExact(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "variable \"x\" { default = \"" + strings.ReplaceAll(hostile, "\r\n", "") + "\" }\n"
	text = strings.ReplaceAll(text, "\n##", "##")
	var out, errs bytes.Buffer
	code := run([]string{"fmt", "-"}, strings.NewReader(text), &out, &errs, noEnv)
	if code != 0 || out.String() != text {
		t.Errorf("exit %d, got %q, want %q: %s", code, out.String(), text, errs.String())
	}
}

// hostileRun runs a command and returns what it printed.
func hostileRun(t *testing.T, args ...string) (out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	if code := run(args, strings.NewReader("variable \"x\" { default = 1 }\n# "+hostile+"\n"), &o, &e, noEnv); code == int(cli.ExitInternal) {
		t.Errorf("%q: exit %d: %s", args, code, e.String())
	}
	if o.Len()+e.Len() == 0 && args[0] != "fmt" && !slices.Contains(args, "scan") {
		t.Errorf("%q prints nothing", args)
	}
	return o.String(), e.String()
}

var ownColours = regexp.MustCompile("\x1b\\[(0|1|2|31|32|33|1;31|1;33)m")

// ownCommands are the annotations that reports for GitHub are made of.
var ownCommands = regexp.MustCompile(`^::(error|warning) (file=|title=scenario::)`)

// inertText fails the test where a text has what is obeyed in place of being shown.
func inertText(t *testing.T, call []string, where, text string) {
	t.Helper()
	if slices.Contains(call, "--color=always") {
		text = ownColours.ReplaceAllString(text, "")
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		bad := ""
		for _, r := range line {
			if unicode.IsControl(r) && r != '\t' || unicode.Is(unicode.Bidi_Control, r) {
				bad = fmt.Sprintf("%U", r)
			}
		}
		github := slices.Contains(call, "github=-") || slices.Contains(call, "github")
		switch start := strings.TrimSpace(line); {
		case !utf8.ValidString(line):
			bad = "bytes that are no text"
		case strings.HasPrefix(start, "::") && !(github && ownCommands.MatchString(line)), strings.Contains(line, "##vso["), strings.HasPrefix(line, "::") && strings.HasPrefix(line, "::error title=planted"):
			bad = "a command of a runner"
		}
		if bad != "" {
			t.Errorf("%q, %s: %s in %q", call, where, bad, line)
			return
		}
	}
}

// readableByPrograms fails the test where what a program reads is not of its
// format any more.
func readableByPrograms(t *testing.T, call []string, out string) {
	t.Helper()
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(call, w) })
	}
	switch {
	case out == "":
	case has("junit=-"):
		d := xml.NewDecoder(strings.NewReader(out))
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				return
			} else if err != nil {
				t.Errorf("%q is no XML: %v", call, err)
				return
			}
		}
	case has("--json", "json=-", "ctrf=-", "sarif", "json") || call[0] == "plan" && has("--pretty"):
		d := json.NewDecoder(strings.NewReader(out))
		for {
			var v any
			if err := d.Decode(&v); errors.Is(err, io.EOF) {
				return
			} else if err != nil {
				t.Errorf("%q is no JSON: %v", call, err)
				return
			}
		}
	}
}
