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
	// work is that of package work, and peer this program.
	work, peer string
	// tests are the programs of the benchmarks of packages.
	tests map[string]string
}

// A comparison is what is measured of two builds at once, with a row for each figure of it.
type comparison struct {
	rows []string
	// run gives the figures of a build once, in the order of the rows.
	run func(build) ([]float64, error)
	// needs is the program of a build that it runs.
	needs func(build) string
	// benchmark is what it runs of a package's benchmarks, nil for anything else.
	benchmark *benchmark
	// most is how many pairs are measured of it at most; 0 means [pairsMost].
	most int
	// fresh is whether every pair runs copies of its own of the commands: where
	// the system keeps a file in memory can move a start-up by several percent.
	fresh bool
}

func (c comparison) name() string { return strings.Join(c.rows, "; ") }

// compare holds the tree as it is against a commit and prints a verdict for each
// row. The error is errSlower where any costs more.
func (l *lab) compare(s settings, out io.Writer) error {
	ref := s.compare
	list, err := l.comparisons(s.only)
	if err != nil {
		return err
	}
	l.tested = packagesOf(list)
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
		err := verdicts(out, list, now, old, ref, &all)
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

// verdicts measures what is compared and prints what each row shows. The error is errSlower
// where something costs more, and another one where nothing can be measured.
func verdicts(out io.Writer, list []comparison, now, old build, ref string, all *tallies) (found error) {
	if !slices.ContainsFunc(list, func(c comparison) bool { return c.needs(old) != "" }) {
		return fmt.Errorf("%s has none of what is to be compared, so nothing was measured", ref)
	}
	fmt.Fprintf(out, "\n| what | cost, now to then | 99 %% of medians | pairs | |\n|---|---:|---|---:|---|\n")
	for _, c := range list {
		if c.needs(old) == "" {
			for _, row := range c.rows {
				fmt.Fprintf(out, "| %s | – | – | 0 | not in %s |\n", row, ref)
			}
			continue
		}
		ratios, err := c.pairs(now, old)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name(), err)
		}
		for n, row := range c.rows {
			i := paired.Of(ratios[n])
			verdict := paired.Judge(i, regression)
			if verdict == paired.Slower {
				found = errSlower
			}
			fmt.Fprintf(out, "| %s | %.3f | %.3f – %.3f | %d | %s |\n", row, i.Median, i.Low, i.High, len(ratios[n]), verdict)
			all.add(row, i.Median, verdict)
		}
	}
	return found
}

// pairs measures until there is a verdict of every row, or the most pairs, and returns the
// ratios by row. Which build comes first alternates, and the first pair only warms up.
func (c comparison) pairs(now, old build) (ratios [][]float64, err error) {
	ratios = make([][]float64, len(c.rows))
	enough := func(ratios []float64) bool { return paired.Enough(paired.Of(ratios), regression) }
	for n := 0; n <= cmp.Or(c.most, pairsMost); n++ {
		if n > pairsAtOnce && n%pairsAtOnce == 1 && !slices.ContainsFunc(ratios, func(r []float64) bool { return !enough(r) }) {
			break
		}
		builds := [2]build{now, old}
		if c.fresh {
			if builds, err = copied(builds); err != nil {
				return nil, err
			}
		}
		var took [2][]float64
		for i := range 2 {
			which := (i + n) % 2
			if took[which], err = c.run(builds[which]); err != nil {
				return nil, err
			}
		}
		if n > 0 {
			for row, ratio := range paired.Ratios(took[0], took[1]) {
				ratios[row] = append(ratios[row], ratio)
			}
		}
	}
	return ratios, nil
}

// copied are builds whose commands are copies, in the place of the last ones. They are as old
// as what they are copied from, which is how a cache of results knows a build.
func copied(builds [2]build) ([2]build, error) {
	for i, b := range builds {
		text, err := os.ReadFile(b.scenario)
		if err != nil {
			return builds, err
		}
		info, err := os.Stat(b.scenario)
		if err != nil {
			return builds, err
		}
		builds[i].scenario = b.scenario + ".copy"
		_ = os.Remove(builds[i].scenario)
		if err := os.WriteFile(builds[i].scenario, text, 0o755); err != nil {
			return builds, err
		}
		if err := os.Chtimes(builds[i].scenario, info.ModTime(), info.ModTime()); err != nil {
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

// buildIn builds the programs of a tree in a directory, with flags for the compiler, and without
// the paths of the tree, so that what two trees share is compiled once. What cannot be built is
// an error; of an older tree, which may lack what ours uses, only the command is.
func (l *lab) buildIn(dir string, older bool, flags ...string) (build, error) {
	made := func(name, how string, args ...string) (string, error) {
		path := filepath.Join(dir, name)
		return path, l.build(slices.Concat([]string{how, "-trimpath"}, flags, []string{"-o", path}, args)...)
	}
	var b build
	var err error
	if b.scenario, err = made("scenario.bin", "build", "./cmd/scenario"); err != nil {
		return build{}, err
	}
	// optional is made of an older tree where it can be.
	optional := func(name, how string, args ...string) (path string) {
		path, failed := made(name, how, args...)
		if failed != nil {
			path = ""
			if !older {
				err = errors.Join(err, failed)
			}
		}
		return path
	}
	b.work = optional("work.bin", "build", "./internal/bench/work")
	b.peer = optional("peer.bin", "build", "./internal/bench")
	b.tests = map[string]string{}
	for _, pkg := range l.tested {
		b.tests[pkg] = optional(strings.ReplaceAll(pkg, "/", "_")+".bin", "test", "-c", "./"+pkg)
	}
	return b, err
}

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
