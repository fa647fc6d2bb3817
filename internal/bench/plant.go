package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// buildOfTree builds the tree as it is, or with a function that wastes time, to show that
// a comparison finds it. What to plant is FILE:FUNCTION:ROUNDS, as in
// interp/internal/engine/run.go:Run:100000, or ""; the tree itself stays as it is.
func (l *lab) buildOfTree(what string) (build, error) {
	dir := filepath.Join(l.dir, "now")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return build{}, err
	}
	if what == "" {
		return l.buildIn(dir, false)
	}
	parts := strings.Split(what, ":")
	if len(parts) != 3 {
		return build{}, fmt.Errorf("what is planted is FILE:FUNCTION:ROUNDS, not %q", what)
	}
	path := filepath.Join(l.root, parts[0])
	source, err := os.ReadFile(path)
	if err != nil {
		return build{}, err
	}
	wasteful, err := wasting(string(source), parts[1], parts[2])
	if err != nil {
		return build{}, fmt.Errorf("%s: %w", parts[0], err)
	}
	changed, overlay := filepath.Join(l.dir, "planted.go"), filepath.Join(l.dir, "overlay.json")
	if err := os.WriteFile(changed, []byte(wasteful), 0o644); err != nil {
		return build{}, err
	}
	text, err := json.Marshal(map[string]map[string]string{"Replace": {path: changed}})
	if err != nil {
		return build{}, err
	}
	if err := os.WriteFile(overlay, text, 0o644); err != nil {
		return build{}, err
	}
	return l.buildIn(dir, false, "-overlay", overlay)
}

// wasting is a source in which a function begins with a loop that does nothing of
// use, but cannot be left out.
func wasting(source, function, rounds string) (string, error) {
	from := strings.Index(source, "func "+function+"(")
	if from < 0 {
		from = strings.Index(source, ") "+function+"(")
	}
	if from < 0 {
		return "", fmt.Errorf("it has no function %s", function)
	}
	open := strings.Index(source[from:], " {\n")
	if open < 0 {
		return "", fmt.Errorf("function %s has no body of several lines", function)
	}
	at := from + open + len(" {\n")
	return source[:at] + "\tfor i, x := 0, uint64(1); i < " + rounds + "; i++ {\n\t\tx ^= x << 13\n\t\tx ^= x >> 7\n\t\tx ^= x << 17\n\t\twasted = x\n\t}\n" +
		source[at:] + "\nvar wasted uint64\n", nil
}
