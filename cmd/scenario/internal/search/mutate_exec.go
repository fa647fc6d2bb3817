package search

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/scenario-lang/scenario/cmd/scenario/internal/dial"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/internal/command/pool"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/internal/explore"
	"github.com/scenario-lang/scenario/internal/mutate/program"
	"github.com/scenario-lang/scenario/internal/process"
	"github.com/scenario-lang/scenario/internal/sut"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/report"
)

// execFlags are what `scenario mutate --exec` can be told beside.
type mutateExecFlags struct {
	exec    bool
	budget  time.Duration
	build   string
	sources []string
	root    string
	// command is what follows --, nil where nothing does.
	command []string
}

func (f *mutateExecFlags) register(flags *pflag.FlagSet) {
	flags.BoolVar(&f.exec, "exec", false, "change the program that the scenarios start, what follows -- or the command of the scenario,\nand not the workflows that they declare")
	flags.DurationVar(&f.budget, "budget", time.Minute, "after how much `time` no further run is begun, and what is under way is ended; 0 for never,\nwhich is what holds without --exec where nothing is said")
	flags.StringVar(&f.build, "build", "", "with --exec, the `command` that makes the program, such as \"go build -o agent .\"; it is run\nin the copy, for every change")
	flags.StringSliceVar(&f.sources, "source", nil, "with --exec, only files that match this `pattern`, such as agent.py, src or rules.json (repeatable)")
	flags.StringVar(&f.root, "root", "", "with --exec, the `directory` that has all of the program, which is copied;\nby default the nearest one with a go.mod, package.json or the like, or that of the scenarios")
}

// ofPrograms are the flags that only --exec takes, and ofWorkflows those that it does not take.
var (
	ofPrograms  = []string{"build", "source", "root"}
	ofWorkflows = []string{"explore", "max-k", "emit"}
)

// check refuses flags that contradict each other.
func (f *mutateExecFlags) check(flags *pflag.FlagSet) error {
	if f.command != nil && !f.exec {
		return cli.Usagef("add --exec", "a program follows --, and only --exec starts one")
	}
	if f.command != nil && len(f.command) == 0 {
		return cli.Usagef("for example scenario mutate --exec agent.scenario.hcl -- python3 agent.py", "nothing follows --")
	}
	for _, name := range ofPrograms {
		if !f.exec && flags.Changed(name) {
			return cli.Usagef("add --exec", "--%s is for programs, which --exec starts", name)
		}
	}
	for _, name := range ofWorkflows {
		if f.exec && flags.Changed(name) {
			return cli.Usagef("leave one of them out", "--%s is for what workflows declare, and --exec changes a program", name)
		}
	}
	if f.budget < 0 {
		return cli.Usagef("for example --budget 5m", "--budget must not be negative")
	}
	return nil
}

// sourceOperators are the names of the operators of programs.
func sourceOperators() []string {
	var names []string
	for _, op := range program.Operators() {
		names = append(names, op.Name)
	}
	return names
}

// runMutateExec is the whole of `scenario mutate --exec`.
func runMutateExec(a *cli.App, f *mutateFlags, paths []string) error {
	watch := cli.StartWatch()
	for _, name := range f.only {
		if !slices.Contains(sourceOperators(), name) {
			return cli.Usagef("for programs there are "+strings.Join(sourceOperators(), ", "), "unknown operator %q for --only.%s", name, dsl.DidYouMean(name, sourceOperators()))
		}
	}
	if !(f.min >= 0 && f.min <= 100) {
		return cli.Usagef("for example --min 90", "--min must be a percentage from 0 to 100, not %g", f.min)
	}
	if f.program.command == nil {
		if err := cli.ProgramAmong("scenario mutate --exec", paths); err != nil {
			return err
		}
	}
	a.Memory.Serve()
	a.Dying = func() {
		sut.Sweep()
		program.Sweep()
	}
	h := a.WatchHalt(0)
	defer h.Release()
	l := harness.NewLoader(a)
	defer l.Close()
	why := func(p *interp.Plan) string {
		if why := p.NotRun(interp.Exec); why != "" || f.program.command != nil || namesProgram(p) {
			return why
		}
		return "it names no program"
	}
	jobs, _, _, err := harness.Choose(a, l, &f.selection, &f.variables, paths, f.parallel, h, true, why)
	if err != nil {
		return err
	}
	var plans []*interp.Plan
	for _, j := range jobs {
		if j.Plan.Skip == "" && why(j.Plan) == "" {
			plans = append(plans, j.Plan)
		}
	}
	if len(plans) == 0 {
		return cli.ExitAs(cli.ExitNothing, "no scenario starts a program", "--exec changes the program of a sut block, or the one that follows --; without --exec, what workflows declare is changed")
	}
	o, err := f.program.options(plans)
	if err != nil {
		return err
	}
	for _, p := range plans {
		a.Learn(p.Sensitive())
	}
	o.Spent = watch.Elapsed()
	o.Starts.OnSecret = a.Receive
	o.Secrets = program.Credentials(o.Root, o.Sources, f.program.named(plans))
	a.Learn(o.Secrets)
	x := &programMutation{App: a, flags: f, halt: h, options: o}
	return x.run(plans)
}

// options say what is copied, and what is changed in it.
func (f *mutateExecFlags) options(plans []*interp.Plan) (o program.Options, err error) {
	here, err := os.Getwd()
	if err != nil {
		return o, cli.Ending(cli.ExitPassed, err)
	}
	here = realDir(here)
	o.Starts = sut.Options{
		Command: f.command, WorkingDir: here, Environment: os.Environ(), Dial: dial.Through, Bridge: []string{cli.OwnCommand(), "bridge"},
		Reach: func(addresses []string) sut.Way { return dial.NewDirect(addresses) },
	}
	if f.command != nil {
		if _, err := process.Find(f.command[0], here); err != nil && f.build == "" {
			return o, cli.ExitAs(cli.ExitInvalid, err.Error(), "the program is what follows --; nothing was run")
		}
	}
	if o.Root, err = f.rootOf(plans, here); err != nil {
		return o, err
	}
	if o.Root == filepath.Dir(o.Root) {
		return o, cli.ExitAs(cli.ExitInvalid, "the program lies in no directory of its own: all of "+o.Root+" would be copied", "--root names the directory that has all of the program")
	}
	shown := func(name string) string {
		if rel, err := filepath.Rel(here, name); err == nil && !strings.HasPrefix(rel, "..") {
			return rel
		}
		return name
	}
	if o.Sources, err = program.Sources(o.Root, f.sources, f.named(plans), shown); err != nil {
		return o, f.tooLarge(err)
	}
	if len(o.Sources) == 0 {
		hint := "the files of the program have to lie in that directory; --root names another one"
		if len(f.sources) > 0 {
			hint = "patterns of --source match paths below that directory, such as src/*.py"
		}
		return o, cli.ExitAs(cli.ExitNothing, "no source file of a known language lies in "+shown(o.Root), hint)
	}
	if o.Build = strings.Fields(f.build); len(o.Build) == 0 {
		o.Build = nil
	} else if _, err := process.Find(o.Build[0], o.Root); err != nil {
		return o, cli.ExitAs(cli.ExitInvalid, err.Error(), "it is the command of --build, which is run in a copy of "+cli.Readable(shown(o.Root)))
	}
	o.Limit = f.budget
	return o, nil
}

// named are texts that may name files that the program reads, beside its source: its command, and the files of the
// scenarios.
func (f *mutateExecFlags) named(plans []*interp.Plan) []string {
	texts := slices.Clone(f.command)
	seen := map[string]bool{}
	for _, p := range plans {
		if seen[p.File] {
			continue
		}
		seen[p.File] = true
		if text, err := disk.Read(p.File, 1<<20); err == nil { // where it cannot be read any more, it names nothing
			texts = append(texts, string(text))
		}
	}
	return texts
}

// rootOf is the directory that is copied.
func (f *mutateExecFlags) rootOf(plans []*interp.Plan, here string) (string, error) {
	var dirs []string
	add := func(dir string) {
		if abs, err := filepath.Abs(dir); err == nil && !slices.Contains(dirs, realDir(abs)) {
			dirs = append(dirs, realDir(abs))
		}
	}
	if f.root != "" {
		info, err := os.Stat(f.root)
		if err != nil || !info.IsDir() {
			return "", cli.Usagef("for example --root .", "--root %s is no directory", cli.Readable(f.root))
		}
		add(f.root)
		return dirs[0], nil
	}
	if f.command != nil {
		add(here)
		for _, dir := range program.Directories(here, f.command) {
			add(dir)
		}
	}
	for _, p := range plans {
		if s := p.Sut(); s != nil && f.command == nil {
			started := filepath.Join(filepath.Dir(p.File), filepath.FromSlash(s.Dir))
			add(started)
			for _, dir := range program.Directories(started, s.Words()) {
				add(dir)
			}
		}
	}
	return program.Root(dirs), nil
}

// realDir is a directory without links in its path, as programs see it.
func realDir(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

// tooLarge says what to do about a directory that is too large.
func (f *mutateExecFlags) tooLarge(err error) error {
	if errors.Is(err, program.ErrTooLarge) {
		return cli.ExitAs(cli.ExitInvalid, err.Error(), "--root names a smaller directory that has all of the program, and --source the files that are changed")
	}
	return cli.Ending(cli.ExitInvalid, err)
}

// A programMutation is one call of the command, for programs.
type programMutation struct {
	*cli.App
	flags   *mutateFlags
	halt    *cli.Halt
	options program.Options
}

// run tries all mutants, and ends the command.
func (x *programMutation) run(plans []*interp.Plan) error {
	out, quiet, err := openReports(x.App, x.flags.reports, x.flags.json, "mutants")
	if err != nil {
		return err
	}
	defer out.Discard()
	var p *cli.Progress
	x.options.Only, x.options.Parallel, x.options.Done = x.flags.only, x.flags.parallel, x.halt.C
	total := 0
	x.options.Progress = func(done, all int) {
		if p == nil || all != total { // pairs come last
			if p != nil {
				p.Clear()
			}
			p, total = x.ProgressOn(x.Stderr, all, "mutants"), all
		}
		p.Show(done)
	}
	r, err := program.Run(plans, x.options)
	if p != nil {
		p.Clear()
	}
	if errors.Is(err, program.ErrBuild) {
		return cli.ExitAs(cli.ExitInvalid, cli.Readable(err.Error()), "--build is run in a copy of "+cli.Readable(x.options.Root)+"; --root names another directory")
	}
	if err != nil {
		return x.flags.program.tooLarge(err)
	}
	hidden := map[*program.Source]string{}
	for _, m := range r.Mutants { // what they say has parts of the program and of what it wrote
		if m.Verdict == "" { // there may be tens of thousands, and nothing is found out about them
			m.Change = m.Operator
			continue
		}
		if _, ok := hidden[m.Of]; !ok {
			hidden[m.Of] = x.Hidden(string(m.Of.Text))
		}
		m.Difference = x.Hidden(m.Difference)
		if m.Parts != nil { // which were before it
			m.Change = m.Both()
			continue
		}
		m.Change = x.shown(m, hidden[m.Of])
	}
	for _, b := range r.Broken {
		message := string(b.Verdict)
		if len(b.Problems) > 0 {
			message = explore.MessageOf(&b.Problems[0])
		}
		tell(x.App, b.Plan, message, "exec")
	}
	if len(r.Broken) > 0 {
		fmt.Fprintf(x.Stderr, "hint: it ran in a copy of %s; --root names another directory that has all of the program\n", cli.Readable(x.options.Root))
	}
	r.Hidden = x.Hidden
	if err := x.report(out, r); err != nil {
		return cli.Ending(cli.ExitInternal, err)
	}
	return x.end(r, quiet)
}

// shown is what a mutant changes. Where a line of it holds a secret, whose name may stand elsewhere in that line, it is
// the line without the secret. Clean is the whole file without secrets: the name of one may stand some lines above.
func (x *programMutation) shown(m *program.Mutant, clean string) string {
	const most = 60
	text := m.Of.Text
	from := bytes.LastIndexByte(text[:m.From], '\n') + 1
	to := len(text)
	if i := bytes.IndexByte(text[m.To:], '\n'); i >= 0 {
		to = m.To + i
	}
	line := string(text[from:to])
	hidden := x.Hidden(line)
	if hidden == line {
		if clean != string(text) {
			for one := range strings.Lines(line) {
				if !strings.Contains(clean, strings.TrimRight(one, "\r\n")) {
					return m.Operator + " in a line with a secret"
				}
			}
		}
		changed := line[:m.From-from] + m.Text + line[min(m.To-from, len(line)):]
		if x.Hidden(changed) == changed {
			return program.Without(m.Change, x.Hidden, m.Operator+" in a line that names a secret") // it has a part of both, and what is cut may look like a secret that it is not
		}
		return x.Hidden(m.Change)
	}
	if untidy(line) != untidy(hidden) { // a quote, or code behind it, is hidden as well
		hidden = x.Hidden(program.WithoutTexts(line))
	}
	words := []rune(strings.Join(strings.Fields(hidden), " "))
	if len(words) > most {
		words = append(words[:most-1], '…')
	}
	return m.Operator + " in `" + string(words) + "`"
}

// untidy reports whether a quote of a line is left open.
func untidy(line string) bool {
	return strings.Count(line, `"`)%2+strings.Count(line, "'")%2+strings.Count(line, "`")%2 > 0
}

// below reports whether the score is less than what --min asks for.
func (x *programMutation) below(r *program.Report) bool {
	killed, of := r.Score()
	return of == 0 && x.flags.min > 0 || float64(killed)*100 < x.flags.min*float64(of)
}

// end writes what was found out, for people where not quiet, and ends the command.
func (x *programMutation) end(r *program.Report, quiet bool) error {
	var err error
	switch {
	case x.flags.json:
		err = program.WriteJSON(x.Stdout, r)
	case len(r.Mutants)+len(r.Unread)+len(r.Unchanged) > 0 && !quiet:
		err = program.WriteText(x.Stdout, r, x.flags.program.budget)
	}
	if err != nil {
		return cli.ExitAs(cli.ExitInternal, "cannot write results: "+err.Error(), "")
	}
	killed, of := r.Score()
	switch {
	case pool.Closed(x.halt.C):
		if len(r.Mutants) == 0 {
			fmt.Fprintln(x.Stderr, "interrupted: no mutant was tried")
		} else {
			fmt.Fprintf(x.Stderr, "interrupted: %d of %s were tried\n", r.Tried(), cli.Plural(len(r.Mutants), "mutant"))
		}
		return cli.ExitWith(x.halt.Cause())
	case len(r.Broken) > 0:
		return cli.ExitWith(cli.ExitFailed)
	case r.Unknown:
		return cli.ExitAs(cli.ExitNothing, fmt.Sprintf("nothing was tried: the budget %s ended in the first run of the program as it is", x.options.Limit), "nothing is known without that run, or before --build has ended; --budget 5m gives them more time, and --budget 0 as much as they take")
	case r.Late && r.Tried() == 0 && x.flags.min == 0:
		return cli.ExitAs(cli.ExitNothing, fmt.Sprintf("nothing was tried: the budget %s ended before the first change", x.options.Limit), "--budget 5m gives it more time, and --budget 0 as much as it takes")
	case len(r.Mutants) == 0 && len(r.Unread) > 0 && !r.Unread[0].Data:
		return cli.ExitAs(cli.ExitFailed, "no scenario sees whether the program runs", "each also passes with nonsense in "+cli.Readable(r.Unread[0].Shown)+"; if the program is compiled, name the command that does it with --build")
	case len(r.Mutants) == 0:
		return cli.ExitAs(cli.ExitNothing, "there is nothing to change", "the source files have no place that one of the operators changes")
	case x.below(r) && of == 0:
		return cli.ExitAs(cli.ExitFailed, fmt.Sprintf("no mutant counts, so there is no score for --min %g", x.flags.min), "a larger --budget tries more of them")
	case x.below(r):
		return cli.ExitAs(cli.ExitFailed, fmt.Sprintf("%d of %d mutants are killed, less than --min %g", killed, of, x.flags.min), "")
	}
	return nil
}

// report writes a case for each mutant, as that of workflows does.
func (x *programMutation) report(o *harness.Outputs, r *program.Report) error {
	var sum report.Summary
	for _, m := range r.Mutants {
		result := &interp.Result{Plan: &interp.Plan{File: m.Of.Shown, Line: m.Line, Name: m.Name()}, Verdict: interp.Pass}
		e := report.Entry{Result: result}
		message := ""
		switch m.Verdict {
		case program.Killed:
		case program.Survived:
			message = fmt.Sprintf("no scenario notices: in %q %s", m.By.Name, m.Difference)
		case program.Unseen:
			message = program.NoData
		case program.Unrun:
			message = "no scenario comes to this line"
		case program.Invalid:
			result.Verdict, e.Reason = interp.Skip, "does not compile"
		case program.Crashed:
			result.Verdict, e.Reason = interp.Skip, "ends by an error of its own in the changed line"
		default:
			result.Verdict, e.Reason = interp.Skip, "not tried"
		}
		switch {
		case message != "" && x.below(r):
			result.Verdict = interp.Fail
			result.Problems = []interp.Problem{{Kind: "mutant", Name: string(m.Verdict), Message: message}}
		case message != "":
			result.Verdict, e.Reason = interp.Skip, string(m.Verdict)+": "+message
		}
		sum.Add(e.Result)
		if err := o.Add(e); err != nil {
			return err
		}
	}
	sum.Incomplete = r.Interrupted || r.Late || r.Tried() < len(r.Mutants)
	return o.Close(sum)
}
