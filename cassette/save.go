package cassette

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Save writes the cassette to path in our format: completely or not at all. A
// file that is already there stays as it is until the new one is on disk.
func (c *Cassette) Save(path string) (err error) {
	dir := filepath.Dir(path)
	f, err := os.CreateTemp(dir, filepath.Base(path)+".*.tmp")
	if err != nil {
		return fmt.Errorf("cassette %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			f.Close()
			err = fmt.Errorf("cassette %s: %w", path, errors.Join(err, os.Remove(f.Name())))
		}
	}()
	w := bufio.NewWriter(f)
	if err := Write(w, c); err != nil {
		return err
	}
	if err := errors.Join(w.Flush(), f.Chmod(0o644), f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	syncDir(dir)
	return nil
}

// syncDir makes a rename last over a crash of the machine. Where a directory
// cannot be synced (Windows) the rename is as lasting as the system makes it.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}
