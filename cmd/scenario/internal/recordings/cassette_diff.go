package recordings

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/cassette/match"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/command/cli"
)

func diffCommand(a *cli.App) *cobra.Command {
	var profile string
	var verbose bool
	cmd := &cobra.Command{
		Use:   "diff file file",
		Short: "Compare two recordings of the same calls, and propose what to ignore",
		Long: "Lay two recordings of the same calls side by side and print how the requests differ, and the\n" +
			"answers. What differs between two recordings of one program differs in every run: it is printed\n" +
			"as an ignore attribute for the cassette block, if that makes the requests equal. Exits with code\n" +
			"1 if requests differ.",
		RunE: func(_ *cobra.Command, args []string) error { return diffCassettes(a, profile, verbose, args) },
	}
	cmd.Flags().StringVar(&profile, "match", "", "what of a request is compared, a `profile`: "+strings.Join(match.Profiles(), ", ")+"; by default as a replay would")
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "print equal answers and every difference, too")
	return cmd
}

func diffCassettes(a *cli.App, profile string, verbose bool, args []string) error {
	if len(args) != 2 {
		return cli.Usagef("for example scenario cassette diff cassettes/support.yaml again.yaml", "diff takes two files, not %d", len(args))
	}
	if profile != "" && !slices.Contains(match.Profiles(), profile) {
		return cli.Usagef("the profiles are "+strings.Join(match.Profiles(), ", "), "unknown profile %q.%s", profile, dsl.DidYouMean(profile, match.Profiles()))
	}
	var both [2]*cassette.Cassette
	for i, path := range args {
		c, err := loadCassette(path)
		if err != nil {
			return cli.ExitAs(cli.ExitCassette, err.Error(), "")
		}
		if c.Scripts != nil {
			return cli.ExitAs(cli.ExitCassette, c.Path+": it holds answers and no requests, so there is nothing to compare", "")
		}
		both[i] = c
	}
	m := match.Match{Profile: profile}
	if profile == "" && !both[0].Own {
		m.Profile = match.Semantic // as a replay of it
	}
	list, ignore := cassette.Compare(both[0], both[1], m)
	var b bytes.Buffer
	differ := writeDiff(&b, list, verbose)
	writeProposal(&b, both[0].Path, m, list, ignore)
	if _, err := a.Stdout.Write(b.Bytes()); err != nil {
		return cli.Ending(cli.ExitPassed, fmt.Errorf("cannot write: %w", err))
	}
	if differ > 0 {
		return cli.ExitWith(cli.ExitFailed)
	}
	return nil
}

// writeDiff prints what differs, and returns how many requests do.
func writeDiff(b *bytes.Buffer, list []cassette.Checked, verbose bool) (differ int) {
	answers := 0
	for _, c := range list {
		if asksOtherwise(c) {
			differ++
		}
		if c.Tier() != "" {
			answers++
		}
	}
	fmt.Fprintf(b, "%s compared, %d asked otherwise, %d answered otherwise\n", cli.Plural(len(list), "call"), differ, answers)
	for _, c := range list {
		if !asksOtherwise(c) && c.Tier() == "" && !verbose {
			continue
		}
		fmt.Fprintf(b, "  %s\n", answerName(c))
		for _, d := range c.Asked {
			writeChange(b, "asked", d.Path, d.Recorded, d.Actual)
		}
		for i, change := range c.Changes {
			if i >= shownContents && !verbose {
				fmt.Fprintf(b, "    and %d more of the answer (-v shows all)\n", len(c.Changes)-i)
				break
			}
			writeChange(b, change.Tier, change.Path, change.Recorded, change.Now)
		}
	}
	return differ
}

func asksOtherwise(c cassette.Checked) bool {
	return len(c.Asked) > 0 || c.Recorded == nil || c.Now == nil
}

// writeProposal prints what to ignore, and what stays different with it.
func writeProposal(b *bytes.Buffer, path string, m match.Match, list []cassette.Checked, ignore []string) {
	if len(ignore) > 0 {
		quoted := make([]string, len(ignore))
		for i, place := range ignore {
			quoted[i] = strconv.Quote(place)
		}
		fmt.Fprintf(b, "if that does not matter, say so in the cassette block:\n  path   = %s\n  ignore = [%s]\n", strconv.Quote(path), strings.Join(quoted, ", "))
	}
	told := 0
	for _, c := range list {
		if len(c.Asked) > 0 && stillDiffers(c, ignore) {
			told++
		}
	}
	if told > 0 {
		fmt.Fprintf(b, "%s in what decides the answer, such as the conversation: the program has to ask for the same each time\n", cli.Plural(told, "request")+" "+verb(told))
	}
}

func verb(n int) string {
	if n == 1 {
		return "differs"
	}
	return "differ"
}

// stillDiffers reports whether a request differs elsewhere than in these places.
func stillDiffers(c cassette.Checked, ignore []string) bool {
	return slices.ContainsFunc(c.Asked, func(d match.FieldDiff) bool {
		return !slices.ContainsFunc(ignore, func(place string) bool { return match.Covers(place, d.Path) })
	})
}
