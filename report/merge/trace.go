package merge

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/trace"
)

// A Trace is the trace of one scenario as it stands in a file.
type Trace struct {
	path           string
	File, Scenario string
	text           []byte
}

// IsTraces reports whether a file is one of traces.
func IsTraces(text []byte) bool { return bytes.HasPrefix(text, []byte(trace.Start)) }

// CutTraces cuts a file of traces into scenarios; path names it in messages.
func CutTraces(path string, text []byte) []Trace {
	var pieces []Trace
	start := []byte(trace.Start)
	for line := range bytes.Lines(text) {
		if !bytes.HasPrefix(line, start) && len(pieces) > 0 {
			last := &pieces[len(pieces)-1]
			last.text = append(last.text, line...)
			continue
		}
		p := Trace{path: filepath.ToSlash(path)}
		_ = json.Unmarshal(line, &p)
		p.text = slices.Clone(line)
		pieces = append(pieces, p)
	}
	return pieces
}

// ownTraces are the traces of the scenarios whose lines have them.
func (j *Suite) ownTraces() ([]Trace, error) {
	var pieces []Trace
	for _, l := range j.lines {
		if !l.shard.full {
			continue
		}
		e, err := l.entry()
		if err != nil {
			return nil, err
		}
		if head := e.Result.Header(); head != (trace.Header{}) {
			var text bytes.Buffer
			_ = trace.WriteTo(&text, head, e.Result.Events) // a buffer takes everything
			pieces = append(pieces, Trace{path: l.shard.path, File: head.File, Scenario: head.Scenario, text: text.Bytes()})
		}
	}
	return pieces, nil
}

// Traces are those of the suite in its order: those that the results have, and
// those of the files beside them. Every scenario that ran must have one, and
// only one; an error is an [*Error].
func (j *Suite) Traces(separate []Trace) ([][]byte, error) {
	own, err := j.ownTraces()
	if err != nil {
		return nil, err
	}
	return j.arrange(append(own, separate...))
}

// arrange gives every scenario that ran its trace.
func (j *Suite) arrange(pieces []Trace) ([][]byte, error) {
	places := make(map[string][]int, len(j.lines))
	for i, l := range j.lines {
		places[l.Name] = append(places[l.Name], i)
	}
	texts, from := make([][]byte, len(j.lines)), make([]*Trace, len(j.lines))
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
			return nil, broken("name the file of --trace-out of that shard", "there is no trace of %s, which is in %s", l, l.shard.path)
		}
	}
	return texts, nil
}

// placeOf finds the scenario that a trace is of. A trace names its file from
// the suite root, a result as it was named on the command line: one is the end
// of the other.
func (j *Suite) placeOf(p *Trace, candidates []int) int {
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
