package cli

import (
	"regexp"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/suite"
)

// completeMax bounds how many files are read to complete a word: a shell waits.
const completeMax = 500

// CompleteSelection has the shell complete --run and --skip with the names of
// scenarios, and --tag with their tags, of the files that are named so far.
func CompleteSelection(cmd *cobra.Command) {
	names := func(b *dsl.Block) []string { return []string{"^" + regexp.QuoteMeta(b.Name()) + "$"} }
	tags := func(b *dsl.Block) []string {
		var ignored hcl.Diagnostics
		r := dsl.Reader{Block: b, Ctx: &hcl.EvalContext{}, Diags: &ignored}
		return r.Strings("tags")
	}
	for flag, of := range map[string]func(*dsl.Block) []string{"run": names, "skip": names, "tag": tags} {
		if cmd.Flags().Lookup(flag) == nil {
			continue
		}
		// The flag is there, and nobody has said how to complete it.
		_ = cmd.RegisterFlagCompletionFunc(flag, func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return words(args, of), cobra.ShellCompDirectiveNoFileComp
		})
	}
}

// CompleteOneOf has the shell complete a flag with words from a fixed list.
func CompleteOneOf(cmd *cobra.Command, flag string, words []string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// words are what of says of every scenario in the files, sorted, each once.
// Files that cannot be read have nothing to say.
func words(paths []string, of func(*dsl.Block) []string) []string {
	files, err := suite.Disk().Discover(paths)
	if err != nil {
		return nil
	}
	var found []string
	for _, path := range files[:min(len(files), completeMax)] {
		src, err := disk.Read(path, dsl.MaxFileSize)
		if err != nil {
			continue
		}
		file, _ := dsl.Parse(path, src)
		if file == nil {
			continue
		}
		for _, b := range file.Body.All("scenario") {
			found = append(found, of(b)...)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// CompleteFiles has the shell complete the names of files.
func CompleteFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"hcl"}, cobra.ShellCompDirectiveFilterFileExt
}
