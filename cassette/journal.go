package cassette

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/scenario-lang/scenario/cassette/internal/disk"
	"github.com/scenario-lang/scenario/cassette/internal/flaw"
	"gopkg.in/yaml.v3"
)

// journalPath names the journal of a cassette.
func journalPath(path string) string { return path + journalSuffix }

// A journal takes interactions while a recording goes on. Up to any of its
// items it is a file of go-vcr's format, as items stand at the first column.
type journal struct {
	d    disk.Disk
	path string
	f    disk.File
	// err is why nothing can be added any more: what follows half an item could
	// not be told from it.
	err error
	// named says that the journal's name lasts over a crash of the machine.
	named bool
}

// journalHead is the value of the key x-scenario in a journal.
type journalHead struct {
	ownHeader `yaml:",inline"`
	// Adds is as in RecordOptions.
	Adds bool `yaml:"adds,omitempty"`
}

// startJournal begins the journal of a cassette. A leftover without an item is
// overwritten.
func startJournal(d disk.Disk, path string, c *Cassette, adds bool) (*journal, error) {
	head, err := yaml.Marshal(struct {
		Version int         `yaml:"version"`
		Own     journalHead `yaml:"x-scenario,flow"`
	}{1, journalHead{ownHeader{Format: formatOwn, Provider: c.Provider, RecordedAt: c.RecordedAt}, adds}})
	if err != nil {
		return nil, fmt.Errorf("cassette %s: %w", path, err)
	}
	name := journalPath(path)
	f, err := d.Create(name)
	if err != nil {
		return nil, fmt.Errorf("cassette %s: the journal: %w", path, err)
	}
	j := &journal{d: d, path: name, f: f}
	if err := j.add(append(append([]byte("---\n"), head...), "interactions:\n"...)); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return j, nil
}

// add appends one item, which is there from then on whatever becomes of the
// process. Over a crash of the machine it lasts after sync.
func (j *journal) add(item []byte) error {
	if j.err != nil {
		return j.err
	}
	if _, err := j.f.Write(item); err != nil {
		j.err = j.unwritten(err)
	}
	return j.err
}

func (j *journal) unwritten(err error) error {
	return fmt.Errorf("the journal %s cannot be written: %w", j.path, err)
}

// sync returns when what was added is on the medium. It may be called while more
// is added.
func (j *journal) sync() error {
	err := j.f.Sync()
	if err == nil && !j.named {
		err, j.named = j.d.SyncDir(filepath.Dir(j.path)), true
	}
	if err != nil {
		return j.unwritten(err)
	}
	return nil
}

// remove takes the journal away, once its items are in the cassette.
func (j *journal) remove() error {
	if err := errors.Join(j.f.Close(), j.d.Remove(j.path)); err != nil {
		return fmt.Errorf("the journal %s cannot be removed: %w", j.path, err)
	}
	return j.d.SyncDir(filepath.Dir(j.path))
}

// itemStart begins an item of a journal and nothing else: what is inside one
// is indented.
var itemStart = []byte("\n- ")

func hasItems(data []byte) bool { return bytes.Contains(data, itemStart) }

// readJournal returns the interactions of a journal. cut says that the last one
// was not whole and is left out.
func readJournal(path string, data []byte, bodies *bodyFolder) (h journalHead, list []*Interaction, cut bool, err error) {
	// A first byte of the next item is no part of the one before it.
	data, cut = bytes.CutSuffix(data, []byte("\n-"))
	first := bytes.Index(data, itemStart)
	if first < 0 {
		return h, nil, cut || len(data) > 0, nil
	}
	var top struct {
		Own *journalHead `yaml:"x-scenario"`
	}
	if err := yaml.Unmarshal(data[:first+1], &top); err != nil || top.Own == nil {
		return h, nil, false, &LoadError{Path: path, Problem: "it is no journal of a recording", Hint: flaw.Restore, Err: err}
	}
	h = *top.Own
	line := bytes.Count(data[:first+1], []byte("\n")) + 1
	for rest := data[first+1:]; len(rest) > 0; {
		item := rest
		if n := bytes.Index(rest, itemStart); n >= 0 {
			item = rest[:n+1]
		}
		rest = rest[len(item):]
		it, err := journalItem(item, len(list)+1, bodies)
		if err != nil && len(rest) == 0 && !cut {
			return h, list, true, nil
		}
		if err != nil {
			return h, nil, false, &LoadError{Path: path, Line: line, Problem: "the journal is damaged before its end", Hint: flaw.Restore, Err: err}
		}
		it.Line = line
		list = append(list, it)
		line += bytes.Count(item, []byte("\n"))
	}
	return h, list, cut, nil
}

// journalItem reads one item, whose sum says whether it is whole.
func journalItem(item []byte, index int, bodies *bodyFolder) (it *Interaction, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	var doc yaml.Node
	if err := yaml.Unmarshal(item, &doc); err != nil {
		return nil, err
	}
	if len(doc.Content) != 1 || len(doc.Content[0].Content) != 1 {
		return nil, errors.New("it is no list of one item")
	}
	return ownInteraction(doc.Content[0].Content[0], index, bodies)
}

// A Recovery is what became of the journal of an interrupted recording.
type Recovery struct {
	// Kept is how many interactions of the journal are in the cassette now.
	Kept int
	// Cut says that the last one had not been written to its end, and was left
	// out; nobody had been told that it was kept.
	Cut bool
}

// Recover puts the interactions of an interrupted recording into the cassette
// at path, in the place of what was there of the same steps, and removes the
// journal. Without a journal it does nothing.
func Recover(path string, scenarios []string) (Recovery, error) {
	return recoverOn(disk.OS{}, disk.Target(path), scenarios)
}

func recoverOn(d disk.Disk, path string, scenarios []string) (rec Recovery, err error) {
	unlock, err := takeLock(d, path)
	if err != nil {
		return rec, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	data, err := d.ReadFile(journalPath(path))
	if errors.Is(err, fs.ErrNotExist) {
		return rec, nil
	}
	if err != nil {
		return rec, err
	}
	head, fresh, cut, err := readJournal(journalPath(path), data, bodiesOf(d, path))
	if err != nil {
		return rec, err
	}
	old, err := loadOld(d, path)
	if err != nil {
		return rec, err
	}
	if len(fresh) > 0 {
		r := &Recorder{path: path, disk: d, old: old, options: RecordOptions{
			Provider: head.Provider, RecordedAt: head.RecordedAt, Scenarios: scenarios, Adds: head.Adds,
		}}
		if head.Adds {
			fresh = unknown(old, fresh)
		}
		c, err := r.merged(fresh, replaces(fresh, head.Adds))
		if err != nil {
			return rec, err
		}
		if err := r.write(c); err != nil {
			return rec, err
		}
	}
	if err := d.Remove(journalPath(path)); err != nil {
		return rec, err
	}
	return Recovery{len(fresh), cut}, d.SyncDir(filepath.Dir(path))
}

// unknown drops what a recording had already put into the file before it was
// interrupted.
func unknown(old *Cassette, fresh []*Interaction) []*Interaction {
	if old == nil {
		return fresh
	}
	have := map[string]bool{}
	for _, it := range old.Interactions {
		have[sumOf(it)] = true
	}
	var list []*Interaction
	for _, it := range fresh {
		if !have[sumOf(it)] {
			list = append(list, it)
		}
	}
	return list
}

func sumOf(it *Interaction) string {
	item, _ := ownItem(it, nil)
	return item.Own.SHA256
}
