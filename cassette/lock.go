package cassette

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/scenario-lang/scenario/cassette/internal/disk"
)

// ErrLocked is wrapped by the error of a recorder whose file another one is
// writing.
var ErrLocked = errors.New("another recording is writing the file")

// Aside reports whether a name is that of a file which a recorder keeps beside a
// cassette while it records, and leaves behind where it is killed: its lock, its journal,
// or the cassette that is written anew.
func Aside(name string) bool {
	for _, end := range []string{lockSuffix, journalSuffix, tempSuffix} {
		if of, found := strings.CutSuffix(name, end); found && strings.HasSuffix(of, ".yaml") {
			return true
		}
	}
	return false
}

// lockSuffix, journalSuffix and tempSuffix end the names of those files.
const lockSuffix, journalSuffix, tempSuffix = ".lock", ".journal", ".tmp"

// takeLock locks a cassette against other writers.
func takeLock(d disk.Disk, path string) (unlock func() error, err error) {
	name := path + lockSuffix
	unlock, err = d.Lock(name, fmt.Sprintf("%d\n", os.Getpid()))
	switch {
	case errors.Is(err, disk.ErrBusy):
		return nil, fmt.Errorf("cassette %s: %w%s\nhint: wait until it has ended", path, ErrLocked, holder(d, name))
	case err != nil:
		return nil, fmt.Errorf("cassette %s: it cannot be locked: %w", path, err)
	}
	return unlock, nil
}

// holder names the process that wrote its number into the lock.
func holder(d disk.Disk, name string) string {
	text, err := d.ReadFile(name)
	if pid := strings.TrimSpace(string(text)); err == nil && pid != "" {
		return ": process " + pid
	}
	return ""
}
