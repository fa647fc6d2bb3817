package disk

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
)

// Read reads a regular file of at most limit bytes and one: enough to see that
// it has too many.
func Read(path string, limit int64) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	return ReadFrom(f, limit)
}

// ReadFrom does so with a file that is open, and closes it.
func ReadFrom(f fs.File, limit int64) ([]byte, error) {
	defer f.Close()
	var size int64
	if info, err := f.Stat(); err == nil {
		size = min(info.Size(), limit)
	}
	b := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead))
	_, err := b.ReadFrom(io.LimitReader(f, limit+1))
	return b.Bytes(), err
}

// Cause leaves out what an error of the file system says about where: the
// message around it says that.
func Cause(err error) error {
	var in *fs.PathError
	if errors.As(err, &in) {
		return in.Err
	}
	return err
}
