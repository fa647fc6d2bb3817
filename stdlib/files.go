package stdlib

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

const (
	maxFileBytes = 16 << 20
	maxFileSet   = 10_000
	maxVisited   = 200_000
)

// A Files says what `file` and `fileset` of one scenario file may read. The
// zero Files reads nothing.
type Files struct {
	// FS is the suite root. That of an os.Root follows links only as long as
	// they stay inside.
	FS fs.FS
	// Dir is the directory of the scenario file, with slashes and relative to
	// the root; paths are relative to it.
	Dir string
	// Real is the one name of a path of FS, links followed, and "" where they lead out of
	// it. With nil, what links to directories lead to is in no set of files.
	Real func(name string) string
	// texts are the files that were read, by their path: each is read once.
	texts *sync.Map
}

func fileFuncs(files Files) []Func {
	files.texts = &sync.Map{}
	return []Func{
		describe("file(path)", "The text of a file inside the suite root, by its path relative to this file. At most 16 MiB of UTF-8. Files and directories whose names begin with a dot are not read.", native(files.read, text("path")), aString, Example{`file("greeting.txt")`, `"hello\n"`}),
		describe("fileset(pattern)", "The paths of the files that match a pattern such as `cases/*.json`, sorted, relative to this file; `**` stands for any directories. Links to directories are followed inside the suite root; a file that is found without them is not listed again. Names that begin with a dot are left out.", native(files.set, text("pattern")), someTexts, Example{`fileset("cases/*.json")`, `["cases/a.json", "cases/b.json"]`}),
	}
}

// resolve turns a path as it is written into one of the root's.
func (f Files) resolve(written string) (string, error) {
	if f.FS == nil {
		return "", function.NewArgErrorf(0, "files cannot be read here")
	}
	if path.IsAbs(written) || strings.Contains(written, `\`) || strings.Contains(written, ":") {
		return "", function.NewArgErrorf(0, "must be a relative path with slashes, not %q", written)
	}
	if slices.ContainsFunc(strings.Split(written, "/"), private) {
		return "", function.NewArgErrorf(0, "%q has a name that begins with a dot: such files belong to other tools, may hold their secrets, and are not read", written)
	}
	resolved := path.Join(f.Dir, written)
	if resolved == ".." || strings.HasPrefix(resolved, "../") {
		return "", function.NewArgErrorf(0, "%q leaves the suite root, the nearest parent with .git or go.mod, else the working directory.%s", written, f.meant(written))
	}
	return resolved, nil
}

// private reports whether a name is one of those that no scenario file reads.
func private(name string) bool {
	return strings.HasPrefix(name, ".") && name != "." && name != ".."
}

func (f Files) read(args []cty.Value) (cty.Value, error) {
	written := args[0].AsString()
	name, err := f.resolve(written)
	if err != nil {
		return cty.NilVal, err
	}
	if v, known := f.texts.Load(name); known {
		return v.(cty.Value), nil
	}
	file, err := f.FS.Open(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return cty.NilVal, function.NewArgErrorf(0, "there is no file %q.%s", written, f.meant(written))
	case err != nil:
		return cty.NilVal, function.NewArgErrorf(0, "%s", reason(written, err))
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, maxFileBytes+1))
	switch {
	case err != nil:
		return cty.NilVal, function.NewArgErrorf(0, "%s", reason(written, err))
	case len(content) > maxFileBytes:
		return cty.NilVal, function.NewArgErrorf(0, "%q has more than 16 MiB", written)
	case !utf8.Valid(content):
		return cty.NilVal, function.NewArgErrorf(0, "%q is no UTF-8 text", written)
	}
	v := cty.StringVal(string(content))
	f.texts.Store(name, v)
	return v, nil
}

// meant asks after the file that was probably meant, "" where there is none.
func (f Files) meant(written string) string {
	near := Nearby(f.Dir, written, func(name string) bool {
		info, err := fs.Stat(f.FS, name)
		return err == nil && info.Mode().IsRegular()
	})
	if near == "" {
		return ""
	}
	return fmt.Sprintf(" Did you mean %q?", near)
}

// Nearby is the file that a path which leads nowhere probably means: what it names,
// without the steps up and down that it begins with, in dir or in a directory above it. It
// is relative to dir; "" where there is no such file. Dir, and what exists is asked for, are
// paths with slashes from a root.
func Nearby(dir, written string, exists func(path string) bool) string {
	names := strings.TrimLeft(path.Clean(written), "./")
	if names == "" || slices.ContainsFunc(strings.Split(names, "/"), private) {
		return ""
	}
	for above := path.Clean(dir); ; above = path.Dir(above) {
		if found := path.Join(above, names); exists(found) {
			return relative(dir, found)
		}
		if above == "." || above == "/" || above == ".." {
			return ""
		}
	}
}

// reason leaves out the path of an error of the file system, which may be one
// of this machine.
func reason(written string, err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Sprintf("there is no file %q", written)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Sprintf("%q may not be read", written)
	}
	var in *fs.PathError
	if errors.As(err, &in) {
		err = in.Err
	}
	return fmt.Sprintf("%q cannot be read: %s", written, err)
}

// relative writes a path of the root as one that file accepts again.
func relative(dir, name string) string {
	dir = path.Clean(dir)
	if dir == "." {
		return name
	}
	up := ""
	for !strings.HasPrefix(name, dir+"/") {
		up += "../"
		if dir = path.Dir(dir); dir == "." {
			return up + name
		}
	}
	return up + strings.TrimPrefix(name, dir+"/")
}
