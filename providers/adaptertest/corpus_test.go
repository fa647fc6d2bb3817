package adaptertest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/scenario-lang/scenario/providers/adaptertest"
)

// A folder is the sample by the names of its recordings, and not by how many it
// has: what tests ask of the sample alone is not asked of somebody's own folder.
func TestWholeCorpus(t *testing.T) {
	for _, files := range []int{1, 338, 339} {
		dir := t.TempDir()
		for n := range files {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%03d.yaml", n)), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		t.Setenv("SCENARIO_CORPUS", dir)
		if found := len(adaptertest.CorpusFiles(t, "")); found != files {
			t.Errorf("of %d recordings, %d were found", files, found)
		}
		if adaptertest.WholeCorpus() {
			t.Errorf("a folder of %d other recordings is taken for the sample", files)
		}
	}
}
