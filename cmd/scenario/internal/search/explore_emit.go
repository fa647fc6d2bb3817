package search

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/internal/explore"
	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
)

// emit writes the finds of a report that nobody knew as scenario files, each of which
// fails when it is run. What cannot be written says why, and the first error is
// returned: the others are tried all the same.
func (x *exploration) emit(r *explore.Report, j harness.Job) error {
	if x.flags.emit == "" {
		return nil
	}
	var failed error
	for _, f := range r.Finds {
		if f.Known {
			continue
		}
		if err := x.emitOne(r, j, f); err != nil {
			f.Unwritten = err.Error()
			if failed == nil {
				failed = err
			}
		}
	}
	return failed
}

// emitOne writes a find, or notes why no file can be written of it.
func (x *exploration) emitOne(r *explore.Report, j harness.Job, f *explore.Find) error {
	path := x.emitted.unused(f.Name)
	x.emitted.taken(path)
	imported, err := importOf(path, j.Plan.File)
	if err != nil {
		return err
	}
	text, err := explore.Emit(r.World, f, j.Source, imported)
	if err != nil {
		f.Unwritten = err.Error()
		return nil
	}
	if err := os.MkdirAll(x.flags.emit, 0o777); err != nil {
		return cli.ExitAs(cli.ExitInternal, "cannot write the find: "+err.Error(), "")
	}
	if err := disk.Write(path, dsl.Format(text), 0o666); err != nil {
		return cli.ExitAs(cli.ExitInternal, "cannot write the find: "+err.Error(), "")
	}
	if why := x.shows(path, f); why != "" {
		return cli.ExitAs(cli.ExitInternal, fmt.Sprintf("%s does not show the find: %s", filepath.ToSlash(path), why), "please report it, with the file that was explored")
	}
	f.Emitted = filepath.ToSlash(path)
	return nil
}

// checkEmit refuses a place for finds that is no directory and cannot become one, before
// anything is searched for.
func (f *exploreFlags) checkEmit() error {
	for dir := f.emit; dir != ""; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		switch {
		case err == nil && info.IsDir():
			return f.writable(dir)
		case err == nil && strings.HasSuffix(f.emit, suite.Suffix):
			return cli.Usagef("give it one, for example --emit found "+f.emit, "--emit takes the directory that finds are written into, and %s is a file", f.emit)
		case err == nil:
			return cli.Usagef("for example --emit found", "--emit takes the directory that finds are written into, and %s is a file", dir)
		}
		if dir == filepath.Dir(dir) {
			break
		}
		if !filepath.IsAbs(dir) && filepath.Dir(dir) == "." {
			return f.writable(".")
		}
	}
	return nil
}

// writable refuses a directory in which nothing can be made. A directory is made and removed:
// nothing else tells what all systems allow.
func (f *exploreFlags) writable(dir string) error {
	probe, err := os.MkdirTemp(dir, ".scenario-*")
	if err == nil {
		err = os.Remove(probe)
	}
	if err != nil {
		return cli.Usagef("for example --emit found", "--emit %s cannot be written: %s", filepath.ToSlash(f.emit), disk.Cause(err))
	}
	return nil
}

// emittedFiles are the files that one call of a command writes into a directory.
type emittedFiles struct {
	dir string
	// mark begins each of them.
	mark string
	used map[string]bool
}

var notInNames = pattern.New(`[^a-z0-9]+`)

// unused is the path of a file of a name, which no other one has that was written, and
// no file that somebody else wrote.
func (e *emittedFiles) unused(name string) string {
	name = strings.Trim(notInNames().ReplaceAllString(strings.ToLower(name), "-"), "-")
	name = strings.Trim(name[:min(len(name), 60)], "-")
	for n := 1; ; n++ {
		path := filepath.Join(e.dir, name+suite.Suffix)
		if n > 1 {
			path = filepath.Join(e.dir, fmt.Sprintf("%s-%d%s", name, n, suite.Suffix))
		}
		if !e.used[path] && !e.foreign(path) {
			return path
		}
	}
}

// taken notes that a file was written.
func (e *emittedFiles) taken(path string) {
	if e.used == nil {
		e.used = map[string]bool{}
	}
	e.used[path] = true
}

// foreign reports whether there is a file that the command did not write.
func (e *emittedFiles) foreign(path string) bool {
	if _, err := os.Lstat(path); err != nil {
		return false // what else is wrong with the place, writing says
	}
	f, err := disk.Open(path)
	if err != nil {
		return true
	}
	defer f.Close()
	head := make([]byte, len(e.mark))
	n, _ := io.ReadFull(f, head)
	return string(head[:n]) != e.mark
}

// importOf is how a file imports another.
func importOf(from, to string) (string, error) {
	dir, err := filepath.Abs(filepath.Dir(from))
	if err != nil {
		return "", err
	}
	file, err := filepath.Abs(to)
	if err != nil {
		return "", err
	}
	path, err := filepath.Rel(dir, file)
	if err != nil {
		return "", err
	}
	if path = filepath.ToSlash(path); !strings.HasPrefix(path, "../") {
		path = "./" + path
	}
	return path, nil
}

// shows runs a file that was written, and says why it does not show its find.
func (x *exploration) shows(path string, f *explore.Find) string {
	l := harness.NewLoader(x.App)
	defer l.Close()
	l.Vars, l.Environment = x.vars, x.flags.variables.Environment
	file := l.Load(path)
	if file.Failed() {
		return strings.TrimSpace(file.Diags.Error() + file.Crash)
	}
	for _, p := range file.Plans {
		r := x.world(p, x.halt.C, x.halt.C).Run(nil, 0)
		if slices.ContainsFunc(r.Problems, func(p interp.Problem) bool { return f.Is(&p) }) {
			return ""
		}
	}
	return "nothing of that name fails in it"
}
