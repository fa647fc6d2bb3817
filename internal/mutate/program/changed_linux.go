package program

import (
	"io/fs"
	"syscall"
	"time"
)

// changedAt is when anything of a file was last changed, which a program cannot set back as it can the time of its text.
func changedAt(info fs.FileInfo) time.Time {
	if s, is := info.Sys().(*syscall.Stat_t); is {
		return time.Unix(s.Ctim.Unix())
	}
	return time.Time{}
}
