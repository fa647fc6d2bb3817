package main

import (
	"bytes"
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/report"
	"github.com/scenario-lang/scenario/report/merge"
)

// mergeFlags are what `scenario merge` can be told.
type mergeFlags struct {
	traceOut string
	reports  []string
}

func (a *app) mergeCommand() *cobra.Command {
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
			return a.merge(args, f)
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringArrayVar(&f.reports, "report", nil, "write a report to a file, or to standard output with -: `kind=path` (repeatable)")
	cmd.Flags().StringVar(&f.traceOut, "trace-out", "", "write the traces of all shards to `file`")
	return cmd
}

// shardFileMax bounds a file of one shard.
const shardFileMax = 1 << 30

func (a *app) merge(paths []string, f *mergeFlags) error {
	if len(paths) == 0 {
		return usagef("for example scenario merge shard-*.jsonl", "merge needs the results of the shards")
	}
	whole, traces, err := readShards(paths)
	if err != nil {
		return err
	}
	if len(traces) > 0 && f.traceOut == "" {
		return usagef("for example --trace-out trace.jsonl", "there are traces among the files, but no --trace-out to say where to write them")
	}
	targets, err := mergedTraces(f.traceOut)
	if err != nil {
		return err
	}
	outs, err := a.mergedOutputs(f, whole, targets)
	if err != nil {
		return err
	}
	defer outs.discard()
	for _, t := range targets {
		if err := writeTraces(whole, traces, t); err != nil {
			return err
		}
	}
	return a.writeMerged(whole, outs)
}

// unmerged ends a merge whose parts do not make up one suite.
func unmerged(err error) error {
	var e *merge.Error
	if !errors.As(err, &e) {
		return err
	}
	if e.Misnamed {
		return &exitError{exitUsage, e.Problem, e.Hint}
	}
	return &exitError{exitInternal, e.Problem, e.Hint}
}

// readShards reads all files and puts the results among them together.
func readShards(paths []string) (*merge.Suite, []merge.Trace, error) {
	var shards []*merge.Shard
	var traces []merge.Trace
	for _, path := range paths {
		text, err := disk.Read(path, shardFileMax)
		switch {
		case err != nil:
			return nil, nil, usagef("", "cannot read %s: %s", filepath.ToSlash(path), disk.Cause(err))
		case merge.IsTraces(text):
			traces = append(traces, merge.CutTraces(path, text)...)
		default:
			s, err := merge.ReadShard(path, text)
			if err != nil {
				return nil, nil, unmerged(err)
			}
			shards = append(shards, s)
		}
	}
	whole, err := merge.Join(shards)
	return whole, traces, unmerged(err)
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

// writeTraces writes the traces in the order of the suite.
func writeTraces(whole *merge.Suite, traces []merge.Trace, target traceTarget) error {
	inOrder, err := whole.Traces(traces)
	if err != nil {
		return unmerged(err)
	}
	if err := disk.Write(target.path, bytes.Join(inOrder, nil), 0o666); err != nil {
		return usagef("name a file in a directory that exists and can be written", "cannot write the trace to %s: %s", filepath.ToSlash(target.path), disk.Cause(err))
	}
	return nil
}

// mergedOutputs opens every report that was asked for. Standard output has the
// lines of --json where none of them takes it.
func (a *app) mergedOutputs(f *mergeFlags, whole *merge.Suite, traces []traceTarget) (*outputs, error) {
	asked := &suiteFlags{reports: f.reports, scores: whole.Scores()}
	reports, err := parseReports(asked, traces)
	if err != nil {
		return nil, err
	}
	if partly := whole.Partly(); partly != "" && len(reports) > 0 {
		return nil, usagef("have each shard write --report merge=FILE, and name those files", "--report needs more of a shard than %s has, which is what --json printed", partly)
	}
	o := &outputs{}
	for _, r := range reports {
		if r.path == toStdout {
			o.Reporter = r.format.New(a.reportOn(r.format), report.Options{Scores: whole.Scores(), Base: a.base(r.format)})
		} else if err := o.open(a, r, asked); err != nil {
			o.discard()
			return nil, err
		}
	}
	return o, nil
}

// writeMerged writes the results and ends as the whole suite would have.
func (a *app) writeMerged(whole *merge.Suite, outs *outputs) error {
	if outs.Reporter == nil {
		outs.Reporter = report.JSON(a.stdout, report.Options{})
	}
	all := report.Each(append([]report.Reporter{outs.Reporter}, outs.aside...)...)
	verdict, err := whole.Report(all, a.stdout)
	if err != nil {
		return ending(exitInternal, unmerged(err))
	}
	if code := codeOf(whole.Invalid()); code != exitPassed {
		return exitWith(code)
	}
	if verdict == interp.Fail || verdict == interp.Error {
		return exitWith(exitFailed)
	}
	return nil
}
