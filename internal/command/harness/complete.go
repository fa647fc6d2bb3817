package harness

import (
	"os"
	"path"
	"strings"

	"github.com/spf13/cobra"
)

// completeMax bounds how many files a shell is told of.
const completeMax = 200

// CompleteReports has the shell complete --report: the kinds, all where none are
// named, and the files behind them.
func CompleteReports(cmd *cobra.Command, kinds ...string) {
	if len(kinds) == 0 {
		kinds = FormatNames()
	}
	// The flag is there, and nobody has said how to complete it.
	_ = cmd.RegisterFlagCompletionFunc("report", func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		kind, file, behind := strings.Cut(typed, "=")
		if behind {
			return reportFiles(kind, file), cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
		}
		var offered []string
		for _, k := range kinds {
			offered = append(offered, k+"="+described(k))
		}
		return offered, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
	})
}

// described is what a shell shows beside a kind.
func described(kind string) string {
	if f, ok := formatNamed(kind); ok {
		return "\t" + f.Summary
	}
	return ""
}

// reportFiles are the files and directories that a path may go on with, as a value
// of the flag.
func reportFiles(kind, typed string) []string {
	dir, begins := path.Split(typed)
	entries, err := os.ReadDir(path.Join(dir, "."))
	if err != nil {
		return nil
	}
	var found []string
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), begins) || len(found) == completeMax {
			continue
		}
		name := kind + "=" + dir + e.Name()
		if e.IsDir() {
			name += "/"
		}
		found = append(found, name)
	}
	return found
}
