package repocheck

import (
	"fmt"
	"maps"
	"slices"
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

// A package of more files or lines than these, tests aside, does more than one
// job, or its parts can be told from each other no more.
const (
	packageFiles = 40
	packageLines = 8000
)

// checkPackageSize finds the packages beyond the limits.
func checkPackageSize(files []*file) []string {
	count, lines := map[string]int{}, map[string]int{}
	for _, f := range files {
		if f.AST != nil && !f.IsTest() {
			count[f.Dir()]++
			lines[f.Dir()] += strings.Count(f.Text, "\n")
		}
	}
	var found []string
	for _, dir := range slices.Sorted(maps.Keys(count)) {
		if count[dir] > packageFiles || lines[dir] > packageLines {
			found = append(found, fmt.Sprintf("package %s: %d files and %d lines, at most %d and %d: find the part that is a job of its own and make it a package below", dir, count[dir], lines[dir], packageFiles, packageLines))
		}
	}
	return found
}

// Shows that every package is one that a reader can know.
func TestPackageSize(t *testing.T) {
	report(t, checkPackageSize(goFiles(t)))
}

// Shows that both limits are inclusive, and that tests and other packages do not
// count.
func TestPackageSizeFindsOffenders(t *testing.T) {
	files := func(n int, suffix, text string) []*file {
		var list []*file
		for i := range n {
			list = append(list, source(t, fmt.Sprintf("x/f%d%s", i, suffix), "package x\n"+text))
		}
		return list
	}
	full, lines := files(packageFiles, ".go", ""), strings.Repeat("\n", packageLines/packageFiles-1)
	more := append(slices.Clone(full), source(t, "x/more.go", "package x\n"))
	for _, c := range []struct {
		name  string
		files []*file
		want  string
	}{
		{"as many files as may be", full, ""},
		{"a file more", more, "package x: 41 files and 41 lines"},
		{"a test more", append(slices.Clone(full), files(3, "_test.go", "")...), ""},
		{"a file of another package", append(slices.Clone(full), source(t, "x/y/z.go", "package y\n")), ""},
		{"as many lines as may be", files(packageFiles, ".go", lines), ""},
		{"a line more", append(files(packageFiles-1, ".go", lines), source(t, "x/z.go", "package x\n\n"+lines)), "package x: 40 files and 8001 lines"},
	} {
		t.Run(c.name, func(t *testing.T) { expect(t, checkPackageSize(c.files), c.want) })
	}
}
