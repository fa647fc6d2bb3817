//go:build !linux && !darwin

package program

import (
	"io/fs"
	"time"
)

// changedAt is nothing here: a program that sets the time of a file back may keep what it wrote there for the next run.
func changedAt(fs.FileInfo) time.Time { return time.Time{} }
