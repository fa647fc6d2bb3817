package benches

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/internal/process"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/interp/bench"
	"github.com/scenario-lang/scenario/money"
)

// A foresight is what is known of a bench before it runs: which of its trials are
// kept from earlier runs, and which will run. A run, its price and --dry-run are all
// made of it, so that none says what another does not do. Nothing is written for it.
type foresight struct {
	programs *programs
	// now is what its programs depend on.
	now benchManifest
	// digests identify the trials of a case.
	digests map[string]string
	// trials are all that the bench asks for, in order.
	trials []caseTrial
	// logged is what the log has, and stored what the cache has.
	logged, stored readLogged
	// keep are the results that count, and toRun counts the trials whose programs start.
	keep  map[caseTrial]trial
	toRun int
	// dropped counts the results of before that would count, had nothing changed;
	// changed names the files that did, and variables those of the environment.
	dropped            int
	changed, variables []string
	// price is what the trials to run will cost.
	price estimate
	// capped says that what is kept cost more than may be spent, so that nothing begins.
	capped bool
}

// continues reports whether a run adds to the log of the run before.
func (f *benchFlags) continues() bool { return f.resume || f.partial() || f.rescore != "" }

// foresee reads what is known of a bench.
func (s *benchSession) foresee(p *interp.Plan) (*foresight, error) {
	f, spec := &foresight{programs: newPrograms(p.File, s.Env), keep: map[caseTrial]trial{}}, benchSpec(p)
	root, name := s.stateRoot(p), logName(s.Loader.Source, p)
	before := readManifest(filepath.Join(root, name+".files"))
	if err := f.read(s, p, before); err != nil {
		return nil, err
	}
	f.digests = interp.BenchDigests(p, f.programs.sum)
	f.now = f.programs.inputs.manifest()
	limit := spec.KeptPerTrial(len(p.BenchCases()))
	var err error
	if f.logged, err = readLog(filepath.Join(root, name+".jsonl"), limit); err != nil {
		return nil, err
	}
	if s.flags.cache {
		if f.stored, err = readLog(filepath.Join(root, "cache.jsonl"), limit); err != nil {
			return nil, err
		}
	}
	begun := &begunFile{known: map[caseTrial]bool{}}
	if !spec.Idempotent && s.flags.resume {
		if err := begun.read(filepath.Join(root, name+".begun.jsonl")); err != nil {
			return nil, err
		}
	}
	f.decide(s.flags, p, begun)
	f.price = f.estimate()
	if f.dropped > 0 {
		f.changed, f.variables = f.now.changed(before)
	}
	return f, nil
}

func benchSpec(p *interp.Plan) bench.Spec {
	spec, _ := p.Bench()
	return spec
}

// read reads the files that the programs of the bench depend on.
func (f *foresight) read(s *benchSession, p *interp.Plan, before benchManifest) error {
	written := slices.Compact(slices.Sorted(slices.Values(append(s.written(), before.Written...))))
	in := newBenchInputs(p, s.Loader.Source.Root(p.File), written)
	f.programs.inputs = in
	if handed, set := s.Env(process.HandedVariable); set {
		in.handed = process.Handed(handed)
	}
	if before.Salt != "" {
		in.salt = before.Salt
	}
	return in.read(p, s.flags.resume || s.flags.cache)
}

// decide says of each trial whether it runs.
func (f *foresight) decide(flags *benchFlags, p *interp.Plan, begun *begunFile) {
	again := map[string]bool{}
	if flags.failed {
		again = failedIn(f.logged.last)
	}
	spec, spent := benchSpec(p), money.USD{}
	for _, id := range p.BenchCases() {
		for n := 1; n <= spec.Trials; n++ {
			at := caseTrial{id, n}
			f.trials = append(f.trials, at)
			t, found, before := f.earlier(flags, at)
			switch {
			case found && !again[id]:
				f.keep[at] = t
				spent = spent.Plus(money.Of(t.CostUSD))
				continue
			case before && !again[id]:
				f.dropped++
			}
			if _, ended := f.logged.last[at]; !begun.known[at] || ended {
				f.toRun++
			}
		}
	}
	f.capped = spent.Cmp(money.Of(spec.CostCap)) > 0
	if f.capped || flags.rescore != "" {
		f.toRun = 0
	}
}

// earlier finds the result of a trial that counts; before says that there is one, as it
// is now or of something else.
func (f *foresight) earlier(flags *benchFlags, at caseTrial) (t trial, found, before bool) {
	key := logKey{f.digests[at.id], at.n}
	if !flags.resume && !flags.cache {
		return t, false, false
	}
	if flags.continues() {
		_, before = f.logged.last[at]
		if t, found = f.logged.known[key]; found {
			return t, true, before
		}
	}
	_, stored := f.stored.last[at]
	t, found = f.stored.known[key]
	return t, found, before || stored
}

// A readLogged is what a log has.
type readLogged struct {
	// known are its results by what they are of, and last the newest by case and trial,
	// whatever has changed since; newest is what those are of.
	known  map[logKey]trial
	last   map[caseTrial]trial
	newest map[caseTrial]logKey
	// spans is where the results stand.
	spans map[logKey]bench.Span
	// damaged counts lines that are none, and whole is where the next one goes.
	damaged int
	whole   int64
}

// readLog reads a log, nothing where there is none. Limit is how many bytes are kept in
// memory of what was answered in a trial.
func readLog(path string, limit int) (readLogged, error) {
	l := readLogged{known: map[logKey]trial{}, last: map[caseTrial]trial{}, newest: map[caseTrial]logKey{}, spans: map[logKey]bench.Span{}}
	in, err := disk.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err != nil {
		return l, fmt.Errorf("cannot open the log of the bench: %w", err)
	}
	defer in.Close()
	l.damaged, l.whole, err = bench.ReadLogAt(in, func(r bench.Record, at bench.Span) {
		key, of := logKey{r.Digest, r.Trial}, caseTrial{r.Case, r.Trial}
		r.Result.Kept = r.Result.Kept.Within(limit)
		l.known[key], l.spans[key], l.newest[of] = r.Result, at, key
		r.Result.Kept = nil
		l.last[of] = r.Result
	})
	if err != nil {
		return l, fmt.Errorf("cannot read %s: %w\nhint: remove it", filepath.ToSlash(path), disk.Cause(err))
	}
	return l, nil
}

// repair takes away what a crash cut off, so that what is added begins a line. Lines
// that are damaged are left out, and said.
func (l *readLogged) repair(a *cli.App, f *os.File) error {
	var err error
	if l.damaged > 0 { // else another call may have added to the cache in the meantime
		err = f.Truncate(l.whole)
	}
	if err == nil {
		_, err = f.Seek(0, io.SeekEnd)
	}
	if err != nil {
		return fmt.Errorf("cannot read %s: %w\nhint: remove it", filepath.ToSlash(f.Name()), disk.Cause(err))
	}
	if l.damaged > 0 {
		fmt.Fprintf(a.Stderr, "Warning: %s has %d damaged lines; those trials run again\n", filepath.ToSlash(f.Name()), l.damaged)
	}
	return nil
}

// tellDropped says why results of before do not count. It comes before the price of
// running their trials again.
func (s *benchSession) tellDropped(p *interp.Plan, f *foresight) {
	name := cli.Visible(p.Name)
	if links := f.programs.inputs.outward; len(links) > 0 && (s.flags.resume || s.flags.cache) {
		shown := make([]string, len(links))
		for i, link := range links {
			shown[i] = cli.Visible(s.Loader.Source.Shorten(link))
		}
		fmt.Fprintf(s.Stderr, "Note: results of before count for %s whatever changes behind %s: links that lead out of the suite are not followed\n", name, shortList(shown))
	}
	switch {
	case f.dropped == 0:
	case len(f.changed) > 0:
		fmt.Fprintf(s.Stderr, "Note: results of before do not count for %s: %s changed. To name the files that its programs depend on, use depends_on\n", name, shortList(append(f.changed, inEnvironment(f.variables)...)))
	case len(f.variables) > 0:
		fmt.Fprintf(s.Stderr, "Note: results of before do not count for %s: %s changed. To name the variables that its programs get, use pass_env\n", name, shortList(inEnvironment(f.variables)))
	default:
		fmt.Fprintf(s.Stderr, "Note: %s of before not kept for %s: what the file says of their cases, of sut or of rubric changed\n", cli.Plural(f.dropped, "result"), name)
	}
}

// inEnvironment are variables as a list of changes names them.
func inEnvironment(names []string) []string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = name + " in the environment"
	}
	return list
}
