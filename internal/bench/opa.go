package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

// opa is the command that runs n trivial tests of one file with opa.
func (l *lab) opa(binary string, n int) (command, error) {
	dir := filepath.Join(l.dir, "opa")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return command{}, err
	}
	var b bytes.Buffer
	b.WriteString("package w\n\none := 1\n")
	for i := range n {
		fmt.Fprintf(&b, "\ntest_s%d if {\n\tone == 1\n}\n", i)
	}
	file := filepath.Join(dir, "w_test.rego")
	return command{args: []string{binary, "test", file}}, os.WriteFile(file, b.Bytes(), 0o644)
}
