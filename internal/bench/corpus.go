package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// typicalFile is what one file of a suite looks like: five steps, nine
// attempts, six assertions. The benchmarks of package interp read it too.
const typicalFile = "interp/testdata/typical.scenario.hcl"

// suffix is how the names of scenario files end.
const suffix = ".scenario.hcl"

// typical is a directory of n files like the typical one, made at its first
// use. Names differ from file to file, so that no cache over contents helps.
func (l *lab) typical(n int) (string, error) {
	return l.typicalWith(fmt.Sprintf("typical%d", n), n, "")
}

// importing is [lab.typical] with files that import a pack.
func (l *lab) importing(n int, pack string) (string, error) {
	return l.typicalWith(fmt.Sprintf("importing%d", n), n, fmt.Sprintf("import = [%q]\n\n", pack))
}

// typicalWith writes files that begin with a text of their own.
func (l *lab) typicalWith(name string, n int, begin string) (string, error) {
	dir := filepath.Join(l.dir, name)
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	source, err := os.ReadFile(filepath.Join(l.root, typicalFile))
	if err != nil {
		return "", err
	}
	return dir, writeFiles(dir, n, func(i int) []byte {
		return bytes.ReplaceAll(append([]byte(begin), source...), []byte(`"an answer`), fmt.Appendf(nil, `"%d. an answer`, i))
	})
}

// trivial is a directory with one file of n scenarios that do next to nothing, and pass.
func (l *lab) trivial(n int) (string, error) { return l.trivialWith("trivial", n, 1) }

// failing is a directory with one file of n such scenarios that fail.
func (l *lab) failing(n int) (string, error) { return l.trivialWith("failing", n, 2) }

// trivialWith writes scenarios whose check wants a number.
func (l *lab) trivialWith(name string, n, want int) (string, error) {
	dir := filepath.Join(l.dir, fmt.Sprintf("%s%d", name, n))
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, "\nscenario \"s%d\" {\n  run = workflow.w\n\n  assert \"one is one\" {\n    condition = step.one.output == %d\n  }\n}\n", i, want)
	}
	b.WriteString("\nworkflow \"w\" {\n  step \"value\" \"one\" {\n    value = 1\n  }\n}\n") // whoever looks for it walks over all
	return dir, writeFiles(dir, 1, func(int) []byte { return b.Bytes() })
}

// listed is a text for each number below n.
func listed(n int, text func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(text(i))
	}
	return b.String()
}

const oneProvider = "provider \"http\" \"a\" {\n  base_url = \"https://a.example\"\n}\n"

// withSteps is the text of a workflow with steps that ask for a path of their own.
func withSteps(n int) string {
	return oneProvider + "workflow \"w\" {\n  provider = provider.a\n" + listed(n, func(i int) string {
		return fmt.Sprintf("  step \"http\" \"s%d\" {\n    path = \"/p%[1]d\"\n  }\n", i)
	}) + "}\n"
}

const oneReply = " {\n    reply {\n      json = { v = 1 }\n    }\n  }\n"

// What one file has many of. All of it passes.

func manySteps(n int) string {
	return withSteps(n) + "scenario \"s\" {\n  run = workflow.w\n" + listed(n, func(i int) string {
		return fmt.Sprintf("  on \"s%d\"%s  assert \"x%[1]d\" {\n    condition = step.s%[1]d.json.v == 1\n  }\n", i, oneReply)
	}) + "}\n"
}

func manyChecks(n int) string {
	return withSteps(1) + "scenario \"s\" {\n  run = workflow.w\n  on \"s0\"" + oneReply + listed(n, func(i int) string {
		condition := fmt.Sprintf("step.s0.json.v < %d", i+2)
		if i%2 == 1 {
			condition = fmt.Sprintf("!strcontains(step.s0.attempts[0].request.url, \"x%d\")", i)
		}
		return fmt.Sprintf("  assert \"x%d\" {\n    condition = %s\n  }\n", i, condition)
	}) + "}\n"
}

func manyReplies(n int) string {
	return oneProvider + fmt.Sprintf("workflow \"w\" {\n  provider = provider.a\n  step \"loop\" \"l\" {\n    while          = loop.index < %d\n    max_iterations = %[1]d\n    step \"http\" \"s\" {\n      path = \"/x\"\n    }\n  }\n}\n", n) +
		"scenario \"s\" {\n  run = workflow.w\n  on \"l.s\" {\n" + listed(n, func(i int) string {
		return fmt.Sprintf("    reply {\n      json = { v = %d }\n    }\n", i)
	}) + fmt.Sprintf("  }\n  expect \"l\" {\n    iterations = %d\n  }\n}\n", n)
}

func manyWorkflows(n int) string {
	return oneProvider + listed(n, func(i int) string {
		return fmt.Sprintf("workflow \"w%d\" {\n  provider = provider.a\n  step \"http\" \"s\" {\n    path = \"/x\"\n  }\n}\nscenario \"s%[1]d\" {\n  run = workflow.w%[1]d\n  on \"s\"%s  expect \"run\" {\n    status = \"success\"\n  }\n}\n", i, oneReply)
	})
}

// searched is a directory with one file whose search makes thousands of runs and finds nothing.
func (l *lab) searched() (string, error) {
	dir := filepath.Join(l.dir, "searched")
	step := func(name, more string) string {
		return fmt.Sprintf("  step \"http\" %q {\n    path    = \"/%[1]s\"\n    retry   = retry.r\n    timeout = \"60s\"\n%s  }\n", name, more)
	}
	text := oneProvider + "retry \"exponential\" \"r\" {\n  max_retries = 3\n}\nworkflow \"w\" {\n  provider = provider.a\n" + step("look", "") + step("take", "    depends_on = [step.look]\n") + `}
invariant "attempts are few" {
  condition = length(step.look.attempts) + length(step.take.attempts) <= 8
}
invariant "success has an answer" {
  condition = step.take.status != "success" || step.take.json.v == 1
}
invariant "nothing is taken before it was seen" {
  condition = length(step.take.attempts) == 0 || step.look.status == "success"
}
scenario "s" {
  run = workflow.w
  on "look"` + oneReply + `  on "take"` + oneReply + `  expect "run" {
    status = "success"
  }
}
`
	return dir, writeFiles(dir, 1, func(int) []byte { return []byte(text) })
}

// empty is a directory without a scenario.
func (l *lab) empty() (string, error) {
	dir := filepath.Join(l.dir, "empty")
	return dir, writeFiles(dir, 0, nil)
}

func writeFiles(dir string, n int, content func(i int) []byte) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for i := range n {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%05d%s", i, suffix)), content(i), 0o644); err != nil {
			return err
		}
	}
	return nil
}
