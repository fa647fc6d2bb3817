package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/report"
)

// A shard is the results of one --shard.
type shard struct {
	path string
	// full says that its lines have all that a report is made of, and head is
	// what stands before them then.
	full bool
	head report.MergeHead
	report.Shard
	lines   []resultLine
	summary resultSummary
}

// A resultLine is one scenario's line of --json, or of --report merge.
type resultLine struct {
	text []byte
	path string // of the shard's file
	full bool

	Type, File, Name string
	Status           interp.Verdict
}

// mergeOfAny begins a file of --report merge of any version.
const mergeOfAny = `{"schema":"scenario.merge/`

// entry is what a full line says.
func (l *resultLine) entry() (report.Entry, error) {
	e, err := report.ReadEntry(l.text)
	if err != nil {
		return e, broken("run that shard again", "%s is damaged where it tells of %s: %s", l.path, l, err)
	}
	return e, nil
}

// resultSummary is the last line of either.
type resultSummary struct {
	Status                           interp.Verdict
	Passed, Failed, Errored, Skipped int
	Incomplete                       bool
}

// count counts a scenario, which the summary of --report merge leaves to its
// reader.
func (c *resultSummary) count(v interp.Verdict) {
	switch v {
	case interp.Pass:
		c.Passed++
	case interp.Fail:
		c.Failed++
	case interp.Error:
		c.Errored++
	case interp.Skip:
		c.Skipped++
	}
}

func (l *resultLine) String() string { return fmt.Sprintf("%q (%s)", l.Name, l.File) }

// readShard reads what test --json printed, or what --report merge wrote.
func readShard(path string, text []byte) (*shard, error) {
	format, _ := formatNamed(mergeFormat)
	s := &shard{path: filepath.ToSlash(path), full: bytes.HasPrefix(text, []byte(format.Start))}
	if !s.full && bytes.HasPrefix(text, []byte(mergeOfAny)) {
		return nil, broken("merge with the version of scenario that wrote it", "%s is of another version of --report merge", s.path)
	}
	var sharded, whole bool
	for line := range bytes.Lines(text) {
		l := resultLine{text: line, path: s.path, full: s.full}
		err := json.Unmarshal(line, &l)
		switch {
		case err != nil:
		case l.Type == "" && s.full && len(s.lines) == 0:
			err = json.Unmarshal(line, &s.head)
		case l.Type == "scenario":
			s.lines = append(s.lines, l)
		case l.Type == "shard":
			sharded, err = true, json.Unmarshal(line, &s.Shard)
		case l.Type == "summary":
			whole, err = true, json.Unmarshal(line, &s.summary)
		}
		if err != nil {
			return nil, usagef("name what --report merge wrote or test --json printed, and files of --trace-out", "%s is neither results nor a trace", s.path)
		}
	}
	if s.full && whole && !sharded { // all of a suite in one file
		sharded, s.Shard = true, report.Shard{Number: 1, Of: 1, Scenarios: len(s.lines), Positions: oneTo(len(s.lines))}
	}
	switch {
	case !whole:
		return nil, broken("run that shard again", "%s has no last line with a summary: its run was cut short", s.path)
	case !sharded:
		return nil, broken("name what test --json --shard I/N printed", "%s is not of a shard, or its run ended before all files were read", s.path)
	case s.Of < 1 || s.Number < 1 || s.Number > s.Of || len(s.Positions) != len(s.lines):
		return nil, broken("run that shard again", "%s is damaged: it says what shard it is, and that does not fit its lines", s.path)
	}
	return s, s.checkEntries()
}

// checkEntries reads full lines once, so that nothing is written of a file that
// is damaged.
func (s *shard) checkEntries() error {
	for i := range s.lines {
		if !s.full {
			return nil
		}
		if _, err := s.lines[i].entry(); err != nil {
			return err
		}
		s.summary.count(s.lines[i].Status)
	}
	return nil
}

// oneTo counts from 1 to n.
func oneTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i + 1
	}
	return all
}

// broken ends a merge whose parts do not make up one suite.
func broken(hint, format string, args ...any) error {
	return &exitError{exitInternal, fmt.Sprintf(format, args...), hint}
}

// A joined suite is the results of all shards, in the order of the suite.
type joined struct {
	lines   []*resultLine
	summary report.Summary
	// partly is the file of a shard whose lines have not all that a report is
	// made of, "" where all have.
	partly string
	// scores says that the scenarios are benches.
	scores bool
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
		if x, y := &a.lines[i], &b.lines[i]; a.full == b.full && !bytes.Equal(timeless(x.text), timeless(y.text)) {
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
	if !s.full && j.partly == "" {
		j.partly = s.path
	}
	j.scores = j.scores || s.head.Scores
	c := &s.summary
	j.summary.Passed += c.Passed
	j.summary.Failed += c.Failed
	j.summary.Errored += c.Errored
	j.summary.Skipped += c.Skipped
	j.summary.Incomplete = j.summary.Incomplete || c.Incomplete || c.Status == interp.Error && c.Errored == 0
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
