package benches

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/scenario-lang/scenario/internal/disk"
)

// A begunFile remembers which trials have begun that must not run twice: each is
// noted before its program starts.
type begunFile struct {
	file *os.File
	// known are those of the run that this one resumes.
	known map[caseTrial]bool
}

// A begunTrial is one line of the file.
type begunTrial struct {
	Case  string `json:"case"`
	Trial int    `json:"trial"`
}

// openBegun opens what an earlier run noted, or begins anew.
func openBegun(path string, resume bool) (*begunFile, error) {
	b := &begunFile{known: map[caseTrial]bool{}}
	flags := os.O_WRONLY | os.O_CREATE | os.O_APPEND
	if resume {
		if err := b.read(path); err != nil {
			return nil, err
		}
	} else {
		flags |= os.O_TRUNC
	}
	var err error
	if err = disk.Regular(path); err == nil {
		b.file, err = os.OpenFile(path, flags, 0o666)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot note which trials have begun: %w", disk.Cause(err))
	}
	return b, nil
}

// read takes over what was noted. A line that a crash cut off began nothing.
func (b *begunFile) read(path string) error {
	f, err := disk.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", filepath.ToSlash(path), disk.Cause(err))
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var t begunTrial
		if json.Unmarshal(lines.Bytes(), &t) == nil {
			b.known[caseTrial{t.Case, t.Trial}] = true
		}
	}
	return lines.Err()
}

// note lasts before it returns.
func (b *begunFile) note(id string, n int) error {
	line, err := json.Marshal(begunTrial{id, n})
	if err == nil {
		_, err = b.file.Write(append([]byte("\n"), append(line, '\n')...))
	}
	if err == nil {
		err = b.file.Sync()
	}
	if err != nil {
		return fmt.Errorf("cannot note that a trial begins: %w", disk.Cause(err))
	}
	return nil
}

// lost reports whether a trial has begun before whose end the log does not have, and
// else notes that it begins.
func (l *benchLog) lost(id string, n int, _ string) (bool, error) {
	at := caseTrial{id, n}
	if _, ended := l.logged.last[at]; l.begun.known[at] && !ended {
		return true, nil
	}
	return false, l.begun.note(id, n)
}
