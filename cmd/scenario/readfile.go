package main

import (
	"bytes"
	"io"
	"os"
)

// readLimited reads a file of at most limit bytes and one: enough to see that
// it has too many.
func readLimited(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var size int64
	if info, err := f.Stat(); err == nil {
		size = min(info.Size(), limit)
	}
	b := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead))
	_, err = b.ReadFrom(io.LimitReader(f, limit+1))
	return b.Bytes(), err
}
