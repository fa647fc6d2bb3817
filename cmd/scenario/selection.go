package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/report"
	"github.com/scenario-lang/scenario/suite"
)

// selectionFlags say which scenarios are wanted, as typed.
type selectionFlags struct {
	run, skip, shard string
	tags             []string
}

// register adds the flags that select by name, of things that are called what.
func (f *selectionFlags) register(flags *pflag.FlagSet, what string) {
	flags.StringVar(&f.run, "run", "", "only "+what+" whose name or file:name matches this regular `expression`")
	flags.StringVar(&f.skip, "skip", "", "leave out "+what+" whose name or file:name matches this regular `expression`")
}

func (f *selectionFlags) registerTags(flags *pflag.FlagSet) {
	flags.StringSliceVar(&f.tags, "tag", nil, "only scenarios with this `tag` (repeatable: any of them)")
}

func (f *selectionFlags) registerShard(flags *pflag.FlagSet) {
	flags.StringVar(&f.shard, "shard", "", "only part `I/N` of the suite, I from 1; the same on every machine")
}

func (f *selectionFlags) parse() (*suite.Selection, error) {
	s := &suite.Selection{Tags: f.tags}
	var err error
	if s.Run, err = expression("--run", f.run); err != nil {
		return nil, err
	}
	if s.Skip, err = expression("--skip", f.skip); err != nil {
		return nil, err
	}
	if f.shard != "" {
		s.Shard, s.Shards, err = parseShard(f.shard)
	}
	return s, err
}

func expression(flag, text string) (*regexp.Regexp, error) {
	if text == "" {
		return nil, nil
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, usagef("to match the text literally, type "+flag+" '"+regexp.QuoteMeta(text)+"'", "%s %q is not a regular expression: %s", flag, text, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	return re, nil
}

func parseShard(text string) (i, n uint64, err error) {
	first, second, ok := strings.Cut(text, "/")
	if ok {
		var bad1, bad2 error
		i, bad1 = strconv.ParseUint(first, 10, 32)
		n, bad2 = strconv.ParseUint(second, 10, 32)
		ok = bad1 == nil && bad2 == nil && i >= 1 && i <= n
	}
	if !ok {
		return 0, 0, usagef("for example --shard 1/4, then 2/4, 3/4 and 4/4", "--shard %s is not of the form I/N with I from 1 to N", text)
	}
	return i, n, nil
}

// scenarioName names a scenario, wherever the command runs.
func (l *loader) scenarioName(p *interp.Plan) string {
	return l.Source.Place(p.File) + "\x00" + p.Name
}

// choose compiles the files of a command line with a loader, and picks the scenarios
// that are asked for: jobs, of which there are as many as wanted says but for those of
// other shards, and idle of them are not run in this way. It is an error that there
// are none.
func (a *app) choose(l *loader, s *selectionFlags, v *variableFlags, paths []string, workers int, h *halt, quiet bool, notRun func(*interp.Plan) string) (jobs []job, wanted, idle int, err error) {
	sel, err := s.parse()
	if err != nil {
		return nil, 0, 0, err
	}
	if l.Vars, err = v.read(a); err != nil {
		return nil, 0, 0, err
	}
	l.environment = v.environment
	l.only(sel)
	files, err := a.load(l, paths, workers, h, quiet)
	if err != nil {
		return nil, 0, 0, err
	}
	if jobs, wanted, idle = pick(sel, files, notRun); wanted == 0 {
		return nil, 0, 0, nothingSelected(sel, files)
	}
	return jobs, wanted, idle, nil
}

// pick returns the selected scenarios of the files, in order, and how many
// were wanted before they were divided into shards. Of those, idle are the ones
// that have no way to run here.
func pick(s *suite.Selection, files []*loaded, notRun func(*interp.Plan) string) (jobs []job, wanted, idle int) {
	for _, f := range files {
		for i, p := range f.Plans {
			if !s.Wants(p) {
				continue
			}
			wanted++
			if p.Skip == "" && notRun(p) != "" {
				idle++
			}
			if !s.InShard(f.Place, p.Name) {
				continue
			}
			j := job{plan: p, source: f.Source, position: wanted}
			if f.early != nil {
				j.early = f.early[i]
			}
			jobs = append(jobs, j)
		}
	}
	return jobs, wanted, idle
}

// notInterpreted says why a scenario is not run by the interpreter, "" where it is.
func notInterpreted(p *interp.Plan) string { return p.NotRun(interp.Interpreted) }

// partOf says which part of the suite the jobs are, nil for all of it.
func partOf(s *suite.Selection, jobs []job, wanted int) *report.Shard {
	if s.Shards == 0 {
		return nil
	}
	part := &report.Shard{Number: int(s.Shard), Of: int(s.Shards), Scenarios: wanted, Positions: make([]int, len(jobs))}
	for i := range jobs {
		part.Positions[i] = jobs[i].position
	}
	return part
}

// nothingSelected explains an empty selection by what there would have been.
func nothingSelected(s *suite.Selection, files []*loaded) error {
	var names, tags []string
	for _, f := range files {
		for _, p := range f.Plans {
			names = append(names, p.Name)
			tags = append(tags, p.Tags...)
		}
	}
	if len(names) == 0 {
		hint := "a file needs at least one scenario block"
		if slices.ContainsFunc(files, func(f *loaded) bool { return len(f.Benches) > 0 }) {
			hint += "; scenario bench runs benches"
		}
		return &exitError{exitNothing, "no scenarios in " + plural(len(files), "file"), hint}
	}
	var asked []string
	if s.Run != nil {
		asked = append(asked, fmt.Sprintf("--run %q", s.Run))
	}
	if s.Skip != nil {
		asked = append(asked, fmt.Sprintf("--skip %q", s.Skip))
	}
	if len(s.Tags) > 0 {
		asked = append(asked, "--tag "+strings.Join(s.Tags, ","))
	}
	hint := "scenario test --list shows them"
	if len(s.Tags) > 0 && len(tags) > 0 {
		slices.Sort(tags)
		hint += "; their tags are " + strings.Join(slices.Compact(tags), ", ")
	}
	return &exitError{exitNothing, fmt.Sprintf("%s selects none of %d scenarios", strings.Join(asked, " "), len(names)), hint}
}
