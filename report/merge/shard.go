package merge

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/report"
)

// A Shard is the results of one part of a suite. It reads them from its file
// when they are wanted, so that a suite need not fit into memory.
type Shard struct {
	path string
	file io.ReaderAt
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
	shard *Shard
	// at and size are where the line is in the file.
	at   int64
	size int

	File, Name string
	Status     interp.Verdict
}

// text is the line.
func (l *result) text() ([]byte, error) {
	line := make([]byte, l.size)
	if n, err := l.shard.file.ReadAt(line, l.at); n < l.size {
		return nil, broken("run that shard again, and merge when it has ended", "%s cannot be read again: %s", l.shard.path, err)
	}
	return line, nil
}

// mergeOfAny begins a file of --report merge of any version.
const mergeOfAny = `{"schema":"scenario.merge/`

// entry is what a full line says.
func (l *result) entry() (report.Entry, error) {
	line, err := l.text()
	if err != nil {
		return report.Entry{}, err
	}
	e, err := report.ReadEntry(line)
	if err != nil {
		return e, broken("run that shard again", "%s is damaged where it tells of %s: %s", l.shard.path, l, err)
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

// lineMax bounds a line: a bench with all of its cases is one.
const lineMax = 512 << 20

// ReadShard reads what test --json printed, or what --report merge wrote; path
// names it in messages. The lines of scenarios are read again when the suite is
// reported, from the same file, which the caller closes after that. An error is
// an [*Error].
func ReadShard(path string, file io.ReaderAt) (*Shard, error) {
	s := &Shard{path: filepath.ToSlash(path), file: file}
	start := make([]byte, len(report.MergeStart))
	n, _ := file.ReadAt(start, 0)
	s.full = string(start[:n]) == report.MergeStart
	if !s.full && bytes.HasPrefix(start[:n], []byte(mergeOfAny)) {
		return nil, broken("merge with the version of scenario that wrote it", "%s is of another version of --report merge", s.path)
	}
	var sharded, whole bool
	lines := bufio.NewScanner(io.NewSectionReader(file, 0, math.MaxInt64))
	lines.Buffer(make([]byte, 64<<10), lineMax)
	lines.Split(wholeLines)
	for at := int64(0); lines.Scan(); at += int64(len(lines.Bytes())) {
		kind, err := s.take(lines.Bytes(), at)
		if err != nil {
			return nil, misnamed("name what --report merge wrote or test --json printed, and files of --trace-out", "%s is neither results nor a trace", s.path)
		}
		sharded, whole = sharded || kind == "shard", whole || kind == "summary"
	}
	if err := lines.Err(); err != nil {
		return nil, broken("run that shard again", "%s cannot be read: %s", s.path, err)
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
	return s, nil
}

// wholeLines cuts a text into lines with their ends.
func wholeLines(data []byte, end bool) (int, []byte, error) {
	i := bytes.IndexByte(data, '\n') + 1
	if i == 0 && end {
		i = len(data)
	}
	if i == 0 {
		return 0, nil, nil
	}
	return i, data[:i], nil
}

// take takes in one line, which begins at a place of the file, and says of what
// kind it is.
func (s *Shard) take(line []byte, at int64) (kind string, err error) {
	l := result{shard: s, at: at, size: len(line)}
	kind, err = l.head(line)
	switch {
	case err != nil:
	case kind == "" && s.full && len(s.lines) == 0:
		err = json.Unmarshal(line, &s.head)
	case kind == "scenario":
		s.lines = append(s.lines, l)
		if s.full { // its summary leaves the counts to the reader
			s.summary.count(l.Status)
		}
	case kind == "diagnostic":
		var d report.Diagnostic
		d, err = report.ReadDiagnostic(line)
		s.invalid = append(s.invalid, d)
	case kind == "shard":
		err = json.Unmarshal(line, &s.part)
	case kind == "summary":
		err = json.Unmarshal(line, &s.summary)
	}
	return kind, err
}

// head reads of a line what tells scenarios apart, and of what kind it is. It
// stops there: most of a line is a trace.
func (l *result) head(line []byte) (kind string, err error) {
	d := json.NewDecoder(bytes.NewReader(line))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return "", cmp.Or(err, errors.New("a line is no object"))
	}
	for left := 4; left > 0 && d.More(); {
		key, err := d.Token()
		if err != nil {
			return "", err
		}
		to, wanted := map[json.Token]any{"type": &kind, "file": &l.File, "name": &l.Name, "status": &l.Status}[key]
		if !wanted {
			to = &json.RawMessage{}
		} else {
			left--
		}
		if err := d.Decode(to); err != nil {
			return "", err
		}
	}
	return kind, nil
}

// oneTo counts from 1 to n.
func oneTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i + 1
	}
	return all
}
