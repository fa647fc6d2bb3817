//go:build unix

package peak

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"time"
)

// word is the first argument of a launcher. The path of the program and its arguments,
// with its name, follow.
const word = "launch-and-measure"

// reportFile is where a launcher writes what it has to say: begun, then ended.
const reportFile = 3

// launches is set once Launch was called in a program that is no launcher.
var launches bool

// begun is said once the program runs, or could not be started.
type begun struct {
	At      time.Time
	PID     int
	Problem string `json:",omitempty"`
}

// Launch is the whole of a process that Start has begun, and does not return in one.
// Elsewhere it does nothing. A program that measures others calls it before all else.
func Launch() {
	if len(os.Args) < 4 || os.Args[1] != word {
		launches = true
		return
	}
	if err := launch(os.Args[2], os.Args[3:]); err != nil {
		fmt.Fprintln(os.Stderr, "measuring:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

func launch(path string, args []string) error {
	syscall.CloseOnExec(reportFile)
	say := json.NewEncoder(os.NewFile(reportFile, "report"))
	c := &exec.Cmd{Path: path, Args: args, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
	from := time.Now()
	if err := c.Start(); err != nil {
		return say.Encode(begun{Problem: err.Error()})
	}
	if err := say.Encode(begun{At: from, PID: c.Process.Pid}); err != nil {
		return err
	}
	var exit *exec.ExitError
	if err := c.Wait(); err != nil && !errors.As(err, &exit) {
		return err
	}
	return say.Encode(of(c.ProcessState, time.Since(from)))
}

// A Child is a program that runs.
type Child struct {
	// Process is the program itself, for signals.
	Process *os.Process
	// Began is when it was started.
	Began time.Time

	launcher *exec.Cmd
	report   *os.File
	said     *json.Decoder
}

// Start starts a program with what c says of it: its arguments, environment, directory,
// input and output. c is used up by it. It refuses to in a program that did not call Launch,
// which would start itself again and again.
func Start(c *exec.Cmd) (*Child, error) {
	if !launches {
		return nil, errors.New("peak.Start needs a main that begins with peak.Launch()")
	}
	if c.Err != nil {
		return nil, c.Err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	from, to, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	c.Args = slices.Concat([]string{self, word, c.Path}, c.Args)
	c.Path, c.ExtraFiles = self, []*os.File{to}
	err = c.Start()
	to.Close()
	if err != nil {
		from.Close()
		return nil, err
	}
	child := &Child{launcher: c, report: from, said: json.NewDecoder(from)}
	var b begun
	err = child.said.Decode(&b)
	if err == nil && b.Problem != "" {
		err = errors.New(b.Problem)
	}
	if err != nil {
		from.Close()
		_ = c.Process.Kill()
		_ = c.Wait()
		return nil, fmt.Errorf("cannot start %s: %w", c.Args[2], err)
	}
	child.Began = b.At
	child.Process, err = os.FindProcess(b.PID)
	return child, err
}

// Wait waits for the end of the program and of its output, and says what it took.
func (c *Child) Wait() (Used, error) {
	defer c.report.Close()
	var used Used
	said := c.said.Decode(&used)
	if err := c.launcher.Wait(); err != nil {
		return Used{}, err
	}
	return used, said
}
