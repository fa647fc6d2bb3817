package repocheck

import (
	"fmt"
	"strings"
	"testing"
)

// lineLimit bounds a Go file: beyond it two ideas share one.
const lineLimit = 700

func checkSize(f *file) []string {
	if f.AST == nil {
		return nil
	}
	if n := strings.Count(f.Text, "\n"); n > lineLimit {
		return []string{fmt.Sprintf("%s: %d lines, at most %d: split it by idea", f.Path, n, lineLimit)}
	}
	return nil
}

// Shows that no Go file holds more than can be read at one sitting.
func TestFileSize(t *testing.T) {
	for _, f := range goFiles(t) {
		report(t, checkSize(f))
	}
}

// Shows that the limit is inclusive and that one line more is found.
func TestFileSizeFindsOffenders(t *testing.T) {
	expect(t, checkSize(source(t, "x.go", "package x\n"+strings.Repeat("\n", lineLimit-1))), "")
	expect(t, checkSize(source(t, "x.go", "package x\n"+strings.Repeat("\n", lineLimit))), "701 lines, at most 700")
}
