//go:build unix

package main

import (
	"io/fs"
	"os"
	"syscall"
)

// mine reports whether a file belongs to the user of this process.
func mine(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int64(st.Uid) == int64(os.Getuid())
}
