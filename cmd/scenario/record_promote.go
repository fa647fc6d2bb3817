package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/internal/recording"
	"github.com/scenario-lang/scenario/suite"
)

// promotable refuses what --promote-faults cannot write, before anything is
// recorded.
func (f *recordFlags) promotable(paths []string) error {
	name := filepath.ToSlash(f.promote)
	switch {
	case f.promote == "":
		return nil
	case !strings.HasSuffix(name, suite.Suffix):
		return usagef("name it, for example, faults"+suite.Suffix, "--promote-faults writes a scenario file, and %s is not the name of one", name)
	case disk.Exists(f.promote):
		return usagef("name another file; nothing was recorded", "%s already exists", name)
	case len(paths) != 1 || !strings.HasSuffix(paths[0], suite.Suffix):
		return usagef("", "--promote-faults takes one scenario file, not a directory or several files")
	case filepath.Dir(f.promote) != filepath.Dir(filepath.Clean(paths[0])):
		return usagef("name a file beside it", "%s has to import %s and its cassette, and is in another directory", name, filepath.ToSlash(paths[0]))
	}
	return nil
}

// promote writes a scenario file with the failures that were recorded as faults.
func (a *app) promote(f *recordFlags, source string, set *recording.Set) error {
	if f.promote == "" {
		return nil
	}
	src, err := disk.Read(source, dsl.MaxFileSize)
	if err != nil {
		return usagef("", "cannot read %s: %s", source, disk.Cause(err))
	}
	out, err := set.Promote(source, src)
	if err != nil {
		return &exitError{exitInvalid, err.Error(), ""}
	}
	for _, p := range out.LeftOut {
		fmt.Fprintf(a.stderr, "the failures of %q are left out: it is one of several scenarios that a block stands for\n", p.Name)
	}
	name := filepath.ToSlash(f.promote)
	if out.Scenarios == 0 {
		fmt.Fprintf(a.stderr, "no failure was recorded; %s is not written\n", name)
		return nil
	}
	if err := disk.Write(f.promote, out.Text, 0o666); err != nil {
		return &exitError{exitInternal, fmt.Sprintf("cannot write %s: %s", name, disk.Cause(err)), ""}
	}
	fmt.Fprintf(a.stderr, "wrote %s: %s with the recorded failures as faults\n", name, plural(out.Scenarios, "scenario"))
	return nil
}
