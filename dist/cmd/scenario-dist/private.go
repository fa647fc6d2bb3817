package main

import (
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"
)

// pathsOf are the files that a call names in its flags: credentials, values of variables,
// reports. They stay on this machine. A directory for the state of a queue has everything
// in one with a hidden name, which does so by itself.
func pathsOf(flags *pflag.FlagSet) (paths []string) {
	flags.VisitAll(func(f *pflag.Flag) {
		switch takes, _ := pflag.UnquoteUsage(f); takes {
		case "file", "kind=path":
		default:
			return
		}
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, value := range values {
			// A path can have an equals sign of its own: both readings stay.
			_, behind, _ := strings.Cut(value, "=")
			for _, path := range []string{value, behind} {
				if path == "" || path == "-" {
					continue
				}
				if path, err := filepath.Abs(filepath.FromSlash(path)); err == nil {
					paths = append(paths, path)
				}
			}
		}
	})
	return paths
}
