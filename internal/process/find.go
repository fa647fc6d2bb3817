package process

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// A NotFoundError says of a program that it cannot be started, before anything
// was.
type NotFoundError struct {
	// Name is the program as somebody wrote it.
	Name string
	// Path is the file that the name means, "" where the directories of PATH
	// were searched.
	Path string
	// Reason is why nothing is there to be started.
	Reason Reason
}

// A Reason is why a program cannot be started.
type Reason string

// What is known against a program.
const (
	NotInPath     Reason = "in no directory of PATH"
	NoSuchFile    Reason = "no such file"
	IsDirectory   Reason = "a directory"
	NotExecutable Reason = "not executable"
)

// Error says which word, where it was looked for, and what to do.
func (e *NotFoundError) Error() string {
	switch e.Reason {
	case NotInPath:
		if words := strings.Fields(e.Name); len(words) > 1 {
			return fmt.Sprintf("there is no program %q: it is one word, with spaces in it. Write its words apart: %s", e.Name, strings.Join(words, " "))
		}
		return fmt.Sprintf("there is no program %q: no directory of PATH has it. Install it, or write %q for a file of that directory", e.Name, "./"+e.Name)
	case IsDirectory:
		return fmt.Sprintf("the program %q cannot be started: %s is a directory", e.Name, e.Path)
	case NotExecutable:
		return fmt.Sprintf("the program %q cannot be started: %s may not be executed. Make it executable, or name its interpreter first: %s", e.Name, e.Path, strings.Join(Interpreted(e.Name), " "))
	}
	return fmt.Sprintf("there is no program %q: %s does not exist", e.Name, e.Path)
}

// Interpreter is the beginning of a command line that runs files of the kind that a
// name ends like, nil where none is known.
func Interpreter(name string) []string { return interpreters[strings.ToLower(filepath.Ext(name))] }

var interpreters = map[string][]string{
	".py": {"python3"}, ".js": {"node"}, ".mjs": {"node"}, ".cjs": {"node"}, ".ts": {"npx", "tsx"}, ".mts": {"npx", "tsx"}, ".tsx": {"npx", "tsx"},
	".sh": {"sh"}, ".bash": {"bash"}, ".rb": {"ruby"}, ".php": {"php"}, ".pl": {"perl"}, ".lua": {"lua"}, ".go": {"go", "run"},
}

// Interpreted is the command line that runs a file by what its name ends like, or by the
// shell.
func Interpreted(name string) []string {
	interpreter := Interpreter(name)
	if interpreter == nil {
		interpreter = []string{"sh"}
	}
	return slices.Concat(interpreter, []string{name})
}

// Find is the file of a program: the name itself, seen from dir, where it has a
// slash, as a shell in that directory would have it; else what PATH has. The
// error is a *[NotFoundError], or errors.ErrUnsupported on a system that starts
// no programs.
func Find(name, dir string) (string, error) {
	if err := startable(runtime.GOOS); err != nil {
		return "", err
	}
	if !strings.ContainsAny(name, `/`+string(filepath.Separator)) {
		path, err := exec.LookPath(name)
		if err != nil {
			return "", &NotFoundError{Name: name, Reason: NotInPath}
		}
		return path, nil
	}
	path := filepath.FromSlash(name)
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	// Not the name alone: with a relative dir and no dot, PATH would be searched.
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	found, err := exec.LookPath(path)
	if err == nil {
		return found, nil
	}
	info, statErr := os.Stat(path)
	reason := NotExecutable
	switch {
	case errors.Is(statErr, fs.ErrNotExist):
		reason = NoSuchFile
	case statErr != nil:
		return "", fmt.Errorf("the program %q cannot be started: %w", name, statErr)
	case info.IsDir():
		reason = IsDirectory
	}
	return "", &NotFoundError{Name: name, Path: path, Reason: reason}
}
