package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// keptFile has the figures that the table shows as those before.
const keptFile = "internal/bench/before.json"

// kept are the medians of an earlier run.
type kept struct {
	// Of says of which commit they are, and on which machine.
	Of      string             `json:"of"`
	Figures map[string]float64 `json:"figures"`
}

// readKept reads what was kept, which is nothing where there is no file.
func (l *lab) readKept() (k kept, err error) {
	text, err := os.ReadFile(filepath.Join(l.root, keptFile))
	if errors.Is(err, fs.ErrNotExist) {
		return kept{}, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &k)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", keptFile, err)
	}
	return k, err
}

// keep writes the medians of rows, rounded to three digits. What was not measured
// this time stays as it was.
func (l *lab) keep(rows []row, before kept) error {
	if before.Figures == nil {
		before.Figures = map[string]float64{}
	}
	for _, r := range rows {
		var rounded float64
		if _, err := fmt.Sscan(fmt.Sprintf("%.3g", r.figure.Of.Median), &rounded); err != nil {
			return err
		}
		before.Figures[r.key()] = rounded
	}
	before.Of = l.commit("HEAD") + ", " + l.describe()
	text, err := json.MarshalIndent(before, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(l.root, keptFile), append(text, '\n'), 0o644)
}

// commit is the short name of a commit, or what it was asked for where git does
// not know it.
func (l *lab) commit(ref string) string {
	c := exec.Command("git", "rev-parse", "--short", ref)
	c.Dir = l.root
	out, err := c.Output()
	if err != nil {
		return ref
	}
	return strings.TrimSpace(string(out))
}
