package cassette

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/scenario-lang/scenario/cassette/internal/disk"
	"github.com/scenario-lang/scenario/cassette/redact"
)

// ScanBodies looks for secrets in the bodies that stand beside a cassette of ours.
// It returns what it found under the names of the files, relative to the folder
// of the cassette; there is nothing where there is no such folder.
func ScanBodies(path string) (map[string][]redact.Finding, error) {
	path = disk.Target(path)
	entries, err := os.ReadDir(bodiesPath(path))
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return nil, err
	}
	found := map[string][]redact.Finding{}
	for _, e := range entries {
		data, err := disk.Read(filepath.Join(bodiesPath(path), e.Name()))
		if err != nil {
			return nil, err
		}
		if list := redact.ScanText(string(data)); len(list) > 0 {
			found[filepath.Join(filepath.Base(bodiesPath(path)), e.Name())] = list
		}
	}
	return found, nil
}
