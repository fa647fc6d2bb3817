package main

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/scenario-lang/scenario/internal/bench/paired"
)

// What growth is held to: an item of the largest size costs at most so much more than
// one of the smallest, memory has a bound at every size, and the first byte of output
// comes within a time or a part of the whole run, whichever is longer.
const (
	itemMost       = 1.2
	peakPlain      = 200.0
	peakReports    = 400.0
	firstByteMost  = 200.0 // ms
	firstBytePart  = 0.02
	mergeToRunning = 0.3
)

// growthRounds are enough, where a run takes minutes.
const growthRounds = 3

// began is what the command takes to start, which one of few would have a larger part of than
// one of many.
func (l *lab) began() (float64, error) {
	dir, err := l.empty()
	if err != nil {
		return 0, err
	}
	c := l.command("test", dir)
	c.code, c.repeat = 5, 10 // nothing was found
	s, err := c.run()
	return s.cpu, err
}

// A growing is something that is run at several sizes.
type growing struct {
	what  string
	sizes []int
	// peak is how many MB it may take at any size.
	peak float64
	run  func(l *lab, n int) (sample, error)
	// output is whether the first byte of its output is looked at.
	output bool
	// compared is the size at which two builds are compared: the largest of which a run takes
	// no more than seconds.
	compared int
	// needs is the program of a build that it runs, nil for the command.
	needs func(build) string
}

// files are the sizes of suites.
var files = []int{1000, 10_000, 50_000}

// growings lists what has to grow in proportion.
func growings() []growing {
	scenarios := []int{1000, 5000, 20_000}
	within := []int{250, 1000, 4000}
	written := func(what string, text func(n int) string) growing {
		return growing{what, within, peakPlain, func(l *lab, n int) (sample, error) {
			dir := filepath.Join(l.dir, fmt.Sprintf("within%d", n))
			return l.listening(writeFiles(dir, 1, func(int) []byte { return []byte(text(n)) }), "test", dir)
		}, false, most(within), nil}
	}
	return []growing{
		{"files of one scenario", files, peakPlain, func(l *lab, n int) (sample, error) {
			dir, err := l.typical(n)
			return l.listening(err, "test", dir)
		}, true, 10_000, nil},
		{"files of one scenario, with every report", files, peakReports, func(l *lab, n int) (sample, error) {
			dir, err := l.typical(n)
			return l.listening(err, append([]string{"test", dir}, l.reports("files", n)...)...)
		}, true, 10_000, nil},
		{"scenarios of one file", scenarios, peakPlain, func(l *lab, n int) (sample, error) {
			dir, err := l.trivial(n)
			return l.listening(err, "test", dir)
		}, true, 20_000, nil},
		{"scenarios of one file, with every report", scenarios, peakReports, func(l *lab, n int) (sample, error) {
			dir, err := l.trivial(n)
			return l.listening(err, append([]string{"test", dir}, l.reports("scenarios", n)...)...)
		}, true, 20_000, nil},
		{"failing scenarios of one file, with a cache", scenarios, peakPlain, func(l *lab, n int) (sample, error) {
			dir, err := l.failing(n)
			if err != nil {
				return sample{}, err
			}
			kept := filepath.Join(l.out, "kept")
			if err := os.RemoveAll(kept); err != nil {
				return sample{}, err
			}
			c := l.command("test", "--cache-dir", kept, dir)
			c.env, c.code, c.listen = []string{"SCENARIO_NO_CACHE=false"}, 1, true
			return c.run()
		}, true, 1000, nil},
		{"merging the results of files", files, peakReports, func(l *lab, n int) (sample, error) {
			var err error
			if !exists(l.results("files", n)) {
				var dir string
				if dir, err = l.typical(n); err == nil {
					_, err = l.command("test", dir, "--report", "merge="+l.results("files", n)).run()
				}
			}
			return l.listening(err, "merge", l.results("files", n))
		}, false, 10_000, nil}, // it prints nothing of files of which one may be damaged
		written("steps of one workflow, each with its reply and a check", manySteps),
		written("checks of one scenario", manyChecks),
		written("replies of one step, one after the other", manyReplies),
		written("workflows of one file, each with a scenario", manyWorkflows),
		{"actors of one scenario, an event", []int{100, 1000, 10_000}, peakPlain, func(l *lab, n int) (sample, error) {
			c, err := work(l.work, "actors/"+strconv.Itoa(n))
			return sample{cpu: c.cpu * float64(n) / 1e6, wall: c.wall * float64(n) / 1e6, peak: c.peak}, err
		}, false, 10_000, needsWork},
	}
}

// reports are the flags that write a report of every kind of a suite.
func (l *lab) reports(suite string, n int) []string {
	var flags []string
	for _, kind := range []string{"json", "junit", "html", "svg", "ctrf", "tap", "github", "markdown"} {
		flags = append(flags, "--report", kind+"="+l.report(suite, n, kind))
	}
	return append(flags, "--report", "merge="+l.results(suite, n))
}

// report is where a report of a suite is written.
func (l *lab) report(suite string, n int, kind string) string {
	return filepath.Join(l.out, fmt.Sprintf("%s%d.%s", suite, n, kind))
}

// results is where the results of a suite are kept for merging.
func (l *lab) results(suite string, n int) string { return l.report(suite, n, "merge") }

// growing compares builds by what one of many costs, at the size that is compared.
func (l *lab) growing(g growing) comparison {
	of := []string{ofCPU, ofPeak}
	if g.output {
		of = append(of, ofFirst)
	}
	needs := g.needs
	if needs == nil {
		needs = needsCommand
	}
	return seconds(sampled(fmt.Sprintf("growth, %s, %d", g.what, g.compared), needs, func(b build) (sample, error) {
		own := *l
		own.scenario, own.work, own.out = b.scenario, b.work, filepath.Dir(b.scenario)
		return g.run(&own, g.compared)
	}, of...))
}

// listening runs the command, and listens for its first byte.
func (l *lab) listening(err error, args ...string) (sample, error) {
	if err != nil {
		return sample{}, err
	}
	c := l.command(args...)
	c.listen = true
	return c.run()
}

// grow measures growth and prints a line for each size.
func (l *lab) grow(s settings, out io.Writer) error {
	list, err := chosen(growings(), s.only, func(g growing) string { return g.what })
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s, %s\n\n", l.commit("HEAD"), l.describe())
	fmt.Fprintln(out, "| what | how many | CPU of one | to the smallest | rounds | peak | first byte | of the run | |\n|---|---:|---:|---:|---|---:|---:|---:|---|")
	var running, merging float64
	for _, g := range list {
		all, err := l.sizes(g, min(s.rounds, growthRounds))
		if err != nil {
			return err
		}
		for i, n := range g.sizes {
			at := grown{
				each: paired.Of(all[i].one), ratio: paired.Of(paired.Ratios(all[i].one, all[0].one)), smallest: i == 0,
				peak: paired.Median(all[i].peak), first: paired.Median(all[i].first), wall: paired.Median(all[i].wall), output: g.output,
			}
			fmt.Fprintln(out, at.line(g, n))
			switch g.what {
			case "files of one scenario":
				running = at.each.Median
			case "merging the results of files":
				merging = at.each.Median
			}
		}
	}
	if running > 0 && merging > 0 {
		fmt.Fprintf(out, "\nmerging to running: %s, goal %s\n", number(merging/running, "×"), atMost(mergeToRunning))
	}
	if last := l.report("files", most(files), "html"); exists(last) {
		return l.opening(last, out)
	}
	return nil
}

// A size is what one size took, a value a round: what one of it cost in µs, without the start of
// the command, and of the whole run its peak, its first byte and its wall time.
type size struct{ one, peak, first, wall []float64 }

// sizes runs something at each of its sizes, round by round, so that what disturbs one size
// disturbs all.
func (l *lab) sizes(g growing, rounds int) ([]size, error) {
	all := make([]size, len(g.sizes))
	for range rounds {
		began := 0.0
		if g.needs == nil { // it is the command
			var err error
			if began, err = l.began(); err != nil {
				return nil, err
			}
		}
		for i, n := range g.sizes {
			one, err := g.run(l, n)
			if err != nil {
				return nil, fmt.Errorf("%s, %d: %w", g.what, n, err)
			}
			s := &all[i]
			s.one = append(s.one, (one.cpu-began)*1e3/float64(n))
			s.peak, s.first, s.wall = append(s.peak, one.peak), append(s.first, one.first), append(s.wall, one.wall)
		}
	}
	return all, nil
}

func most(sizes []int) int { return sizes[len(sizes)-1] }

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// grown is what one size took.
type grown struct {
	each, ratio       paired.Interval // of one, and that to one of the smallest
	peak, first, wall float64
	smallest, output  bool
}

// line is the row of a size, with what of it is beyond its goal.
func (at grown) line(g growing, n int) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "| %s | %d | %s | %s | %s | %s |", g.what, n, number(at.each.Median, "µs"), number(at.ratio.Median, "×"), reach(at.ratio, "×"), number(at.peak, "MB"))
	if at.output {
		fmt.Fprintf(&b, " %s | %.1f %% |", number(at.first, "ms"), 100*at.first/at.wall)
	} else {
		b.WriteString(" | |")
	}
	return b.String() + " " + at.verdict(g) + " |"
}

// verdict is missed where one of its bounds is: the cost of one in all rounds.
func (at grown) verdict(g growing) string {
	if at.peak > g.peak || at.output && at.first > math.Max(firstByteMost, firstBytePart*at.wall) {
		return missed
	}
	if at.ratio.Of == 1 && !at.smallest {
		return "one round" // says nothing of its noise
	}
	one := figure{Goal: atMost(itemMost), Of: at.ratio}
	return one.verdict()
}

// A firstByte notes when something is written to it first.
type firstByte struct{ at time.Time }

func (f *firstByte) Write(p []byte) (int, error) {
	if f.at.IsZero() && len(p) > 0 {
		f.at = time.Now()
	}
	return len(p), nil
}

// after is how long after a time that was, 0 where nothing was written.
func (f *firstByte) after(from time.Time) time.Duration {
	if f.at.IsZero() {
		return 0
	}
	return f.at.Sub(from)
}
