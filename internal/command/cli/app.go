package cli

import (
	"io"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/internal/command/notify"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
)

// Lookup finds a variable of the environment, as os.LookupEnv does.
type Lookup func(name string) (string, bool)

// An App is the surroundings of one command.
type App struct {
	Stdin io.Reader
	// Stdout and Stderr show what they are given, whatever stands in it: see
	// package inert. In a live run they also hide what hides finds.
	Stdout, Stderr io.Writer
	hides          *redact.Redactor
	// Learn has them hide some values, too, and Receive those that become known while
	// something runs, of which only the newest are hidden; nil where nothing is.
	Learn, Receive func(values []string)
	// Gone is closed when nobody reads standard output any more. Nil never is: the
	// command does its work to the end.
	Gone <-chan struct{}
	// Env is the environment.
	Env Lookup
	// Files is where scenario files are, nil for the disk. See [App.Source].
	Files *suite.Source
	// Play runs one scenario, and After waits on the real clock; tests replace
	// both.
	Play  func(*interp.Plan, interp.RunOptions) *interp.Result
	After func(time.Duration) <-chan time.Time
	// Notifier learns of changes of files.
	Notifier func() (notify.Notifier, error)
	// Dying, where not nil, removes what must not outlive the process, before a second
	// signal ends that at once. It has a second, and is called from a goroutine of its own
	// while the command goes on.
	Dying func()
	// Memory follows what is alive while a suite is read and run.
	Memory memory
	// Keep is how much source, in bytes, stays compiled until a suite runs.
	Keep int64
	// Diagnostics writes what is wrong with files to standard output too,
	// where a program asked for it.
	Diagnostics func(w io.Writer, diags hcl.Diagnostics)
	// Benches is what runs a bench, for hints; "" is for scenario bench.
	Benches string
}

// Source is where scenario files are, the disk as it is now where nothing else was
// said.
func (a *App) Source() *suite.Source {
	if a.Files != nil {
		return a.Files
	}
	return suite.Disk()
}
