package program

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"github.com/scenario-lang/scenario/internal/mutate/data"
	"github.com/scenario-lang/scenario/internal/mutate/secrets"
	"github.com/scenario-lang/scenario/internal/mutate/source"
)

// How much of a directory is looked through for secrets.
const (
	mostLookedAt = 2000
	mostLooked   = 16 << 20
)

// Credentials are the values that stand under the names of credentials in the files of a program, and in some more
// texts: the program may write them elsewhere, where no name stands beside them. Those of the sources come first,
// then those of what else the directory has: the program may read a file that nothing names. What is larger than a
// file of data that is changed is not looked at.
func Credentials(root string, sources []Source, more []string) (list []string) {
	known := map[string]bool{}
	left := mostLooked
	learn := func(text []byte, settings bool) bool {
		if len(text) <= data.Limit && utf8.Valid(text) && bytes.IndexByte(text, 0) < 0 {
			left -= len(text)
			for _, secret := range secrets.In(string(text), settings) {
				if len(list) < secrets.Most && !known[secret] {
					known[secret] = true
					list = append(list, secret)
				}
			}
		}
		return left > 0 && len(list) < secrets.Most
	}
	looked := map[string]bool{}
	for _, s := range sources {
		looked[s.Path] = true
		if !learn(s.Text, s.Data) {
			return list
		}
	}
	for _, text := range more {
		if !learn([]byte(text), false) {
			return list
		}
	}
	_ = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error { // what cannot be read, the program cannot either
		switch {
		case err != nil:
			return nil
		case d.IsDir() && (slices.Contains(linked, d.Name()) || slices.Contains(remade, d.Name())):
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		rel, err := filepath.Rel(root, name)
		info, wrong := os.Stat(name) // of what a link leads to
		if err != nil || wrong != nil || looked[filepath.ToSlash(rel)] || !info.Mode().IsRegular() || info.Size() > data.Limit {
			return nil
		}
		if len(looked) >= mostLookedAt {
			return fs.SkipAll
		}
		looked[filepath.ToSlash(rel)] = true
		if text, err := os.ReadFile(name); err == nil && !learn(text, data.Named(rel) && !source.Known(rel, text)) {
			return fs.SkipAll
		}
		return nil
	})
	return list
}
