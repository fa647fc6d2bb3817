package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"unicode/utf8"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/interp/bench"
)

// Schema names the version of the events that [JSON] writes.
const Schema = "scenario.test/1"

// JSON writes one event a line: a scenario each,
// for a shard which part of the suite it is, and last the summary. Equal results give equal bytes but for
// wall_ms, which is there only where it is asked for.
func JSON(w io.Writer, opts Options) Reporter { return &jsonReporter{w: w, wall: opts.Wall} }

type jsonReporter struct {
	w    io.Writer
	wall bool
	// exact leaves lines as the encoder gives them: the events of a trace are
	// compared byte for byte.
	exact bool
}

type scenarioEvent struct {
	Schema string `json:"schema"`
	Type   string `json:"type"`
	File   string `json:"file"`
	Name   string `json:"name"`
	// Session is the one of a service that the result is of.
	Session string         `json:"session,omitempty"`
	Status  interp.Verdict `json:"status"`
	// Way is how a program was driven. Its time is real.
	Way       interp.Way `json:"way,omitempty"`
	VirtualMS *int64     `json:"virtual_ms,omitempty"`
	ElapsedMS *int64     `json:"elapsed_ms,omitempty"`
	WallMS    *float64   `json:"wall_ms,omitempty"`
	// Cached says that WallMS is the time of an earlier run.
	Cached   bool           `json:"cached,omitempty"`
	Failures []problemEvent `json:"failures"`
	// Relaxed and Reason are beyond the core of the format and left out where
	// there is nothing to say.
	Relaxed []problemEvent `json:"relaxed,omitempty"`
	Reason  string         `json:"reason,omitempty"`
	// Invariants says how often each was evaluated.
	Invariants []invariantEvent `json:"invariants,omitempty"`
	// Sut is how the program ended.
	Sut *programEvent `json:"sut,omitempty"`
	// Report is that of a bench.
	Report *bench.Report `json:"report,omitempty"`
}

type programEvent struct {
	ExitCode *int   `json:"exit_code,omitempty"`
	Signal   string `json:"signal,omitempty"`
	Stopped  bool   `json:"stopped,omitempty"`
	// Said are the last lines of the stream that it is the name of, where the
	// scenario did not pass.
	Said   []string `json:"said,omitempty"`
	Stream string   `json:"stream,omitempty"`
}

func programEventOf(r *interp.Result) *programEvent {
	p := r.Program
	if p == nil {
		return nil
	}
	e := &programEvent{ExitCode: p.ExitCode, Signal: p.Signal, Stopped: p.Stopped}
	if r.Verdict != interp.Pass {
		e.Said, e.Stream = p.Said, p.Stream
	}
	return e
}

// end is what the event tells of, nil for nil.
func (e *programEvent) end() *interp.Ending {
	if e == nil {
		return nil
	}
	return &interp.Ending{ExitCode: e.ExitCode, Signal: e.Signal, Stopped: e.Stopped, Said: e.Said, Stream: e.Stream}
}

type problemEvent struct {
	Kind    string `json:"kind"`
	Name    string `json:"name"`
	Message string `json:"message"`
	File    string `json:"file"`
	Line    int    `json:"line"`
}

type invariantEvent struct {
	Name      string `json:"name"`
	File      string `json:"file"`
	Line      int    `json:"line"`
	Evaluated int    `json:"evaluated"`
	// Foreign says that the scenario has nothing that it reads.
	Foreign bool `json:"not_applicable,omitempty"`
	// Unmet says that its premise did not hold, so that it asked nothing.
	Unmet bool `json:"premise_unmet,omitempty"`
}

func invariantEvents(r *interp.Result) []invariantEvent {
	var events []invariantEvent
	for i := range r.Invariants {
		c := &r.Invariants[i]
		events = append(events, invariantEvent{c.Name, c.Range.Filename, c.Range.Start.Line, c.Evaluated, c.Foreign, c.Unmet})
	}
	return events
}

type summaryEvent struct {
	Type    string         `json:"type"`
	Status  interp.Verdict `json:"status"`
	Passed  int            `json:"passed"`
	Failed  int            `json:"failed"`
	Errored int            `json:"errored"`
	Skipped int            `json:"skipped"`
	Done    int            `json:"done,omitempty"`
}

func (j *jsonReporter) Add(e Entry) error {
	r := e.Result
	event := scenarioEvent{
		Schema: Schema, Type: "scenario", File: r.Plan.File, Name: r.Plan.Name, Session: e.Session, Status: r.Verdict,
		Failures: problemEvents(r, r.Problems), Relaxed: problemEvents(r, r.Relaxed), Reason: e.Reason,
		Invariants: invariantEvents(r),
		Sut:        programEventOf(r),
	}
	took := r.Virtual.Milliseconds()
	switch {
	case !r.Way.Driven():
		event.VirtualMS = &took
	case r.Ran():
		event.Way, event.ElapsedMS = r.Way, &took
	default: // it took no time that there was
		event.Way = r.Way
	}
	if j.wall {
		ms := math.Round(e.Wall.Seconds()*1e6) / 1e3
		event.WallMS, event.Cached = &ms, e.Cached
	}
	return j.lineWith(event, r.Bench)
}

type shardEvent struct {
	Schema string `json:"schema"`
	Type   string `json:"type"`
	Shard
}

func (j *jsonReporter) Invalid(d Diagnostic) error { return j.line(d.event(Schema)) }

func (j *jsonReporter) Close(s Summary) error {
	if s.Shard != nil {
		if err := j.line(shardEvent{Schema, "shard", *s.Shard}); err != nil {
			return err
		}
	}
	return j.line(summaryEvent{"summary", s.Status(), s.Passed, s.Failed, s.Errored, s.Skipped, s.Done})
}

// line writes one event in one call, so that a reader of a pipe never sees
// half of it.
func (j *jsonReporter) line(event any) error {
	text, err := encoded(event)
	if err != nil {
		return err
	}
	return j.write(text)
}

func encoded(event any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(event)
	return b.Bytes(), err
}

// lineWith is line for the result of a bench, whose report is the last member. That
// is written in pieces: there are benches of many cases.
func (j *jsonReporter) lineWith(event scenarioEvent, of *bench.Report) error {
	if of == nil || len(of.Cases) < casesInOneCall {
		event.Report = of
		return j.line(event)
	}
	text, err := encoded(event)
	if err == nil {
		err = j.write(append(bytes.TrimSuffix(text, []byte("}\n")), `,"report":`...))
	}
	if err == nil {
		err = of.WriteJSON(j.write)
	}
	if err == nil {
		err = j.write([]byte("}\n"))
	}
	return err
}

// casesInOneCall is up to how many cases the line of a bench is written in one call.
const casesInOneCall = 500

func (j *jsonReporter) write(text []byte) error {
	if !j.exact {
		text = inertJSON(text)
	}
	_, err := j.w.Write(text)
	return err
}

// inertJSON is JSON of the same value, in which what a terminal would obey is
// escaped. The encoder escapes characters below a space alone.
func inertJSON(text []byte) []byte {
	if !bytes.ContainsFunc(text, obeyed) {
		return text
	}
	var out []byte
	for _, r := range string(text) {
		if obeyed(r) {
			out = fmt.Appendf(out, `\u%04x`, r)
		} else {
			out = utf8.AppendRune(out, r)
		}
	}
	return out
}

func problemEvents(r *interp.Result, problems []interp.Problem) []problemEvent {
	events := make([]problemEvent, len(problems))
	for i := range problems {
		p := &problems[i]
		file, line := place(r, p)
		events[i] = problemEvent{p.Kind, p.Name, explanation(p), file, line}
	}
	return events
}
