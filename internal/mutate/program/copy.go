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
	"sync"
	"time"
)

// A directory with more than that in it is not copied. Programs that run at the same time have a copy each.
const (
	mostFiles = 20_000
	mostBytes = 256 << 20
)

// linked are directories of libraries: a copy has a link to them. remade are directories that tools make again when
// they need them: they are not copied.
var (
	linked = []string{"node_modules", ".venv", "venv"}
	remade = []string{"__pycache__", ".git", ".hg", ".svn", ".pytest_cache", ".mypy_cache", ".ruff_cache"}
)

// copies is how the names of the temporary directories begin that have the copies in them. These are not copied, also
// where the temporary files lie in the directory of the program.
const copies = "scenario-mutate-"

// ErrTooLarge is the error of a directory that has more in it than is copied.
var ErrTooLarge = errors.New("too much to copy")

// An entry is a file of a directory that was copied, as it was then.
type entry struct {
	mode fs.FileMode
	size int64
	// at is when its text was written, and changed when anything of it was, where the system tells.
	at, changed time.Time
}

// A tree is a copy of a directory.
type tree struct {
	of, at  string
	entries map[string]entry
}

// errOver is the error of a copy that was ended before it was whole.
var errOver = errors.New("ended before all was copied")

// copyTree copies a directory into an empty one, until over says that it is to end. Pipes, sockets and devices stay
// where they are, and so does what may not be read: the program cannot read it either.
func copyTree(of, at string, over func() bool) (*tree, error) {
	t := &tree{of: of, at: at, entries: map[string]entry{}}
	bytes := int64(0)
	err := filepath.WalkDir(of, func(path string, d fs.DirEntry, err error) error {
		if over() {
			return errOver
		}
		if errors.Is(err, fs.ErrPermission) && path != of {
			return nil // the directory is there, and empty
		}
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
		} else if err := t.put(path, filepath.Join(at, rel), info); errors.Is(err, errUnreadable) {
			return nil
		} else if err != nil {
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
	if err != nil && !errors.Is(err, ErrTooLarge) && !errors.Is(err, errOver) {
		err = fmt.Errorf("%s cannot be copied: %w", of, err)
	}
	return t, err
}

// errUnreadable is the error of a file that may not be read.
var errUnreadable = errors.New("it may not be read")

// put makes a file, a directory or a link as another one is.
func (t *tree) put(from, to string, info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return os.Mkdir(to, info.Mode().Perm()|0o700)
	case info.Mode()&fs.ModeSymlink != 0:
		goal, err := os.Readlink(from)
		if err != nil {
			return err
		}
		return os.Symlink(t.goal(from, goal), to)
	}
	in, err := os.Open(from)
	if errors.Is(err, fs.ErrPermission) {
		return errUnreadable
	}
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

// home is a text with the paths of the copy as those of what was copied: another copy has others.
func (t *tree) home(text string) string { return strings.ReplaceAll(text, t.at, t.of) }

// goal is where a link of the copy leads: into the copy where the one that was copied leads into its directory, and
// else to where that one leads.
func (t *tree) goal(link, goal string) string {
	if !filepath.IsAbs(goal) {
		if outside := filepath.Join(filepath.Dir(link), goal); !contains(t.of, outside) {
			return outside
		}
		return goal
	}
	real, err := filepath.EvalSymlinks(goal)
	if err != nil {
		real = filepath.Clean(goal)
	}
	if rel, err := filepath.Rel(t.of, real); err == nil && contains(t.of, real) {
		return filepath.Join(t.at, rel)
	}
	return goal
}

// entryAt is what a copy has at a path.
func entryAt(path string) (entry, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return entry{}, err
	}
	e := entry{mode: info.Mode()}
	if info.Mode().IsRegular() {
		e.size, e.at, e.changed = info.Size(), info.ModTime(), changedAt(info)
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

// walk goes through what the copy has, a directory before what is in it. What goes in the meantime, or may not be read,
// such as a directory that the run has made and closed, is passed over.
func (t *tree) walk(do func(rel string, d fs.DirEntry, is entry) error) error {
	return filepath.WalkDir(t.at, func(path string, d fs.DirEntry, err error) error {
		if err == nil && path == t.at {
			return nil
		}
		var rel string
		var is entry
		if err == nil {
			rel, err = filepath.Rel(t.at, path)
		}
		if err == nil {
			is, err = entryAt(path)
		}
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
			return nil
		}
		if err != nil {
			return err
		}
		return do(rel, d, is)
	})
}

// now is what the copy has.
func (t *tree) now() (map[string]entry, error) {
	all := map[string]entry{}
	err := t.walk(func(rel string, _ fs.DirEntry, is entry) error {
		all[rel] = is
		return nil
	})
	return all, err
}

// wrote is what a run has written at a path, and whether it counts: not what a compiler makes, and what stands in a
// directory that tools make again.
func (t *tree) wrote(rel string, is entry) (written, bool) {
	slashed := filepath.ToSlash(rel)
	if compiled(rel) || slices.ContainsFunc(strings.Split(slashed, "/"), func(part string) bool { return slices.Contains(remade, part) }) {
		return written{}, false
	}
	return written{path: slashed, text: textAt(filepath.Join(t.at, rel), is.mode)}, true
}

// byPath puts what was written in the order of the paths.
func byPath(a, b written) int { return strings.Compare(a.path, b.path) }

// restore makes the copy what it was, and returns what a run had written, in the order of the paths. What compilers
// and interpreters keep for themselves is none of it. Where the program was built, before is what the copy had after
// that: what the build wrote is none of it either. It is nil where nothing was built.
func (t *tree) restore(before map[string]entry) (list []written, err error) {
	if before == nil {
		before = t.entries
	}
	seen, present := make(map[string]bool, len(t.entries)), make(map[string]bool, len(t.entries))
	var foreign []string // made by the run
	err = t.walk(func(rel string, d fs.DirEntry, is entry) error {
		path := filepath.Join(t.at, rel)
		was, known := t.entries[rel]
		cache := slices.Contains(remade, d.Name())
		present[rel] = true
		if known && was == is {
			seen[rel] = true
			return nil
		}
		if known && d.IsDir() && was.mode.IsDir() { // it has another mode alone
			seen[rel] = true
			return os.Chmod(path, was.mode)
		}
		if built, was := before[rel]; !(was && built == is) {
			if w, counts := t.wrote(rel, is); counts && (known || !d.IsDir()) {
				list = append(list, w)
			}
		}
		if !known && d.IsDir() && !cache {
			foreign = append(foreign, path)
			return nil
		}
		if err := remove(path); err != nil {
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
		if err := remove(path); err != nil {
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
		if _, there := before[rel]; there && !present[rel] && !t.entries[rel].mode.IsDir() {
			list = append(list, written{path: filepath.ToSlash(rel), gone: true})
		}
		if err := t.again(rel); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(list, byPath)
	return list, nil
}

// revert makes the copy what it was before a run, and returns what the run had written, as restore does; but what a
// build has made there is kept, and so are the files that were changed before it. Where the run has changed any of
// that, it is false, and the copy is as restore leaves it.
func (t *tree) revert(before map[string]entry) (list []written, kept bool, err error) {
	now, err := t.now()
	if err != nil {
		return nil, false, err
	}
	var changed, made []string
	for rel, was := range before {
		is, there := now[rel]
		if there && (was == is || was.mode.IsDir() && is.mode == was.mode) {
			continue
		}
		if own, copied := t.entries[rel]; !copied || own != was || was.mode.IsDir() {
			list, err = t.restore(before)
			return list, false, err
		}
		changed = append(changed, rel)
	}
	for rel := range now {
		if _, known := before[rel]; !known {
			made = append(made, rel)
		}
	}
	slices.Sort(made)
	for _, rel := range slices.Concat(changed, made) {
		is, there := now[rel]
		if !there {
			list = append(list, written{path: filepath.ToSlash(rel), gone: true})
		} else if w, counts := t.wrote(rel, is); counts && !is.mode.IsDir() {
			list = append(list, w)
		}
	}
	for _, rel := range slices.Concat(changed, made) {
		if err := remove(filepath.Join(t.at, rel)); err != nil {
			return nil, false, err
		}
	}
	for _, rel := range changed {
		if err := t.again(rel); err != nil {
			return nil, false, err
		}
		before[rel] = t.entries[rel]
	}
	slices.SortFunc(list, byPath)
	return list, true, nil
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
		err = t.put(from, to, info)
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
		return unreadText
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, kept))
	if err != nil {
		return unreadText
	}
	return string(text)
}

// unreadText stands for a file that cannot be read. The error has the path of the copy in it, which is another one
// in each.
const unreadText = "(it cannot be read)"

// compiled reports whether a file is made of a source file by a compiler, by the end of its name.
func compiled(name string) bool {
	return slices.Contains([]string{".class", ".pyc", ".o", ".tsbuildinfo"}, filepath.Ext(name))
}

// remove removes a file, or a directory with all that is in it, also where directories in it may not be written to.
func remove(path string) error {
	err := os.RemoveAll(path)
	if !errors.Is(err, fs.ErrPermission) {
		return err
	}
	_ = filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(path, 0o700) // where it fails, so does removing
			if err != nil {
				return remove(path)
			}
		}
		return nil
	})
	return os.RemoveAll(path)
}

// open are the directories of the copies of this process that are not removed, for one that has no time to end.
var open sync.Map

// sweepTime is how long Sweep tries to remove a copy in which a program still makes files.
const sweepTime = 500 * time.Millisecond

// Sweep removes the copies of all programs that are under way, for a process that is about to die. It is safe beside
// everything else, which finds that its files are gone.
func Sweep() {
	until := time.Now().Add(sweepTime)
	open.Range(func(dir, _ any) bool {
		for remove(dir.(string)) != nil && time.Now().Before(until) { // where it cannot be removed, nobody is left to be told
		}
		return true
	})
}
