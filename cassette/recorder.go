package cassette

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/scenario-lang/scenario/cassette/internal/behind"
	"github.com/scenario-lang/scenario/cassette/internal/disk"
	"github.com/scenario-lang/scenario/cassette/internal/httptext"
	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/wire"
)

// errorCancelled is the name of a call that its client gave up.
const errorCancelled = "cancelled"

// RecordOptions say what a recorder writes.
type RecordOptions struct {
	// Provider and RecordedAt stand in the header of the file.
	Provider   string
	RecordedAt time.Time
	// Scenarios are the scenarios that use the file, in their order. Where there
	// are several, each interaction carries the name of its own.
	Scenarios []string
	// Adds leaves everything in the file that is there; else what is recorded
	// anew replaces what was recorded of the same scenario and step.
	Adds bool

	disk disk.Disk
}

// A Recorder writes what calls met into a cassette. Until Commit the file
// stays as it is, and what was sealed is kept in a journal beside it, so that a
// crash loses nothing of what was synced. It is safe for concurrent use.
type Recorder struct {
	path    string
	options RecordOptions
	disk    disk.Disk
	old     *Cassette // nil where there was no file
	unlock  func() error

	// syncing is the journal's: whoever waits for a call does not wait for a disk.
	syncing behind.Queue

	mu        sync.Mutex
	journal   *journal
	begun     int
	sealed    []sealed
	redactors []*redact.Redactor
	dropped   map[string]bool
	keep      []string // fields that takes keep beside the usual ones
	closed    bool
	// checks says that nothing is written: see [NewChecker].
	checks bool
}

// sealed is one interaction that is to be written.
type sealed struct {
	seq, order int
	it         *Interaction
}

// ErrJournal is wrapped by the error of a recorder that finds the journal of a
// recording which did not come to its end.
var ErrJournal = errors.New("an interrupted recording was not yet dealt with")

// NewRecorder locks the cassette at path, which need not exist, and reads it.
// The error wraps [ErrLocked] where another recorder has the file, [ErrJournal]
// where an interrupted recording waits for [Recover], and is that of [Load] for
// a file that is damaged: it stays as it is.
func NewRecorder(path string, o RecordOptions) (*Recorder, error) {
	if o.disk == nil {
		o.disk, path = disk.OS{}, disk.Target(path)
	}
	if err := o.disk.Mkdir(filepath.Dir(path)); err != nil {
		return nil, fmt.Errorf("cassette %s: %w", path, err)
	}
	unlock, err := takeLock(o.disk, path)
	if err != nil {
		return nil, err
	}
	r := &Recorder{path: path, options: o, disk: o.disk, unlock: unlock}
	if err := r.begin(); err != nil {
		return nil, errors.Join(err, unlock())
	}
	return r, nil
}

func (r *Recorder) begin() error {
	left, err := r.disk.ReadFile(journalPath(r.path))
	if err == nil && hasItems(left) {
		return fmt.Errorf("cassette %s: %w: its journal is %s", r.path, ErrJournal, journalPath(r.path))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("cassette %s: its journal cannot be read: %w", r.path, err)
	}
	r.old, err = loadOld(r.disk, r.path)
	return err
}

// loadOld reads the file that a recording goes into, nil where there is none.
func loadOld(d disk.Disk, path string) (*Cassette, error) {
	data, err := d.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cassette %s: %w", path, err)
	}
	return parseWith(path, data, bodiesOf(d, path))
}

// Old is the cassette as it was, nil where there was none.
func (r *Recorder) Old() *Cassette { return r.old }

// TakeOptions are what one take needs to know.
type TakeOptions struct {
	// Scenario is the name of the scenario that calls.
	Scenario string
	// Now is the clock of the run. It is read from other goroutines.
	Now func() time.Time
	// Redactor hides the secrets of the run; see [redact.Redactor] for a nil one.
	Redactor *redact.Redactor
	// Keep names header fields that are stored beside the usual ones.
	Keep []string
}

// Begin starts the recording of one dial. Takes stand in the file in the order
// in which they were begun.
func (r *Recorder) Begin(call wire.Call, o TakeOptions) *Take {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.begun++
	t := &Take{recorder: r, call: call, options: o, seq: r.begun, order: slices.Index(r.options.Scenarios, o.Scenario)}
	if len(r.options.Scenarios) < 2 {
		t.options.Scenario = ""
	}
	if !slices.Contains(r.redactors, o.Redactor) {
		r.redactors = append(r.redactors, o.Redactor)
	}
	for _, name := range o.Keep {
		if !slices.Contains(r.keep, name) {
			r.keep = append(r.keep, name)
		}
	}
	return t
}

// add stores a finished interaction.
func (r *Recorder) add(t *Take, it *Interaction) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return fmt.Errorf("cassette %s: the recording has ended", r.path)
	}
	if err := r.scan(it); err != nil {
		return err
	}
	if r.checks {
		r.sealed = append(r.sealed, sealed{t.seq, t.order, it})
		return nil
	}
	if r.options.Adds && r.old != nil {
		if err := r.takes(len(r.old.Interactions)); err != nil {
			return err
		}
	}
	if err := r.store(it); err != nil {
		return err
	}
	r.sealed = append(r.sealed, sealed{t.seq, t.order, it})
	r.drop(t, it)
	return nil
}

// store appends an interaction to the journal, and has it brought to the medium
// while others go on.
func (r *Recorder) store(it *Interaction) error {
	item, err := encodeItem(it, bodiesOf(r.disk, r.path))
	if err != nil {
		return fmt.Errorf("cassette %s: an interaction of step %q cannot be written: %w", r.path, it.Step, err)
	}
	if r.journal == nil {
		if r.journal, err = startJournal(r.disk, r.path, r.header(), r.options.Adds); err != nil {
			return err
		}
	}
	if err := r.journal.add(item); err != nil {
		return err
	}
	return r.syncing.Do(r.journal.sync)
}

// Sync returns when what was sealed is on the medium, so that not even a crash of
// the machine loses it.
func (r *Recorder) Sync() error { return r.syncing.Wait() }

// drop remembers the names of fields that an answer had and the recording has
// not, but for those of the connection.
func (r *Recorder) drop(t *Take, it *Interaction) {
	if t.resp == nil {
		return
	}
	for name := range t.resp.Header {
		if !httptext.HasField(it.Response.Header, name) && !slices.Contains(httptext.HopByHop, name) && name != "Date" {
			if r.dropped == nil {
				r.dropped = map[string]bool{}
			}
			r.dropped[name] = true
		}
	}
}

// Dropped are the names of header fields that answers had and that were not
// kept, sorted.
func (r *Recorder) Dropped() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Sorted(maps.Keys(r.dropped))
}

func (r *Recorder) header() *Cassette {
	return &Cassette{Provider: r.options.Provider, RecordedAt: r.options.RecordedAt}
}

// Sealed reports how many interactions wait for Commit.
func (r *Recorder) Sealed() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.sealed)
}

// Unanswered are the names of the transport errors that wait for Commit in the
// place of answers, each once and sorted. A call that was given up is none.
func (r *Recorder) Unanswered() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	names := map[string]bool{}
	for _, s := range r.sealed {
		if s.it.Error != "" && s.it.Error != errorCancelled {
			names[s.it.Error] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// Fresh is what waits for Commit, in the order in which it will stand in the file. The
// interactions belong to the recorder.
func (r *Recorder) Fresh() []*Interaction {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.fresh()
}

// Renewed says of the interactions of the file whether anything of their scenario
// and step was recorded anew.
func (r *Recorder) Renewed() func(*Interaction) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return replaces(r.fresh(), false)
}

// LosesAnswers reports whether Commit would put nothing but transport errors in
// the place of answers, as after a recording with the network down. replaced is
// that of Commit, and not nil.
func (r *Recorder) LosesAnswers(replaced func(*Interaction) bool) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	answered := func(s sealed) bool { return s.it.Error == "" }
	if r.old == nil || len(r.sealed) == 0 || slices.ContainsFunc(r.sealed, answered) {
		return false
	}
	return slices.ContainsFunc(r.old.Interactions, func(it *Interaction) bool { return it.Error == "" && replaced(it) })
}

// Commit puts what was recorded into the file and returns what is there now.
// replaced says of the scenarios and steps that were recorded before which ones
// go; nil is what the options say. A file stays as it is where nothing was
// sealed and nothing goes.
func (r *Recorder) Commit(replaced func(*Interaction) bool) (*Cassette, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, fmt.Errorf("cassette %s: the recording has ended", r.path)
	}
	if r.checks {
		return nil, fmt.Errorf("cassette %s: %w", r.path, errChecks)
	}
	if err := r.syncing.Wait(); err != nil {
		return nil, err
	}
	fresh := r.fresh()
	if replaced == nil {
		replaced = replaces(fresh, r.options.Adds)
	}
	if r.old != nil && len(fresh) == 0 && !slices.ContainsFunc(r.old.Interactions, replaced) {
		return r.old, nil
	}
	c, err := r.merged(fresh, replaced)
	if err != nil {
		return nil, err
	}
	for _, it := range c.Interactions {
		if err := r.scan(it); err != nil {
			return nil, err
		}
	}
	if err := r.write(c); err != nil {
		return nil, err
	}
	if r.journal != nil {
		err = r.journal.remove()
		r.journal = nil
	}
	if err == nil && r.old != nil {
		bodiesOf(r.disk, r.path).dropUnused(r.old.Interactions, c.Interactions)
	}
	r.old, r.sealed = c, nil
	return c, err
}

// Discard drops what was recorded. The file stays as it is.
func (r *Recorder) Discard() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sealed = nil
	_ = r.syncing.Wait() // what could not be written is dropped, too
	if r.journal == nil {
		return nil
	}
	err := r.journal.remove()
	r.journal = nil
	return err
}

// fresh is what was sealed, scenario by scenario, in the order of the calls.
func (r *Recorder) fresh() []*Interaction {
	slices.SortFunc(r.sealed, func(a, b sealed) int {
		return cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(a.seq, b.seq))
	})
	list := make([]*Interaction, len(r.sealed))
	for i, s := range r.sealed {
		list[i] = s.it
	}
	return list
}

// CanReplace refuses a recording that is to replace a part of a file whose
// interactions name no steps, as those of another tool: nothing says which are
// that part. It can be asked before anything is dialled.
func (r *Recorder) CanReplace(replaced func(*Interaction) bool) error {
	stay := 0
	if r.old != nil {
		for _, it := range r.old.Interactions {
			if it.Step == "" && !replaced(it) {
				stay++
			}
		}
	}
	if err := r.takes(stay); err != nil || stay == 0 {
		return err
	}
	return fmt.Errorf("cassette %s: %d of its interactions name no step, so a part of them cannot be recorded again\nhint: record the whole file", r.path, stay)
}

// takes refuses a file of another format of which something stays.
func (r *Recorder) takes(stay int) error {
	if r.old == nil || r.old.Own || stay == 0 {
		return nil
	}
	return fmt.Errorf("cassette %s: %d of its interactions stay, and it is of the format %s, into which nothing can be recorded\nhint: record the whole file, or move it away first", r.path, stay, r.old.Format)
}

func (r *Recorder) merged(fresh []*Interaction, replaced func(*Interaction) bool) (*Cassette, error) {
	c := r.header()
	c.Path, c.Format, c.Own, c.Whole = r.path, "scenario 1", true, true
	var old []*Interaction
	if r.old != nil {
		old = retagged(r.old.Interactions, r.options.Scenarios, fresh)
	}
	c.Interactions = mergedWith(old, fresh, replaced)
	if err := r.takes(len(c.Interactions) - len(fresh)); err != nil {
		return nil, err
	}
	for i, it := range c.Interactions {
		it.Index = i + 1
	}
	return c, nil
}

func (r *Recorder) write(c *Cassette) error {
	var b bytes.Buffer
	if err := writeWith(&b, c, bodiesOf(r.disk, r.path)); err != nil {
		return fmt.Errorf("cassette %s: %w", r.path, err)
	}
	return replaceFile(r.disk, r.path, b.Bytes())
}

// Close gives the file back. Where nothing was committed, the journal stays for
// [Recover].
func (r *Recorder) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil
	}
	r.closed = true
	if r.checks {
		return nil
	}
	err := r.syncing.Wait()
	if r.journal != nil {
		err = errors.Join(err, r.journal.f.Close())
	}
	return errors.Join(err, r.unlock())
}
