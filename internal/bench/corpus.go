package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
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
