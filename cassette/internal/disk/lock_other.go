//go:build !unix

package disk

import (
	"errors"
	"io/fs"
	"os"
)

// lockFile makes a file that must not be there yet. One that a crash left
// behind has to be removed by hand: the message names it.
func lockFile(name, text string) (func() error, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil, ErrBusy
	}
	if err != nil {
		return nil, err
	}
	_, err = f.WriteString(text)
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, errors.Join(err, os.Remove(name))
	}
	return func() error { return os.Remove(name) }, nil
}
