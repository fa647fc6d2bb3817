package cassette

import (
	"io/fs"
	"path/filepath"

	"github.com/scenario-lang/scenario/cassette/internal/disk"
)

// LoadFS is [Load] for a file system: name is a path of it, and bodies that
// stand beside the file are read from it too.
func LoadFS(fsys fs.FS, name string) (*Cassette, error) {
	from := readOnly{fsys: fsys}
	data, err := from.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return parseWith(name, data, bodiesOf(from, name))
}

// readOnly is a disk on which nothing is ever written.
type readOnly struct {
	disk.Disk
	fsys fs.FS
}

func (d readOnly) ReadFile(name string) ([]byte, error) {
	return disk.ReadFS(d.fsys, filepath.ToSlash(name))
}
