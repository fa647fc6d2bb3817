package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/spf13/pflag"

	"github.com/scenario-lang/scenario/dist/internal/bundle"
	"github.com/scenario-lang/scenario/dist/internal/job"
	"github.com/scenario-lang/scenario/dist/internal/queue"
	"github.com/scenario-lang/scenario/dist/internal/work"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/report"
)

// canary is a value that must be nowhere.
const canary = "canary-7f3a9c51/kv+x"

// withKey has one scenario that passes and one that fails, both with the value in what
// they send.
const withKey = `
variable "key" {
  type      = string
  sensitive = true
}
variable "word" { default = "a" }
provider "openai" "llm" {
  model   = "gpt-4o-mini"
  headers = { "X-Key" = var.key }
}
workflow "w" {
  provider = provider.llm
  step "llm" "answer" { prompt = "Why ${var.key} and ${var.word}?" }
}
scenario "passes" {
  run = workflow.w
  on "answer" {
    reply { content = "So." }
  }
  expect "answer" { content = "So." }
}
scenario "fails" {
  run = workflow.w
  on "answer" {
    reply { content = "You said ${var.key}." }
  }
  assert "it is repeated" { condition = step.answer.content == "You said nothing of ${var.key}." }
}
`

// benchWithKey has a program that repeats the value on both of its outputs.
const benchWithKey = `
variable "key" {
  type      = string
  sensitive = true
}
bench "b" {
  cases = [{ id = "c", input = { n = 1 } }]
  sut {
    command = ["sh", "-c", "echo \"said $KEY\" >&2; echo \"{\\\"key\\\": \\\"$KEY\\\"}\""]
    env     = { KEY = var.key }
  }
  rubric { passed = output.key == "something else" }
}
`

// disguises are the value and what may be made of it on the way.
func disguises() [][]byte {
	var all [][]byte
	for _, text := range []string{
		canary, hex.EncodeToString([]byte(canary)), strings.ToUpper(hex.EncodeToString([]byte(canary))), url.QueryEscape(canary), strings.ReplaceAll(canary, "/", `\/`),
	} {
		all = append(all, []byte(text))
	}
	// What Base64 makes of a text depends on what stands before and behind it. Of the three
	// ways in which it may begin, all but the first and the last letters are the text's own.
	for before := range 3 {
		for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			text := encoding.EncodeToString([]byte(strings.Repeat("x", before) + canary))
			all = append(all, []byte(text[4:len(text)-4]))
		}
	}
	return all
}

// Shows that a value is found whatever it was made of, and wherever it stands.
func TestDisguises(t *testing.T) {
	for before := range 4 {
		for behind := range 4 {
			text := []byte(strings.Repeat("a", before) + canary + strings.Repeat("b", behind))
			for name, data := range map[string]string{
				"as it is": string(text), "Base64": base64.StdEncoding.EncodeToString(text), "Base64 of addresses": base64.URLEncoding.EncodeToString(text),
				"hex": hex.EncodeToString(text), "HEX": fmt.Sprintf("%X", text), "an address": url.QueryEscape(string(text)), "JSON": strings.ReplaceAll(string(text), "/", `\/`),
			} {
				if !slices.ContainsFunc(disguises(), func(d []byte) bool { return strings.Contains(data, string(d)) }) {
					t.Errorf("%s, behind %d letters, is not found in %s", name, before, data)
				}
			}
		}
	}
	other := []byte(strings.Repeat("another value of a variable", 3))
	for _, data := range []string{string(other), base64.StdEncoding.EncodeToString(other), hex.EncodeToString(other)} {
		if slices.ContainsFunc(disguises(), func(d []byte) bool { return strings.Contains(data, string(d)) }) {
			t.Errorf("%s has the value", data)
		}
	}
}

// leaks reports whether something has the value.
func leaks(t *testing.T, what string, data []byte) {
	t.Helper()
	for _, d := range disguises() {
		if bytes.Contains(data, d) {
			t.Errorf("%s has the value: %.300q", what, data[bytes.Index(data, d):])
		}
	}
}

// Shows that the value of a sensitive variable is in no message of the queue, no bundle,
// no report, nothing that is said, and no file of the server or a worker. In short, 10
// runs, otherwise 100.
func TestSensitiveValueStays(t *testing.T) {
	t.Setenv("SCENARIO_VAR_key", canary) // for processes
	store, state := t.TempDir(), t.TempDir()
	address := started(t, &server.Options{Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: store, NoSigs: true, NoLog: true})
	dir := folder(t, map[string]string{"a.scenario.hcl": withKey, "bench/b.scenario.hcl": benchWithKey})
	worker := process(t, "worker", "--queue", address, "--state", state, "--parallel", "2")
	var flags []string
	for _, f := range report.Formats() {
		flags = append(flags, "--report", f.Name+"=out."+f.Name)
	}
	runs := 100
	if testing.Short() {
		runs = 10
	}
	for i := range runs {
		args := append([]string{"submit", "--queue", address, "--var", fmt.Sprintf("word=w%d", i), "a.scenario.hcl"}, flags...)
		want := 1
		if i%3 == 2 {
			want = 0
			args = append([]string{"submit", "--queue", address, "bench"}, flags...)
		}
		code, out, errs := called(t, map[string]string{"SCENARIO_VAR_key": canary}, args...)
		if code != want {
			t.Fatalf("exit code %d\n%s%s", code, out, errs)
		}
		leaks(t, "what is printed", []byte(out+errs))
	}
	leaks(t, "what the worker says", []byte(worker.Stderr.(*output).String()))
	for _, root := range []string{store, state, dir} {
		if err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			leaks(t, path, data)
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	messages, bundles := readAll(t, address)
	if messages < 3*runs || bundles < 2 {
		t.Errorf("%d messages and %d bundles were looked at", messages, bundles)
	}
}

// readAll looks at every message of a queue, and unpacks the bundles.
func readAll(t *testing.T, address string) (messages, bundles int) {
	t.Helper()
	ctx := context.Background()
	q, err := queue.Open(queue.Address{URL: address})
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	names := q.JS.StreamNames(ctx)
	for name := range names.Name() {
		s, err := q.JS.Stream(ctx, name)
		if err != nil {
			t.Fatal(err)
		}
		for seq := s.CachedInfo().State.FirstSeq; seq <= s.CachedInfo().State.LastSeq; seq++ {
			if m, err := s.GetMsg(ctx, seq); err == nil {
				messages++
				leaks(t, "a message of "+name, fmt.Append(m.Data, m.Header, m.Subject))
			}
		}
	}
	store, err := q.Bundles(ctx)
	if err != nil {
		t.Fatal(err)
	}
	objects, err := store.List(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range objects {
		data, err := work.Fetch(ctx, q, store, o.Name, o.Name)
		if err != nil {
			t.Fatal(err)
		}
		leaks(t, "the object "+o.Name, data)
		if strings.HasPrefix(o.Name, job.UnitsObject("")) {
			continue
		}
		bundles++
		dir := filepath.Join(t.TempDir(), o.Name)
		if err := bundle.Unpack(data, o.Name, dir); err != nil {
			t.Fatal(err)
		}
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				text, _ := os.ReadFile(path)
				leaks(t, "a bundle's "+path, text)
			}
			return err
		})
	}
	return messages, bundles
}

// Shows that what flags name stays on this machine, wherever it lies, and what has a name
// that begins with a dot, and that everything else in the directory of a bench travels.
// Flags are those of the commands: one more that takes a file is among them.
func TestFilesOfFlagsStay(t *testing.T) {
	values := map[string]string{"queue-ca": "ca.pem", "creds": "queue.creds", "var-file": "my=secret.vars.hcl", "report": "merge=old.jsonl", "trace-out": "otlp=traces.json"}
	placeholders := map[string]bool{"file": true, "kind=path": true}
	for _, name := range []string{"", "N", "NAME", "directory", "address", "duration", "expression", "name=value", "string", "tag", "tags", "int", "uint"} {
		placeholders[name] = false
	}
	for _, command := range []string{"run", "submit"} {
		a := &cli.App{Stdout: io.Discard, Stderr: io.Discard, Env: func(string) (string, bool) { return "", false }}
		cmd, _, err := root(a).Find([]string{command})
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			takes, _ := pflag.UnquoteUsage(f)
			isPath, known := placeholders[takes]
			if !known {
				t.Errorf("%s --%s takes a %q: is that a path? Say so in pathsOf, too", command, f.Name, takes)
			}
			if !isPath {
				return
			}
			value := values[f.Name]
			if value == "" {
				t.Errorf("%s --%s takes a %s: what is it called here?", command, f.Name, takes)
				return
			}
			if err := f.Value.Set(value); err != nil {
				t.Fatal(err)
			}
			want = append(want, value)
			if _, behind, found := strings.Cut(value, "="); found {
				want = append(want, behind)
			}
		})
		dir := folder(t, nil)
		for i, path := range want {
			want[i] = filepath.Join(dir, path)
		}
		if got := pathsOf(cmd.Flags()); !slices.Equal(got, want) {
			t.Errorf("%s: %q stay, want %q", command, got, want)
		}
	}
	const dependent = "depends_on = [\"sut.sh\"]\n    command"
	for name, program := range map[string]string{"depends_on": dependent, "everything": "command"} {
		t.Run(name, func(t *testing.T) {
			all := benchWith("", "echo '{}'")
			all["b.scenario.hcl"] = strings.Replace(all["b.scenario.hcl"], "command", program, 1)
			for _, path := range []string{"my=secret.vars.hcl", "old.jsonl", ".env", "state/queue.bin", "prompt.txt", "lib/.token", "lib/a.txt"} {
				all[path] = "" // my=secret.vars.hcl sets nothing
			}
			dir, url := folder(t, all), local(t)
			if code, _, errs := called(t, nil, "submit", "--detach", "--queue", url, "--var-file", "my=secret.vars.hcl"); code != 0 {
				t.Fatal(errs)
			}
			names := bundled(t, url, dir)
			for path, travels := range map[string]bool{"b.scenario.hcl": true, "sut.sh": true, "prompt.txt": name == "everything", "lib/a.txt": name == "everything", "my=secret.vars.hcl": false, ".env": false, "lib/.token": false} {
				if slices.Contains(names, path) != travels {
					t.Errorf("that %s travels is %v: %q", path, !travels, names)
				}
			}
		})
	}
	t.Run("named by both", func(t *testing.T) {
		all := benchWith("", "echo '{}'")
		all["b.scenario.hcl"] = strings.Replace(all["b.scenario.hcl"], "command", "depends_on = [\"my=secret.vars.hcl\"]\n    command", 1)
		all["my=secret.vars.hcl"] = ""
		folder(t, all)
		if code, _, errs := called(t, nil, "submit", "--detach", "--queue", local(t), "--var-file", "my=secret.vars.hcl"); code != 2 || !strings.Contains(errs, "my=secret.vars.hcl is named by a flag") {
			t.Errorf("exit code %d\n%s", code, errs)
		}
	})
}

// bundled are the files of the only bundle of a queue that lie below a directory.
func bundled(t *testing.T, address, below string) (names []string) {
	t.Helper()
	ctx := context.Background()
	q, err := queue.Open(queue.Address{URL: address})
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	store, err := q.Bundles(ctx)
	if err != nil {
		t.Fatal(err)
	}
	objects, err := store.List(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range objects {
		if strings.HasPrefix(o.Name, job.UnitsObject("")) {
			continue
		}
		data, err := work.Fetch(ctx, q, store, o.Name, o.Name)
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(t.TempDir(), o.Name)
		if err := bundle.Unpack(data, o.Name, dir); err != nil {
			t.Fatal(err)
		}
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if _, rel, found := strings.Cut(filepath.ToSlash(path), filepath.ToSlash(below)+"/"); err == nil && !d.IsDir() && found {
				names = append(names, rel)
			}
			return err
		})
	}
	return names
}
