package harness

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
	"github.com/scenario-lang/scenario/telemetry"
	"github.com/scenario-lang/scenario/trace"
)

// encode is the trace of one run as it stands in a file: canonical JSON Lines.
// A result holds no secrets.
func encode(r *interp.Result) []byte {
	var b bytes.Buffer
	// A buffer takes everything.
	_ = trace.WriteTo(&b, r.Header(), r.Events)
	return b.Bytes()
}

// A TraceTarget is one --trace-out: where to and in which format.
type TraceTarget struct {
	Path   string
	Format *traceFormat
}

// TraceTargets reads the values of --trace-out and refuses those that would
// cost the user a file, before anything is read: all that a suite reads is
// something else than a trace.
func TraceTargets(values []string) ([]TraceTarget, error) {
	var targets []TraceTarget
	for _, v := range values {
		t, err := traceTargetOf(v)
		if err != nil {
			return nil, err
		}
		if err := t.check(); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(targets, func(o TraceTarget) bool { return disk.Real(o.Path) == disk.Real(t.Path) }) {
			return nil, cli.Usagef("name another file for each", "--trace-out names %s twice", filepath.ToSlash(t.Path))
		}
		targets = append(targets, t)
	}
	return targets, nil
}

// traceTargetOf is KIND=PATH, or a path whose ending gives the kind.
func traceTargetOf(value string) (TraceTarget, error) {
	kind, path, ok := strings.Cut(value, "=")
	switch {
	case !ok || strings.ContainsAny(kind, `/\. `):
		return TraceTarget{value, traceFormatOf(value)}, nil
	case path == "":
		return TraceTarget{}, cli.Usagef("for example --trace-out otlp=spans.jsonl", "--trace-out %s names no file", value)
	}
	for i := range TraceFormats {
		if f := &TraceFormats[i]; f.name == kind {
			return TraceTarget{path, f}, nil
		}
	}
	var names []string
	for _, f := range TraceFormats {
		names = append(names, f.name)
	}
	return TraceTarget{}, cli.Usagef("the kinds are "+strings.Join(names, ", ")+"; for a file of that name type ./"+value,
		"unknown kind %q for --trace-out.%s", kind, dsl.DidYouMean(kind, names))
}

func (t *TraceTarget) check() error {
	shown := filepath.ToSlash(t.Path)
	switch {
	case t.Path == "-":
		return cli.Usagef("name a file, for example --trace-out trace.jsonl", "--trace-out cannot be -: standard output carries the results")
	case t.Path == "":
		return cli.Usagef("for example --trace-out trace.jsonl", "--trace-out names no file")
	case strings.HasSuffix(shown, suite.Suffix):
		return cli.Usagef("name another file, for example --trace-out trace.jsonl", "--trace-out %s would write a trace over a scenario file", shown)
	case t.holdsOther():
		return cli.Usagef("name a new file, or remove this one", "--trace-out would replace %s, which is not a %s", shown, t.Format.What)
	}
	return nil
}

// holdsOther reports whether a file is there and begins otherwise than a trace
// of this format. What is no regular file is not asked: a pipe would not
// answer.
func (t *TraceTarget) holdsOther() bool {
	info, err := os.Stat(t.Path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	want := t.Format.start
	start, err := disk.Read(t.Path, int64(len(want))-1)
	return err == nil && len(start) > 0 && string(start) != want
}

// traceFiles are the files of --trace-out while they are being written.
type traceFiles []*traceFile

type traceFile struct {
	TraceTarget
	out *disk.Atomic
	// written counts scenarios.
	written int
}

// openTraces begins the files of --trace-out, before anything runs: a path
// that cannot be written is a mistake in the command line.
func openTraces(targets []TraceTarget) (traceFiles, error) {
	var files traceFiles
	for _, t := range targets {
		out, err := disk.CreateBelow(t.Path, 0o666)
		if err != nil {
			files.discard()
			return nil, cli.Usagef("name a file in a directory that can be written", "cannot write the trace to %s: %s", filepath.ToSlash(t.Path), disk.Cause(err))
		}
		files = append(files, &traceFile{TraceTarget: t, out: out})
	}
	return files, nil
}

// OpenTraces opens the files of --trace-out for runs that the runner does not make. Close takes back what
// is not committed.
func (s *Invocation) OpenTraces() (err error) {
	s.Runner.traces, err = openTraces(s.Traces)
	return err
}

// AddTrace writes the trace of such a run.
func (s *Invocation) AddTrace(r *interp.Result) error {
	if len(s.Runner.traces) == 0 || !r.Ran() {
		return nil
	}
	o := &outcome{result: r, trace: encode(r)}
	if s.Runner.spanned {
		o.spans = telemetry.Spans(r.Header(), r.Events)
	}
	return s.Runner.traces.add(o)
}

// CommitTraces ends the files and puts them in their places.
func (s *Invocation) CommitTraces() error { return s.Runner.traces.commit() }

// add writes the trace of one scenario. What was not run has none.
func (files traceFiles) add(o *outcome) error {
	if len(o.trace) == 0 {
		return nil
	}
	for _, f := range files {
		if err := f.Format.write(f.out, f.written, o); err != nil {
			return f.failed(err)
		}
		f.written++
	}
	return nil
}

// commit ends the files and puts them in their places.
func (files traceFiles) commit() error {
	for _, f := range files {
		err := f.end()
		if err == nil {
			err = f.out.Commit()
		}
		if err != nil {
			return f.failed(err)
		}
	}
	return nil
}

func (f *traceFile) end() error {
	if f.written == 0 {
		if _, err := io.WriteString(f.out, f.Format.open); err != nil {
			return err
		}
	}
	_, err := io.WriteString(f.out, f.Format.close)
	return err
}

// discard takes back what is not in place.
func (files traceFiles) discard() {
	for _, f := range files {
		f.out.Discard()
	}
}

func (f *traceFile) failed(err error) error {
	return cli.ExitAs(cli.ExitInternal, fmt.Sprintf("cannot write the trace to %s: %s", filepath.ToSlash(f.Path), disk.Cause(err)), "")
}
