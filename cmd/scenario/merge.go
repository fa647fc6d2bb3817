package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/report"
)

func (a *app) mergeCommand() *cobra.Command {
	var traceOut string
	cmd := &cobra.Command{
		Use:   "merge file…",
		Short: "Put the results of all shards together",
		Long: "Read what test --json printed for each --shard of a suite, and print what it prints for\n" +
			"the whole suite. With --trace-out the files of --trace-out are put together too: name them\n" +
			"beside the results. It ends as the whole suite would, and with 6 where a shard is missing\n" +
			"or two of them contradict each other.",
		RunE: func(_ *cobra.Command, args []string) error {
			return a.merge(args, traceOut)
		},
	}
	cmd.Flags().StringVar(&traceOut, "trace-out", "", "write the traces of all shards to `file`")
	return cmd
}

// shardFileMax bounds a file of one shard.
const shardFileMax = 1 << 30

func (a *app) merge(paths []string, traceOut string) error {
	if len(paths) == 0 {
		return usagef("for example scenario merge shard-*.json", "merge needs the results of the shards")
	}
	var shards []*shard
	var traces []tracePiece
	for _, path := range paths {
		text, err := readLimited(path, shardFileMax)
		switch {
		case err != nil:
			return usagef("", "cannot read %s: %s", filepath.ToSlash(path), cause(err))
		case bytes.HasPrefix(text, []byte(traceFormats[0].start)):
			traces = append(traces, cutTraces(path, text)...)
		default:
			s, err := readShard(path, text)
			if err != nil {
				return err
			}
			shards = append(shards, s)
		}
	}
	suite, err := joinShards(shards)
	if err != nil {
		return err
	}
	if len(traces) > 0 && traceOut == "" {
		return usagef("for example --trace-out trace.jsonl", "there are traces among the files, and no --trace-out that says where they go")
	}
	if traceOut != "" {
		if err := suite.writeTraces(traceOut, traces); err != nil {
			return err
		}
	}
	return a.writeMerged(suite)
}

// A shard is the results of one --shard.
type shard struct {
	path string
	report.Shard
	lines   []resultLine
	summary resultSummary
}

// A resultLine is one scenario's line of --json.
type resultLine struct {
	text []byte
	path string // of the shard's file

	Type, File, Name string
	Status           interp.Verdict
}

// resultSummary is the last line of --json.
type resultSummary struct {
	Status                           interp.Verdict
	Passed, Failed, Errored, Skipped int
}

func (l *resultLine) String() string { return fmt.Sprintf("%q (%s)", l.Name, l.File) }

// readShard reads what test --json printed.
func readShard(path string, text []byte) (*shard, error) {
	s := &shard{path: filepath.ToSlash(path)}
	var sharded, whole bool
	for line := range bytes.Lines(text) {
		l := resultLine{text: line, path: s.path}
		err := json.Unmarshal(line, &l)
		switch {
		case err != nil:
		case l.Type == "scenario":
			s.lines = append(s.lines, l)
		case l.Type == "shard":
			sharded, err = true, json.Unmarshal(line, &s.Shard)
		case l.Type == "summary":
			whole, err = true, json.Unmarshal(line, &s.summary)
		}
		if err != nil {
			return nil, usagef("name what test --json printed, and files of --trace-out", "%s is neither results nor a trace", s.path)
		}
	}
	switch {
	case !whole:
		return nil, broken("run that shard again", "%s has no last line with a summary: its run was cut short", s.path)
	case !sharded:
		return nil, broken("name what test --json --shard I/N printed", "%s is not of a shard, or its run ended before all files were read", s.path)
	case s.Of < 1 || s.Number < 1 || s.Number > s.Of || len(s.Positions) != len(s.lines):
		return nil, broken("run that shard again", "%s is damaged: it says what shard it is, and that does not fit its lines", s.path)
	}
	return s, nil
}

// broken ends a merge whose parts do not make up one suite.
func broken(hint, format string, args ...any) error {
	return &exitError{exitInternal, fmt.Sprintf(format, args...), hint}
}

// A joined suite is the results of all shards, in the order of the suite.
type joined struct {
	lines   []*resultLine
	summary report.Summary
}

// joinShards checks that the shards make up one suite, and puts them together.
func joinShards(shards []*shard) (*joined, error) {
	if len(shards) == 0 {
		return nil, usagef("name what test --json --shard I/N printed, beside the traces", "there are no results among the files: they say in which order the scenarios stand")
	}
	first := shards[0]
	byNumber := make(map[int]*shard, len(shards))
	for _, s := range shards {
		if s.Of != first.Of || s.Scenarios != first.Scenarios {
			return nil, broken("run all shards on the same files with the same flags", "%s is shard %d/%d of %d scenarios, and %s is shard %d/%d of %d: they are not of one suite",
				first.path, first.Number, first.Of, first.Scenarios, s.path, s.Number, s.Of, s.Scenarios)
		}
		if other := byNumber[s.Number]; other != nil {
			return nil, twice(other, s)
		}
		byNumber[s.Number] = s
	}
	for n := 1; n <= first.Of; n++ {
		if byNumber[n] == nil {
			return nil, broken("name the results of all shards", "shard %d/%d is missing", n, first.Of)
		}
	}
	j := &joined{lines: make([]*resultLine, first.Scenarios)}
	for _, s := range shards {
		if err := j.add(s); err != nil {
			return nil, err
		}
	}
	return j, j.whole()
}

// twice says what is wrong with two files of one shard: a run that was made
// twice must give the same results.
func twice(a, b *shard) error {
	for i := range min(len(a.lines), len(b.lines)) {
		if x, y := &a.lines[i], &b.lines[i]; !bytes.Equal(timeless(x.text), timeless(y.text)) {
			return broken("the runs were not of the same files, or this is a bug in scenario", "two results of %s contradict each other: %s in %s, %s in %s", x, x.Status, x.path, y.Status, y.path)
		}
	}
	return broken("leave one of them out", "%s and %s are both shard %d/%d", a.path, b.path, a.Number, a.Of)
}

// add puts the lines of a shard in their places.
func (j *joined) add(s *shard) error {
	for i, at := range s.Positions {
		if at < 1 || at > len(j.lines) || j.lines[at-1] != nil {
			return broken("run all shards on the same files with the same flags", "%s has a scenario at place %d of %d, where another one is or none can be", s.path, at, len(j.lines))
		}
		j.lines[at-1] = &s.lines[i]
	}
	c := &s.summary
	j.summary.Passed += c.Passed
	j.summary.Failed += c.Failed
	j.summary.Errored += c.Errored
	j.summary.Skipped += c.Skipped
	j.summary.Incomplete = j.summary.Incomplete || c.Status == interp.Error && c.Errored == 0
	return nil
}

// whole checks that every scenario has its result, and only one.
func (j *joined) whole() error {
	seen := make(map[[2]string]*resultLine, len(j.lines))
	for i, l := range j.lines {
		if l == nil {
			return broken("run all shards on the same files with the same flags", "the result of scenario %d of %d is in no shard", i+1, len(j.lines))
		}
		key := [2]string{l.File, l.Name}
		if other := seen[key]; other != nil {
			return broken("run all shards on the same files with the same flags", "there are two results of %s: %s in %s, %s in %s", l, other.Status, other.path, l.Status, l.path)
		}
		seen[key] = l
	}
	return nil
}

// writeMerged prints the results and ends as the whole suite would have.
func (a *app) writeMerged(j *joined) error {
	for _, l := range j.lines {
		if _, err := a.stdout.Write(l.text); err != nil {
			return ending(exitInternal, fmt.Errorf("cannot write results: %w", err))
		}
	}
	if err := report.JSON(a.stdout, report.Options{}).Close(j.summary); err != nil {
		return ending(exitInternal, err)
	}
	if status := j.summary.Status(); status == interp.Fail || status == interp.Error {
		return exitWith(exitFailed)
	}
	return nil
}

// timeless is a line without what the wall clock gave.
func timeless(line []byte) []byte {
	var m map[string]any
	if json.Unmarshal(line, &m) != nil {
		return line
	}
	delete(m, "wall_ms")
	out, _ := json.Marshal(m)
	return out
}

// A tracePiece is the trace of one scenario as it stands in a file.
type tracePiece struct {
	path           string
	File, Scenario string
	text           []byte
}

// cutTraces cuts a file of traces into scenarios.
func cutTraces(path string, text []byte) []tracePiece {
	var pieces []tracePiece
	start := []byte(traceFormats[0].start)
	for line := range bytes.Lines(text) {
		if !bytes.HasPrefix(line, start) && len(pieces) > 0 {
			last := &pieces[len(pieces)-1]
			last.text = append(last.text, line...)
			continue
		}
		p := tracePiece{path: filepath.ToSlash(path)}
		_ = json.Unmarshal(line, &p)
		p.text = slices.Clone(line)
		pieces = append(pieces, p)
	}
	return pieces
}

// writeTraces writes the traces in the order of the suite.
func (j *joined) writeTraces(path string, pieces []tracePiece) error {
	target, err := traceTargetOf(path)
	if err == nil {
		err = target.check()
	}
	if err == nil && target.format != &traceFormats[0] {
		err = usagef("name a file of another kind, for example trace.jsonl", "merge writes traces as canonical lines, not as %s", target.format.what)
	}
	if err != nil {
		return err
	}
	ordered, err := j.arrange(pieces)
	if err != nil {
		return err
	}
	if err := writeFileAtomic(target.path, bytes.Join(ordered, nil), 0o666); err != nil {
		return usagef("name a file in a directory that exists and can be written", "cannot write the trace to %s: %s", filepath.ToSlash(target.path), cause(err))
	}
	return nil
}

// arrange gives every scenario that ran its trace.
func (j *joined) arrange(pieces []tracePiece) ([][]byte, error) {
	places := make(map[string][]int, len(j.lines))
	for i, l := range j.lines {
		places[l.Name] = append(places[l.Name], i)
	}
	texts, from := make([][]byte, len(j.lines)), make([]*tracePiece, len(j.lines))
	for n := range pieces {
		p := &pieces[n]
		at := j.placeOf(p, places[p.Scenario])
		if at < 0 {
			return nil, broken("name the traces and the results of the same runs", "%s has a trace of %q (%s), of which there is no result", p.path, p.Scenario, p.File)
		}
		if other := from[at]; other != nil {
			if bytes.Equal(other.text, p.text) {
				return nil, broken("leave one of them out", "%s and %s both have the trace of %s", other.path, p.path, j.lines[at])
			}
			return nil, broken("the runs were not of the same files, or this is a bug in scenario", "the traces of %s in %s and %s contradict each other", j.lines[at], other.path, p.path)
		}
		texts[at], from[at] = p.text, p
	}
	for i, l := range j.lines {
		if from[i] == nil && (l.Status == interp.Pass || l.Status == interp.Fail) {
			return nil, broken("name the file of --trace-out of that shard", "there is no trace of %s, which is in %s", l, l.path)
		}
	}
	return texts, nil
}

// placeOf finds the scenario that a trace is of. A trace names its file from
// the suite root, a result as it was named on the command line: one is the end
// of the other.
func (j *joined) placeOf(p *tracePiece, candidates []int) int {
	best, length := -1, -1
	for _, i := range candidates {
		if n := commonEnd(p.File, j.lines[i].File); n > length {
			best, length = i, n
		}
	}
	return best
}

// commonEnd is how many elements two paths have in common, counted from the
// end, and -1 where one does not end with the other.
func commonEnd(a, b string) int {
	x, y := elements(a), elements(b)
	n := 0
	for n < len(x) && n < len(y) && x[len(x)-1-n] == y[len(y)-1-n] {
		n++
	}
	if n < len(x) && n < len(y) {
		return -1
	}
	return n
}

// elements are the parts of a path that say more than where it begins.
func elements(path string) []string {
	parts := bytes.Split([]byte(path), []byte("/"))
	out := make([]string, 0, len(parts))
	for _, p := range parts {
		if s := string(p); s != ".." && s != "." && s != "" {
			out = append(out, s)
		}
	}
	return out
}
