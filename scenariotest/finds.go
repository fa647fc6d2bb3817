package scenariotest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/internal/explore"
	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/internal/searched"
	"github.com/scenario-lang/scenario/interp"
)

const (
	suffix = ".scenario.hcl"
	// fileMax bounds what is read of a file, in bytes.
	fileMax = 64 << 20
)

// A home is where finds are kept: in the directory of the test, or beside a file that lies
// in a suite of its own, from which nothing else can import it.
type home struct {
	root string // of the suite
	dir  string // as the test writes it, "" for the test's own
}

// homeOf is the home of the finds of a file or directory.
func homeOf(path string) (home, error) {
	root, err := rootOf(path)
	if err != nil {
		return home{}, err
	}
	own, err := rootOf(findsOf("Test"))
	if err != nil || own == root {
		return home{root: root}, err
	}
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		path = filepath.Dir(path)
	}
	return home{root, path}, nil
}

// of is the directory of the finds of a test.
func (h home) of(test string) string { return filepath.Join(h.dir, findsOf(test)) }

// findsOf is that directory from the home.
func findsOf(test string) string {
	return filepath.Join("testdata", "explore", filepath.FromSlash(strings.ReplaceAll(test, ":", "_")))
}

// replay runs the files of finds, each as a subtest, and returns those that fail.
func (p program) replay(t *testing.T, at home, o *options) map[string]bool {
	t.Helper()
	failing := map[string]bool{}
	files, _ := filepath.Glob(filepath.Join(at.of(t.Name()), "*"+suffix))
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), suffix), func(t *testing.T) {
			t.Helper()
			for _, sc := range loadIn(t, at.root, file, &options{load: o.load}).Scenarios() {
				if why := sc.CanDrive(); why != "" {
					t.Fatal(why)
				}
				result, _ := p.play(t, sc, &searched.Run{})
				for i := range result.Problems {
					b := &result.Problems[i]
					t.Errorf("%s %s: %s", b.Kind, b.Name, explore.MessageOf(b))
				}
			}
			failing[file] = t.Failed()
		})
	}
	return failing
}

// known reports whether the file of a find fails already, which fails the test whatever
// else breaks the same.
func (x *exploration) known(oracle, name, _ string) bool {
	return x.failing[x.fileOf(&explore.Find{Oracle: oracle, Name: name})]
}

var notInNames = pattern.New(`[^a-z0-9]+`)

// fileOf is the file of a find.
func (x *exploration) fileOf(f *explore.Find) string {
	name := strings.Trim(notInNames().ReplaceAllString(strings.ToLower(f.Name), "-"), "-")
	name = strings.Trim(name[:min(len(name), 60)], "-")
	if name == "" {
		name = f.Oracle
	}
	return filepath.Join(x.dir, name+suffix)
}

// write makes a scenario of a find, and returns what there is to say of it: the text,
// where it is not written.
func (x *exploration) write(f *explore.Find) string {
	path := x.fileOf(f)
	text, err := x.scenarioOf(f, path)
	if err != nil {
		f.Unwritten = err.Error()
		return ""
	}
	if !x.options.write {
		return fmt.Sprintf("\n%s, which -scenario.update writes:\n%s", filepath.ToSlash(path), text)
	}
	if foreign(path) {
		f.Unwritten = filepath.ToSlash(path) + " is there already, and no exploration wrote it"
		return ""
	}
	if err := os.MkdirAll(x.dir, 0o777); err == nil {
		err = disk.Write(path, text, 0o666)
		if err != nil {
			f.Unwritten = err.Error()
			return ""
		}
	}
	f.Emitted = filepath.ToSlash(path)
	return ""
}

// foreign reports whether there is a file that no exploration wrote.
func foreign(path string) bool {
	text, err := disk.Read(path, fileMax)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	return !strings.HasPrefix(string(text), explore.Mark)
}

// scenarioOf is a find as a scenario that was seen to fail as it does.
func (x *exploration) scenarioOf(f *explore.Find, path string) ([]byte, error) {
	root := x.home.root
	name, err := below(root, path)
	if err != nil {
		return nil, err
	}
	source, err := disk.Read(filepath.Join(root, filepath.FromSlash(x.world.File)), fileMax)
	if err != nil {
		return nil, err
	}
	imported, err := filepath.Rel(filepath.Dir(name), filepath.FromSlash(x.world.File))
	if err != nil {
		return nil, err
	}
	if imported = filepath.ToSlash(imported); !strings.HasPrefix(imported, "../") {
		imported = "./" + imported
	}
	text, err := explore.Emit(x.world, f, source, imported)
	if err != nil {
		return nil, err
	}
	text = dsl.Format(text)
	name = filepath.ToSlash(name)
	suite, err := scenario.Load(os.DirFS(root), name, append(slices.Clone(x.options.load), scenario.File(name, string(text)))...)
	if err != nil {
		return nil, fmt.Errorf("the scenario that shows it is not valid: %w", err)
	}
	result, _ := x.f.play(x.t, suite.Scenarios()[0], &searched.Run{})
	if !slices.ContainsFunc(result.Problems, func(p interp.Problem) bool { return f.Is(&p) }) {
		return nil, errors.New("a scenario with the same faults does not show it")
	}
	return text, nil
}
