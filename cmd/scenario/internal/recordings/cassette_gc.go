package recordings

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/interp"
)

// gcFlags are what `scenario cassette gc` can be told.
type gcFlags struct {
	variables harness.VariableFlags
	write     bool
}

func gcCommand(a *cli.App) *cobra.Command {
	f := &gcFlags{}
	cmd := &cobra.Command{
		Use:   "gc [path…]",
		Short: "Find interactions that no scenario plays; remove them with --write",
		Long: "Run the scenarios of the paths and list the interactions of their cassettes that answered\n" +
			"nothing. Name all scenario files that share a cassette: what only other files play counts as\n" +
			"unused. Nothing changes without --write, and then only files in our own format whose\n" +
			"scenarios otherwise pass. Body files that no cassette refers to are removed, too.",
		ValidArgsFunction: cli.CompleteFiles,
		RunE:              func(_ *cobra.Command, args []string) error { return collect(a, f, args) },
	}
	f.variables.Register(cmd.Flags())
	cmd.Flags().BoolVar(&f.write, "write", false, "remove them from the files")
	return cmd
}

// A used cassette is a file with what scenarios played of it.
type usedCassette struct {
	path   string
	played map[int]bool
	// notRun are scenarios that are skipped, or of programs, which gc does not start:
	// what they would play is not known.
	notRun []*interp.Plan
	// failed is a scenario that did not come to its end as it should: what it
	// would have played is not known.
	failed string
}

func collect(a *cli.App, f *gcFlags, paths []string) error {
	l := harness.NewLoader(a)
	defer l.Close()
	var err error
	if l.Vars, err = f.variables.Read(a); err != nil {
		return err
	}
	h := a.WatchHalt(0)
	defer h.Release()
	files, err := harness.Load(a, l, paths, 1, h, false)
	if err != nil {
		return err
	}
	var all []*usedCassette
	for _, file := range files {
		for _, p := range file.Plans {
			if all, err = use(a, l, all, file.Path, p); err != nil {
				return err
			}
		}
	}
	if len(all) == 0 {
		return cli.ExitAs(cli.ExitNothing, "no scenario names a cassette", "name the scenario files that play the recordings")
	}
	code := cli.ExitPassed
	for _, c := range all {
		if err := sweep(a, c, f.write); err != nil {
			fmt.Fprintf(a.Stderr, "Error: %s\n", err)
			code = cli.ExitCassette
		}
	}
	return cli.ExitWith(code)
}

// use runs a scenario and notes what it played.
func use(a *cli.App, l *harness.Loader, all []*usedCassette, file string, p *interp.Plan) ([]*usedCassette, error) {
	if p.CassettePath() == "" {
		return all, nil
	}
	path, err := l.Source.Resolve(file, p.CassettePath())
	if err != nil {
		return nil, err
	}
	path = filepath.ToSlash(path)
	at := slices.IndexFunc(all, func(t *usedCassette) bool { return t.path == path })
	if at < 0 {
		at = len(all)
		all = append(all, &usedCassette{path: path, played: map[int]bool{}})
	}
	t := all[at]
	if p.NotRun(interp.Interpreted) != "" {
		t.notRun = append(t.notRun, p)
		return all, nil
	}
	result := a.Play(p, interp.RunOptions{})
	for _, n := range result.Played {
		t.played[n] = true
	}
	if !onlyUnused(result) {
		t.failed = p.Name
	}
	return all, nil
}

// onlyUnused reports whether a scenario ran to its end and nothing was wrong but
// what gc is there for.
func onlyUnused(r *interp.Result) bool {
	if r.Verdict == interp.Error {
		return false
	}
	return !slices.ContainsFunc(r.Problems, func(p interp.Problem) bool { return !p.IsUnusedInteraction() })
}

// of reports whether an interaction may be one of a scenario that was not run.
func (t *usedCassette) of(it *cassette.Interaction) func(*interp.Plan) bool {
	return func(p *interp.Plan) bool { return it.Scenario == "" || it.Scenario == p.Name }
}

// sweep names what was not played, and removes it where that is asked for.
func sweep(a *cli.App, t *usedCassette, write bool) error {
	c, err := loadCassette(t.path)
	if err != nil {
		return err
	}
	if c.Scripts != nil {
		return nil
	}
	kept := &cassette.Cassette{Provider: c.Provider, RecordedAt: c.RecordedAt}
	unused := 0
	for _, it := range c.Interactions {
		if t.played[it.Index] || slices.ContainsFunc(t.notRun, t.of(it)) {
			kept.Interactions = append(kept.Interactions, it)
			continue
		}
		unused++
		fmt.Fprintf(a.Stdout, "%s:%d: interaction %d of step %s is not played: %s %s %s\n", t.path, it.Line, it.Index, address(it), it.Method, it.ShownURL(), it.Outcome())
	}
	for _, p := range t.notRun {
		fmt.Fprintf(a.Stderr, "%s: what scenario %q plays is not known, because gc does not run it, so that stays: %s\n", t.path, cli.Readable(p.Name), unswept(p))
	}
	switch {
	case unused == 0 && len(t.notRun) > 0:
	case unused == 0:
		fmt.Fprintf(a.Stderr, "%s: nothing to remove, %s in use\n", t.path, cli.Plural(len(c.Interactions), "interaction"))
	case t.failed != "":
		fmt.Fprintf(a.Stderr, "%s is left as it is, because scenario %q fails, so what it would play is not known\n", t.path, t.failed)
	case !c.Own:
		fmt.Fprintf(a.Stderr, "%s is left as it is, because its format is %s\nhint: scenario cassette convert writes it in our own format\n", t.path, c.Format)
	case !write:
		fmt.Fprintf(a.Stderr, "%s: %d of %d would be removed\nhint: add --write to remove them\n", t.path, unused, len(c.Interactions))
	default:
		if err := kept.SaveOver(t.path, c); err != nil {
			return err
		}
		fmt.Fprintf(a.Stderr, "%s: removed %s, %d left\n", t.path, cli.Plural(unused, "interaction"), len(kept.Interactions))
	}
	return sweepBodies(a, t.path, write)
}

// unswept is why gc does not run a scenario, and what does of a program.
func unswept(p *interp.Plan) string {
	if ofProgram(p) {
		return fmt.Sprintf("it is one of a program; %s records it without what the program asks no more", live("", p))
	}
	return p.NotRun(interp.Interpreted)
}

// sweepBodies does the same for the bodies beside the file.
func sweepBodies(a *cli.App, path string, write bool) error {
	orphans, err := cassette.Orphans(path)
	if err != nil {
		return err
	}
	for _, name := range orphans {
		fmt.Fprintf(a.Stdout, "%s: nothing in %s refers to this body\n", name, path)
		if write {
			if err := os.Remove(name); err != nil {
				return err
			}
		}
	}
	return nil
}
