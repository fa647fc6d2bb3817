package program

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// What bounds a directory that is copied for every program that runs at one time.
const (
	mostFiles = 20_000
	mostBytes = 256 << 20
)

// Directories of libraries, which a copy has a link to, and of what is made anew.
var (
	linked = []string{"node_modules", ".venv", "venv"}
	remade = []string{"__pycache__", ".git", ".hg", ".svn", ".pytest_cache", ".mypy_cache", ".ruff_cache"}
)

// copies is how the names of copies begin: where temporary files lie in the directory itself, none has the others in
// it.
const copies = "scenario-mutate-"

// ErrTooLarge is the error of a directory that has more in it than is copied.
var ErrTooLarge = errors.New("too much to copy")

// An entry is a file of a directory that was copied, as it was then.
type entry struct {
	mode fs.FileMode
	size int64
	at   time.Time
}

// A tree is a copy of a directory.
type tree struct {
	of, at  string
	entries map[string]entry
}

// copyTree copies a directory into an empty one. Pipes, sockets and devices stay where they are.
func copyTree(of, at string) (*tree, error) {
	t := &tree{of: of, at: at, entries: map[string]entry{}}
	bytes := int64(0)
	err := filepath.WalkDir(of, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(of, path)
		if err != nil || rel == "." {
			return err
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it went while the directory was read
		}
		if err != nil {
			return err
		}
		link := d.IsDir() && slices.Contains(linked, d.Name())
		switch {
		case d.IsDir() && (slices.Contains(remade, d.Name()) || strings.HasPrefix(d.Name(), copies)):
			return fs.SkipDir
		case !link && !d.IsDir() && !info.Mode().IsRegular() && info.Mode()&fs.ModeSymlink == 0:
			return nil
		}
		if bytes += info.Size(); len(t.entries) >= mostFiles || bytes > mostBytes {
			return fmt.Errorf("%w: %s has more than %d files or %d MiB", ErrTooLarge, of, mostFiles, mostBytes>>20)
		}
		if link {
			if err := os.Symlink(path, filepath.Join(at, rel)); err != nil {
				return err
			}
		} else if err := put(path, filepath.Join(at, rel), info); err != nil {
			return err
		}
		if t.entries[rel], err = entryAt(filepath.Join(at, rel)); err != nil {
			return err
		}
		if link {
			return fs.SkipDir
		}
		return nil
	})
	if err != nil && !errors.Is(err, ErrTooLarge) {
		err = fmt.Errorf("%s cannot be copied: %w", of, err)
	}
	return t, err
}

// put makes a file, a directory or a link as another one is.
func put(from, to string, info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return os.Mkdir(to, info.Mode().Perm()|0o700)
	case info.Mode()&fs.ModeSymlink != 0:
		goal, err := os.Readlink(from)
		if err != nil {
			return err
		}
		return os.Symlink(goal, to)
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm()|0o200)
	if err != nil {
		return err
	}
	if _, err = io.Copy(out, in); err != nil {
		out.Close()
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	return os.Chtimes(to, time.Time{}, info.ModTime())
}

// entryAt is what a copy has at a path.
func entryAt(path string) (entry, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return entry{}, err
	}
	e := entry{mode: info.Mode()}
	if info.Mode().IsRegular() {
		e.size, e.at = info.Size(), info.ModTime()
	}
	return e, nil
}

// A written file is one that a run has made or changed, or that it has removed.
type written struct {
	path string
	// text is what it has, the beginning of it where there is much; "" also where gone.
	text string
	gone bool
}

// kept is how much of a written file is compared.
const kept = 64 << 10

// changed adds the files that differ from those that were copied, such as a program that was made of its source.
func (t *tree) changed(paths map[string]bool) error {
	return filepath.WalkDir(t.at, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(t.at, path)
		if err != nil {
			return err
		}
		if is, err := entryAt(path); err == nil && is != t.entries[rel] {
			paths[filepath.ToSlash(rel)] = true
		}
		return nil
	})
}

// Restore makes the copy what it was, and returns what a run had written, in the order of the paths. What compilers
// and interpreters keep for themselves is none of it.
func (t *tree) restore() (list []written, err error) {
	seen := make(map[string]bool, len(t.entries))
	var foreign []string // made by the run
	err = filepath.WalkDir(t.at, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // something that was left running removes it
		}
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(t.at, path)
		if err != nil || rel == "." {
			return err
		}
		was, known := t.entries[rel]
		is, err := entryAt(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		cache := slices.Contains(remade, d.Name())
		if known && was == is {
			seen[rel] = true
			return nil
		}
		if !cache && !(d.IsDir() && !known) {
			list = append(list, written{path: filepath.ToSlash(rel), text: textAt(path, is.mode)})
		}
		if !known && d.IsDir() && !cache {
			foreign = append(foreign, path)
			return nil
		}
		if err := os.RemoveAll(path); err != nil {
			return err
		}
		if d.IsDir() {
			return fs.SkipDir
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, path := range foreign {
		if err := os.RemoveAll(path); err != nil {
			return nil, err
		}
	}
	var missing []string
	for rel := range t.entries {
		if !seen[rel] {
			missing = append(missing, rel)
		}
	}
	slices.Sort(missing)
	for _, rel := range missing {
		if !slices.ContainsFunc(list, func(w written) bool { return w.path == filepath.ToSlash(rel) }) && !t.entries[rel].mode.IsDir() {
			list = append(list, written{path: filepath.ToSlash(rel), gone: true})
		}
		if err := t.again(rel); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(list, func(a, b written) int { return strings.Compare(a.path, b.path) })
	return list, nil
}

// again copies one file once more.
func (t *tree) again(rel string) error {
	from, to := filepath.Join(t.of, rel), filepath.Join(t.at, rel)
	if t.entries[rel].mode&fs.ModeSymlink != 0 && slices.Contains(linked, filepath.Base(rel)) {
		if info, err := os.Stat(from); err == nil && info.IsDir() {
			return os.Symlink(from, to)
		}
	}
	info, err := os.Lstat(from)
	if err == nil {
		err = put(from, to, info)
	}
	if err == nil {
		t.entries[rel], err = entryAt(to)
	}
	return err
}

// textAt is the beginning of a file.
func textAt(path string, mode fs.FileMode) string {
	if !mode.IsRegular() {
		return mode.Type().String()
	}
	f, err := os.Open(path)
	if err != nil {
		return err.Error()
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, kept))
	if err != nil {
		return err.Error()
	}
	return string(text)
}
