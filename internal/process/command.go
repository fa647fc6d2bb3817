package process

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"syscall"
)

// A Command is a program with all that it gets.
type Command struct {
	// Path and Args are as in exec.Cmd: Args begins with the program's name.
	// [Find] makes a path of a name.
	Path string
	Args []string
	// Dir is where it runs; Env is its whole environment.
	Dir string
	Env []string
	// Stdin is what it may read, nil for nothing. A file is given to the program
	// itself, unless it is a terminal. From anything else it is copied; a Read
	// that is under way at the end of the program is not waited for.
	Stdin io.Reader
}

// exec is the command for package exec, and what is left to copy to the program.
func (c Command) exec(among *syscall.SysProcAttr) (cmd *exec.Cmd, stdin io.Reader) {
	cmd = &exec.Cmd{Path: c.Path, Args: c.Args, Dir: c.Dir, Env: c.Env, SysProcAttr: among}
	if f, ok := c.Stdin.(*os.File); ok && !isTerminal(f) {
		cmd.Stdin = f
		return cmd, nil
	}
	return cmd, c.Stdin
}

// isTerminal reports whether a file is a character device other than the one
// without contents. A program outside the terminal's own group must not have it.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&fs.ModeCharDevice != 0 && f.Name() != os.DevNull
}

// explain adds to the error of a start what the system does not say: it has the
// same words for a missing directory, a missing interpreter and a missing file.
func (c Command) explain(err error) error {
	if _, statErr := os.Stat(c.Dir); c.Dir != "" && statErr != nil {
		return fmt.Errorf("%s cannot be started: its directory cannot be had: %w", c.Path, statErr)
	}
	line := firstLine(c.Path)
	script := bytes.HasPrefix(line, []byte("#!"))
	switch {
	case script && errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s cannot be started: the interpreter that its first line names, %q, is not there: %w", c.Path, line, err)
	case !script && isFormat(err):
		return fmt.Errorf("%s cannot be started: it is no program of this system, and has no first line with #! that names its interpreter: %w", c.Path, err)
	}
	return err
}

// firstLine is the beginning of a regular file.
func firstLine(path string) []byte {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	head := make([]byte, 256)
	n, _ := io.ReadFull(f, head)
	line, _, _ := bytes.Cut(head[:n], []byte("\n"))
	return bytes.TrimSpace(line)
}
