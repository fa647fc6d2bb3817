package main

import (
	"bytes"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/report"
)

// ofQueues are the flags that say where and how units are run, and nothing of the suite.
var ofQueues = map[string][]string{
	"run":    {"ack-wait", "deliveries", "help", "state", "workers"},
	"submit": {"ack-wait", "creds", "deliveries", "detach", "help", "insecure-queue", "queue", "queue-ca"},
}

// A flagRow is a call in which a flag of a suite has an effect.
type flagRow struct {
	args []string
	// codeAlone says that there is no report to compare.
	codeAlone bool
}

// flagRows are calls for scenarios and for benches, by flag. What is nil is refused.
var flagRows = map[string]map[string]*flagRow{
	"test": {
		"run": {args: []string{"--run", "tagged"}}, "skip": {args: []string{"--skip", "tagged"}}, "tag": {args: []string{"--tag", "fast"}},
		"seed": {args: []string{"--seed", "7"}}, "strict": {args: []string{"--strict"}}, "strict-cassettes": {args: []string{"--strict-cassettes"}},
		"var": {args: []string{"--var", "word=b"}}, "var-file": {args: []string{"--var-file", "vars.hcl"}}, "env": {args: []string{"--env", "TEAM"}},
		"json": {args: []string{"--json"}}, "report": {args: []string{"--report", "tap=out/again.tap"}}, "trace-out": {args: []string{"--trace-out", "otlp=out/spans.jsonl"}},
		"verbose": {args: []string{"--verbose"}}, "quiet": {args: []string{"--quiet"}}, "color": {args: []string{"--color", "always"}},
		"timeout": {args: []string{"--timeout", "1ns"}, codeAlone: true},
		"trials":  nil, "case": nil, "limit": nil,
	},
	"bench": {
		"run": {args: []string{"--run", "triage"}}, "skip": {args: []string{"--skip", "triage"}}, "trials": {args: []string{"--trials", "2"}},
		"case": {args: []string{"--case", "e"}}, "limit": {args: []string{"--limit", "2"}},
		"var": {args: []string{"--var", "word=b"}}, "var-file": {args: []string{"--var-file", "vars.hcl"}}, "env": {args: []string{"--env", "TEAM"}},
		"json": {args: []string{"--json"}}, "report": {args: []string{"--report", "tap=out/again.tap"}}, "trace-out": {args: []string{"--trace-out", "out/again.jsonl"}},
		"verbose": {args: []string{"--verbose"}}, "quiet": {args: []string{"--quiet"}}, "color": {args: []string{"--color", "always"}},
		"timeout": {args: []string{"--timeout", "1ns"}, codeAlone: true},
		"tag":     nil, "seed": nil, "strict": nil, "strict-cassettes": nil,
	},
}

// manyFlags is a suite of which every flag says something: tags, a variable, a variable of
// the environment, a declaration that nobody uses, a recording that cannot be verified.
const manyFlags = `
variable "word" { default = "a" }
retry "linear" "patient" {}
provider "openai" "llm" {
  model   = "gpt-4o-mini"
  headers = { "X-Team" = env("TEAM") }
}
workflow "w" {
  provider = provider.llm
  step "llm" "answer" { prompt = "Say ${var.word}." }
}
scenario "tagged" {
  tags = ["fast"]
  run  = workflow.w
  on "answer" {
    reply { content = "You said ${var.word}." }
  }
  expect "answer" { content = "You said a." }
}
workflow "ask" {
  provider = provider.llm
  step "llm" "answer" { prompt = "hi" }
}
scenario "recorded" {
  run = workflow.ask
  cassette { path = "vcr.yaml" }
  expect "answer" { content = "hello" }
}
`

// unverifiable is a recording whose format does not say that it is complete.
const unverifiable = `---
version: 1
interactions:
- request:
    body: '{"model":"gpt-4o-mini","messages":[{"role":"user","content":"hi"}]}'
    form: {}
    headers:
      Content-Type:
      - application/json
    url: https://api.openai.com/v1/chat/completions
    method: POST
  response:
    body: '{"choices":[{"index":0,"message":{"role":"assistant","content":"hello"},"finish_reason":"stop"}]}'
    headers:
      Content-Type:
      - application/json
    status: 200 OK
    code: 200
    duration: 250ms
`

// said are the lines of standard error that are about the suite.
func said(errs string) string {
	var all []string
	for line := range strings.Lines(errs) {
		if strings.Contains(line, "env(") || strings.HasPrefix(line, "Error: ") || strings.HasPrefix(line, "Warning: ") {
			all = append(all, line)
		}
	}
	return strings.Join(all, "")
}

// wallTimes are those of events on a terminal and of --json, which are real ones.
var wallTimes = regexp.MustCompile(`"wall_ms": ?[0-9.]+`)

// result is all that a call came to: code, output, and the files that it wrote, which are
// removed.
func result(t *testing.T, code int, out, errs string, same func([]byte) string) map[string]string {
	t.Helper()
	all := map[string]string{"exit code": string(rune('0' + code)), "standard output": same([]byte(out)), "standard error": said(errs)}
	files, _ := filepath.Glob(filepath.Join("out", "*"))
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all[path] = same(text)
	}
	if err := os.RemoveAll("out"); err != nil {
		t.Fatal(err)
	}
	return all
}

// Shows that every flag of a suite has the effect that it has without a queue, which the
// call shows to be one, and is refused where it would say nothing: for scenarios and for
// benches, on workers of the same process and of another one. A new flag needs a row.
func TestEveryFlagOfASuite(t *testing.T) {
	for _, command := range []string{"run", "submit"} {
		a := &cli.App{Stdout: io.Discard, Stderr: io.Discard, Env: func(string) (string, bool) { return "", false }}
		cmd, _, err := root(a).Find([]string{command})
		if err != nil {
			t.Fatal(err)
		}
		var of []string
		cmd.InitDefaultHelpFlag()
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			for kind, rows := range flagRows {
				if _, known := rows[f.Name]; !known && f.Name != "bench" && !slices.Contains(ofQueues[command], f.Name) {
					t.Errorf("%s --%s has no row for %s: what does it change?", command, f.Name, kind)
				}
			}
			if slices.Contains(ofQueues[command], f.Name) {
				of = append(of, f.Name)
			}
		})
		if !slices.Equal(slices.Sorted(slices.Values(of)), ofQueues[command]) {
			t.Errorf("%s has of the flags of queues %q", command, of)
		}
	}
	scenario, url := commandScenario(t), local(t)
	t.Setenv("TEAM", "blue") // for workers, too
	files := map[string]string{"vars.hcl": "word = \"b\"\n", "vcr.yaml": unverifiable}
	maps.Copy(files, triage(t))
	files["many.scenario.hcl"] = manyFlags
	for name, text := range benchWith("concurrency = 1\n  cost_cap_usd = 100", `echo '{"n": 1}'`) {
		files[name] = text
	}
	b := strings.Replace(files["b.scenario.hcl"], "output.n == 1", `output.n == (var.word == "a" ? 1 : 2)`, 1)
	files["b.scenario.hcl"] = b + `
variable "word" { default = "a" }
bench "words" {
  cases = [{ id = "e", word = "tea" }, { id = "f", word = "milk" }, { id = "g", word = "rice" }]
  sut {
    command = ["echo", "tea, milk and rice:", case.input.word]
    output  = "process"
  }
  rubric {
    passed = output.exit_code == 0 && strcontains(output.stdout, case.input.word)
  }
}
provider "http" "other" {
  base_url = "https://other.test"
  headers  = { "X-Team" = env("TEAM") }
}
`
	folder(t, files)
	process(t, "worker", "--queue", url, "--parallel", "2")
	outs := []string{"--trace-out", "out/trace.jsonl"}
	for _, f := range report.Formats() {
		outs = append(outs, "--report", f.Name+"=out/report."+f.Name)
	}
	plain := map[string]map[string]string{}
	for _, kind := range []string{"test", "bench"} {
		same, paths, how := func(b []byte) string { return wallTimes.ReplaceAllString(string(b), "…") }, []string{"many.scenario.hcl"}, []string(nil)
		if kind == "bench" {
			same, paths, how = timeless, []string{"b.scenario.hcl", "triage.scenario.hcl"}, []string{"--bench"}
		}
		inScenario := func(args []string) map[string]string {
			c := exec.Command(scenario, slices.Concat([]string{kind}, args, outs, paths)...)
			var out, errs bytes.Buffer
			c.Stdout, c.Stderr = &out, &errs
			_ = c.Run() // the code is compared
			return result(t, c.ProcessState.ExitCode(), out.String(), errs.String(), same)
		}
		plain[kind] = inScenario(nil)
		for _, name := range slices.Sorted(maps.Keys(flagRows[kind])) {
			t.Run(kind+" --"+name, func(t *testing.T) {
				calls := map[string][]string{"run": {"run", "--workers", "2"}, "submit": {"submit", "--queue", url, "--timeout", "1m"}}
				row := flagRows[kind][name]
				if row == nil {
					for call, args := range calls {
						value := map[bool]string{true: "--" + name + "=1", false: "--" + name}[name != "strict" && name != "strict-cassettes"]
						code, out, errs := called(t, nil, slices.Concat(args, how, []string{value}, paths)...)
						if code != 2 || !strings.Contains(errs, "--"+name+" says nothing of ") {
							t.Errorf("%s: exit code %d\n%s%s", call, code, out, errs)
						}
						env := map[string]string{cli.EnvironmentPrefix + strings.ToUpper(strings.ReplaceAll(name, "-", "_")): "1"}
						code, out, errs = called(t, env, slices.Concat(args, how, outs, paths)...)
						differences(t, call+" with the environment", result(t, code, out, errs, same), plain[kind])
					}
					return
				}
				want := inScenario(row.args)
				for try := 0; name == "timeout" && try < 20 && maps.Equal(want, plain[kind]); try++ {
					want = inScenario(row.args) // the suite may be over before the timer is heard
				}
				if maps.Equal(want, plain[kind]) {
					t.Fatalf("%q changes nothing without a queue: the row shows nothing", row.args)
				}
				for call, args := range calls {
					code, out, errs := called(t, nil, slices.Concat(args, how, row.args, outs, paths)...)
					got := result(t, code, out, errs, same)
					for try := 0; name == "timeout" && try < 20 && got["exit code"] == plain[kind]["exit code"]; try++ {
						code, out, errs = called(t, nil, slices.Concat(args, how, row.args, outs, paths)...)
						got = result(t, code, out, errs, same) // see above
					}
					if row.codeAlone {
						got, want = map[string]string{"exit code": got["exit code"]}, map[string]string{"exit code": want["exit code"]}
					}
					differences(t, call, got, want)
				}
			})
		}
	}
	if maps.Equal(plain["test"], plain["bench"]) {
		t.Error("--bench changes nothing")
	}
}

// differences tells where two calls came to other things.
func differences(t *testing.T, call string, got, want map[string]string) {
	t.Helper()
	for _, what := range slices.Sorted(maps.Keys(want)) {
		if got[what] != want[what] {
			t.Errorf("%s: another %s\n%s", call, what, firstDifference(got[what], want[what]))
		}
	}
	for what := range got {
		if _, wanted := want[what]; !wanted {
			t.Errorf("%s: there is %s", call, what)
		}
	}
}
