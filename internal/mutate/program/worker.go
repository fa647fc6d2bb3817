package program

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/scenario-lang/scenario/internal/mutate/source"
	"github.com/scenario-lang/scenario/internal/mutate/source/beside"
	"github.com/scenario-lang/scenario/internal/process"
	"github.com/scenario-lang/scenario/internal/sut"
	"github.com/scenario-lang/scenario/interp"
)

// A worker tries mutants in a copy of its own.
type worker struct {
	*suite
	// dir is the temporary directory with the copy in it, and tree the copy.
	dir  string
	tree *tree
	// since are the mutants that were tried since the program as it is passed.
	since []*Mutant
	// ends is what ends its runs.
	ends <-chan struct{}
	// order are the subjects, those first that killed last.
	order []*subject
}

// worker makes a copy. It has the same name as what is copied: some programs look at it.
func (s *suite) worker() (*worker, error) {
	dir, err := os.MkdirTemp("", copies)
	if err != nil {
		return nil, err
	}
	open.Store(dir, nil)
	w := &worker{suite: s, dir: dir, ends: s.end}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	at := filepath.Join(dir, filepath.Base(s.options.Root))
	if err = os.Mkdir(at, 0o700); err == nil {
		w.tree, err = copyTree(s.options.Root, at, func() bool { return s.over() || s.late() })
	}
	if err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

// close removes the copy. One that cannot be removed is no result, and nothing is said of it.
func (w *worker) close() {
	_ = remove(w.dir)
	open.Delete(w.dir)
}

// work tries mutants until there are no more.
func (w *worker) work() error {
	w.order = slices.Clone(w.subjects)
	for m := w.take(); m != nil; m = w.take() {
		if err := w.try(m); err != nil {
			return err
		}
		if w.over() {
			m.Verdict = ""
			return nil
		}
		if m.Verdict == "" { // the time was over before all was run
			break
		}
		w.tried()
		if w.since = append(w.since, m); len(w.since) == recheck {
			if steady, err := w.again(); err != nil || !steady {
				return err
			}
		}
	}
	if w.over() {
		return nil
	}
	_, err := w.again()
	return err
}

// again runs the program as it is once more. Where a scenario does not pass any more, two times, what it was taken to
// kill is not known, and this worker tries nothing more.
func (w *worker) again() (steady bool, err error) {
	w.ends = w.last
	defer func() { w.ends = w.end }()
	killing := map[*interp.Plan]bool{}
	for _, m := range w.since {
		if m.Verdict == Killed || m.Verdict == Crashed {
			killing[m.By] = true
		}
	}
	for _, x := range w.subjects {
		if !killing[x.Plan] {
			continue
		}
		if w.cut() || !w.until.IsZero() && w.options.Now().After(w.until.Add(grace)) {
			break // long after the time was over
		}
		r, err := w.run(x)
		if err == nil && !r.cut && r.result.Verdict != interp.Pass && !w.over() {
			r, err = w.run(x)
		}
		if err != nil {
			return false, err
		}
		if r.cut {
			break
		}
		if w.over() || r.result.Verdict == interp.Pass {
			continue
		}
		for _, m := range w.since {
			m.Verdict, m.By, m.Check, m.Difference, m.field = "", nil, "", "", ""
		}
		w.mu.Lock()
		w.report.Broken = append(w.report.Broken, r.result)
		w.mu.Unlock()
		return false, nil
	}
	w.since = w.since[:0]
	return true, nil
}

// try runs the scenarios that read the file of a mutant, until one is red. The mutant has no verdict where the time was
// over before that.
func (w *worker) try(m *Mutant) (err error) {
	c := w.with(change{m.Of, m.Apply(m.Of.Text)})
	defer func() { err = errors.Join(err, c.undo()) }()
	begun, crashed := false, false
	for i, x := range w.order {
		if !x.reads[m.Of] {
			continue
		}
		if begun && w.late() {
			w.giveUp(m)
			return nil
		}
		begun = true
		r, err := c.run(x)
		if err != nil || w.over() {
			return err
		}
		if r.cut {
			w.giveUp(m)
			return nil
		}
		switch {
		case r.unbuilt != "" || r.result.Verdict != interp.Pass && !m.Of.Data && source.Broken(m.Of.Path, r.wrote):
			m.Verdict, m.By, m.Difference = Invalid, nil, ""
			return nil
		case r.result.Verdict != interp.Pass && m.crashes(r.ending): // another scenario may have a check that sees it
			if !crashed {
				crashed, m.By, m.Check, m.Difference = true, x.Plan, checkOf(r.result), ""
			}
			continue
		case r.result.Verdict != interp.Pass:
			m.Verdict, m.By, m.Difference, m.Check = Killed, x.Plan, "", checkOf(r.result)
			copy(w.order[1:], w.order[:i])
			w.order[0] = x
			return nil
		}
		m.Verdict = Survived
		if crashed || m.By != nil && m.field == "" {
			continue
		}
		d, field := differs(x.usual, x.varying, r.seen), fieldAlone(x.usual, x.varying, r.seen)
		if d != "" && (m.By == nil || field == "") { // what differs in more than such a field says more
			m.By, m.Difference, m.field = x.Plan, d, field
		}
	}
	if crashed {
		m.Verdict = Crashed
	}
	if m.By != nil {
		return nil
	}
	m.Verdict = Unseen
	if m.Of.Data {
		return nil
	}
	if err := c.undo(); err != nil {
		return err
	}
	lines := []int{m.Line}
	if m.Operator == together {
		lines = m.lines()
	}
	for _, line := range lines {
		if runs, err := w.runs(place{m.Of, line}); err != nil || runs {
			return err
		}
	}
	m.Verdict = Unrun
	return nil
}

// giveUp leaves a mutant without a verdict.
func (w *worker) giveUp(m *Mutant) {
	m.Verdict, m.By, m.Check, m.Difference = "", nil, "", ""
	w.mu.Lock()
	defer w.mu.Unlock()
	w.report.Late = true
}

// runs reports whether a scenario comes to a line: where it ends there, one is red.
func (w *worker) runs(p place) (bool, error) {
	w.mu.Lock()
	runs, known := w.lines[p]
	w.mu.Unlock()
	if known {
		return runs, nil
	}
	probe, ok := source.Probe(p.of.Path, p.of.Text, p.line)
	runs = !ok
	for _, x := range w.order {
		if runs || !x.reads[p.of] {
			continue
		}
		if w.late() {
			return true, nil // it is not known, and is unseen
		}
		r, err := w.run(x, change{p.of, probe.Apply(p.of.Text)})
		if err != nil || w.over() || r.cut {
			return true, err
		}
		runs = r.unbuilt != "" || r.result.Verdict != interp.Pass || differs(x.usual, x.varying, r.seen) != ""
	}
	w.mu.Lock()
	w.lines[p] = runs
	w.mu.Unlock()
	return runs, nil
}

// checkOf names what is red.
func checkOf(r *interp.Result) string {
	if len(r.Problems) == 0 {
		return string(r.Verdict)
	}
	p := r.Problems[0]
	return strings.TrimSpace(p.Kind + " " + p.Name)
}

// A change is a file with another text.
type change struct {
	of   *Source
	text []byte
}

// A played run is one with what was seen of it.
type played struct {
	result *interp.Result
	seen   []feature
	took   time.Duration
	// answers are those that the program was given in its first run.
	answers []beside.Answer
	// files are those that it wrote.
	files []written
	// wrote is the end of what the program wrote, and unbuilt what the command said that could not make it.
	wrote, unbuilt string
	// cut says that it was ended before its time, so that nothing is known of it.
	cut bool
	// ending is the error of its language that ended it, nil for none.
	ending *ending
	// hidden is a text without the secrets of the run, nil where no program was started.
	hidden func(string) string
}

// mostWrote bounds what is kept of what a program writes.
const mostWrote = 64 << 10

// A changed copy is that of a worker with some files changed, and built.
type changed struct {
	*worker
	changes []change
	// made says that the copy is as it says, and before is what it has then, nil where nothing is built.
	made    bool
	before  map[string]entry
	unbuilt string
}

// with is the copy with some files changed. It is made when it is first run.
func (w *worker) with(changes ...change) *changed { return &changed{worker: w, changes: changes} }

// run runs a scenario with some files changed, and makes the copy again what it was.
func (w *worker) run(x *subject, changes ...change) (*played, error) {
	c := w.with(changes...)
	r, err := c.run(x)
	return r, errors.Join(err, c.undo())
}

// make changes the files, and builds the program.
func (c *changed) make() (err error) {
	for _, one := range c.changes {
		path := filepath.Join(c.tree.at, filepath.FromSlash(one.of.Path))
		if err := os.WriteFile(path, one.text, 0o600); err != nil {
			return err
		}
	}
	c.made = true
	if c.unbuilt, err = c.build(); err == nil && c.options.Build != nil {
		c.before, err = c.tree.now()
	}
	return err
}

// undo makes the copy what was copied.
func (c *changed) undo() error {
	if !c.made {
		return nil
	}
	c.made = false
	_, err := c.tree.restore(c.before)
	return err
}

// run runs a scenario. What was built is kept for the next one, as long as no run changes it.
func (c *changed) run(x *subject) (*played, error) {
	if !c.made {
		if err := c.make(); err != nil {
			c.made = true // in part
			return nil, err
		}
	}
	r := &played{unbuilt: c.unbuilt, result: &interp.Result{Plan: x.Plan}}
	if r.cut = c.cut(); r.unbuilt == "" && !r.cut {
		c.start(x, r)
	}
	var err error
	if c.before != nil {
		r.files, c.made, err = c.tree.revert(c.before)
	} else {
		r.files, err = c.tree.restore(nil)
		c.made = false
	}
	if err != nil {
		return nil, err
	}
	if r.hidden != nil {
		r.seen = append(r.seen, filesOf(r.files, c.changes, func(text string) string { return r.hidden(c.shown(text)) })...)
	}
	return r, nil
}

// start starts the program, built as it is.
func (w *worker) start(x *subject, r *played) {
	o := w.options.Starts
	out := &tail{}
	o.Output, o.Interrupt = out, w.ends
	o.Copy = &sut.Copy{Of: w.tree.of, At: w.tree.at}
	if x.took > 0 {
		o.Timeout = x.limit()
	}
	var mu sync.Mutex
	var exchanges []interp.Ended
	o.OnExchange = func(e interp.Ended) {
		mu.Lock()
		defer mu.Unlock()
		exchanges = append(exchanges, e)
	}
	run := sut.Play(x.Plan, o)
	r.cut = w.cut()
	mu.Lock()
	defer mu.Unlock()
	r.result, r.took, r.wrote = run.Result, run.Elapsed, out.String()
	r.seen = seenOf(run, exchanges, w.shown)
	if x.took == 0 {
		r.answers = answersOf(run, exchanges)
	}
	if run.Seen != nil {
		r.hidden = run.Seen.Hidden
		if run.Verdict != interp.Pass {
			r.ending = endingSeen(run.Seen)
		}
	}
}

// shown is a text of a run as it is told of: without the path of the copy, and without secrets before a part of it is
// cut out, which nobody would know.
func (w *worker) shown(text string) string { return w.options.hide(w.tree.home(text)) }

// build makes the program, and returns what the command said where it could not.
func (w *worker) build() (said string, err error) {
	if w.options.Build == nil || w.cut() {
		return "", nil
	}
	path, err := process.Find(w.options.Build[0], w.tree.at)
	if err != nil {
		return "", err
	}
	ctx, off := context.WithCancel(context.Background())
	defer off()
	go func() {
		select {
		case <-w.ends:
			off()
		case <-ctx.Done():
		}
	}()
	r, err := process.Run(ctx, process.Command{Path: path, Args: w.options.Build, Dir: w.tree.at, Env: w.options.Starts.Environment}, process.Limits{Stdout: 1 << 20, Stderr: mostWrote})
	if err != nil || r.Code == 0 && !r.Flooded {
		return "", err
	}
	return strings.TrimSpace(fmt.Sprintf("%s ended with status %d\n%s%s", strings.Join(w.options.Build, " "), r.Code, r.Stdout, r.Stderr)), nil
}

// A tail keeps the end of what is written.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.text = append(t.text, p...); len(t.text) > 2*mostWrote {
		t.text = append(t.text[:0], t.text[len(t.text)-mostWrote:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}
