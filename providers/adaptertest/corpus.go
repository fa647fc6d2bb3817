package adaptertest

import (
	"io/fs"
	"os"
	"path/filepath"
)

// WholeCorpus reports whether SCENARIO_CORPUS, or what a checkout has beside
// it, is the whole set of sample recordings, so that a test may ask how much of
// it was read. Of any other folder a test reads what there is.
func WholeCorpus() bool {
	dir := os.Getenv("SCENARIO_CORPUS")
	for up := "."; dir == ""; up = filepath.Join(up, "..") {
		if _, err := os.Stat(filepath.Join(up, "go.mod")); err == nil {
			dir = filepath.Join(up, "..", "shared", "data", "cassettes")
		}
		if abs, err := filepath.Abs(up); err != nil || abs == filepath.Dir(abs) {
			return false
		}
	}
	files := 0
	_ = filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".yaml" {
			files++
		}
		return nil
	})
	return files >= 338
}
