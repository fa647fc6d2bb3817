package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/trace"
)

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

// mergedTraces is where the traces go, empty where nobody asked for them.
func mergedTraces(value string) ([]traceTarget, error) {
	if value == "" {
		return nil, nil
	}
	targets, err := traceTargets([]string{value})
	if err == nil && targets[0].format != &traceFormats[0] {
		err = usagef("name a file of another kind, for example trace.jsonl", "merge writes traces as canonical lines, not as %s", targets[0].format.what)
	}
	return targets, err
}

// ownPieces are the traces of the scenarios whose lines have them.
func (j *joined) ownPieces() ([]tracePiece, error) {
	var pieces []tracePiece
	for _, l := range j.lines {
		if !l.full {
			continue
		}
		e, err := l.entry()
		if err != nil {
			return nil, err
		}
		if head := e.Result.Header(); head != (trace.Header{}) {
			pieces = append(pieces, tracePiece{path: l.path, File: head.File, Scenario: head.Scenario, text: encode(e.Result)})
		}
	}
	return pieces, nil
}

// writeTraces writes the traces in the order of the suite.
func (j *joined) writeTraces(target traceTarget, pieces []tracePiece) error {
	own, err := j.ownPieces()
	if err != nil {
		return err
	}
	ordered, err := j.arrange(append(own, pieces...))
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
