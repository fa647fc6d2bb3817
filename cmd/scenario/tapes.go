package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/interp"
)

// tapes are the cassettes that a call of `scenario record` writes.
type tapes struct {
	list []*tapeWriter
	by   map[*interp.Plan]*tapeWriter
	mu   sync.Mutex
	// statuses are how the runs of the scenarios ended.
	statuses map[*interp.Plan]string
}

// A tapeWriter is one cassette under recording.
type tapeWriter struct {
	path string
	// users are all scenarios that name the file, picked those that are run.
	users, picked []*interp.Plan
	recorder      *cassette.Recorder
	// written is what the file holds now, nil where it is as it was.
	written *cassette.Cassette
	// broken is why the recording cannot take the place of the file.
	broken string
}

// open makes a recorder for every cassette of the selected scenarios.
func (t *tapes) open(files []*loaded, jobs []job, f *liveFlags) error {
	t.gather(files)
	var without *interp.Plan
	for _, j := range jobs {
		w := t.by[j.plan]
		switch {
		case j.plan.Skip != "":
		case w == nil && without == nil:
			without = j.plan
		case w != nil:
			w.picked = append(w.picked, j.plan)
		}
	}
	if without != nil {
		return usagef("add cassette { path = \"cassettes/….yaml\" } to it, or use scenario run, which records nothing",
			"scenario %q (%s:%d) names no cassette to record into", without.Name, without.File, without.Line)
	}
	for _, w := range t.list {
		if len(w.picked) == 0 {
			continue
		}
		if err := w.open(f); err != nil {
			t.close()
			return err
		}
	}
	return nil
}

// gather finds the cassettes of all scenarios of the files.
func (t *tapes) gather(files []*loaded) {
	t.by = map[*interp.Plan]*tapeWriter{}
	byPath := map[string]*tapeWriter{}
	for _, f := range files {
		for _, p := range f.plans {
			path := f.tapes[p.CassettePath()]
			if path == "" {
				continue
			}
			w := byPath[path]
			if w == nil {
				w = &tapeWriter{path: path}
				byPath[path] = w
				t.list = append(t.list, w)
			}
			w.users = append(w.users, p)
			t.by[p] = w
		}
	}
}

func (w *tapeWriter) open(f *liveFlags) error {
	o := cassette.RecordOptions{Provider: w.users[0].ProviderKinds(), RecordedAt: now().UTC(), Adds: f.missing}
	for _, p := range w.users {
		if !slices.Contains(o.Scenarios, p.Name) {
			o.Scenarios = append(o.Scenarios, p.Name)
		}
	}
	make := cassette.NewRecorder
	if f.checks {
		make = cassette.NewChecker
	}
	r, err := make(w.path, o)
	if err != nil {
		return &exitError{exitCassette, err.Error(), w.hint(err)}
	}
	w.recorder = r
	if f.checks || f.missing {
		return nil
	}
	if err := r.CanReplace(w.replaced(f)); err != nil {
		return &exitError{exitCassette, err.Error(), ""}
	}
	return nil
}

func (w *tapeWriter) hint(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Sprintf("scenario record %s makes it", w.users[0].File)
	case errors.Is(err, cassette.ErrJournal):
		return fmt.Sprintf("scenario record --recover %s keeps what it holds; remove the journal to drop it", w.users[0].File)
	}
	return ""
}

// of is the recorder of a scenario.
func (t *tapes) of(p *interp.Plan) *cassette.Recorder { return t.by[p].recorder }

// ran notes how a scenario ended: what could not be run to its end is no
// recording.
func (t *tapes) ran(p *interp.Plan, r *interp.Result) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.statuses == nil {
		t.statuses = map[*interp.Plan]string{}
	}
	t.statuses[p] = statusOf(r)
	if r.Verdict == interp.Error {
		t.by[p].broken = fmt.Sprintf("scenario %q could not be run to its end", p.Name)
	}
}

// commit puts the recordings in the place of the files. Where the run was
// stopped they stay in the journals, and where no service was met, the answers.
func (t *tapes) commit(a *app, stopped bool, f *liveFlags) error {
	var lost error
	for _, w := range t.list {
		if w.recorder == nil {
			continue
		}
		if stopped {
			w.broken = "the run was interrupted"
		}
		if w.broken != "" {
			fmt.Fprintf(a.stderr, "%s is as it was: %s\n", w.path, w.broken)
			if w.recorder.Sealed() > 0 {
				fmt.Fprintf(a.stderr, "hint: scenario record --recover %s keeps %s of this recording\n", w.users[0].File, plural(w.recorder.Sealed(), "interaction"))
			}
			continue
		}
		n, unanswered := w.recorder.Sealed(), strings.Join(w.recorder.Unanswered(), ", ")
		if w.recorder.LosesAnswers(w.replaced(f)) {
			lost = worstError(lost, w.keep(unanswered))
			continue
		}
		c, err := w.recorder.Commit(w.replaced(f))
		if err != nil {
			return &exitError{exitInternal, err.Error(), ""}
		}
		w.written = c
		if !f.quiet {
			fmt.Fprintf(a.stderr, "%s: recorded %s, %d in all\n", w.path, plural(n, "interaction"), len(c.Interactions))
		}
		if unanswered != "" {
			fmt.Fprintf(a.stderr, "Warning: %s: calls met no service (%s), and that is what a replay meets now\nhint: if it should have been there, record again, or restore the file from version control\n", w.path, unanswered)
		}
		w.warnDropped(a)
	}
	return lost
}

// keep leaves a file as it is whose answers would give way to nothing but
// transport errors, which is rarely meant.
func (w *tapeWriter) keep(errors string) error {
	return worstError(w.recorder.Discard(), &exitError{
		exitCassette,
		fmt.Sprintf("%s is as it was: it holds answers, and now no call met a service (%s)", w.path, cmp.Or(errors, "given up")),
		"is the service up, and the address right? To keep that nothing answers, remove the file and record again",
	})
}

// warnDropped names the header fields that a replay will not have where a
// scenario may read them without the file saying which.
func (w *tapeWriter) warnDropped(a *app) {
	dropped := w.recorder.Dropped()
	if len(dropped) > 0 && slices.ContainsFunc(w.picked, (*interp.Plan).ComputesHeaders) {
		fmt.Fprintf(a.stderr, "Warning: %s: headers are read by names that are not in the file, and these fields of the answers were not kept: %s\nhint: name those that a replay needs in match_headers of the cassette block\n", w.path, strings.Join(dropped, ", "))
	}
}

// replaced says what of the file goes: of the scenarios that were run all, or
// the step that was asked for. With --missing everything stays.
func (w *tapeWriter) replaced(f *liveFlags) func(*cassette.Interaction) bool {
	return func(it *cassette.Interaction) bool {
		if f.missing || f.step != "" && it.Step != f.step {
			return false
		}
		if it.Scenario == "" {
			return len(w.picked) == len(w.users)
		}
		return slices.ContainsFunc(w.picked, func(p *interp.Plan) bool { return p.Name == it.Scenario })
	}
}

// close gives the files back.
func (t *tapes) close() {
	for _, w := range t.list {
		if w.recorder != nil {
			_ = w.recorder.Close() // what was to be written is
		}
	}
}

// recoverTapes deals with the journals of interrupted recordings.
func (a *app) recoverTapes(f *recordFlags, paths []string) error {
	l := &loader{live: true}
	defer l.close()
	var err error
	if l.vars, err = f.variables.read(a); err != nil {
		return err
	}
	h := a.watchHalt(f.timeout)
	defer h.release()
	files, err := a.load(l, paths, 1, h, f.quiet)
	if err != nil {
		return err
	}
	t := &tapes{}
	t.gather(files)
	found := 0
	for _, w := range t.list {
		var names []string
		for _, p := range w.users {
			if !slices.Contains(names, p.Name) {
				names = append(names, p.Name)
			}
		}
		rec, err := cassette.Recover(w.path, names)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return &exitError{exitCassette, err.Error(), ""}
		case rec.Kept == 0 && !rec.Cut:
			continue
		}
		found++
		fmt.Fprintf(a.stderr, "%s: recovered %s\n", w.path, plural(rec.Kept, "interaction"))
		if rec.Cut {
			fmt.Fprintln(a.stderr, "the last one had not been written to its end and is dropped")
		}
		fmt.Fprintf(a.stderr, "hint: steps that it did not reach are as they were; scenario test %s says what does not fit together\n", w.users[0].File)
	}
	if found == 0 {
		fmt.Fprintln(a.stderr, "no recording was interrupted; nothing was changed")
	}
	return nil
}
