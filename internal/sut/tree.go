package sut

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// placesMost bounds the files and directories of a program that are looked at.
const placesMost = 10_000

// libraries are directories of what is not the program's own.
var libraries = []string{"node_modules", "vendor", "venv", "__pycache__"}

// A tree is a directory with what lies in it and below it, in order.
type tree struct {
	places []place
	// whole says that these are all: nothing was too much or could not be read.
	whole bool
}

// A place is a file or a directory of a tree.
type place struct {
	path string
	fs.DirEntry
}

// treeOf is that of a directory, without what git keeps. own leaves out what is not the program's own: libraries,
// and directories whose names begin with a dot.
func treeOf(dir string, own bool) tree {
	t := tree{whole: true}
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() {
		return tree{}
	}
	t.add(place{dir, fs.FileInfoToDirEntry(info)}, own)
	return t
}

// add adds a directory with what is in it. No more of it is read than there is room for.
func (t *tree) add(dir place, own bool) {
	t.places = append(t.places, dir)
	f, err := os.Open(dir.path)
	if err != nil {
		t.whole = false
		return
	}
	more := placesMost - len(t.places) + 1
	list, err := f.ReadDir(more)
	_ = f.Close()
	t.whole = t.whole && len(list) < more && (err == nil || err == io.EOF)
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	for _, d := range list {
		path := filepath.Join(dir.path, d.Name())
		switch {
		case d.IsDir() && (d.Name() == ".git" || own && (strings.HasPrefix(d.Name(), ".") || slices.Contains(libraries, d.Name()))):
		case len(t.places) == placesMost:
			t.whole = false
			return
		case d.IsDir():
			t.add(place{path, d}, own)
		default:
			t.places = append(t.places, place{path, d})
		}
	}
}
