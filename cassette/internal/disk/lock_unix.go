//go:build unix

package disk

import (
	"errors"
	"os"
	"syscall"
)

// lockFile locks a file with flock(2). The kernel gives the lock back when the
// process ends, however it ends, so a file that was left behind locks nothing.
// It is removed while the lock is held, and who waits for a removed file sees
// that by its number.
func lockFile(name, text string) (func() error, error) {
	for {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
		if err != nil {
			return nil, err
		}
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
			f.Close()
			if errors.Is(err, syscall.EWOULDBLOCK) {
				return nil, ErrBusy
			}
			return nil, err
		}
		if !stillThere(f, name) {
			f.Close()
			continue
		}
		if err := errors.Join(f.Truncate(0), writeAt(f, text)); err != nil {
			return nil, errors.Join(err, f.Close())
		}
		return func() error { return errors.Join(os.Remove(name), f.Close()) }, nil
	}
}

func writeAt(f *os.File, text string) error {
	_, err := f.WriteAt([]byte(text), 0)
	return err
}

// stillThere reports whether the name still leads to the open file.
func stillThere(f *os.File, name string) bool {
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(name)
	return err == nil && os.SameFile(mine, named)
}
