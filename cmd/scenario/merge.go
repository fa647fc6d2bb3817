package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/report"
)

// mergeFormat is the kind of --report that has all that the others are made of.
const mergeFormat = "merge"

// mergeFlags are what `scenario merge` can be told.
type mergeFlags struct {
	traceOut string
	reports  []string
}

func (a *app) mergeCommand() *cobra.Command {
	f := &mergeFlags{}
	cmd := &cobra.Command{
		Use:   "merge file…",
		Short: "Put the results of all shards together",
		Long: "Read what test --report merge=FILE wrote for each --shard of a suite, and print what\n" +
			"test --json prints for the whole suite, without wall_ms. --report writes any report of\n" +
			"test, with the bytes that the whole suite gives, and --trace-out the traces. It ends as\n" +
			"the whole suite would, and with 6 where a shard is missing or two of them contradict\n" +
			"each other.\n\n" +
			"What test --json printed is read as well, with the files of --trace-out beside it. It\n" +
			"is put together with its wall_ms; other reports cannot be made of it.",
		RunE: func(_ *cobra.Command, args []string) error {
			return a.merge(args, f)
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringArrayVar(&f.reports, "report", nil, "write a report to a file, or to - for standard output: `kind=path` (repeatable)")
	cmd.Flags().StringVar(&f.traceOut, "trace-out", "", "write the traces of all shards to `file`")
	return cmd
}

// shardFileMax bounds a file of one shard.
const shardFileMax = 1 << 30

func (a *app) merge(paths []string, f *mergeFlags) error {
	if len(paths) == 0 {
		return usagef("for example scenario merge shard-*.jsonl", "merge needs the results of the shards")
	}
	suite, traces, err := readShards(paths)
	if err != nil {
		return err
	}
	if len(traces) > 0 && f.traceOut == "" {
		return usagef("for example --trace-out trace.jsonl", "there are traces among the files, and no --trace-out that says where they go")
	}
	target, err := mergedTraces(f.traceOut)
	if err != nil {
		return err
	}
	outs, err := a.mergedOutputs(f, suite, target)
	if err != nil {
		return err
	}
	defer outs.discard()
	for _, t := range target {
		if err := suite.writeTraces(t, traces); err != nil {
			return err
		}
	}
	return a.writeMerged(suite, outs)
}

// readShards reads all files and puts the results among them together.
func readShards(paths []string) (*joined, []tracePiece, error) {
	var shards []*shard
	var traces []tracePiece
	for _, path := range paths {
		text, err := readLimited(path, shardFileMax)
		switch {
		case err != nil:
			return nil, nil, usagef("", "cannot read %s: %s", filepath.ToSlash(path), cause(err))
		case bytes.HasPrefix(text, []byte(traceFormats[0].start)):
			traces = append(traces, cutTraces(path, text)...)
		default:
			s, err := readShard(path, text)
			if err != nil {
				return nil, nil, err
			}
			shards = append(shards, s)
		}
	}
	suite, err := joinShards(shards)
	return suite, traces, err
}

// mergedOutputs opens every report that was asked for. Standard output has the
// lines of --json where none of them takes it.
func (a *app) mergedOutputs(f *mergeFlags, suite *joined, traces []traceTarget) (*outputs, error) {
	asked := &suiteFlags{reports: f.reports, scores: suite.scores}
	reports, err := parseReports(asked, traces)
	if err != nil {
		return nil, err
	}
	if suite.partly != "" && len(reports) > 0 {
		return nil, usagef("have each shard write --report merge=FILE, and name those files", "--report needs more of a shard than %s has, which is what --json printed", suite.partly)
	}
	o := &outputs{}
	for _, r := range reports {
		if r.path == toStdout {
			o.Reporter = r.format.New(a.stdout, report.Options{Scores: suite.scores, Base: a.base(r.format)})
		} else if err := o.open(a, r, asked); err != nil {
			o.discard()
			return nil, err
		}
	}
	return o, nil
}

// writeMerged writes the results and ends as the whole suite would have.
func (a *app) writeMerged(j *joined, outs *outputs) error {
	if outs.Reporter == nil {
		outs.Reporter = report.JSON(a.stdout, report.Options{})
	}
	all := report.Each(append([]report.Reporter{outs.Reporter}, outs.aside...)...)
	for _, l := range j.lines {
		virtual, err := a.writeResult(l, all)
		if err != nil {
			return ending(exitInternal, err)
		}
		j.summary.Virtual += virtual
	}
	if err := all.Close(j.summary); err != nil {
		return ending(exitInternal, err)
	}
	if status := j.summary.Status(); status == interp.Fail || status == interp.Error {
		return exitWith(exitFailed)
	}
	return nil
}

// writeResult writes one result: to all reports where the line has what they
// need, and else, as there are none, as it is. It returns how long the run took.
func (a *app) writeResult(l *resultLine, all report.Reporter) (time.Duration, error) {
	if !l.full {
		if _, err := a.stdout.Write(l.text); err != nil {
			return 0, fmt.Errorf("cannot write results: %w", err)
		}
		return 0, nil
	}
	e, err := l.entry()
	if err != nil {
		return 0, err
	}
	return e.Result.Virtual, all.Add(e)
}
