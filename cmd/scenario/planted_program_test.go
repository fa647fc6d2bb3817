//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/report"
)

// Shows that what a program says stands in no report in clear, and is not shown: the value of a
// sensitive variable that it was given, tokens, and a private key of which only
// the end would be shown.
func TestLastWordsOfPrograms(t *testing.T) {
	t.Chdir(t.TempDir())
	const value, token = "hunter2-4fPaTPsu2Bvqo4", "ghp_yXicm3KpQ7vRt2WzL9sBnD4fHj6gTe1aUo8k"
	var key strings.Builder
	key.WriteString("-----BEGIN RSA PRIVATE KEY-----\n")
	for i := range 26 {
		key.WriteString(strings.Repeat("Qm9vayBvZiBBbmdlbHMgMTIz", 3)[i%7:] + "\n")
	}
	key.WriteString("-----END RSA PRIVATE KEY-----\n")
	files := map[string]string{
		"key": key.String(),
		"a.scenario.hcl": `variable "pw" {
  default   = "` + value + `"
  sensitive = true
}
provider "openai" "llm" {}
scenario "s" {
  sut {
    command = ["sh", "-c", "cat key >&2; echo got $PW ` + token + ` >&2; exit 3"]
    env     = { PW = var.pw }
  }
  expect "run" { status = "success" }
}
`,
	}
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"exec", "a.scenario.hcl", "--trace-out", "trace.jsonl"}
	for _, f := range report.Formats() {
		args = append(args, "--report", f.Name+"=report."+f.Name)
	}
	var out, errs strings.Builder
	if code := run(append(args, "-v"), strings.NewReader(""), &out, &errs, noEnv); code != 1 {
		t.Fatalf("exit %d", code)
	}
	for name, text := range map[string]string{"out.txt": out.String(), "errors.txt": errs.String()} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	written, err := filepath.Glob("*.*")
	if err != nil || len(written) < 10 {
		t.Fatal(written, err)
	}
	told := false
	for _, name := range written {
		if name == "a.scenario.hcl" {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		told = told || strings.Contains(string(text), "got <REDACTED")
		for _, secret := range []string{value, token, "Qm9vayBvZiBBbmdlbHMgMTIz"} {
			if strings.Contains(string(text), secret) {
				t.Errorf("%s shows %s", name, secret)
			}
		}
	}
	if !told {
		t.Error("no report tells what the program said")
	}
}
