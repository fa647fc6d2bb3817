package process

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// What a command that runs another one tells it in its environment. Each run hands out
// other addresses, ports and temporary files, so that what it sets and what it writes say
// nothing about the program that is run.
const (
	// HandedVariable has the names of the variables that were set, between commas.
	HandedVariable = "SCENARIO_EXEC_SETS"
	// WrittenVariable has the paths of the files that are written, as PATH has them.
	WrittenVariable = "SCENARIO_EXEC_WRITES"
)

// Handing is the value of [HandedVariable] for names.
func Handing(names []string) string {
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(names))), ",")
}

// Handed are the names in a value of [HandedVariable].
func Handed(value string) map[string]bool {
	names := map[string]bool{}
	for name := range strings.SplitSeq(value, ",") {
		if name != "" {
			names[name] = true
		}
	}
	return names
}

// Writing is the value of [WrittenVariable] for absolute paths.
func Writing(paths []string) string {
	return strings.Join(paths, string(os.PathListSeparator))
}

// Written are the paths in a value of [WrittenVariable].
func Written(value string) []string { return filepath.SplitList(value) }
