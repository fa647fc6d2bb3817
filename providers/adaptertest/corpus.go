package adaptertest

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// wholeCorpus is how many recordings the sample set has.
const wholeCorpus = 338

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
// of sample recordings, so that a test may ask how much of it was read. Of any
// other folder a test reads what there is.
func WholeCorpus() bool { return len(recordings(corpusDir())) >= wholeCorpus }

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
// be listed is not there.
func recordings(dir string) []string {
	var files []string
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(path)) {
			files = append(files, path)
		}
		return nil
	})
	return files
}
