package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/trace"
)

// CTRF writes one document of the Common Test Report Format (ctrf.io). Its
// times count from the beginning of each scenario.
func CTRF(w io.Writer, opts Options) Reporter {
	return &ctrf{w: w, clock: opts.clock(), id: sha256.New(), tests: opts.spool()}
}

// ctrfVersion is the version of the specification that the documents follow.
const ctrfVersion = "0.0.0"

// epoch is where every virtual clock begins, in milliseconds since 1970.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()

type ctrf struct {
	w     io.Writer
	clock string    // that of the times
	id    hash.Hash // of all that ran
	file  string
	files int
	// tests are the tests as they stand in the document, n of them.
	tests Spool
	n     int
	// invalid counts diagnostics, each of which is a test.
	invalid int
}

type ctrfDocument struct {
	ReportFormat string      `json:"reportFormat"`
	SpecVersion  string      `json:"specVersion"`
	RunID        string      `json:"runId"`
	GeneratedBy  string      `json:"generatedBy"`
	Results      ctrfResults `json:"results"`
}

type ctrfResults struct {
	Tool    ctrfTool    `json:"tool"`
	Summary ctrfSummary `json:"summary"`
	// Tests is last, and empty: the tests are written in its place.
	Tests []ctrfTest `json:"tests"`
}

type ctrfTool struct {
	Name string `json:"name"`
}

type ctrfSummary struct {
	Tests    int            `json:"tests"`
	Passed   int            `json:"passed"`
	Failed   int            `json:"failed"`
	Skipped  int            `json:"skipped"`
	Pending  int            `json:"pending"`
	Other    int            `json:"other"`
	Suites   int            `json:"suites"`
	Start    int64          `json:"start"`
	Stop     int64          `json:"stop"`
	Duration int64          `json:"duration"`
	Extra    map[string]any `json:"extra"`
}

type ctrfTest struct {
	Name      string         `json:"name"`
	Status    string         `json:"status"`
	RawStatus interp.Verdict `json:"rawStatus"`
	Duration  int64          `json:"duration"`
	Start     int64          `json:"start"`
	Stop      int64          `json:"stop"`
	Suite     []string       `json:"suite"`
	Message   string         `json:"message,omitempty"`
	Trace     string         `json:"trace,omitempty"`
	Snippet   string         `json:"snippet,omitempty"`
	Line      int            `json:"line"`
	FilePath  string         `json:"filePath"`
	Tags      []string       `json:"tags,omitempty"`
	Stdout    []string       `json:"stdout,omitempty"`
	Steps     []ctrfStep     `json:"steps,omitempty"`
	Extra     map[string]any `json:"extra,omitempty"`
}

type ctrfStep struct {
	Name   string         `json:"name"`
	Status string         `json:"status"`
	Extra  map[string]any `json:"extra,omitempty"`
}

func (c *ctrf) Add(e Entry) error {
	r := e.Result
	if r.Plan.File != c.file || c.files == 0 {
		c.file = r.Plan.File
		c.files++
	}
	fmt.Fprintf(c.id, "%q %q %q\n", r.Plan.File, e.name(), r.Header().RunID)
	t := ctrfTest{
		Name: e.name(), Status: ctrfStatus(r.Verdict), RawStatus: r.Verdict, Suite: []string{r.Plan.File},
		Duration: r.Virtual.Milliseconds(), Start: epoch, Stop: epoch + r.Virtual.Milliseconds(),
		Line: r.Plan.Line, FilePath: r.Plan.File, Tags: r.Plan.Tags, Steps: ctrfSteps(r.Events), Message: e.Reason,
	}
	if r.Verdict == interp.Fail || r.Verdict == interp.Error {
		t.Message, t.Trace, t.Snippet = ctrfProblems(&e)
		t.Stdout = timeline(r.Events)
	}
	var allowed, unseen, nothing, less, ignored []string
	for i := range r.Relaxed {
		switch p := &r.Relaxed[i]; p.Kind {
		case interp.KindUnseen:
			unseen = append(unseen, p.Name)
		case interp.KindNothing, interp.KindIdle:
			nothing = append(nothing, p.Name)
		case interp.KindElsewhere:
			less = append(less, p.Name)
		case interp.KindIgnored:
			ignored = append(ignored, p.Name)
		default:
			allowed = append(allowed, p.Name)
		}
	}
	t.Extra = map[string]any{}
	if len(allowed) > 0 {
		t.Extra["allowed"] = allowed
	}
	if len(unseen) > 0 {
		t.Extra["not_observed"] = unseen
	}
	if len(nothing) > 0 {
		t.Extra["shows_nothing"] = nothing
	}
	if len(less) > 0 {
		t.Extra["shows_less"] = less
	}
	if len(ignored) > 0 {
		t.Extra["ignored"] = ignored
	}
	if sut := programEventOf(r); sut != nil {
		t.Extra["sut"] = sut
	}
	if len(r.Invariants) > 0 {
		t.Extra["invariants"] = invariantEvents(r)
	}
	return c.keep(&t)
}

// keep puts one test aside until the counts are known.
func (c *ctrf) keep(t *ctrfTest) error {
	text, err := ctrfJSON(t, "      ")
	if err != nil {
		return err
	}
	before := ",\n      "
	if c.n == 0 {
		before = "\n      "
	}
	c.n++
	_, err = c.tests.Write(append([]byte(before), text...))
	return err
}

// ctrfJSON is a value as it stands in the document, every line but the first
// indented by prefix.
func ctrfJSON(value any, prefix string) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent(prefix, "  ")
	if err := enc.Encode(value); err != nil {
		return nil, err
	}
	return inertJSON(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

// ctrfStatus is a verdict in the words of the format, which has none for a
// scenario that could not be run: whoever counts failures is to count it.
func ctrfStatus(v interp.Verdict) string {
	switch v {
	case interp.Pass:
		return "passed"
	case interp.Skip:
		return "skipped"
	case interp.Done:
		return "other"
	}
	return "failed"
}

// ctrfProblems says what is wrong with a scenario: in a line each, in full,
// and the source of the first.
func ctrfProblems(e *Entry) (message, full, source string) {
	var messages, all []string
	for i := range e.Result.Problems {
		p := &e.Result.Problems[i]
		messages = append(messages, gist(p))
		all = append(all, heading(e, p))
		all = append(all, details(e, p)...)
		if source == "" {
			source = strings.Join(snippet(e, p), "\n")
		}
	}
	return strings.Join(messages, "\n"), strings.Join(all, "\n"), source
}

func ctrfSteps(events []trace.Event) []ctrfStep {
	var steps []ctrfStep
	for i := range events {
		e := &events[i]
		if e.Type != trace.StepEnd {
			continue
		}
		status := "failed"
		switch e.Text("status") {
		case "success":
			status = "passed"
		case "skipped":
			status = "skipped"
		case "cancelled", "aborted":
			status = "other"
		}
		steps = append(steps, ctrfStep{e.Step, status, map[string]any{"status": e.Text("status"), "ended_ms": e.At.Milliseconds()}})
	}
	return steps
}

func (c *ctrf) Invalid(d Diagnostic) error {
	if file := d.suite(); file != c.file || c.files == 0 {
		c.file = file
		c.files++
	}
	c.invalid++
	fmt.Fprintf(c.id, "%q %q\n", d.String(), d.Detail)
	return c.keep(&ctrfTest{
		Name: d.Summary, Status: "failed", RawStatus: interp.Error, Start: epoch, Stop: epoch, Suite: []string{c.file},
		Message: d.explanation(), Trace: d.String(), Line: d.Line, FilePath: d.File,
		Extra: map[string]any{"kind": d.Kind, "column": d.Column},
	})
}

func (c *ctrf) Close(s Summary) error {
	s.Errored += c.invalid
	if s.Incomplete {
		s.Errored++
		if err := c.keep(&ctrfTest{
			Name: "the suite is complete", Status: "failed", RawStatus: interp.Error, Start: epoch, Stop: epoch, Suite: []string{"scenario"}, Message: incomplete,
		}); err != nil {
			return err
		}
	}
	ms := s.Virtual.Milliseconds()
	doc, err := ctrfJSON(ctrfDocument{
		ReportFormat: "CTRF", SpecVersion: ctrfVersion, GeneratedBy: "scenario",
		RunID: "sha256:" + hex.EncodeToString(c.id.Sum(nil)),
		Results: ctrfResults{
			Tool: ctrfTool{"scenario"}, Tests: []ctrfTest{},
			Summary: ctrfSummary{
				Tests: s.Total(), Passed: s.Passed, Failed: s.Failed + s.Errored, Skipped: s.Skipped, Other: s.Done, Suites: c.files,
				Start: epoch, Stop: epoch + ms, Duration: ms, Extra: map[string]any{"clock": c.clock, "errored": s.Errored},
			},
		},
	}, "")
	if err != nil {
		return err
	}
	place := bytes.LastIndexByte(doc, ']')
	if _, err := c.w.Write(doc[:place]); err != nil {
		return err
	}
	if _, err := c.tests.WriteTo(c.w); err != nil {
		return err
	}
	end := append(doc[place:], '\n')
	if c.n > 0 {
		end = append([]byte("\n    "), end...)
	}
	_, err = c.w.Write(end)
	return err
}
