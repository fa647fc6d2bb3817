package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/scenario-lang/scenario/internal/disk"
)

// A disk is what writing needs of a file system. Every step at which a crash
// could leave something behind is one call, so that a test can crash at each.
type Disk interface {
	// Create makes a file, or empties the one that is there.
	Create(name string) (File, error)
	// Append opens a file to be continued at its end, and makes it if there is
	// none.
	Append(name string) (File, error)
	ReadFile(name string) ([]byte, error)
	Rename(from, to string) error
	Remove(name string) error
	Mkdir(name string) error
	// SyncDir makes names in a directory last over a crash of the machine.
	SyncDir(name string) error
	// Lock takes the lock of that name, which ends with the process at the
	// latest. It returns ErrBusy where another holds it.
	Lock(name, text string) (unlock func() error, err error)
}

// A diskFile is a file that is written.
type File interface {
	io.Writer
	// Sync returns when everything written is on the medium.
	Sync() error
	Close() error
}

// OS is the disk of the operating system.
type OS struct{}

// Create is [Disk.Create].
func (OS) Create(name string) (File, error) {
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
}

// Append is [Disk.Append].
func (OS) Append(name string) (File, error) {
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
}

// ReadFile is [Disk.ReadFile], up to [SizeMax] and a byte.
func (OS) ReadFile(name string) ([]byte, error) { return Read(name) }

// Rename is [Disk.Rename].
func (OS) Rename(from, to string) error { return os.Rename(from, to) }

// Remove is [Disk.Remove].
func (OS) Remove(name string) error { return os.Remove(name) }

// Mkdir is [Disk.Mkdir], with the directories above.
func (OS) Mkdir(name string) error { return os.MkdirAll(name, 0o755) }

// SyncDir reports nothing: where a directory cannot be synced (Windows) a
// rename is as lasting as the system makes it.
func (OS) SyncDir(name string) error {
	if d, err := disk.Open(name); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
	return nil
}

// Lock is [Disk.Lock].
func (OS) Lock(name, text string) (func() error, error) { return lockFile(name, text) }

// SizeMax bounds a file: what is larger is no recording of tests.
const SizeMax = 256 << 20

// Read reads a regular file, or so much of it that it is too large.
func Read(path string) ([]byte, error) {
	f, err := disk.Open(path)
	if err != nil {
		return nil, err
	}
	return readFrom(f, path)
}

// ReadFS is [Read] for a file system.
func ReadFS(fsys fs.FS, name string) ([]byte, error) {
	f, err := disk.OpenFS(fsys, name)
	if err != nil {
		return nil, err
	}
	return readFrom(f, name)
}

func readFrom(f fs.File, path string) ([]byte, error) {
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, SizeMax+1))
	if err != nil {
		return nil, fmt.Errorf("cassette %s: %w", path, err)
	}
	return data, nil
}

// ErrBusy is returned by a lock that another holds.
var ErrBusy = errors.New("another recording holds the lock")
