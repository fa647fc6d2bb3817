package main

import (
	"bytes"
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

// A build is what was built of one tree.
type build struct {
	scenario string
	// work is "" where the tree has not all that package work uses.
	work string
}

// A comparison is a row of what is compared: what a build takes once.
type comparison struct {
	name string
	run  func(build) (float64, error)
	// works is whether it needs package work.
	works bool
	// fresh is whether every pair runs copies of its own of the commands: where
	// the system keeps a file in memory can move a start-up by several percent.
	fresh bool
}

// compare holds the tree as it is against a commit and prints a verdict for each
// row. The error is errSlower where any has become slower.
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
	now := build{l.scenario, l.work}
	if s.plant != "" {
		if now, err = l.plant(s.plant); err != nil {
			return err
		}
	}
	var found error
	fmt.Fprintf(out, "%s against %s, %s\n", l.commit("HEAD"), l.commit(ref), l.describe())
	fmt.Fprintf(out, "\n| what | CPU, now to then | 99 %% of medians | pairs | |\n|---|---:|---|---:|---|\n")
	for _, r := range rows {
		if r.works && (old.work == "" || now.work == "") {
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
	works := filepath.Join(tree, "internal", "bench", "work")
	if err := errors.Join(os.RemoveAll(works), os.CopyFS(works, os.DirFS(filepath.Join(l.root, "internal", "bench", "work")))); err != nil {
		return build{}, err
	}
	then := *l
	then.root = tree
	b := build{filepath.Join(tree, "scenario.bin"), filepath.Join(tree, "work.bin")}
	if err := then.build("build", "-o", b.scenario, "./cmd/scenario"); err != nil {
		return build{}, err
	}
	if then.build("build", "-o", b.work, "./internal/bench/work") != nil {
		b.work = ""
	}
	return b, nil
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
	command := func(name string, repeat, code int, args ...string) comparison {
		return comparison{name: name, fresh: repeat > 1, run: func(b build) (float64, error) {
			c := command{args: append([]string{b.scenario}, args...), env: uncached, repeat: repeat, code: code}
			s, err := c.run()
			return s.cpu, err
		}}
	}
	all := []comparison{
		command("version", 10, 0, "version"),
		command("test, nothing found", 10, 5, "test", empty),
		command("validate, 200 files", 1, 0, "validate", typical),
		command("test, 200 files", 1, 0, "test", typical),
		command("test, 100 files with std/resilience", 1, 0, "test", importing),
		command("test, 1,000 scenarios in a file", 1, 0, "test", trivial),
	}
	for _, name := range []string{"clock/10", "clock/1000", "pending", "actors", "transport", "replay/10-forward", "replay/10000-random", "record", "intercept/new", "intercept/same"} {
		all = append(all, comparison{name: name, works: true, run: func(b build) (float64, error) {
			c, err := work(b.work, name)
			return c.cpu, err
		}})
	}
	return chosen(all, only, func(c comparison) string { return c.name })
}
