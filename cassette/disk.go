package cassette

import (
	"io"
	"os"
)

// A disk is what writing needs of a file system. Every step at which a crash
// could leave something behind is one call, so that a test can crash at each.
type disk interface {
	// Create makes a file, or empties the one that is there.
	Create(name string) (diskFile, error)
	// Append opens a file to be continued at its end, and makes it if there is
	// none.
	Append(name string) (diskFile, error)
	ReadFile(name string) ([]byte, error)
	Rename(from, to string) error
	Remove(name string) error
	Mkdir(name string) error
	// SyncDir makes names in a directory last over a crash of the machine.
	SyncDir(name string) error
	// Lock takes the lock of that name, which ends with the process at the
	// latest. It returns errBusy where another holds it.
	Lock(name, text string) (unlock func() error, err error)
}

// A diskFile is a file that is written.
type diskFile interface {
	io.Writer
	// Sync returns when everything written is on the medium.
	Sync() error
	Close() error
}

// osDisk is the disk of the operating system.
type osDisk struct{}

func (osDisk) Create(name string) (diskFile, error) {
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
}

func (osDisk) Append(name string) (diskFile, error) {
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
}

func (osDisk) ReadFile(name string) ([]byte, error) { return readBounded(name) }

func (osDisk) Rename(from, to string) error { return os.Rename(from, to) }

func (osDisk) Remove(name string) error { return os.Remove(name) }

func (osDisk) Mkdir(name string) error { return os.MkdirAll(name, 0o755) }

// SyncDir reports nothing: where a directory cannot be synced (Windows) a
// rename is as lasting as the system makes it.
func (osDisk) SyncDir(name string) error {
	if d, err := os.Open(name); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
	return nil
}

func (osDisk) Lock(name, text string) (func() error, error) { return lockFile(name, text) }
