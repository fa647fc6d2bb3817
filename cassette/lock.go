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

// takeLock locks a cassette against other writers.
func takeLock(d disk.Disk, path string) (unlock func() error, err error) {
	name := path + ".lock"
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
