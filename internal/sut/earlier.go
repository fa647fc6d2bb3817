package sut

import (
	"os"

	"github.com/scenario-lang/scenario/interp"
)

// How many files of a command line are looked at, and how long they may be.
const (
	shownMost = 8
	shownSize = 1 << 20
)

// An earlier file was there before the program started, and its command shows it.
type earlier struct {
	interp.Shown
	path   string
	before os.FileInfo
}

// earlierFiles are those that a command, which is run in dir, shows and that are there.
func earlierFiles(command []string, dir string) (list []earlier) {
	for _, s := range interp.Shows(command) {
		path := under(dir, s.File)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Size() <= shownSize && len(list) < shownMost {
			list = append(list, earlier{s, path, info})
		}
	}
	return list
}

// unwritten says of a file that the command shows that nothing has written it in this run, and that a check
// looks for what it has; "" for none.
func (r *run) unwritten() string {
	for _, f := range r.earlier {
		now, err := os.Stat(f.path)
		if err != nil || !os.SameFile(f.before, now) || now.Size() != f.before.Size() || !now.ModTime().Equal(f.before.ModTime()) {
			continue
		}
		text, err := os.ReadFile(f.path)
		if err != nil {
			continue
		}
		if why := r.outside.Unwritten(f.Shown, string(text)); why != "" {
			return why
		}
	}
	return ""
}
