package recordings

import (
	"fmt"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/internal/recording"
)

// recoverRecordings deals with the journals of interrupted recordings.
func recoverRecordings(a *cli.App, f *recordFlags, paths []string) error {
	l := harness.NewLoader(a)
	l.Live = true
	defer l.Close()
	var err error
	if l.Vars, err = f.Variables.Read(a); err != nil {
		return err
	}
	h := a.WatchHalt(f.Timeout)
	defer h.Release()
	files, err := harness.Load(a, l, paths, 1, h, f.Quiet)
	if err != nil {
		return err
	}
	done, err := recording.Recover(harness.FilesOf(files))
	for _, r := range done {
		fmt.Fprintf(a.Stderr, "%s: recovered %s\n", r.Path, cli.Plural(r.Kept, "interaction"))
		if r.Cut {
			fmt.Fprintln(a.Stderr, "the last one was incomplete and is dropped")
		}
		fmt.Fprintf(a.Stderr, "hint: steps that it did not reach are unchanged; scenario test %s shows what does not match\n", r.Users[0].File)
	}
	switch {
	case err != nil:
		return cli.ExitAs(cli.ExitCassette, err.Error(), "")
	case len(done) == 0:
		fmt.Fprintln(a.Stderr, "no recording was interrupted; nothing was changed")
	}
	return nil
}
