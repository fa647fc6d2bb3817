package repocheck

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// part is the top-level directory of a package, which stands for a layer; what
// lies in internal/ or cmd/ is a part by itself.
func part(dir string) string {
	first, rest, _ := strings.Cut(dir, "/")
	if first == "internal" || first == "cmd" {
		second, _, _ := strings.Cut(rest, "/")
		return first + "/" + second
	}
	return first
}

// checkDirections finds the circles among the top-level directories: imports
// that run upwards, though no package imports itself that way. A circle is
// reported by one import of each of its steps.
func checkDirections(files []*file) []string {
	imports := map[string]map[string]string{} // the place of one import by both ends
	for _, f := range files {
		if f.AST == nil || f.IsTest() {
			continue
		}
		for _, spec := range f.AST.Imports {
			name, _ := strconv.Unquote(spec.Path.Value)
			dir, local := strings.CutPrefix(name, modulePath+"/")
			from, to := part(f.Dir()), part(dir)
			if !local || from == to {
				continue
			}
			if imports[from] == nil {
				imports[from] = map[string]string{}
			}
			imports[from][to] = f.at(spec.Pos(), "imports %s", dir)
		}
	}
	done := map[string]bool{}
	var found, path []string
	var visit func(string)
	visit = func(p string) {
		if i := slices.Index(path, p); i >= 0 {
			var steps []string
			for n := i; n < len(path); n++ {
				to := p
				if n+1 < len(path) {
					to = path[n+1]
				}
				steps = append(steps, imports[path[n]][to])
			}
			found = append(found, "imports between top-level directories run in a circle: "+strings.Join(steps, "; "))
			return
		}
		if done[p] {
			return
		}
		path = append(path, p)
		for _, to := range slices.Sorted(maps.Keys(imports[p])) {
			visit(to)
		}
		path, done[p] = path[:len(path)-1], true
	}
	for _, p := range slices.Sorted(maps.Keys(imports)) {
		visit(p)
	}
	return found
}

// Shows that the top-level directories are layers: no import runs upwards from
// one to another, not even between packages that have no circle themselves.
func TestDirections(t *testing.T) {
	report(t, checkDirections(goFiles(t)))
}

// Shows that a circle of two and of three directories is found, and that tests
// and packages of internal/ make none.
func TestDirectionsFindOffenders(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string // the package that a file imports
		want  string
	}{
		{"downwards", map[string]string{"b/x.go": "a", "c/x.go": "b", "c/y.go": "a"}, ""},
		{"a package below", map[string]string{"faults/x.go": "dsl/schema", "dsl/x.go": "faults"}, "dsl/x.go:3: imports faults; faults/x.go:3: imports dsl/schema"},
		{"three", map[string]string{"a/x.go": "b/deep", "b/other/x.go": "c", "c/x.go": "a"}, "in a circle"},
		{"within one", map[string]string{"a/x/x.go": "a/y", "a/y/z.go": "a/x"}, ""},
		{"a test", map[string]string{"a/x_test.go": "b", "b/x.go": "a"}, ""},
		{"internal", map[string]string{"internal/low/x.go": "wire", "dsl/x.go": "internal/disk", "internal/lsp/x.go": "dsl"}, ""},
		{"internal, upwards", map[string]string{"dsl/x.go": "internal/lsp", "internal/lsp/x.go": "dsl"}, "in a circle"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var files []*file
			for _, name := range slices.Sorted(maps.Keys(c.files)) {
				files = append(files, source(t, name, "package x\n\nimport _ \""+modulePath+"/"+c.files[name]+"\"\n"))
			}
			expect(t, checkDirections(files), c.want)
		})
	}
}
