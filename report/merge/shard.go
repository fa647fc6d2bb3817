package merge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/report"
)

// A Shard is the results of one part of a suite.
type Shard struct {
	path string
	// full says that its lines have all that a report is made of, and head is
	// what stands before them then.
	full    bool
	head    report.MergeHead
	part    report.Shard
	lines   []result
	summary resultSummary
	// invalid are the errors in files that kept the suite from running; there
	// are no lines then, and nobody knows what shard it was.
	invalid []report.Diagnostic
}

// A result is one scenario's line of --json, or of --report merge.
type result struct {
	text []byte
	path string // of the shard's file
	full bool

	Type, File, Name string
	Status           interp.Verdict
}

// mergeOfAny begins a file of --report merge of any version.
const mergeOfAny = `{"schema":"scenario.merge/`

// entry is what a full line says.
func (l *result) entry() (report.Entry, error) {
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
	Done                             int
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
	case interp.Done:
		c.Done++
	}
}

func (l *result) String() string { return fmt.Sprintf("%q (%s)", l.Name, l.File) }

// ReadShard reads what test --json printed, or what --report merge wrote; path
// names it in messages. An error is an [*Error].
func ReadShard(path string, text []byte) (*Shard, error) {
	s := &Shard{path: filepath.ToSlash(path), full: bytes.HasPrefix(text, []byte(report.MergeStart))}
	if !s.full && bytes.HasPrefix(text, []byte(mergeOfAny)) {
		return nil, broken("merge with the version of scenario that wrote it", "%s is of another version of --report merge", s.path)
	}
	var sharded, whole bool
	for line := range bytes.Lines(text) {
		l := result{text: line, path: s.path, full: s.full}
		err := json.Unmarshal(line, &l)
		switch {
		case err != nil:
		case l.Type == "" && s.full && len(s.lines) == 0:
			err = json.Unmarshal(line, &s.head)
		case l.Type == "scenario":
			s.lines = append(s.lines, l)
		case l.Type == "diagnostic":
			var d report.Diagnostic
			d, err = report.ReadDiagnostic(line)
			s.invalid = append(s.invalid, d)
		case l.Type == "shard":
			sharded, err = true, json.Unmarshal(line, &s.part)
		case l.Type == "summary":
			whole, err = true, json.Unmarshal(line, &s.summary)
		}
		if err != nil {
			return nil, misnamed("name what --report merge wrote or test --json printed, and files of --trace-out", "%s is neither results nor a trace", s.path)
		}
	}
	if s.full && whole && !sharded { // all of a suite in one file
		sharded, s.part = true, report.Shard{Number: 1, Of: 1, Scenarios: len(s.lines), Positions: oneTo(len(s.lines))}
	}
	switch {
	case !whole:
		return nil, broken("run that shard again", "%s has no last line with a summary: its run was cut short", s.path)
	case s.invalid != nil:
		return s, nil
	case !sharded:
		return nil, broken("name what test --json --shard I/N printed", "%s is not of a shard, or its run ended before all files were read", s.path)
	case s.part.Of < 1 || s.part.Number < 1 || s.part.Number > s.part.Of || len(s.part.Positions) != len(s.lines):
		return nil, broken("run that shard again", "%s is damaged: it says what shard it is, and that does not fit its lines", s.path)
	}
	return s, s.checkEntries()
}

// checkEntries reads full lines once, so that nothing is written of a file that
// is damaged.
func (s *Shard) checkEntries() error {
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
