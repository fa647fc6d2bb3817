package cassette

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/scenario-lang/scenario/cassette/internal/disk"
)

// Save writes the cassette to path in our format: completely or not at all. A
// file that is already there stays as it is until the new one is on disk. It
// takes the lock of the file, like a recorder. A link stays, and the file that it
// leads to is written.
func (c *Cassette) Save(path string) error {
	path = disk.Target(path)
	unlock, err := takeLock(disk.OS{}, path)
	if err != nil {
		return err
	}
	return errors.Join(save(disk.OS{}, path, c), unlock())
}

// SaveOver is Save in the place of what the file held before. The bodies beside
// it that nothing needs any more go.
func (c *Cassette) SaveOver(path string, old *Cassette) error {
	path = disk.Target(path)
	unlock, err := takeLock(disk.OS{}, path)
	if err != nil {
		return err
	}
	err = save(disk.OS{}, path, c)
	if err == nil {
		bodiesOf(disk.OS{}, path).dropUnused(old.Interactions, c.Interactions)
	}
	return errors.Join(err, unlock())
}

// save is Save for who holds the lock.
func save(d disk.Disk, path string, c *Cassette) error {
	var b bytes.Buffer
	if err := writeWith(&b, c, bodiesOf(d, path)); err != nil {
		return fmt.Errorf("cassette %s: %w", path, err)
	}
	return replaceFile(d, path, b.Bytes())
}

// replaceFile puts data in the place of a file. After a crash at any point the
// file is the old one or the new one.
func replaceFile(d disk.Disk, path string, data []byte) error {
	temp := path + ".tmp"
	if err := writeSynced(d, temp, data); err != nil {
		return fmt.Errorf("cassette %s: %w", path, errors.Join(err, d.Remove(temp)))
	}
	if err := d.Rename(temp, path); err != nil {
		return fmt.Errorf("cassette %s: %w", path, errors.Join(err, d.Remove(temp)))
	}
	return d.SyncDir(filepath.Dir(path))
}

func writeSynced(d disk.Disk, name string, data []byte) error {
	f, err := d.Create(name)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}
