package cli

import (
	"os"
	"os/exec"
	"path/filepath"
)

// OwnCommand is how this program is started again: by the name that it was
// started by, which a link may give it, as it was found from here.
func OwnCommand() string {
	if path, err := exec.LookPath(os.Args[0]); err == nil {
		if path, err = filepath.Abs(path); err == nil {
			return path
		}
	}
	if path, err := os.Executable(); err == nil {
		return path
	}
	return os.Args[0]
}
