package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/interp/bench"
	"github.com/scenario-lang/scenario/trace"
)

// MergeSchema names the version of what [Merge] writes.
const MergeSchema = "scenario.merge/1"

// MergeStart is how every such file begins.
const MergeStart = `{"schema":"` + MergeSchema + `"`

// Merge writes all that the other formats are made of, for a program that puts
// several parts of a suite together: first a line about the file, then one for
// each scenario, for a shard which part of the suite it is, and last the
// summary. [ReadEntry] reads the scenarios.
func Merge(w io.Writer, opts Options) Reporter {
	return &merge{lines: jsonReporter{w: w, exact: true}, head: MergeHead{MergeSchema, opts.Scores, opts.Live}}
}

type merge struct {
	lines jsonReporter
	head  MergeHead
	begun bool
}

// A MergeHead is the first line.
type MergeHead struct {
	Schema string `json:"schema"`
	// Scores says that the scenarios are benches.
	Scores bool `json:"scores,omitempty"`
	// Live says that they took real time.
	Live bool `json:"live,omitempty"`
}

// mergeEntry is one scenario. What is empty is left out.
type mergeEntry struct {
	Type        string         `json:"type"`
	File        string         `json:"file"`
	Line        int            `json:"line"`
	Name        string         `json:"name"`
	Description string         `json:"description,omitempty"`
	Tags        []string       `json:"tags,omitempty"`
	Status      interp.Verdict `json:"status"`
	Way         interp.Way     `json:"way,omitempty"`
	VirtualNS   time.Duration  `json:"virtual_ns"`
	Checks      int            `json:"checks,omitempty"`
	Reason      string         `json:"reason,omitempty"`
	Dropped     bool           `json:"dropped,omitempty"`
	Problems    []mergeProblem `json:"problems,omitempty"`
	Relaxed     []mergeProblem `json:"relaxed,omitempty"`
	Row         *mergeRow      `json:"row,omitempty"`
	Invariants  []mergeCount   `json:"invariants,omitempty"`
	Unread      []string       `json:"unread,omitempty"`
	Settings    []mergeSetting `json:"settings,omitempty"`
	Source      []sourceLine   `json:"source,omitempty"`
	Program     *programEvent  `json:"program,omitempty"`
	Report      *bench.Report  `json:"report,omitempty"`
	// Header and Trace are what a trace file has.
	Header json.RawMessage   `json:"header,omitempty"`
	Trace  []json.RawMessage `json:"trace,omitempty"`
}

type mergeProblem struct {
	Kind     string         `json:"kind"`
	Name     string         `json:"name"`
	Message  string         `json:"message"`
	Bare     bool           `json:"bare,omitempty"`
	Operands []mergeOperand `json:"operands,omitempty"`
	Diff     string         `json:"diff,omitempty"`
	Follows  bool           `json:"follows,omitempty"`
	File     string         `json:"file,omitempty"`
	// From and To are lines and columns.
	From [2]int `json:"from"`
	To   [2]int `json:"to"`
}

// mergeRow is what a row leaves to all of its scenario.
type mergeRow struct {
	Of      int            `json:"of"`
	Unmet   []mergeProblem `json:"unmet"`
	Empty   []mergeProblem `json:"empty,omitempty"` // one or none
	Allowed bool           `json:"allowed,omitempty"`
}

// mergeSetting is a limit of the file to which the run came.
type mergeSetting struct {
	Of    string `json:"of"`
	Name  string `json:"name"`
	Value string `json:"value"`
	Part  bool   `json:"part,omitempty"`
	Far   bool   `json:"far,omitempty"`
	Alike int    `json:"alike,omitempty"`
	Why   string `json:"why"`
	Else  string `json:"else"`
	Hint  string `json:"hint"`
}

// mergeCount is how often an invariant was evaluated.
type mergeCount struct {
	invariantEvent
	Own      bool `json:"own,omitempty"`
	Standard bool `json:"standard,omitempty"`
	Imported bool `json:"imported,omitempty"`
}

type mergeOperand struct {
	Text  string `json:"text"`
	Value string `json:"value"`
}

// A sourceLine is a line of the scenario's file that a problem is about.
type sourceLine struct {
	Line int    `json:"line"`
	Text string `json:"text"`
}

func (m *merge) Add(e Entry) error {
	if err := m.begin(); err != nil {
		return err
	}
	if e.Merged != nil {
		_, err := m.lines.w.Write(e.Merged)
		return err
	}
	return m.lines.line(mergeEntryOf(e))
}

// MergeLine is the line of one scenario alone, as [Merge] writes it.
func MergeLine(e Entry) ([]byte, error) {
	var b bytes.Buffer
	lines := jsonReporter{w: &b, exact: true}
	err := lines.line(mergeEntryOf(e))
	return b.Bytes(), err
}

func mergeEntryOf(e Entry) mergeEntry {
	r := e.Result
	out := mergeEntry{
		Type: "scenario", File: r.Plan.File, Line: r.Plan.Line, Name: r.Plan.Name, Description: r.Plan.Description, Tags: r.Plan.Tags,
		Status: r.Verdict, VirtualNS: r.Virtual, Program: programEventOf(r), Checks: r.Checks, Reason: e.Reason, Dropped: e.Dropped,
		Problems: mergeProblems(r.Problems), Relaxed: mergeProblems(r.Relaxed), Invariants: mergeCounts(r), Unread: r.Unread, Settings: mergeSettings(r), Source: sourceLines(&e), Report: r.Bench,
	}
	if r.Way.Driven() {
		out.Way = r.Way
	}
	if r.Row != nil {
		out.Row = &mergeRow{Of: r.Row.Of, Unmet: mergeProblems(r.Row.Unmet), Allowed: r.Row.Allowed}
		if r.Row.Empty != nil {
			out.Row.Empty = mergeProblems([]interp.Problem{*r.Row.Empty})
		}
	}
	if head := r.Header(); head != (trace.Header{}) {
		out.Header = head.AppendJSON(nil)
	}
	for i := range r.Events {
		out.Trace = append(out.Trace, r.Events[i].AppendJSON(nil))
	}
	return out
}

func (m *merge) begin() error {
	if m.begun {
		return nil
	}
	m.begun = true
	return m.lines.line(m.head)
}

// A MergeSummary is the last line.
type MergeSummary struct {
	Type string `json:"type"`
	// Incomplete says that the scenarios are not the whole story.
	Incomplete bool `json:"incomplete"`
}

func (m *merge) Invalid(d Diagnostic) error {
	if err := m.begin(); err != nil {
		return err
	}
	return m.lines.line(d.event(""))
}

func (m *merge) Close(s Summary) error {
	err := m.begin()
	if err == nil && s.Shard != nil {
		err = m.lines.line(shardEvent{MergeSchema, "shard", *s.Shard})
	}
	if err != nil {
		return err
	}
	return m.lines.line(MergeSummary{"summary", s.Incomplete})
}

func mergeSettings(r *interp.Result) (out []mergeSetting) {
	for _, s := range r.Settings {
		if s.Near || s.Alike > 0 {
			out = append(out, mergeSetting{s.Of, s.Name, s.Value, s.Part, !s.Near, s.Alike, s.Why, s.Else, s.Hint})
		}
	}
	return out
}

func readSettings(in []mergeSetting) (out []interp.Setting) {
	for _, s := range in {
		out = append(out, interp.Setting{Of: s.Of, Name: s.Name, Value: s.Value, Alike: s.Alike, Near: !s.Far, Part: s.Part, Why: s.Why, Else: s.Else, Hint: s.Hint})
	}
	return out
}

func mergeCounts(r *interp.Result) []mergeCount {
	var out []mergeCount
	for i, e := range invariantEvents(r) {
		out = append(out, mergeCount{e, r.Invariants[i].Own, r.Invariants[i].Standard, r.Invariants[i].Imported})
	}
	return out
}

func readCounts(in []mergeCount) []interp.InvariantCount {
	var out []interp.InvariantCount
	for _, c := range in {
		count := interp.InvariantCount{Name: c.Name, Own: c.Own, Standard: c.Standard, Imported: c.Imported, Foreign: c.Foreign, Evaluated: c.Evaluated, Unmet: c.Unmet}
		count.Range.Filename, count.Range.Start.Line = c.File, c.Line
		out = append(out, count)
	}
	return out
}

func mergeProblems(problems []interp.Problem) []mergeProblem {
	out := make([]mergeProblem, len(problems))
	for i, p := range problems {
		from, to := p.Range.Start, p.Range.End
		out[i] = mergeProblem{
			Kind: p.Kind, Name: p.Name, Message: p.Message, Bare: p.Bare, Diff: p.Diff, Follows: p.Follows,
			File: p.Range.Filename, From: [2]int{from.Line, from.Column}, To: [2]int{to.Line, to.Column},
		}
		for _, o := range p.Operands {
			out[i].Operands = append(out[i].Operands, mergeOperand(o))
		}
	}
	return out
}

// sourceLines are the lines that any format shows of the source.
func sourceLines(e *Entry) []sourceLine {
	shown := map[int]bool{}
	lists := [][]interp.Problem{e.Result.Problems, e.Result.Relaxed}
	if row := e.Result.Row; row != nil {
		lists = append(lists, row.Unmet)
		if row.Empty != nil {
			lists = append(lists, []interp.Problem{*row.Empty})
		}
	}
	for _, list := range lists {
		for i := range list {
			r := &list[i].Range
			for n := r.Start.Line; n <= min(r.End.Line, r.Start.Line+snippetLines-1) && r.Filename == e.Result.Plan.File; n++ {
				shown[n] = true
			}
		}
	}
	if len(shown) == 0 {
		return nil
	}
	var out []sourceLine
	for _, n := range slices.Sorted(maps.Keys(shown)) {
		if text, is := line(e.Source, n); is {
			out = append(out, sourceLine{n, string(text)})
		}
	}
	return out
}

// ReadEntry reads the line of one scenario that [Merge] wrote. What the entry
// says to any format is what the one that was written said.
func ReadEntry(line []byte) (Entry, error) {
	var in mergeEntry
	if err := json.Unmarshal(line, &in); err != nil {
		return Entry{}, err
	}
	switch in.Status {
	case interp.Pass, interp.Fail, interp.Error, interp.Skip, interp.Done:
	default:
		return Entry{}, fmt.Errorf("there is no verdict %q", in.Status)
	}
	r := interp.Result{
		Plan:    &interp.Plan{File: in.File, Line: in.Line, Name: in.Name, Description: in.Description, Tags: in.Tags},
		Verdict: in.Status, Way: in.Way, Virtual: in.VirtualNS, Program: in.Program.end(), Checks: in.Checks, Bench: in.Report,
		Problems: readProblems(in.Problems), Relaxed: readProblems(in.Relaxed), Invariants: readCounts(in.Invariants), Unread: in.Unread, Settings: readSettings(in.Settings),
	}
	if in.Row != nil {
		r.Row = &interp.Row{Of: in.Row.Of, Unmet: readProblems(in.Row.Unmet), Allowed: in.Row.Allowed}
		if empty := readProblems(in.Row.Empty); len(empty) > 0 {
			r.Row.Empty = &empty[0]
		}
	}
	var head trace.Header
	if in.Header != nil {
		var err error
		if head, err = trace.ReadHeader(in.Header); err != nil {
			return Entry{}, err
		}
	}
	for _, l := range in.Trace {
		event, err := interp.ReadEvent(l)
		if err != nil {
			return Entry{}, err
		}
		r.Events = append(r.Events, event)
	}
	source, err := readSource(in.Source)
	return Entry{Result: interp.Recall(r, head), Reason: in.Reason, Dropped: in.Dropped, Source: source}, err
}

func readProblems(in []mergeProblem) []interp.Problem {
	var out []interp.Problem
	for _, p := range in {
		problem := interp.Problem{Kind: p.Kind, Name: p.Name, Message: p.Message, Bare: p.Bare, Diff: p.Diff, Follows: p.Follows}
		at := &problem.Range
		at.Filename, at.Start.Line, at.Start.Column, at.End.Line, at.End.Column = p.File, p.From[0], p.From[1], p.To[0], p.To[1]
		for _, o := range p.Operands {
			problem.Operands = append(problem.Operands, interp.Operand(o))
		}
		out = append(out, problem)
	}
	return out
}

// lineMax bounds the number of a line, whose file is rebuilt around it.
const lineMax = 1 << 24

// readSource is a file that has the lines in their places and nothing beside
// them, nil without lines.
func readSource(lines []sourceLine) ([]byte, error) {
	var out []byte
	n := 1
	for _, l := range lines {
		if l.Line < n || l.Line > lineMax {
			return nil, fmt.Errorf("line %d of the source is out of place", l.Line)
		}
		out = append(out, bytes.Repeat([]byte("\n"), l.Line-n)...)
		out = append(append(out, l.Text...), '\n')
		n = l.Line + 1
	}
	return out, nil
}
