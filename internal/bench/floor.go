package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// floor builds the program that start-up is held against: it links every package
// of other modules that the command links, and prints a line.
func (l *lab) floor() (command, error) {
	binary := filepath.Join(l.dir, "floor")
	if _, err := os.Stat(binary); err == nil {
		return command{args: []string{binary}}, nil
	}
	list := exec.Command("go", "list", "-deps", "-f", "{{if and .Module (not .Module.Main)}}{{.ImportPath}}{{end}}", "./cmd/scenario")
	list.Dir = l.root
	out, err := list.Output()
	if err != nil {
		return command{}, fmt.Errorf("%s: %w", list, err)
	}
	var text bytes.Buffer
	text.WriteString("package main\n\nimport (\n\t\"fmt\"\n")
	for path := range strings.FieldsSeq(string(out)) {
		// What is internal comes with the packages that may import it.
		if !strings.Contains("/"+path+"/", "/internal/") {
			fmt.Fprintf(&text, "\t_ %q\n", path)
		}
	}
	text.WriteString(")\n\nfunc main() { fmt.Println(\"floor\") }\n")
	file := filepath.Join(l.dir, "floor.go")
	if err := os.WriteFile(file, text.Bytes(), 0o644); err != nil {
		return command{}, err
	}
	return command{args: []string{binary}}, l.build("build", "-o", binary, file)
}
