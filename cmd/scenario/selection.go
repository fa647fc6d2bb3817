package main

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/report"
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
	flags.StringVar(&f.shard, "shard", "", "only part `I/N` of the suite, I from 1; equal on every machine")
}

// A selection decides which scenarios are run. Its zero value takes all. It is
// safe for concurrent use.
type selection struct {
	run, skip     *regexp.Regexp
	tags          []string
	shard, shards uint64 // shard counts from 1; shards is 0 without --shard
	places        locator
}

func (f *selectionFlags) parse() (*selection, error) {
	s := &selection{tags: f.tags}
	var err error
	if s.run, err = expression("--run", f.run); err != nil {
		return nil, err
	}
	if s.skip, err = expression("--skip", f.skip); err != nil {
		return nil, err
	}
	if f.shard != "" {
		s.shard, s.shards, err = parseShard(f.shard)
	}
	return s, err
}

func expression(flag, text string) (*regexp.Regexp, error) {
	if text == "" {
		return nil, nil
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, usagef("to find the text itself, type "+flag+" '"+regexp.QuoteMeta(text)+"'", "%s %q is no regular expression: %s", flag, text, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
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
		return 0, 0, usagef("for example --shard 1/4, then 2/4, 3/4 and 4/4", "--shard %s is not I/N with I from 1 to N", text)
	}
	return i, n, nil
}

// wants reports whether a scenario is selected, leaving shards aside.
func (s *selection) wants(p *interp.Plan) bool {
	return matches(s.run, p, true) && !matches(s.skip, p, false) && s.tagged(p)
}

func (s *selection) tagged(p *interp.Plan) bool {
	return len(s.tags) == 0 || slices.ContainsFunc(s.tags, func(t string) bool { return slices.Contains(p.Tags, t) })
}

// matches says whether an expression fits a scenario, and otherwise where
// there is none.
func matches(re *regexp.Regexp, p *interp.Plan, otherwise bool) bool {
	if re == nil {
		return otherwise
	}
	return re.MatchString(p.Name) || re.MatchString(p.File+":"+p.Name)
}

// sharded reports whether a scenario belongs to the part that is asked for. The
// place is the file's path below the suite root with the scenario's name, so
// that every machine divides the suite equally whatever it is called from.
func (s *selection) sharded(place, name string) bool {
	if s.shards == 0 {
		return true
	}
	sum := sha256.Sum256([]byte(place + "\x00" + name))
	return binary.BigEndian.Uint64(sum[:8])%s.shards == s.shard-1
}

// place is a file's path below its suite root. Without shards it is not asked
// for, as it costs a walk up the tree.
func (s *selection) place(file string) string {
	if s.shards == 0 {
		return ""
	}
	return s.below(file)
}

// below is a file's path below its suite root, wherever the command runs.
func (s *selection) below(file string) string {
	rel, err := filepath.Rel(s.places.root(file), s.places.real(file))
	if err != nil {
		return file
	}
	return filepath.ToSlash(rel)
}

// scenario names a scenario, wherever the command runs.
func (s *selection) scenario(p *interp.Plan) string { return s.below(p.File) + "\x00" + p.Name }

// pick returns the selected scenarios of the files, in order, and how many
// were wanted before they were divided into shards.
func (s *selection) pick(files []*loaded) (jobs []job, wanted int) {
	for _, f := range files {
		where := s.place(f.path)
		for i, p := range f.plans {
			if !s.wants(p) {
				continue
			}
			wanted++
			if !s.sharded(where, p.Name) {
				continue
			}
			j := job{plan: p, source: f.source, position: wanted}
			if f.early != nil {
				j.early = f.early[i]
			}
			jobs = append(jobs, j)
		}
	}
	return jobs, wanted
}

// part says which part of the suite the jobs are, nil for all of it.
func (s *selection) part(jobs []job, wanted int) *report.Shard {
	if s.shards == 0 {
		return nil
	}
	part := &report.Shard{Number: int(s.shard), Of: int(s.shards), Scenarios: wanted, Positions: make([]int, len(jobs))}
	for i := range jobs {
		part.Positions[i] = jobs[i].position
	}
	return part
}

// nothingSelected explains an empty selection by what there would have been.
func (s *selection) nothingSelected(files []*loaded) error {
	var names, tags []string
	for _, f := range files {
		for _, p := range f.plans {
			names = append(names, p.Name)
			tags = append(tags, p.Tags...)
		}
	}
	if len(names) == 0 {
		return &exitError{exitNothing, "no scenarios in " + plural(len(files), "file"), "a file needs at least one scenario block"}
	}
	var asked []string
	if s.run != nil {
		asked = append(asked, fmt.Sprintf("--run %q", s.run))
	}
	if s.skip != nil {
		asked = append(asked, fmt.Sprintf("--skip %q", s.skip))
	}
	if len(s.tags) > 0 {
		asked = append(asked, "--tag "+strings.Join(s.tags, ","))
	}
	hint := "scenario test --list shows them"
	if len(s.tags) > 0 && len(tags) > 0 {
		slices.Sort(tags)
		hint += "; their tags are " + strings.Join(slices.Compact(tags), ", ")
	}
	return &exitError{exitNothing, fmt.Sprintf("%s selects none of %d scenarios", strings.Join(asked, " "), len(names)), hint}
}
