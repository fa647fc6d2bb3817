package benches

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/internal/command/cli"
)

// CG13: the log of a run that goes on stays where it is, for --resume to find,
// whatever call comes meanwhile; that of an ended one is put aside.
func TestLogOfARunUnderWayIsNotPutAside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "b.jsonl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := cli.Lock(f); err != nil {
		t.Fatal(err)
	}
	if err := putAside(path, path+".before"); err == nil || !strings.Contains(err.Error(), "another process is running this bench") {
		t.Errorf("while it goes on: %v", err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
	f.Close()
	for range 2 { // the second time there is none
		if err := putAside(path, path+".before"); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(path + ".before"); err != nil {
		t.Error(err)
	}
}
