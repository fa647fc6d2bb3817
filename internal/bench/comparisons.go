package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
)

// What stands in a row behind the name of what was run: whether the row is of its CPU time, of
// wall time, of memory, of the first byte of its output or of the slowest of a hundred answers.
const (
	ofCPU   = ""
	ofWall  = " (wall)"
	ofPeak  = ", peak of memory"
	ofFirst = ", first byte (wall)"
	ofSlow  = ", slowest of a hundred (wall)"
)

// sampled compares something by figures of its samples, with a row for each.
func sampled(name string, needs func(build) string, run func(build) (sample, error), of ...string) comparison {
	c := comparison{needs: needs}
	for _, o := range of {
		c.rows = append(c.rows, name+o)
	}
	c.run = func(b build) ([]float64, error) {
		s, err := run(b)
		took := make([]float64, len(of))
		for i, o := range of {
			took[i] = map[string]float64{ofCPU: s.cpu, ofWall: s.wall, ofPeak: s.peak, ofFirst: s.first, ofSlow: s.slow}[o]
		}
		return took, err
	}
	return c
}

// The programs of a build.
func needsCommand(b build) string { return b.scenario }
func needsWork(b build) string    { return b.work }
func needsPeer(b build) string    { return b.peer }

// needsMutants is the command, where it changes the source of programs.
func needsMutants(b build) string {
	help, err := exec.Command(b.scenario, "mutate", "--help").CombinedOutput()
	if err != nil || !bytes.Contains(help, []byte("--exec")) {
		return ""
	}
	return b.scenario
}

// whole compares a command, whose arguments lack the program.
func whole(name string, c command, of ...string) comparison {
	all := sampled(name, needsCommand, func(b build) (sample, error) {
		own := c
		own.args = append([]string{b.scenario}, c.args...)
		if own.env == nil {
			own.env = uncached
		}
		return own.run()
	}, of...)
	all.fresh = c.repeat > 1
	return all
}

// seconds is a comparison whose pairs take seconds: a few of them have to be enough.
func seconds(c comparison) comparison {
	c.most = 2 * pairsAtOnce
	return c
}

// mutantsOfShell is the row of what changes a program, one place at a time, and runs it.
const mutantsOfShell = "mutate --exec, a program of the shell"

// comparisons are what two builds are compared by: commands as whole processes, and works.
func (l *lab) comparisons(only *regexp.Regexp) ([]comparison, error) {
	program, stamps, failed := l.programFile()
	made := func(path string, err error) string {
		failed = errors.Join(failed, err)
		return path
	}
	typical, importing, trivial := made(l.typical(200)), made(l.importing(100, "std/resilience")), made(l.trivial(1000))
	empty, searched, changed := made(l.empty()), made(l.searched()), made(l.changed())
	if failed != nil {
		return nil, failed
	}
	all := []comparison{
		whole("version", command{args: []string{"version"}, repeat: 10}, ofCPU, ofWall),
		whole("test, nothing found", command{args: []string{"test", empty}, repeat: 10, code: 5}, ofCPU, ofWall),
		whole("validate, 200 files", command{args: []string{"validate", typical}}, ofCPU, ofWall),
		whole("test, 200 files", command{args: []string{"test", typical}}, ofCPU, ofWall, ofPeak),
		whole("test, 200 files with every report", command{args: append([]string{"test", typical}, l.reports("compared", 200)...)}, ofCPU),
		whole("test, 200 files again", command{args: []string{"test", "--cache-dir", filepath.Join(l.dir, "compared"), typical}, env: []string{"SCENARIO_NO_CACHE=false"}, repeat: 5}, ofCPU),
		whole("test, 100 files with std/resilience", command{args: []string{"test", importing}}, ofCPU),
		whole("test, 1,000 scenarios in a file", command{args: []string{"test", trivial}}, ofCPU),
		whole("explore, 2,000 runs", command{args: []string{"explore", "--parallel", "1", "--budget", "2000runs", "--except", "deadlock,wrong", searched}}, ofCPU),
		sampled("merge, 200 files", needsCommand, func(b build) (sample, error) { return l.merged(b, typical) }, ofCPU),
		sampled("telemetry, 200 files", needsPeer, func(b build) (sample, error) {
			return command{args: []string{b.peer, peerWord, "test-telemetry", "1", typical}, env: collector}.run()
		}, ofCPU),
		whole("exec, a program that asks once", command{args: []string{"exec", "-q", program}, repeat: 5}, ofCPU),
		{rows: []string{"exec, until its program begins" + ofWall, "exec, after its program ended" + ofWall}, needs: needsCommand, run: func(b build) ([]float64, error) {
			before, after, err := stampedOften([]string{b.scenario, "exec", "-q", program}, stamps)
			return []float64{before, after}, err
		}},
		{rows: []string{mutantsOfShell}, needs: needsMutants, run: func(b build) ([]float64, error) {
			s, err := command{args: []string{b.scenario, "mutate", "--exec", "--budget", "0", "--parallel", "1", changed}, env: uncached}.run()
			return []float64{s.cpu}, err
		}},
		sampled("serve, to its first answer", needsCommand, func(b build) (sample, error) { return l.served(b, 0) }, ofCPU),
		seconds(sampled("serve, an answer", needsCommand, func(b build) (sample, error) { return l.served(b, answersCompared) }, ofCPU, ofPeak, ofSlow)),
	}
	for _, one := range benchmarked {
		all = append(all, l.benchmark(one))
	}
	for _, name := range []string{"clock/10", "clock/1000", "pending", "actors", "transport", "replay/10-forward", "replay/1000-random", "replay/10000-backward", "replay/10000-random", "record", "intercept/new", "intercept/same"} {
		of := []string{ofCPU}
		if name == "pending" {
			of = append(of, ofPeak)
		}
		all = append(all, sampled(name, needsWork, func(b build) (sample, error) {
			c, err := work(b.work, name)
			return sample{cpu: c.cpu, peak: c.peak}, err
		}, of...))
	}
	for _, g := range growings() {
		all = append(all, l.growing(g))
	}
	return chosen(all, only, comparison.name)
}

// answersCompared is how many answers each client of a server asks for. Of a number of them,
// unlike those of a time, memory does not depend on how quick the machine is.
const answersCompared = 2500

// served has a build serve, asks it for so many answers from each client, or once, and returns
// the processor time of an answer, or of everything up to the first, how long one of a hundred
// takes at least, and the most memory that it had.
func (l *lab) served(b build, each int) (sample, error) {
	own := *l
	own.scenario = b.scenario
	dir, err := os.MkdirTemp(l.dir, "served")
	if err != nil {
		return sample{}, err
	}
	s, err := own.serve().start(dir)
	if err != nil {
		return sample{}, err
	}
	got := load{answers: 1}
	var failed error
	if each > 0 {
		got, failed = loaded(s.address, loadClients, times(each))
	}
	peak, ended := s.stop()
	if failed = errors.Join(failed, ended); failed != nil {
		return sample{}, failed
	}
	return sample{cpu: s.cpu() / got.answers, peak: peak, slow: got.p99}, nil
}

// merged has a build merge the results of a suite, which the same build wrote.
func (l *lab) merged(b build, dir string) (sample, error) {
	results := b.scenario + ".merge"
	if !exists(results) {
		if _, err := (command{args: []string{b.scenario, "test", dir, "--report", "merge=" + results}, env: uncached}).run(); err != nil {
			return sample{}, err
		}
	}
	return command{args: []string{b.scenario, "merge", results}, env: uncached, repeat: 5}.run()
}
