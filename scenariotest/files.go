package scenariotest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/scenario-lang/scenario"
	"github.com/scenario-lang/scenario/dsl"
)

// loaded are the files that were compiled with no options, by path.
var loaded sync.Map

// load compiles a file, once in a process where nothing else is asked for.
func load(t testing.TB, path string, o *options) *scenario.Suite {
	t.Helper()
	root, err := rootOf(path)
	if err != nil {
		t.Fatal(err)
	}
	return loadIn(t, root, path, o)
}

// loadIn is load with the root of the suite.
func loadIn(t testing.TB, root, path string, o *options) *scenario.Suite {
	t.Helper()
	name, err := below(root, path)
	if err != nil {
		t.Fatal(err)
	}
	key := filepath.Join(root, name)
	if known, ok := loaded.Load(key); ok && len(o.load) == 0 {
		return known.(*scenario.Suite)
	}
	suite, err := scenario.Load(os.DirFS(root), filepath.ToSlash(name), o.load...)
	if errors.Is(err, fs.ErrNotExist) && !exists(key) {
		t.Fatal(missing(path))
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(o.load) == 0 {
		loaded.Store(key, suite)
	}
	return suite
}

// rootOf is the root of the suite of a path: the nearest parent with go.mod or .git, else
// the working directory where the path lies in it, else the directory of the path.
func rootOf(path string) (string, error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	for dir := filepath.Dir(full); ; dir = filepath.Dir(dir) {
		if exists(filepath.Join(dir, "go.mod")) || exists(filepath.Join(dir, ".git")) {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	if name, err := filepath.Rel(here, full); err == nil && filepath.IsLocal(name) {
		return here, nil
	}
	return filepath.Dir(full), nil
}

// below is the name that a path has below a root.
func below(root, path string) (string, error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.Rel(root, full)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// missing says where a file was looked for that is not there, and where one of its name is.
func missing(path string) string {
	full, _ := filepath.Abs(path)
	dir, base := filepath.Dir(path), filepath.Base(path)
	text := fmt.Sprintf("there is no file or directory %s in %s\nhint: ", base, filepath.Dir(full))
	for _, other := range []string{filepath.Join("testdata", base), filepath.Join("..", base), filepath.Join("..", "testdata", base), base} {
		if exists(other) {
			return text + "did you mean " + filepath.ToSlash(other) + "?"
		}
	}
	var siblings []string
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		siblings = append(siblings, e.Name())
	}
	if meant := dsl.Suggest(base, siblings); meant != "" {
		return text + "did you mean " + filepath.ToSlash(filepath.Join(dir, meant)) + "?"
	}
	return text + "a path is one from the directory of the test's package"
}

// noScenario says that a file has no scenario of a name, and which it has.
func noScenario(path, name string, suite *scenario.Suite) string {
	var names, quoted []string
	for _, sc := range suite.Scenarios() {
		names, quoted = append(names, sc.Name()), append(quoted, fmt.Sprintf("%q", sc.Name()))
	}
	return fmt.Sprintf("%s has no scenario %q.%s\nit has: %s", path, name, dsl.DidYouMean(name, names), strings.Join(quoted, ", "))
}
