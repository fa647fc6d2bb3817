package adaptertest

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// wholeCorpus is the sum of the names of the sample recordings, sorted, each with
// a line feed: of 338 files.
const wholeCorpus = "99a6ea216e9e5651c1346e6c820103b9828c7395d49ee76359ad327b98d5a7c6"

// Corpus is the folder of recorded traffic: SCENARIO_CORPUS, where a path that
// is not absolute begins at the module's root, or else what a checkout has
// beside it. It skips the test where there is none.
func Corpus(t testing.TB) string {
	t.Helper()
	dir := corpusDir()
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		t.Skip("0 recordings: there is no folder of recorded traffic; SCENARIO_CORPUS names one")
	}
	return dir
}

// CorpusFiles lists the files of recorded traffic in one folder of it, "" for
// all. It skips the test where there are none.
func CorpusFiles(t testing.TB, folder string) []string {
	t.Helper()
	files := recordings(filepath.Join(Corpus(t), folder))
	if len(files) == 0 {
		t.Skipf("0 recordings: the folder of recorded traffic has no YAML or JSON file below %q", folder)
	}
	return files
}

// WholeCorpus reports whether the folder of recorded traffic is the whole set
// of sample recordings and nothing else, so that a test may ask how much of it was
// read. Of any other folder, however large, a test reads what there is.
func WholeCorpus() bool {
	dir := corpusDir()
	var names []string
	for _, path := range recordings(dir) {
		if name, err := filepath.Rel(dir, path); err == nil {
			names = append(names, filepath.ToSlash(name)+"\n")
		}
	}
	slices.Sort(names)
	sum := sha256.Sum256([]byte(strings.Join(names, "")))
	return hex.EncodeToString(sum[:]) == wholeCorpus
}

func corpusDir() string {
	dir := os.Getenv("SCENARIO_CORPUS")
	if filepath.IsAbs(dir) {
		return dir
	}
	root, err := filepath.Abs(".")
	for ; err == nil; root = filepath.Dir(root) {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil || root == filepath.Dir(root) {
			break
		}
	}
	if dir == "" {
		dir = filepath.Join("..", "shared", "data", "cassettes")
	}
	return filepath.Join(root, dir)
}

// recordings are the files below a folder, in order of their paths. What cannot
// be listed, or is a link that leads nowhere, is not there.
func recordings(dir string) []string {
	var files []string
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(path)) {
			return nil
		}
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			files = append(files, path)
		}
		return nil
	})
	return files
}
