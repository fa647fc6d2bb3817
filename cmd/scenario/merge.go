package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/report"
	"github.com/scenario-lang/scenario/report/merge"
	"github.com/scenario-lang/scenario/trace"
)

// mergeFlags are what `scenario merge` can be told.
type mergeFlags struct {
	traceOut string
	reports  []string
}

func mergeCommand(a *cli.App) *cobra.Command {
	f := &mergeFlags{}
	cmd := &cobra.Command{
		Use:   "merge file…",
		Short: "Merge the results of all shards",
		Long: "Read what test --report merge=FILE wrote for each --shard of a suite, and print what\n" +
			"test --json prints for the whole suite, without wall_ms. --report writes any report of\n" +
			"test, byte for byte as for the whole suite, and --trace-out the traces. It exits as\n" +
			"the whole suite would, and with code 6 if a shard is missing or two of them contradict\n" +
			"each other.\n\n" +
			"What test --json printed is read as well, with the files of --trace-out beside it. It\n" +
			"is merged with its wall_ms; other reports cannot be made from it.",
		RunE: func(_ *cobra.Command, args []string) error {
			return runMerge(a, args, f)
		},
	}
	cmd.Flags().SortFlags = false
	cli.Repeated(cmd.Flags(), &f.reports, "report", "write a report to a file, or to standard output with -: `kind=path` (repeatable)")
	harness.CompleteReports(cmd)
	cmd.Flags().StringVar(&f.traceOut, "trace-out", "", "write the traces of all shards to `file`")
	return cmd
}

// traceFileMax bounds a file of traces, which is held in memory.
const traceFileMax = 1 << 30

func runMerge(a *cli.App, paths []string, f *mergeFlags) error {
	if len(paths) == 0 {
		return cli.Usagef("for example scenario merge shard-*.jsonl", "merge needs the results of the shards")
	}
	p := &parts{}
	defer p.close()
	whole, err := p.read(paths)
	if err != nil {
		return err
	}
	traces := p.traces
	if len(traces) > 0 && f.traceOut == "" {
		return cli.Usagef("for example --trace-out trace.jsonl", "there are traces among the files, but no --trace-out to say where to write them")
	}
	targets, err := mergedTraces(f.traceOut)
	if err != nil {
		return err
	}
	printed := disk.NewSpool(os.TempDir())
	defer printed.Close()
	outs, stdout, err := mergedOutputs(a, printed, f, whole, targets)
	if err != nil {
		return err
	}
	defer outs.Discard()
	for _, t := range targets {
		if err := writeTraces(whole, traces, t); err != nil {
			return err
		}
	}
	return writeMerged(whole, outs, printed, stdout)
}

// unmerged ends a merge whose parts do not make up one suite.
func unmerged(err error) error {
	var e *merge.Error
	if !errors.As(err, &e) {
		return err
	}
	if e.Misnamed {
		return cli.ExitAs(cli.ExitUsage, e.Problem, e.Hint)
	}
	return cli.ExitAs(cli.ExitInternal, e.Problem, e.Hint)
}

// parts are the files that are merged.
type parts struct {
	shards []*merge.Shard
	traces []merge.Trace
	// files are those of the shards, which are read until all is written.
	files []*os.File
}

func (p *parts) close() {
	for _, f := range p.files {
		f.Close()
	}
}

// read reads all files and puts the results among them together.
func (p *parts) read(paths []string) (*merge.Suite, error) {
	for _, path := range paths {
		f, err := disk.Open(path)
		if err == nil {
			p.files = append(p.files, f)
			err = p.add(path, f)
		}
		var e *merge.Error
		switch {
		case errors.As(err, &e):
			return nil, unmerged(err)
		case err != nil:
			return nil, cli.Usagef("", "cannot read %s: %s", filepath.ToSlash(path), disk.Cause(err))
		}
	}
	whole, err := merge.Join(p.shards)
	return whole, unmerged(err)
}

// add reads one file.
func (p *parts) add(path string, f *os.File) error {
	start := make([]byte, len(trace.Start))
	n, err := f.ReadAt(start, 0)
	if err != nil && err != io.EOF {
		return err
	}
	if merge.IsTraces(start[:n]) {
		text, err := io.ReadAll(io.LimitReader(f, traceFileMax))
		p.traces = append(p.traces, merge.CutTraces(path, text)...)
		return err
	}
	s, err := merge.ReadShard(path, f)
	p.shards = append(p.shards, s)
	return err
}

// mergedTraces is where the traces go, empty where nobody asked for them.
func mergedTraces(value string) ([]harness.TraceTarget, error) {
	if value == "" {
		return nil, nil
	}
	targets, err := harness.TraceTargets([]string{value})
	if err == nil && targets[0].Format != &harness.TraceFormats[0] {
		err = cli.Usagef("name a file of another kind, for example trace.jsonl", "merge writes traces as canonical lines, not as %s", targets[0].Format.What)
	}
	return targets, err
}

// writeTraces writes the traces in the order of the suite.
func writeTraces(whole *merge.Suite, traces []merge.Trace, target harness.TraceTarget) error {
	inOrder, err := whole.Traces(traces)
	if err != nil {
		return unmerged(err)
	}
	if err := disk.Write(target.Path, bytes.Join(inOrder, nil), 0o666); err != nil {
		return cli.Usagef("name a file in a directory that can be written", "cannot write the trace to %s: %s", filepath.ToSlash(target.Path), disk.Cause(err))
	}
	return nil
}

// mergedOutputs opens every report that was asked for. What is for standard
// output waits in printed, so that nothing is printed of a file that turns out to
// be damaged; stdout is where it goes then. It has the lines of --json where no
// report takes it.
func mergedOutputs(a *cli.App, printed io.Writer, f *mergeFlags, whole *merge.Suite, traces []harness.TraceTarget) (_ *harness.Outputs, stdout io.Writer, _ error) {
	asked := &harness.SuiteFlags{Reports: f.reports, Scores: whole.Scores(), Live: whole.Live()}
	reports, err := harness.ParseReports(asked, traces)
	if err != nil {
		return nil, nil, err
	}
	if partly := whole.Partly(); partly != "" && len(reports) > 0 {
		return nil, nil, cli.Usagef("have each shard write --report merge=FILE, and name those files", "--report needs more of a shard than %s has, which is what --json printed", partly)
	}
	o := &harness.Outputs{Reporter: report.JSON(printed, report.Options{})}
	stdout = a.Stdout
	for _, r := range reports {
		if r.Path == harness.ToStdout {
			stdout = harness.ReportOn(a, r.Format)
			o.Reporter = r.Format.New(printed, report.Options{Scores: whole.Scores(), Live: whole.Live(), Base: harness.Base(a, r.Format)})
		} else if err := o.Open(a, r, asked); err != nil {
			o.Discard()
			return nil, nil, err
		}
	}
	return o, stdout, nil
}

// writeMerged writes the results and ends as the whole suite would have.
func writeMerged(whole *merge.Suite, outs *harness.Outputs, printed *disk.Spool, stdout io.Writer) error {
	all := report.Each(append([]report.Reporter{outs.Reporter}, outs.Aside...)...)
	verdict, err := whole.Report(all, printed)
	if err == nil {
		err = cli.WriteLines(stdout, printed)
	}
	if err != nil {
		return cli.Ending(cli.ExitInternal, unmerged(err))
	}
	if code := harness.CodeOf(whole.Invalid()); code != cli.ExitPassed {
		return cli.ExitWith(code)
	}
	if verdict == interp.Fail || verdict == interp.Error {
		return cli.ExitWith(cli.ExitFailed)
	}
	return nil
}
