package program

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/scenario-lang/scenario/internal/mutate/secrets"
	"github.com/scenario-lang/scenario/internal/mutate/source"
	"github.com/scenario-lang/scenario/internal/mutate/source/beside"
	"github.com/scenario-lang/scenario/internal/sut"
	"github.com/scenario-lang/scenario/interp"
)

// Options say what is tried.
type Options struct {
	// Root is the directory that is copied, an absolute path, and Sources are the files in it that are changed.
	Root    string
	Sources []Source
	// Starts is how the program is started, but for the copy.
	Starts sut.Options
	// Secrets are texts that nothing shows which is told of a run, such as [Credentials].
	Secrets []string
	// Build is a command that makes the program in the copy, for each change; nil for none.
	Build []string
	// Only are the names of the operators that are used, all where it is empty.
	Only []string
	// Parallel is how many programs run at one time, each in a copy of its own.
	Parallel int
	// Limit is after how long no further run is begun, and what is under way is ended, 0 for never: also the first runs
	// of the program as it is, without which nothing is known, and the command that builds it.
	Limit time.Duration
	// Spent is how much of that time had passed before Run was called.
	Spent time.Duration
	// Done ends everything once it is closed; nil for never.
	Done <-chan struct{}
	// Now is the clock of the limit, that of the machine where it is nil.
	Now func() time.Time
	// After is a channel from which something comes after some time, time.After where it is nil.
	After func(time.Duration) <-chan time.Time
	// Progress is told how many mutants of how many were tried; nil for nobody. It is called by one goroutine at
	// a time.
	Progress func(done, all int)

	hide func(string) string // hides Secrets
}

// A Verdict is what the scenarios made of a mutant.
type Verdict string

// The verdicts. A mutant without one was not tried.
const (
	Killed   Verdict = "killed"   // a scenario is red
	Survived Verdict = "survived" // a run differs, and all scenarios are green
	Unseen   Verdict = "unseen"   // no run differs in anything that can be seen from outside
	Unrun    Verdict = "unrun"    // and the program comes to that line in none of them
	Invalid  Verdict = "invalid"  // it does not compile
	// Crashed is one that no check is red for, but a scenario is, because the changed line ends the program by an error
	// of the language: any change that breaks that line would do the same.
	Crashed Verdict = "crashed"
)

// A Mutant is a change of a source file, and what became of it.
type Mutant struct {
	source.Mutant
	// Of is the file that it changes.
	Of *Source
	// Parts are the changes that are made at once, in the order of their places; nil for a single one.
	Parts []*Mutant
	Verdict
	// By is the scenario that is red, or whose run differs; nil for none.
	By *interp.Plan
	// Check is the kind and the name of what is red, and Difference says in what the run of a mutant that
	// survived differs.
	Check, Difference string
	// field is the field of a request's header if the run of one that survived differs in such a field alone.
	field string
}

// A Report is what became of all mutants.
type Report struct {
	// Mutants are in the order in which they are tried: one of each line first, in the order of their operators, then
	// of files and lines. Pairs of them, and what is left out with a name, are the last ones.
	Mutants []*Mutant
	// Unread are the files without which every scenario passes as well: each passes with a text in its place that
	// no compiler and no interpreter takes. They have no mutants.
	Unread []Source
	// Unchanged are the parts of the program that scenarios run or read, and in which nothing was changed.
	Unchanged []Unchanged
	// Broken are the runs of scenarios that do not pass without a mutation. They kill nothing.
	Broken []*interp.Result
	// Scenarios counts those that passed.
	Scenarios int
	// Hidden is a text without secrets, nil where nothing is hidden. What it would change is shown in another way.
	Hidden func(string) string
	// Late says that the time was over, and Interrupted that somebody ended it, before all mutants were tried.
	Late, Interrupted bool
	// Unknown says that the time was over before a scenario had been run as it is, so that nothing could be tried.
	Unknown bool
}

// Count is how many mutants have a verdict.
func (r *Report) Count(v Verdict) (n int) {
	for _, m := range r.Mutants {
		if m.Verdict == v {
			n++
		}
	}
	return n
}

// Tried is how many mutants have any.
func (r *Report) Tried() int { return len(r.Mutants) - r.Count("") }

// Score is how many mutants the scenarios kill, of how many that were tried, that are programs, and whose changed line
// does not end them by itself.
func (r *Report) Score() (killed, of int) {
	return r.Count(Killed), r.Tried() - r.Count(Invalid) - r.Count(Crashed)
}

// Percent is the score of 100, rounded down to a tenth; 100 where no mutant counts.
func (r *Report) Percent() float64 {
	killed, of := r.Score()
	if of == 0 {
		return 100
	}
	return float64(1000*killed/of) / 10
}

// A run is cut at so many times the run of the program as it is, and not before it took so long. Of a program that
// takes long, such as a server, it is so many times that, or so much more.
const (
	slower   = 10
	shortest = 2 * time.Second
	slow     = 3
	more     = 5 * time.Second
)

// recheck is after how many mutants the program as it is is run again.
const recheck = 25

// unreadable is a text that no compiler and no interpreter takes.
const unreadable = ")]} this is no program {[(\n"

// ErrBuild is the error of a program that cannot be built as it is.
var ErrBuild = errors.New("the program cannot be built in a copy of its directory")

// Run tries all mutants of the sources on the scenarios. The error says why nothing could be tried.
func Run(plans []*interp.Plan, o Options) (*Report, error) {
	o.Parallel = max(1, o.Parallel)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.After == nil {
		o.After = time.After
	}
	end, last, stop := make(chan struct{}), make(chan struct{}), make(chan struct{})
	defer close(stop)
	go o.count(end, last, stop)
	o.hide = secrets.Hide(o.Secrets)
	s := &suite{options: &o, report: &Report{}, lines: map[place]bool{}, wrote: map[string]bool{}, end: end, last: last}
	if o.Limit > 0 {
		s.until = o.Now().Add(o.Limit - o.Spent)
	}
	first, err := s.worker()
	if errors.Is(err, errOver) {
		s.report.Interrupted = s.over()
		s.report.Late = !s.report.Interrupted
		s.report.Unknown = s.report.Late
		return s.report, nil
	}
	if err != nil {
		return nil, err
	}
	defer first.close()
	if err := s.play(first, plans); err != nil {
		return nil, err
	}
	if err := s.sources(first); err != nil {
		return nil, err
	}
	if err := s.all(first); err != nil {
		return nil, err
	}
	s.report.Interrupted = s.over()
	return s.report, nil
}

// A suite is the scenarios of a program and all that is tried on them.
type suite struct {
	options *Options
	report  *Report
	until   time.Time
	// end is closed once the time is over, and last once the program as it is may not be run any more either.
	end, last <-chan struct{}
	// subjects are the scenarios that pass, and wrote are the files that they write.
	subjects []*subject
	wrote    map[string]bool
	// answers are those that the scenarios give to the program, and facts what they say.
	answers []beside.Answer
	facts   *beside.Facts

	mu sync.Mutex // guards what follows
	// next is the mutant that is tried next, and done how many were.
	next, done int
	// lines says of lines whether some scenario runs them.
	lines map[place]bool
}

// A place is a line of a file.
type place struct {
	of   *Source
	line int
}

// A subject is a scenario whose program passes as it is.
type subject struct {
	*interp.Plan
	// usual is what is the same in each of its runs, varying what is not, and took how long one takes at most.
	usual   map[string]string
	varying map[string]bool
	took    time.Duration
	// reads are the files without which it does not pass.
	reads map[*Source]bool
}

// over reports whether somebody has ended it all.
func (s *suite) over() bool { return closed(s.options.Done) }

// late reports whether the time is over, after which no run is begun.
func (s *suite) late() bool {
	return closed(s.end) || !s.until.IsZero() && s.options.Now().After(s.until)
}

// limit is how long a run of a scenario may take.
func (x *subject) limit() time.Duration {
	return max(shortest, min(slower*x.took, max(slow*x.took, x.took+more)))
}

// play runs the program as it is, twice for each scenario. Where the time is over before that, the others are not
// tried.
func (s *suite) play(w *worker, plans []*interp.Plan) error {
	defer func() {
		s.report.Scenarios = len(s.subjects)
		s.report.Unknown = s.report.Late && len(s.subjects)+len(s.report.Broken) == 0
	}()
	for _, p := range plans {
		if s.over() {
			return nil
		}
		if s.late() {
			s.report.Late = true
			return nil
		}
		x := &subject{Plan: p, reads: map[*Source]bool{}}
		var seen [2][]feature
		var answers []beside.Answer
		passed := true
		for i := range seen {
			r, err := w.run(x)
			if err != nil {
				return err
			}
			if s.over() {
				return nil
			}
			if r.cut {
				s.report.Late = true
				return nil
			}
			if r.unbuilt != "" {
				return fmt.Errorf("%w: %s", ErrBuild, r.unbuilt)
			}
			if r.result.Verdict != interp.Pass {
				s.report.Broken = append(s.report.Broken, r.result)
				passed = false
				break
			}
			if i == 0 {
				answers = r.answers
			}
			seen[i], x.took = r.seen, max(x.took, r.took)
			for _, f := range r.files {
				s.wrote[f.path] = true
			}
		}
		if !passed {
			continue
		}
		x.usual, x.varying = usual(seen[0], seen[1]), map[string]bool{}
		for _, f := range slices.Concat(seen[0], seen[1]) {
			if _, ok := x.usual[f.of]; !ok {
				x.varying[f.of] = true
			}
		}
		s.subjects = append(s.subjects, x)
		s.answers = append(s.answers, answers...)
	}
	return nil
}

// sources finds out which files the scenarios read, and makes the mutants of these.
func (s *suite) sources(w *worker) error {
	var all, code, rest []*Source
	for i := range s.options.Sources {
		switch of := &s.options.Sources[i]; {
		case of.Data && s.wrote[of.Path]: // what a run has left
		case of.Data || of.Not != "":
			rest = append(rest, of)
		default:
			code = append(code, of)
		}
	}
	all = slices.Concat(code, rest)
	for _, x := range s.subjects {
		if err := errors.Join(w.reads(x, code), w.reads(x, rest)); err != nil {
			return err
		}
	}
	if s.over() || len(s.subjects) == 0 {
		return nil
	}
	plans := make([]*interp.Plan, len(s.subjects))
	for i, x := range s.subjects {
		plans[i] = x.Plan
	}
	s.facts = beside.Of(s.answers)
	var silent []Unchanged
	of, late := map[string][]*Mutant{}, map[*Mutant]bool{} // by operator
	for _, f := range all {
		if !slices.ContainsFunc(s.subjects, func(x *subject) bool { return x.reads[f] }) {
			switch {
			case !f.Data && f.Not != "" && inCommand(plans, s.options.Starts.Command, f):
				s.report.Unchanged = append(s.report.Unchanged, Unchanged{Shown: f.Shown, Why: f.Not})
			case f.Not == "" && !f.Quiet:
				s.report.Unread = append(s.report.Unread, *f)
			}
			continue
		}
		if s.late() { // nothing of it could be tried
			s.report.Late = true
			break
		}
		out, values, calls := s.mutants(f)
		switch {
		case f.Not != "":
			s.report.Unchanged = append(s.report.Unchanged, Unchanged{Shown: f.Shown, Why: f.Not})
		case len(out)+len(values) == 0 && (f.Data || says(f.Text)):
			s.report.Unchanged = append(s.report.Unchanged, Unchanged{Shown: f.Shown, Why: noPlace})
		case calls != "":
			silent = append(silent, Unchanged{Shown: f.Shown, Calls: calls})
		}
		for _, m := range out {
			of[m.Operator] = append(of[m.Operator], m)
		}
		of[dataValues] = append(of[dataValues], values...)
		for _, m := range values {
			late[m] = true
		}
	}
	s.report.Unchanged = append(s.report.Unchanged, commands(plans, s.options.Starts.Command)...)
	s.report.Unchanged = append(s.report.Unchanged, silent...)
	for _, name := range order() {
		for _, m := range of[name] {
			if len(s.options.Only) == 0 || slices.Contains(s.options.Only, m.Operator) {
				s.report.Mutants = append(s.report.Mutants, m)
			}
		}
	}
	s.report.Mutants = inTurn(s.report.Mutants, late)
	return nil
}

// mutants are all changes of a file; values are those of data that change a value in it, and calls those of code that no
// change is about.
func (s *suite) mutants(of *Source) (list, values []*Mutant, calls string) {
	switch {
	case of.Not != "":
		return nil, nil, ""
	case of.Data:
		list, values = dataMutants(of)
		return list, values, ""
	}
	all, calls := source.Changes(of.Path, of.Text, s.facts)
	for _, m := range all {
		list = append(list, &Mutant{Mutant: m, Of: of})
	}
	return list, nil, calls
}

// reads notes which of some files a scenario does not pass without. Of many, few are read: where it passes without
// all of them, none is, and else each half is tried.
func (w *worker) reads(x *subject, files []*Source) error {
	if len(files) == 0 || w.over() {
		return nil
	}
	unknown := func() error { // nobody knows, and nothing more is tried
		for _, of := range files {
			x.reads[of] = true
		}
		return nil
	}
	if w.late() {
		return unknown()
	}
	var broken []change
	for _, of := range files {
		broken = append(broken, change{of, []byte(unreadable)})
	}
	r, err := w.run(x, broken...)
	if err == nil && !w.over() && r.cut {
		return unknown()
	}
	if err != nil || w.over() || r.unbuilt == "" && r.result.Verdict == interp.Pass {
		return err
	}
	if len(files) == 1 {
		x.reads[files[0]] = true
		return nil
	}
	half := len(files) / 2
	return errors.Join(w.reads(x, files[:half]), w.reads(x, files[half:]))
}

// all tries all mutants, in as many copies as there may be.
func (s *suite) all(first *worker) error {
	workers := []*worker{first}
	for len(workers) < min(s.options.Parallel, len(s.report.Mutants)) {
		w, err := s.worker()
		if errors.Is(err, errOver) {
			return nil
		}
		if err != nil {
			return err
		}
		defer w.close()
		workers = append(workers, w)
	}
	return s.rounds(workers)
}

// take is the next mutant to try, nil for none.
func (s *suite) take() *Mutant {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next == len(s.report.Mutants) || s.over() {
		return nil
	}
	if s.late() {
		s.report.Late = true
		return nil
	}
	s.next++
	return s.report.Mutants[s.next-1]
}

// tried says that one more was.
func (s *suite) tried() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done++
	if s.options.Progress != nil {
		s.options.Progress(s.done, len(s.report.Mutants))
	}
}
