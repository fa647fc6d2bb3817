package recordings

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/disk"
)

// scanFlags are what `scenario cassette scan` can be told.
type scanFlags struct {
	allow     []string
	allowFile string
	rules     bool
}

func scanCommand(a *cli.App) *cobra.Command {
	f := &scanFlags{}
	cmd := &cobra.Command{
		Use:   "scan path…",
		Short: "Look for secrets in recordings; exits with code 1 if it finds any",
		Long: "Look for secrets in recordings and fixtures of any format: tokens in the forms in which\n" +
			"services issue them, and values under names that carry credentials. A line for each\n" +
			"gives its place, the rule, and a mark that identifies the secret without revealing it. Allow\n" +
			"what is meant to be there by its rule or its mark. A value that looks random and matches no\n" +
			"rule is a warning. Nothing is changed.",
		RunE: func(_ *cobra.Command, args []string) error { return scan(a, f, args) },
	}
	flags := cmd.Flags()
	cli.Repeated(flags, &f.allow, "allow", "ignore hits of this `rule` or with this mark (repeatable)")
	flags.StringVar(&f.allowFile, "allow-file", "", "a `file` of rules and marks to ignore, one per line; # begins a comment")
	flags.BoolVar(&f.rules, "rules", false, "print the names of all rules")
	return cmd
}

func scan(a *cli.App, f *scanFlags, paths []string) error {
	if f.rules {
		_, err := fmt.Fprintln(a.Stdout, strings.Join(redact.ScanRules(), "\n"))
		return err
	}
	if len(paths) == 0 {
		return cli.Usagef("for example scenario cassette scan cassettes", "scan takes files and directories")
	}
	allowed, err := f.allowed()
	if err != nil {
		return err
	}
	files, err := findCassettes(paths)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return cli.ExitAs(cli.ExitNothing, "no files in "+strings.Join(paths, ", "), "directories are searched for "+strings.Join(cassetteEndings, ", ")+" files")
	}
	code, hits := cli.ExitPassed, 0
	for _, t := range files {
		n, err := scanFile(a, t.path, allowed)
		if err != nil && !t.found {
			fmt.Fprintf(a.Stderr, "Error: %s\n", err)
			code = cli.Worst(code, cli.ExitCassette)
		} else if err != nil {
			fmt.Fprintf(a.Stderr, "%s is not a cassette\n", t.path)
		}
		hits += n
	}
	if hits > 0 {
		code = cli.Worst(code, cli.ExitFailed)
		fmt.Fprintf(a.Stderr, "%s in %s\nhint: scenario cassette convert --redact hides them; record again, or revoke what was committed\n", cli.Plural(hits, "secret"), cli.Plural(len(files), "file"))
	}
	return cli.ExitWith(code)
}

// allowed is what is no hit. A word that is neither a rule nor a mark is a
// mistake: it would allow nothing.
func (f *scanFlags) allowed() ([]string, error) {
	list := slices.Clone(f.allow)
	if f.allowFile != "" {
		text, err := disk.Read(f.allowFile, dsl.MaxFileSize)
		if err != nil {
			return nil, cli.Usagef("", "cannot read %s: %s", f.allowFile, disk.Cause(err))
		}
		for line := range strings.Lines(string(text)) {
			line, _, _ = strings.Cut(line, "#")
			if line = strings.TrimSpace(line); line != "" {
				list = append(list, line)
			}
		}
	}
	rules := redact.ScanRules()
	for _, word := range list {
		if !slices.Contains(rules, word) && !strings.HasPrefix(word, "<REDACTED:sha256=") {
			return nil, cli.Usagef("scenario cassette scan --rules lists the rules; a mark is at the end of a hit", "there is no rule %q to allow.%s", word, dsl.DidYouMean(word, rules))
		}
	}
	return list, nil
}

func scanFile(a *cli.App, path string, allowed []string) (hits int, err error) {
	path = filepath.ToSlash(path)
	data, err := disk.Read(path, importMax)
	if err != nil {
		return 0, fmt.Errorf("cannot read %s: %w", path, disk.Cause(err))
	}
	found, err := redact.Scan(path, data)
	var bad *cassette.LoadError
	if errors.As(err, &bad) {
		return 0, bad
	}
	warnOfSuspects(a, path, data, found, allowed)
	hits, err = printHits(a, path, found, allowed)
	if err != nil {
		return hits, err
	}
	bodies, err := cassette.ScanBodies(path)
	if err != nil {
		return hits, fmt.Errorf("cannot read the bodies %s: %w", path, disk.Cause(err))
	}
	for _, name := range slices.Sorted(maps.Keys(bodies)) {
		more, err := printHits(a, filepath.ToSlash(filepath.Join(filepath.Dir(path), name)), bodies[name], allowed)
		hits += more
		if err != nil {
			return hits, err
		}
	}
	return hits, nil
}

// printHits prints what is not allowed, one a line.
func printHits(a *cli.App, path string, found []redact.Finding, allowed []string) (hits int, err error) {
	for _, h := range found {
		if slices.Contains(allowed, h.Rule) || slices.Contains(allowed, h.Mark) {
			continue
		}
		hits++
		if _, err := fmt.Fprintf(a.Stdout, "%s:%d: %s in %s: %s\n", path, h.Line, h.Rule, cli.Readable(h.Where), h.Mark); err != nil {
			return hits, err
		}
	}
	return hits, nil
}
