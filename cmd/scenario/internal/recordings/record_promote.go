package recordings

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/internal/recording"
	"github.com/scenario-lang/scenario/suite"
)

// Writable refuses a scenario file that a flag cannot write, because it has to
// import the one at paths, before anything is run. A name of "" is none.
func Writable(flag, file string, paths []string) error {
	name := filepath.ToSlash(file)
	switch {
	case file == "":
		return nil
	case !strings.HasSuffix(name, suite.Suffix):
		return cli.Usagef("name it, for example, faults"+suite.Suffix, "%s writes a scenario file, and %s is not the name of one", flag, name)
	case disk.Exists(file):
		return cli.Usagef("name another file; nothing was recorded", "%s already exists", name)
	case len(paths) != 1 || !strings.HasSuffix(paths[0], suite.Suffix):
		return cli.Usagef("", "%s takes one scenario file, not a directory or several files", flag)
	case filepath.Dir(file) != filepath.Dir(filepath.Clean(paths[0])):
		return cli.Usagef("name a file beside it", "%s has to import %s and its cassette, and is in another directory", name, filepath.ToSlash(paths[0]))
	}
	return nil
}

// promote writes a scenario file with the failures that were recorded as faults.
func promote(a *cli.App, f *recordFlags, source string, set *recording.Set) error {
	if f.promote == "" {
		return nil
	}
	return WriteDraft(a, f.promote, source, "with the recorded failures as faults", "no failure was recorded", func(src []byte) (recording.Promoted, error) { return set.Promote(source, src) })
}

// WriteDraft writes a scenario file that is made of the one at source: made says
// what it has, and none why there is nothing to write.
func WriteDraft(a *cli.App, file, source, made, none string, drafted func(src []byte) (recording.Promoted, error)) error {
	src, err := disk.Read(source, dsl.MaxFileSize)
	if err != nil {
		return cli.Usagef("", "cannot read %s: %s", source, disk.Cause(err))
	}
	out, err := drafted(src)
	if err != nil {
		return cli.ExitAs(cli.ExitInvalid, err.Error(), "")
	}
	for _, p := range out.LeftOut {
		fmt.Fprintf(a.Stderr, "%q is left out: it is one of several scenarios that a block stands for, or no script can answer what it met\n", p.Name)
	}
	name := filepath.ToSlash(file)
	if out.Scenarios == 0 {
		fmt.Fprintf(a.Stderr, "%s; %s is not written\n", none, name)
		return nil
	}
	if err := disk.Write(file, out.Text, 0o666); err != nil {
		return cli.ExitAs(cli.ExitInternal, fmt.Sprintf("cannot write %s: %s", name, disk.Cause(err)), "")
	}
	fmt.Fprintf(a.Stderr, "wrote %s: %s %s\n", name, cli.Plural(out.Scenarios, "scenario"), made)
	return nil
}
