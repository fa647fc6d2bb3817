package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"

	"github.com/scenario-lang/scenario/internal/disk"
)

// A Source is where the files of suites are. Its paths are those of the
// operating system, or, for an fs.FS, those with slashes; what it returns has
// slashes. It remembers what it learnt about directories, as a suite has many
// files in few of them, and the real names of the files it was last asked about:
// make another one after a change of links or of suite roots. It is safe for
// concurrent use.
type Source struct {
	system system

	mu    sync.Mutex
	dirs  map[string]string
	roots map[string]string
	names map[string]string
}

// namesMax is how many real names of files are remembered: one is asked for several
// times while its file is read, and hardly ever later.
const namesMax = 1024

// Disk is the disk of the machine, seen from the working directory.
func Disk() *Source { return &Source{system: osSystem{}} }

// FS is a file system whose root stands for the working directory. Nothing
// outside of it is read. It has links where it is an fs.ReadLinkFS.
func FS(fsys fs.FS) *Source { return &Source{system: fsSystem{fsys}} }

// Real is the one name of a file, links followed as far as the path exists. On
// the disk it is absolute.
func (s *Source) Real(path string) string {
	return s.remember(&s.names, path, s.real)
}

func (s *Source) real(path string) string {
	base := filepath.Base(path)
	if base == "." || base == ".." {
		return s.system.real(path)
	}
	name := filepath.Join(s.remember(&s.dirs, filepath.Dir(path), s.system.real), base)
	if info, err := s.system.lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return s.system.real(name)
	}
	return name
}

// Root is the suite root of a file, by its real name: nothing that the file
// names may leave it.
func (s *Source) Root(file string) string {
	return s.remember(&s.roots, filepath.Dir(s.Real(file)), s.suiteRoot)
}

// Place is a file's path from its suite root, with slashes: what traces call
// it, wherever the command was started.
func (s *Source) Place(file string) string {
	place, err := filepath.Rel(s.Root(file), s.Real(file))
	if err != nil {
		place = file
	}
	place = filepath.ToSlash(place)
	if strings.HasSuffix(file, place) { // of many thousand files each text is kept once
		return file[len(file)-len(place):]
	}
	return place
}

// remember is find(path), asked for once.
func (s *Source) remember(known *map[string]string, path string, find func(string) string) string {
	s.mu.Lock()
	found, ok := (*known)[path]
	s.mu.Unlock()
	if ok {
		return found
	}
	found = find(path)
	s.mu.Lock()
	defer s.mu.Unlock()
	if *known == nil || known == &s.names && len(*known) >= namesMax {
		*known = map[string]string{}
	}
	(*known)[path] = found
	return found
}

// dotted is the first name in a path with slashes that begins with a dot, "" where
// none does.
func dotted(path string) string {
	for name := range strings.SplitSeq(path, "/") {
		if strings.HasPrefix(name, ".") && name != "." && name != ".." {
			return name
		}
	}
	return ""
}

// isPrivate is why no scenario file reads what has such a name.
const isPrivate = "its name begins with a dot: such files belong to other tools, may hold their secrets, and are not read"

// permitted is an error where a file that a scenario file of the directory home
// names leads outside of the root, links followed, or into what has a name that
// begins with a dot. Home itself may lie there.
func (s *Source) permitted(root, home, path string) error {
	real := s.system.real(path)
	if !within(root, real) {
		return errOutside
	}
	below, err := filepath.Rel(s.system.real(home), real)
	if err != nil || !filepath.IsLocal(below) { // not below home: seen from the root
		if below, err = filepath.Rel(root, real); err != nil {
			return errOutside
		}
	}
	if dotted(filepath.ToSlash(below)) != "" {
		return errPrivate
	}
	return nil
}

var (
	errOutside = errors.New("it leaves the suite root, the nearest parent with .git or go.mod, else the working directory")
	errPrivate = errors.New(isPrivate)
)

// linkedOut is why a scenario file is not read that is a link: it leads outside of
// the suite that the link is in. Nil for all others.
func (s *Source) linkedOut(file string) error {
	info, err := s.system.lstat(file)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return nil
	}
	if info, err := s.system.stat(file); err != nil || !info.Mode().IsRegular() {
		return nil // reading it says why
	}
	home := s.system.real(filepath.Dir(file))
	return s.permitted(s.remember(&s.roots, home, s.suiteRoot), home, file)
}

// Resolve turns a path as a scenario file writes it into one that can be
// opened, or says why it may not be. It must not leave the suite root.
func (s *Source) Resolve(file, written string) (string, error) {
	return s.resolveBelow(s.Root(file), file, written)
}

// resolveBelow does so for a path that stands in an imported file: the root is
// that of the file that imports.
func (s *Source) resolveBelow(root, file, written string) (string, error) {
	if filepath.IsAbs(filepath.FromSlash(written)) {
		return "", fmt.Errorf("%s is an absolute path, which means nothing on another machine\nhint: write it relative to the scenario file", written)
	}
	path := filepath.Join(filepath.Dir(file), filepath.FromSlash(written))
	if dotted(filepath.ToSlash(written)) != "" {
		return "", fmt.Errorf("%s is not read: %s\nhint: rename it", written, isPrivate)
	}
	switch err := s.permitted(root, filepath.Dir(file), path); err {
	case nil:
		return path, nil
	case errOutside:
		if meant := s.meant(root, file, written); meant != "" {
			return "", fmt.Errorf("%s leaves the suite root, the nearest parent with .git or go.mod, else the working directory.%s\nhint: the path is relative to the file that it stands in", written, meant)
		}
		return "", fmt.Errorf("%s leaves the suite root, the nearest parent with .git or go.mod, else the working directory\nhint: move the file into the suite", written)
	default:
		return "", fmt.Errorf("%s is a link to a file that is not read: %w\nhint: move the file", written, err)
	}
}

// read is a file of at most limit bytes and one: enough to see that it has too
// many.
func (s *Source) read(name string, limit int64) ([]byte, error) {
	f, err := s.system.open(name)
	if err != nil {
		return nil, err
	}
	return disk.ReadFrom(f, limit)
}

func (s *Source) isDir(path string) bool {
	info, err := s.system.stat(path)
	return err == nil && info.IsDir()
}
