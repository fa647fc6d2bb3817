package disk

import (
	"io/fs"
	"os"
	"path/filepath"
)

// Target is the file that a path leads to: what is written goes into it and
// leaves the link as it is, and what stands beside a cassette stands beside that
// file, under whatever name it was reached. A link that leads to nothing is
// taken for the file itself: nobody has checked where the one would lie that it
// names.
func Target(path string) string {
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return path
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return path
	}
	return real
}
