package harness

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/report"
	"github.com/scenario-lang/scenario/suite"
)

// SelectionFlags say which scenarios are wanted, as typed.
type SelectionFlags struct {
	Run, skip, Shard string
	tags             []string
}

// All reports whether nothing is left out.
func (f *SelectionFlags) All() bool {
	return f.Run == "" && f.skip == "" && f.Shard == "" && len(f.tags) == 0
}

// Register adds the flags that select by name, of things that are called what.
func (f *SelectionFlags) Register(flags *pflag.FlagSet, what string) {
	flags.StringVar(&f.Run, "run", "", "only "+what+" whose name or file:name matches this regular `expression`")
	flags.StringVar(&f.skip, "skip", "", "leave out "+what+" whose name or file:name matches this regular `expression`")
}

// RegisterTags adds --tag.
func (f *SelectionFlags) RegisterTags(flags *pflag.FlagSet) {
	flags.StringSliceVar(&f.tags, "tag", nil, "only scenarios with this `tag` (repeatable: any of them)")
}

// RegisterShard adds --shard.
func (f *SelectionFlags) RegisterShard(flags *pflag.FlagSet) {
	flags.StringVar(&f.Shard, "shard", "", "only part `I/N` of the suite, I from 1; the same on every machine")
}

// Parse is the selection that was typed; the error is one of the command line.
func (f *SelectionFlags) Parse() (*suite.Selection, error) {
	s := &suite.Selection{Tags: f.tags}
	var err error
	if s.Run, err = expression("--run", f.Run); err != nil {
		return nil, err
	}
	if s.Skip, err = expression("--skip", f.skip); err != nil {
		return nil, err
	}
	if f.Shard != "" {
		s.Shard, s.Shards, err = parseShard(f.Shard)
	}
	return s, err
}

func expression(flag, text string) (*regexp.Regexp, error) {
	if text == "" {
		return nil, nil
	}
	re, err := regexp.Compile(text)
	if err != nil {
		hint := "to match the text literally, type " + flag + " '" + regexp.QuoteMeta(text) + "'"
		if inner := strings.Trim(text, "*"); inner != text && inner != "" {
			hint = "it matches anywhere in the name: type " + flag + " '" + strings.ReplaceAll(regexp.QuoteMeta(inner), `\*`, ".*") + "'"
		}
		return nil, cli.Usagef(hint, "%s %q is not a regular expression: %s", flag, text, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
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
		return 0, 0, cli.Usagef("for example --shard 1/4, then 2/4, 3/4 and 4/4", "--shard %s is not of the form I/N with I from 1 to N", text)
	}
	return i, n, nil
}

// ScenarioName names a scenario, wherever the command runs.
func (l *Loader) ScenarioName(p *interp.Plan) string {
	return l.Source.Place(p.File) + "\x00" + p.Name
}

// Choose compiles the files of a command line with a loader, and picks the scenarios
// that are asked for: jobs, of which there are as many as wanted says but for those of
// other shards, and idle of them are not run in this way. It is an error that there
// are none.
func Choose(a *cli.App, l *Loader, s *SelectionFlags, v *VariableFlags, paths []string, workers int, h *cli.Halt, quiet bool, notRun func(*interp.Plan) string) (jobs []Job, wanted, idle int, err error) {
	sel, err := s.Parse()
	if err != nil {
		return nil, 0, 0, err
	}
	if l.Vars, err = v.Read(a); err != nil {
		return nil, 0, 0, err
	}
	l.Environment = v.Environment
	l.Only(sel)
	files, err := Load(a, l, paths, workers, h, quiet)
	if err != nil {
		return nil, 0, 0, err
	}
	if jobs, wanted, idle = Pick(sel, files, notRun); wanted == 0 {
		return nil, 0, 0, NothingSelected(sel, files)
	}
	return jobs, wanted, idle, nil
}

// Pick returns the selected scenarios of the files, in order, and how many
// were wanted before they were divided into shards. Of those, idle are the ones
// that have no way to run here.
func Pick(s *suite.Selection, files []*Loaded, notRun func(*interp.Plan) string) (jobs []Job, wanted, idle int) {
	for _, f := range files {
		var names []string
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
			if names == nil {
				names = f.names()
			}
			j := Job{Plan: p, Source: f.Source, position: wanted, siblings: names}
			if f.early != nil {
				j.early = f.early[i]
			}
			jobs = append(jobs, j)
		}
	}
	return jobs, wanted, idle
}

// NotInterpreted says why a scenario is not run by the interpreter, "" where it is.
func NotInterpreted(p *interp.Plan) string { return p.NotRun(interp.Interpreted) }

// PartOf says which part of the suite the jobs are, nil for all of it.
func PartOf(s *suite.Selection, jobs []Job, wanted int) *report.Shard {
	positions := make([]int, len(jobs))
	for i := range jobs {
		positions[i] = jobs[i].position
	}
	return partAt(s, positions, wanted)
}

// namedMax is how many scenarios a hint names.
const namedMax = 3

func quoted(names []string) []string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = strconv.Quote(name)
	}
	return all
}

// misnamed is what FILE:NAME, or the words of --run, were probably meant to be, "" where
// nothing is near.
func misnamed(s *suite.Selection, names []string) string {
	if s.Run != nil && regexp.QuoteMeta(s.Run.String()) == s.Run.String() {
		words := s.Run.String()
		if meant := dsl.Suggest(words, phrases(names, len(strings.Fields(words)))); meant != "" {
			return "--run " + strconv.Quote(meant)
		}
	}
	for _, file := range slices.Sorted(maps.Keys(s.Places)) {
		for _, at := range s.Places[file] {
			if meant := dsl.Suggest(at.Name, names); at.Name != "" && meant != "" {
				return file + ":" + meant
			}
		}
	}
	return ""
}

// phrases are the sequences of so many words in names.
func phrases(names []string, words int) (all []string) {
	for _, name := range names {
		in := strings.Fields(name)
		for i := 0; i+words <= len(in); i++ {
			all = append(all, strings.Join(in[i:i+words], " "))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// NothingSelected explains an empty selection by what there would have been.
func NothingSelected(s *suite.Selection, files []*Loaded) error {
	return nothingSelected(s, files, func(n int) string { return cli.Plural(n, "scenario") }, "scenario test --list shows them")
}

// noBenchSelected is the same for benches.
func noBenchSelected(s *suite.Selection, files []*Loaded) error {
	return nothingSelected(s, files, func(n int) string { return benchesOf(n) }, "scenario bench --dry-run shows them")
}

func benchesOf(n int) string {
	if n == 1 {
		return "1 bench"
	}
	return fmt.Sprintf("%d benches", n)
}

func nothingSelected(s *suite.Selection, files []*Loaded, counted func(n int) string, hint string) error {
	var names, tags []string
	for _, f := range files {
		for _, p := range f.Plans {
			names = append(names, p.Name)
			tags = append(tags, p.Tags...)
		}
	}
	if len(names) == 0 {
		problem, hint := "no scenarios in "+cli.Plural(len(files), "file"), "a file needs at least one scenario block"
		if i := slices.IndexFunc(files, func(f *Loaded) bool { return len(strings.TrimSpace(string(f.Source))) == 0 }); i >= 0 {
			problem, hint = cli.Visible(files[i].Path)+" is empty", "was it saved? scenario init writes a file to begin with"
		}
		if i := slices.IndexFunc(files, func(f *Loaded) bool { return len(f.Benches) > 0 }); i >= 0 {
			f := files[i]
			problem += fmt.Sprintf(", but the bench %q, which is another command's", f.Benches[0])
			hint = fmt.Sprintf("scenario bench %s runs it; a scenario with run = bench.%s simulates it", cli.Visible(f.Path), f.Benches[0])
		}
		return cli.ExitAs(cli.ExitNothing, problem, hint)
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
	for _, file := range slices.Sorted(maps.Keys(s.Places)) {
		for _, at := range s.Places[file] {
			asked = append(asked, file+":"+cmp.Or(at.Name, strconv.Itoa(at.Line)))
		}
	}
	if len(names) <= namedMax {
		hint = "there is " + strings.Join(quoted(names), ", ")
	}
	if meant := misnamed(s, names); meant != "" {
		hint = "did you mean " + meant + "?"
	}
	slices.Sort(tags)
	tags = slices.Compact(tags)
	switch {
	case len(s.Tags) > 0 && len(tags) == 0:
		hint = fmt.Sprintf("none of them has a tag: a scenario gets some by tags = [%q]; --run selects by name", s.Tags[0])
	case len(s.Tags) > 0 && len(asked) == 1:
		hint = "their tags are " + strings.Join(tags, ", ")
		for _, t := range s.Tags {
			if meant := dsl.Suggest(t, tags); meant != "" {
				hint = fmt.Sprintf("did you mean --tag %s? ", meant) + hint
			}
		}
	case len(s.Tags) > 0:
		hint += "; their tags are " + strings.Join(tags, ", ")
	}
	return cli.ExitAs(cli.ExitNothing, fmt.Sprintf("%s selects none of %s", strings.Join(asked, " "), counted(len(names))), hint)
}

// WholeName refuses paths that are the rest of a name of several words for --run, which a
// shell hands over one by one: all that is named is no file, and looks like none.
func WholeName(run string, paths []string) error {
	if run == "" || len(paths) == 0 {
		return nil
	}
	for _, p := range paths {
		if _, err := os.Stat(p); err == nil || strings.ContainsAny(p, `./\`) {
			return nil
		}
	}
	return cli.Usagef(fmt.Sprintf("a name of several words stands in quotes: --run %q", strings.Join(append([]string{run}, paths...), " ")), "there is no file or directory %s", paths[0])
}
