package process

import (
	"errors"
	"fmt"
)

// startable says why no program can be started on a system, nil where it can.
// Without it a pipe would be the first to fail, with an error that does not
// mention the program.
func startable(goos string) error {
	switch goos {
	case "js", "wasip1", "ios":
		return fmt.Errorf("%s cannot start programs (%w): run this on Linux, macOS or Windows", goos, errors.ErrUnsupported)
	}
	return nil
}
