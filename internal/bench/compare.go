package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/internal/bench/paired"
)

// regression is by how much a build may cost more than another one before that
// counts.
const regression = 0.1

// The pairs that are measured of each row: so many at a time, until the noise is
// small enough or there have been the most.
const (
	pairsAtOnce = 10
	pairsMost   = 60
)

// A build is what was built of one tree: programs that are "" where it is that of a commit
// that does not have all that they use.
type build struct {
	scenario string
	// work is that of package work, peer this program, and editor the tests of the editor.
	work, peer, editor string
}

// A comparison is a row of what is compared: what a build takes once.
type comparison struct {
	name string
	run  func(build) (float64, error)
	// needs is the program of a build that it runs.
	needs func(build) string
	// fresh is whether every pair runs copies of its own of the commands: where
	// the system keeps a file in memory can move a start-up by several percent.
	fresh bool
}

// compare holds the tree as it is against a commit and prints a verdict for each
// row. The error is errSlower where any costs more.
func (l *lab) compare(s settings, out io.Writer) error {
	ref := s.compare
	rows, err := l.comparisons(s.only)
	if err != nil {
		return err
	}
	old, err := l.buildOf(ref)
	if err != nil {
		return err
	}
	now, err := l.buildOfTree(s.plant)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s against %s, %s\n", l.commit("HEAD"), l.commit(ref), l.describe())
	var all tallies
	var found error
	for range s.times {
		err := verdicts(out, rows, now, old, ref, &all)
		if err != nil && !errors.Is(err, errSlower) {
			return err
		}
		found = cmp.Or(found, err)
	}
	if s.times > 1 {
		all.print(out)
	}
	return found
}

// verdicts measures rows and prints what each shows. The error is errSlower where
// something costs more, and another one where nothing can be measured.
func verdicts(out io.Writer, rows []comparison, now, old build, ref string, all *tallies) (found error) {
	if !slices.ContainsFunc(rows, func(r comparison) bool { return r.needs(old) != "" }) {
		return fmt.Errorf("%s has none of what is to be compared, so nothing was measured", ref)
	}
	fmt.Fprintf(out, "\n| what | cost, now to then | 99 %% of medians | pairs | |\n|---|---:|---|---:|---|\n")
	for _, r := range rows {
		if r.needs(old) == "" {
			fmt.Fprintf(out, "| %s | – | – | 0 | not in %s |\n", r.name, ref)
			continue
		}
		ratios, err := r.pairs(now, old)
		if err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		i := paired.Of(ratios)
		verdict := paired.Judge(i, regression)
		if verdict == paired.Slower {
			found = errSlower
		}
		fmt.Fprintf(out, "| %s | %.3f | %.3f – %.3f | %d | %s |\n", r.name, i.Median, i.Low, i.High, len(ratios), verdict)
		all.add(r.name, i.Median, verdict)
	}
	return found
}

// pairs measures until there are enough. Which build comes first alternates, and
// the first pair only warms up.
func (r comparison) pairs(now, old build) (ratios []float64, err error) {
	for n := 0; n <= pairsMost; n++ {
		if n > pairsAtOnce && n%pairsAtOnce == 1 && paired.Enough(paired.Of(ratios), regression) {
			break
		}
		builds := [2]build{now, old}
		if r.fresh {
			if builds, err = copied(builds); err != nil {
				return nil, err
			}
		}
		var took [2]float64
		for i := range 2 {
			which := (i + n) % 2
			if took[which], err = r.run(builds[which]); err != nil {
				return nil, err
			}
		}
		if n > 0 {
			ratios = append(ratios, took[0]/took[1])
		}
	}
	return ratios, nil
}

// copied are builds whose commands are copies, in the place of the last ones.
func copied(builds [2]build) ([2]build, error) {
	for i, b := range builds {
		text, err := os.ReadFile(b.scenario)
		if err != nil {
			return builds, err
		}
		builds[i].scenario = b.scenario + ".copy"
		_ = os.Remove(builds[i].scenario)
		if err := os.WriteFile(builds[i].scenario, text, 0o755); err != nil {
			return builds, err
		}
	}
	return builds, nil
}

// buildOf builds the tree of a commit, with the works of this one.
func (l *lab) buildOf(ref string) (build, error) {
	tree := filepath.Join(l.dir, "then")
	if err := os.MkdirAll(tree, 0o755); err != nil {
		return build{}, err
	}
	archive := exec.Command("git", "archive", ref)
	archive.Dir = l.root
	var said bytes.Buffer
	archive.Stderr = &said
	unpack := exec.Command("tar", "-x", "-C", tree)
	var err error
	if unpack.Stdin, err = archive.StdoutPipe(); err != nil {
		return build{}, err
	}
	if err := errors.Join(unpack.Start(), archive.Run(), unpack.Wait()); err != nil {
		return build{}, fmt.Errorf("the tree of %s: %w: %s", ref, err, firstLines(said.String(), 2))
	}
	own := filepath.Join(tree, "internal", "bench")
	if err := errors.Join(os.RemoveAll(own), os.CopyFS(own, os.DirFS(filepath.Join(l.root, "internal", "bench")))); err != nil {
		return build{}, err
	}
	then := *l
	then.root = tree
	return then.buildIn(tree, true)
}

// buildIn builds the programs of a tree in a directory, with flags for the compiler. What
// cannot be built is an error; of an older tree, which may lack what ours uses, only the
// command is.
func (l *lab) buildIn(dir string, older bool, flags ...string) (build, error) {
	made := func(name, how string, args ...string) (string, error) {
		path := filepath.Join(dir, name)
		return path, l.build(slices.Concat([]string{how}, flags, []string{"-o", path}, args)...)
	}
	var b build
	var err error
	if b.scenario, err = made("scenario.bin", "build", "./cmd/scenario"); err != nil {
		return build{}, err
	}
	for _, p := range []struct {
		to   *string
		name string
		args []string
	}{
		{&b.work, "work.bin", []string{"build", "./internal/bench/work"}},
		{&b.peer, "peer.bin", []string{"build", "./internal/bench"}},
		{&b.editor, "editor.bin", []string{"test", "-c", "./" + editorTests}},
	} {
		if *p.to, err = made(p.name, p.args[0], p.args[1:]...); err != nil {
			if !older {
				return build{}, err
			}
			*p.to = ""
		}
	}
	return b, nil
}

// editorTests has the benchmarks of the language server.
const editorTests = "internal/lsp"

// chosen are those of a list whose names match. None is an error, which would look as if
// nothing had been found.
func chosen[T any](all []T, only *regexp.Regexp, name func(T) string) ([]T, error) {
	var kept []T
	var names []string
	for _, one := range all {
		if only.MatchString(name(one)) {
			kept = append(kept, one)
		}
		names = append(names, name(one))
	}
	if len(kept) == 0 {
		return nil, fmt.Errorf("nothing here matches %q; there is %s", only, strings.Join(slices.Compact(names), ", "))
	}
	return kept, nil
}

// comparisons are the rows: commands as whole processes, and works.
func (l *lab) comparisons(only *regexp.Regexp) ([]comparison, error) {
	typical, err := l.typical(200)
	if err != nil {
		return nil, err
	}
	importing, err := l.importing(100, "std/resilience")
	if err != nil {
		return nil, err
	}
	trivial, err := l.trivial(1000)
	if err != nil {
		return nil, err
	}
	empty, err := l.empty()
	if err != nil {
		return nil, err
	}
	program, _, err := l.programFile()
	if err != nil {
		return nil, err
	}
	scenario := func(b build) string { return b.scenario }
	peak := func(name string, run func(build) (float64, error), needs func(build) string) comparison {
		return comparison{name: name + ", peak of memory", run: run, needs: needs}
	}
	whole := func(name string, repeat, code int, args ...string) comparison {
		return comparison{name: name, needs: scenario, fresh: repeat > 1, run: func(b build) (float64, error) {
			c := command{args: append([]string{b.scenario}, args...), env: uncached, repeat: repeat, code: code}
			s, err := c.run()
			return s.cpu, err
		}}
	}
	all := []comparison{
		whole("version", 10, 0, "version"),
		whole("test, nothing found", 10, 5, "test", empty),
		whole("validate, 200 files", 1, 0, "validate", typical),
		whole("test, 200 files", 1, 0, "test", typical),
		peak("test, 200 files", func(b build) (float64, error) {
			s, err := command{args: []string{b.scenario, "test", typical}, env: uncached}.run()
			return s.peak, err
		}, scenario),
		whole("test, 100 files with std/resilience", 1, 0, "test", importing),
		whole("test, 1,000 scenarios in a file", 1, 0, "test", trivial),
		{name: "test, 200 files again", needs: scenario, run: func(b build) (float64, error) {
			c := command{args: []string{b.scenario, "test", "--cache-dir", b.scenario + ".kept", typical}, env: []string{"SCENARIO_NO_CACHE=false"}, repeat: 5}
			s, err := c.run()
			return s.cpu, err
		}},
		{name: "telemetry, 200 files", needs: func(b build) string { return b.peer }, run: func(b build) (float64, error) {
			s, err := command{args: []string{b.peer, peerWord, "test-telemetry", "1", typical}, env: collector}.run()
			return s.cpu, err
		}},
		whole("exec, a program that asks nothing", 5, 0, "exec", "-q", program),
		{name: "serve, to its first answer", needs: scenario, run: func(b build) (float64, error) {
			cpu, _, err := l.served(b, 0)
			return cpu, err
		}},
		{name: "serve, an answer", needs: scenario, run: func(b build) (float64, error) {
			cpu, _, err := l.served(b, loadFor)
			return cpu, err
		}},
		peak("serve", func(b build) (float64, error) {
			_, peak, err := l.served(b, loadFor)
			return peak, err
		}, scenario),
		peak("pending", func(b build) (float64, error) {
			c, err := work(b.work, "pending")
			return c.peak, err
		}, func(b build) string { return b.work }),
	}
	for _, e := range []struct{ what, benchmark string }{{"a key", "Keystroke"}, {"a completion", "Completion"}} {
		all = append(all, comparison{name: "editor, " + e.what + " (wall)", needs: func(b build) string { return b.editor }, run: func(b build) (float64, error) {
			return editing(l.root, b.editor, e.benchmark)
		}})
	}
	for _, name := range []string{"clock/10", "clock/1000", "pending", "actors", "transport", "replay/10-forward", "replay/1000-random", "replay/10000-backward", "replay/10000-random", "record", "intercept/new", "intercept/same"} {
		all = append(all, comparison{name: name, needs: func(b build) string { return b.work }, run: func(b build) (float64, error) {
			c, err := work(b.work, name)
			return c.cpu, err
		}})
	}
	return chosen(all, only, func(c comparison) string { return c.name })
}

// served has a build serve, asks it for so long, or once, and returns the processor time
// of an answer, or of everything up to the first, and the most memory that it had.
func (l *lab) served(b build, while time.Duration) (cpu, peak float64, err error) {
	own := *l
	own.scenario = b.scenario
	dir, err := os.MkdirTemp(l.dir, "served")
	if err != nil {
		return 0, 0, err
	}
	s, err := own.serve().start(dir)
	if err != nil {
		return 0, 0, err
	}
	if while == 0 {
		peak, err = s.stop()
		return s.cpu(), peak, err
	}
	got, err := loaded(s.address, loadClients, while)
	peak, ended := s.stop()
	return s.cpu() / got.answers, peak, errors.Join(err, ended)
}

// editing runs a benchmark of the language server once, in wall time.
func editing(root, tests, name string) (float64, error) {
	c := exec.Command(tests, "-test.run=^$", "-test.bench=^Benchmark"+name+"$", "-test.benchtime=10x")
	c.Dir = filepath.Join(root, editorTests)
	out, err := c.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("%s: %w\n%s", c, err, firstLines(string(out), 5))
	}
	i, err := parseBench(string(out)).of(name, "ns/op", 1)
	return i.Median, err
}
