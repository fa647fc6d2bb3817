package main

import (
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"
)

// pathsOf are the files and directories that a call names in its flags: credentials,
// values of variables, reports, the state of a queue. They stay on this machine.
func pathsOf(flags *pflag.FlagSet) (paths []string) {
	flags.VisitAll(func(f *pflag.Flag) {
		switch takes, _ := pflag.UnquoteUsage(f); takes {
		case "file", "directory", "kind=path":
		default:
			return
		}
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, value := range values {
			if _, path, found := strings.Cut(value, "="); found {
				value = path
			}
			if value == "" || value == "-" {
				continue
			}
			if path, err := filepath.Abs(filepath.FromSlash(value)); err == nil {
				paths = append(paths, path)
			}
		}
	})
	return paths
}
