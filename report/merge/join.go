package merge

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/report"
)

// A Suite is the results of all shards, in the order of the suite.
type Suite struct {
	lines   []*result
	summary report.Summary
	// partly is the file of a shard whose lines have not all that a report is
	// made of, "" where all have.
	partly string
	// scores says that the scenarios are benches, and live that they took real time.
	scores, live bool
	// invalid are the errors in files that kept it from running.
	invalid []report.Diagnostic
}

// Join checks that the shards make up one suite, and puts them together. An
// error is an [*Error].
func Join(shards []*Shard) (*Suite, error) {
	if len(shards) == 0 {
		return nil, misnamed("name what test --json --shard I/N printed, beside the traces", "there are no results among the files: they say in which order the scenarios stand")
	}
	if slices.ContainsFunc(shards, func(s *Shard) bool { return s.invalid != nil }) {
		return unstarted(shards)
	}
	first := shards[0]
	byNumber := make(map[int]*Shard, len(shards))
	for _, s := range shards {
		if s.part.Of != first.part.Of || s.part.Scenarios != first.part.Scenarios {
			return nil, broken("run all shards on the same files with the same flags", "%s is shard %d/%d of %d scenarios, and %s is shard %d/%d of %d: they are not of one suite",
				first.path, first.part.Number, first.part.Of, first.part.Scenarios, s.path, s.part.Number, s.part.Of, s.part.Scenarios)
		}
		if other := byNumber[s.part.Number]; other != nil {
			return nil, twice(other, s)
		}
		byNumber[s.part.Number] = s
	}
	for n := 1; n <= first.part.Of; n++ {
		if byNumber[n] == nil {
			return nil, broken("name the results of all shards", "shard %d/%d is missing", n, first.part.Of)
		}
	}
	j := &Suite{lines: make([]*result, first.part.Scenarios)}
	for _, s := range shards {
		if err := j.add(s); err != nil {
			return nil, err
		}
	}
	return j, j.whole()
}

// unstarted puts shards together of which none could run. Each has compiled the
// whole suite, so that all say the same of it.
func unstarted(shards []*Shard) (*Suite, error) {
	ran := slices.IndexFunc(shards, func(s *Shard) bool { return s.invalid == nil })
	first := shards[0]
	for _, s := range shards {
		if ran >= 0 && s.invalid != nil {
			return nil, broken("run all shards on the same files with the same flags", "%s has results, and %s has none, because of an error in a file: %s", shards[ran].path, s.path, s.invalid[0])
		}
		if !slices.Equal(s.invalid, first.invalid) {
			return nil, broken("run all shards on the same files with the same flags", "%s and %s have different errors in files", first.path, s.path)
		}
	}
	return &Suite{invalid: first.invalid, scores: first.head.Scores, live: first.head.Live, summary: report.Summary{Incomplete: true}}, nil
}

// Invalid are the errors in files that kept the suite from running, nil where it
// ran.
func (j *Suite) Invalid() []report.Diagnostic { return j.invalid }

// Scores reports whether the scenarios are benches.
func (j *Suite) Scores() bool { return j.scores }

// Live reports whether the runs took real time.
func (j *Suite) Live() bool { return j.live }

// Partly is the file of a shard whose results have not all that a report is made
// of, as they are what --json printed; "" where all have.
func (j *Suite) Partly() string { return j.partly }

// Report gives the results to a reporter and ends it, with the verdict of the
// whole. Results that have not all that a report is made of are written to raw,
// as they are.
func (j *Suite) Report(to report.Reporter, raw io.Writer) (interp.Verdict, error) {
	summary, rows := j.summary, report.Rows{}
	for _, d := range j.invalid {
		if err := to.Invalid(d); err != nil {
			return interp.Error, err
		}
	}
	for _, l := range j.lines {
		if !l.shard.full {
			line, err := l.text()
			if err == nil {
				_, err = raw.Write(line)
			}
			if err != nil {
				return interp.Error, fmt.Errorf("cannot write results: %w", err)
			}
			continue
		}
		e, err := l.entry()
		if err == nil {
			verdict := e.Result.Verdict
			if e.Result, _ = rows.Add(e.Result); e.Result.Verdict != verdict { // all rows passed
				summary.Passed, summary.Failed = summary.Passed-1, summary.Failed+1
			}
			err = to.Add(e)
		}
		if err != nil {
			return interp.Error, err
		}
		summary.Virtual += e.Result.Virtual
	}
	return summary.Status(), to.Close(summary)
}

// twice says what is wrong with two files of one shard: a run that was made
// twice must give the same results.
func twice(a, b *Shard) error {
	for i := range min(len(a.lines), len(b.lines)) {
		x, y := &a.lines[i], &b.lines[i]
		if a.full != b.full {
			continue
		}
		one, err := x.text()
		other, otherErr := y.text()
		if err = cmp.Or(err, otherErr); err != nil {
			return err
		}
		if !bytes.Equal(timeless(one), timeless(other)) {
			return broken("the runs were not of the same files, or this is a bug in scenario", "two results of %s contradict each other: %s in %s, %s in %s", x, x.Status, a.path, y.Status, b.path)
		}
	}
	return broken("leave one of them out", "%s and %s are both shard %d/%d", a.path, b.path, a.part.Number, a.part.Of)
}

// add puts the lines of a shard in their places.
func (j *Suite) add(s *Shard) error {
	for i, at := range s.part.Positions {
		if at < 1 || at > len(j.lines) || j.lines[at-1] != nil {
			return broken("run all shards on the same files with the same flags", "%s has a scenario at place %d of %d, where another one is or none can be", s.path, at, len(j.lines))
		}
		j.lines[at-1] = &s.lines[i]
	}
	if !s.full && j.partly == "" {
		j.partly = s.path
	}
	j.scores = j.scores || s.head.Scores
	j.live = j.live || s.head.Live
	c := &s.summary
	j.summary.Passed += c.Passed
	j.summary.Failed += c.Failed
	j.summary.Errored += c.Errored
	j.summary.Skipped += c.Skipped
	j.summary.Done += c.Done
	j.summary.Incomplete = j.summary.Incomplete || c.Incomplete || c.Status == interp.Error && c.Errored == 0
	return nil
}

// whole checks that every scenario has its result, and only one.
func (j *Suite) whole() error {
	seen := make(map[[2]string]*result, len(j.lines))
	for i, l := range j.lines {
		if l == nil {
			return broken("run all shards on the same files with the same flags", "the result of scenario %d of %d is in no shard", i+1, len(j.lines))
		}
		key := [2]string{l.File, l.Name}
		if other := seen[key]; other != nil {
			return broken("run all shards on the same files with the same flags", "there are two results of %s: %s in %s, %s in %s", l, other.Status, other.shard.path, l.Status, l.shard.path)
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
