package lastfailed

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/internal/disk"
)

// The bounds of what calls have written down of a file: bytes of one call, and calls, from
// which on the next one that writes takes over what the others wrote.
const (
	notesMax = 64 << 20
	callsMax = 8
)

// ofCall begins the name of the file that a call writes notes to.
const ofCall = "notes-"

// Notes are what calls have written down of a file, in a directory in which each has a file of
// its own, a line for each scenario that failed, or passed after it had failed: the round of
// the call, which is higher than those of all that it has read, a word, and the hashed name.
// Of two notes of one scenario that of the higher round counts; in one round, in which calls
// did not know of each other, that it failed.
//
// A call adds lines to no file but its own, so that calls at one time lose nothing of each
// other. Whoever removes a file of another call gives it another name first and reads it
// again, and whoever has added a line looks whether its file has its name still.
type notes struct {
	dir string
	// known are the newest notes by hashed name, and round is that of this call.
	known map[string]note
	round int
	// calls are the files that were there, and own is that of this call, "" before it has one.
	calls []string
	own   string
}

// A note says in which round a scenario failed or passed.
type note struct {
	round  int
	failed bool
}

// newer reports whether a note of another call counts, and not this one.
func (n note) newer(of note) bool {
	return of.round > n.round || of.round == n.round && of.failed
}

// failures are the hashed names of what failed.
func (n *notes) failures() map[string]bool {
	failed := map[string]bool{}
	for name, of := range n.known {
		if of.failed {
			failed[name] = true
		}
	}
	return failed
}

// loadTries is how often notes are read anew where another call has removed some of them
// meanwhile, and so has written them elsewhere.
const loadTries = 5

// load reads all notes that there are.
func (n *notes) load() {
	for range loadTries {
		n.known, n.round, n.calls = map[string]note{}, 1, nil
		entries, _ := os.ReadDir(n.dir) // where there is none, nothing failed
		for _, e := range entries {
			switch name := e.Name(); {
			case strings.HasPrefix(name, ofCall):
				n.calls = append(n.calls, name)
			case len(name) == hashLength: // an empty file for each failure, as there was in the format before
				n.calls = append(n.calls, name)
				n.known[name], n.round = note{1, true}, 2
			}
		}
		if _, whole := n.read(n.calls); whole {
			return
		}
	}
}

// read takes over what is new in files of calls, and returns it and whether none of them is
// gone.
func (n *notes) read(calls []string) (fresh map[string]note, whole bool) {
	fresh, whole = map[string]note{}, true
	for _, call := range calls {
		text, err := disk.Read(filepath.Join(n.dir, call), notesMax)
		whole = whole && !errors.Is(err, fs.ErrNotExist)
		for name, of := range parse(text) {
			if old, found := n.known[name]; !found || old.newer(of) {
				n.known[name], fresh[name] = of, of
			}
			n.round = max(n.round, of.round+1)
		}
	}
	return fresh, whole
}

// What a line says of a scenario.
const failedWord, passedWord = "failed", "passed"

// roundsMax is a number of rounds that nobody reaches.
const roundsMax = 1 << 40

// parse reads the notes of a call, the last of each scenario. What is no note, such as a line
// that was cut off, is passed over.
func parse(text []byte) map[string]note {
	known := map[string]note{}
	for line := range bytes.Lines(text) {
		fields := strings.Split(string(line), " ")
		if len(fields) != 3 || !strings.HasSuffix(fields[2], "\n") || len(fields[2]) != hashLength+1 {
			continue
		}
		round, err := strconv.Atoi(fields[0])
		if err == nil && 0 < round && round < roundsMax && (fields[1] == failedWord || fields[1] == passedWord) {
			known[fields[2][:hashLength]] = note{round, fields[1] == failedWord}
		}
	}
	return known
}

func (n note) line(name string) string {
	word := passedWord
	if n.failed {
		word = failedWord
	}
	return fmt.Sprintf("%d %s %s\n", n.round, word, name)
}

// write notes that a scenario failed or passed, and reports whether that is there now.
func (n *notes) write(name string, failed bool) bool {
	if n.known == nil {
		n.load()
	}
	of := note{n.round, failed}
	n.known[name] = of
	return n.own != "" && n.add(of.line(name)) || n.begin()
}

// add adds lines to the file of this call, and reports whether they are there.
func (n *notes) add(lines string) bool {
	own := filepath.Join(n.dir, n.own)
	w, err := os.OpenFile(own, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return false
	}
	_, err = w.WriteString(lines)
	return errors.Join(err, w.Close()) == nil && disk.Exists(own)
}

// begin writes what this call has noted to a file of its own, which it has not yet, or which
// another call has removed. Where there are many, what they say is written to it as well, and
// they are removed.
func (n *notes) begin() bool {
	w, err := os.CreateTemp(n.dir, ofCall)
	if err != nil {
		return false
	}
	n.own = filepath.Base(w.Name())
	crowded := len(n.calls) >= callsMax
	var lines strings.Builder
	for name, of := range n.known {
		if crowded || of.round == n.round {
			lines.WriteString(of.line(name))
		}
	}
	_, err = w.WriteString(lines.String())
	if errors.Join(err, w.Close()) != nil || !disk.Exists(w.Name()) {
		return false
	}
	if crowded {
		calls := n.calls
		n.calls = nil
		n.replace(calls)
	}
	return true
}

// replace removes files of calls whose notes are known. What they have got since is written
// down before they are gone; where that fails they stay, under a name that is read as well.
func (n *notes) replace(calls []string) {
	var old []string
	for _, call := range calls {
		name := call
		if !strings.HasSuffix(call, replaced) {
			name += replaced
			if os.Rename(filepath.Join(n.dir, call), filepath.Join(n.dir, name)) != nil {
				continue // it is gone, or open where the system keeps that from being renamed
			}
		}
		old = append(old, name)
	}
	fresh, _ := n.read(old)
	var lines strings.Builder
	for name, of := range fresh {
		lines.WriteString(of.line(name))
	}
	if lines.Len() > 0 && !n.add(lines.String()) {
		return
	}
	for _, name := range old {
		_ = os.Remove(filepath.Join(n.dir, name))
	}
}

// replaced ends the name of a file of notes that is about to be removed.
const replaced = ".old"

// remove removes all notes, and reports whether none says of anything that it failed.
func (n *notes) remove() bool {
	if n.load(); len(n.failures()) > 0 {
		return false
	}
	others := make([]string, 0, len(n.calls))
	for _, call := range n.calls {
		if call != n.own {
			others = append(others, call)
		}
	}
	n.replace(others)
	if len(n.failures()) > 0 {
		return false
	}
	if n.own != "" {
		_ = os.Remove(filepath.Join(n.dir, n.own))
	}
	n.own, n.calls = "", nil
	return true
}
