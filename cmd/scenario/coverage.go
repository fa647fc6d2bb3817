package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/internal/coverage"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/report"
)

// coverageFlags are what `scenario coverage` can be told.
type coverageFlags struct {
	selection  selectionFlags
	variables  variableFlags
	min        int
	open, json bool
	reports    []string
	parallel   int
}

func (a *app) coverageCommand() *cobra.Command {
	f := &coverageFlags{}
	cmd := &cobra.Command{
		Use:   "coverage [path…]",
		Short: "Show which failures a suite tests, and which it does not",
		Long: "Run every scenario, and beside it the worlds in which what struck it does not come, or goes\n" +
			"on to the end. A failure is checked where a check of the scenario reads another value\n" +
			"there, and only met where none does. The second table says what retries, breakers and\n" +
			"other policies did; what no scenario came to is listed.",
		ValidArgsFunction: completeFiles,
		RunE:              func(_ *cobra.Command, args []string) error { return a.coverage(f, args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	f.selection.register(flags, "scenarios")
	f.selection.registerTags(flags)
	flags.IntVar(&f.min, "min", 0, "fail where less than `percent` of what is possible is checked")
	flags.BoolVar(&f.open, "open", false, "print what no scenario meets, each with a script that does")
	flags.StringArrayVar(&f.reports, "report", nil, "write a report: html=`path` is a page with the tables")
	flags.BoolVar(&f.json, "json", false, "print one JSON object per line")
	flags.IntVar(&f.parallel, "parallel", runtime.GOMAXPROCS(0), "measure `N` scenarios at a time")
	f.variables.register(flags)
	f.variables.registerEnv(flags)
	completeSelection(cmd)
	return cmd
}

// coverage is the whole of `scenario coverage`.
func (a *app) coverage(f *coverageFlags, paths []string) error {
	if f.min < 0 || f.min > 100 {
		return usagef("", "--min must be from 0 to 100, not %d", f.min)
	}
	if f.parallel < 1 {
		return usagef("", "--parallel must be at least 1, not %d", f.parallel)
	}
	if f.open && f.json {
		return usagef("", "--open and --json are two forms of the output: give one of them")
	}
	pages, err := f.pages()
	if err != nil {
		return err
	}
	h := a.watchHalt(0)
	defer h.release()
	l := a.loader()
	defer l.Close()
	jobs, _, _, err := a.choose(l, &f.selection, &f.variables, paths, f.parallel, h, true, notInterpreted)
	if err != nil {
		return err
	}
	measured, skipped, failed := a.measure(jobs, f.parallel, h)
	if closed(h.C) {
		fmt.Fprintf(a.stderr, "interrupted: %d of %s were measured\n", len(measured), plural(len(jobs), "scenario"))
		return exitWith(h.cause())
	}
	tables := coverage.Tables(measured)
	if err := a.writeCoverage(f, tables, pages); err != nil {
		return err
	}
	if skipped > 0 {
		fmt.Fprintf(a.stderr, "%s not measured: skipped, or not for the interpreter\n", plural(skipped, "scenario"))
	}
	n := coverage.CountOf(tables...)
	switch {
	case failed:
		return exitWith(exitFailed)
	case len(measured) == 0 || n.Possible() == 0:
		return &exitError{exitNothing, "there is no call that a failure could strike", "a scenario has one for every step that calls a service, and for every call of an actor"}
	case n.Percent() < f.min:
		return &exitError{exitFailed, fmt.Sprintf("%d of %d possible failures are checked, which is %d %% and less than --min %d", n.Checked, n.Possible(), n.Percent(), f.min), "scenario coverage --open shows what to add"}
	}
	return nil
}

// pages are the files that --report names.
func (f *coverageFlags) pages() ([]string, error) {
	var list []string
	for _, value := range f.reports {
		name, path, ok := strings.Cut(value, "=")
		switch {
		case name != "html":
			return nil, usagef("coverage has one kind of report: html", "unknown kind %q for --report", name)
		case !ok || path == "" || path == toStdout:
			return nil, usagef("for example --report html=coverage.html", "--report %s names no file", value)
		}
		if err := checkReport(report.Format{Name: name, Start: coverage.PageStart}, path); err != nil {
			return nil, err
		}
		list = append(list, path)
	}
	return list, nil
}

// measure measures all scenarios, several at a time, and returns those that pass in
// their order.
func (a *app) measure(jobs []job, parallel int, h *halt) (list []*coverage.Measured, skipped int, failed bool) {
	p := a.progressOn(a.stderr, len(jobs), "scenarios")
	work := func(i int) *coverage.Measured {
		if notInterpreted(jobs[i].plan) != "" {
			return nil
		}
		return coverage.Measure(jobs[i].plan, h.C)
	}
	ordered(len(jobs), parallel, h.C, work, func(i int, m *coverage.Measured, _ progressState) bool {
		p.show(i + 1)
		switch {
		case m == nil:
			skipped++
		case m.Result.Interrupted:
		case m.Result.Verdict == interp.Pass:
			list = append(list, m)
		default:
			failed = true
			p.clear()
			j := jobs[i]
			fmt.Fprintf(a.stderr, "%s:%d: %q does not pass, so it covers nothing\nhint: scenario test %s --run %q\n", readable(j.plan.File), j.plan.Line, j.plan.Name, readable(j.plan.File), j.plan.Name)
		}
		return true
	})
	p.clear()
	return list, skipped, failed
}

// writeCoverage writes the tables in the forms that are asked for.
func (a *app) writeCoverage(f *coverageFlags, tables []*coverage.Table, pages []string) error {
	write := coverage.WriteText
	switch {
	case f.open:
		write = coverage.WriteOpen
	case f.json:
		write = coverage.WriteJSON
	}
	if err := write(a.stdout, tables); err != nil {
		return ending(exitPassed, fmt.Errorf("cannot write to the output: %w", err))
	}
	for _, path := range pages {
		var page bytes.Buffer
		if err := coverage.WriteHTML(&page, tables); err != nil {
			return &exitError{exitInternal, "cannot write the page: " + err.Error(), ""}
		}
		if err := disk.Write(path, page.Bytes(), 0o666); err != nil {
			return usagef("name a file in a directory that exists and can be written", "cannot write the page to %s: %s", filepath.ToSlash(path), disk.Cause(err))
		}
	}
	return nil
}
