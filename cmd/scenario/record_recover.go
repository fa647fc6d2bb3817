package main

import (
	"fmt"

	"github.com/scenario-lang/scenario/internal/recording"
)

// recoverRecordings deals with the journals of interrupted recordings.
func (a *app) recoverRecordings(f *recordFlags, paths []string) error {
	l := a.loader()
	l.Live = true
	defer l.Close()
	var err error
	if l.Vars, err = f.variables.read(a); err != nil {
		return err
	}
	h := a.watchHalt(f.timeout)
	defer h.release()
	files, err := a.load(l, paths, 1, h, f.quiet)
	if err != nil {
		return err
	}
	done, err := recording.Recover(filesOf(files))
	for _, r := range done {
		fmt.Fprintf(a.stderr, "%s: recovered %s\n", r.Path, plural(r.Kept, "interaction"))
		if r.Cut {
			fmt.Fprintln(a.stderr, "the last one was incomplete and is dropped")
		}
		fmt.Fprintf(a.stderr, "hint: steps that it did not reach are unchanged; scenario test %s shows what does not match\n", r.Users[0].File)
	}
	switch {
	case err != nil:
		return &exitError{exitCassette, err.Error(), ""}
	case len(done) == 0:
		fmt.Fprintln(a.stderr, "no recording was interrupted; nothing was changed")
	}
	return nil
}
