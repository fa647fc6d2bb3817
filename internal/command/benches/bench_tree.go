package benches

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/scenario-lang/scenario/internal/disk"
)

// tree identifies the files of a directory, but for those that come about by
// themselves. Links to directories are followed as far as they stay in the suite.
func (in *benchInputs) tree(dir string) (string, error) {
	if sum, known := in.trees[dir]; known {
		return sum, nil
	}
	t := &treeWalk{benchInputs: in, hash: sha256.New(), from: dir, seen: map[string]bool{dir: true}}
	err := t.below(dir, dir)
	for err == nil && len(t.links) > 0 {
		link := t.links[0]
		t.links = t.links[1:]
		err = t.follow(link)
	}
	in.trees[dir] = hex.EncodeToString(t.hash.Sum(nil))
	if err != nil {
		in.trees[dir] = rand.Text() // equal to no other run's
	}
	return in.trees[dir], err
}

// A treeWalk reads a directory and what links in it lead to.
type treeWalk struct {
	*benchInputs
	hash hash.Hash
	from string
	// links are the paths of those to directories that are still to be followed: what
	// stands in the directory itself is read first.
	links []string
	// seen are the real names of directories that were read, each once.
	seen map[string]bool
}

// below reads the files of a directory, of which real is the real name.
func (t *treeWalk) below(dir, real string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // what cannot be read, the program cannot read either
	}
	for _, e := range entries {
		path, own := filepath.Join(dir, e.Name()), filepath.Join(real, e.Name())
		switch {
		case e.IsDir() || isLinkedDir(e, path):
			if passing(e.Name() + "/") {
				continue
			}
			if !e.IsDir() {
				t.links = append(t.links, path)
			} else if !t.seen[own] {
				t.seen[own] = true
				err = t.below(path, own)
			}
		case passing(e.Name()) || t.own(own) || recorded(path) || t.output(path):
		default:
			var sum string
			if sum, err = t.counted(path); sum != "" {
				t.used[path] = sum
				fmt.Fprintf(t.hash, "%q %s\n", path[len(t.from):], sum)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// follow reads what a link to a directory leads to. Where that is counts too, and is all
// that does where it lies outside of the suite or was read already.
func (t *treeWalk) follow(link string) error {
	real := disk.Real(link)
	fmt.Fprintf(t.hash, "%q -> %q\n", link[len(t.from):], t.place(real))
	if !inside(t.benchInputs.root, real) {
		if !slices.Contains(t.outward, link) {
			t.outward = append(t.outward, link)
		}
		return nil
	}
	if t.seen[real] {
		return nil
	}
	t.seen[real] = true
	return t.below(link, real)
}

// leadingOut notes the links beside some files that lead out of the suite: no pattern
// follows them.
func (in *benchInputs) leadingOut(files []string) {
	known := map[string]bool{}
	for _, path := range files {
		dir := filepath.Dir(in.resolve(path))
		if known[dir] {
			continue
		}
		known[dir] = true
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			link := filepath.Join(dir, e.Name())
			if isLinkedDir(e, link) && !passing(e.Name()+"/") && !inside(in.root, disk.Real(link)) && !slices.Contains(in.outward, link) {
				in.outward = append(in.outward, link)
			}
		}
	}
}

// place is a path from the suite root, as far as it lies below that.
func (in *benchInputs) place(path string) string {
	if rel, err := filepath.Rel(in.root, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return path
}

// isLinkedDir reports whether an entry is a link to a directory.
func isLinkedDir(e fs.DirEntry, path string) bool {
	if e.Type()&fs.ModeSymlink == 0 {
		return false
	}
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
