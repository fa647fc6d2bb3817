package resultcache

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/scenario-lang/scenario/internal/disk"
)

// An Entry is one scenario file and what became of it.
type Entry struct {
	// Scenarios are all of the file, in order.
	Scenarios []Scenario `json:"scenarios"`
	// Imported are the imports of the file that have scenarios of their own.
	Imported []string `json:"imported,omitempty"`
	// Untried are its scenarios of whose tolerates nothing is put to the test.
	Untried []string `json:"untried,omitempty"`
	// Variables, Benches and Environment are the names that the file declares and
	// asks for, Placeholders those of the last for which it got a placeholder.
	Variables    []string `json:"variables,omitempty"`
	Benches      []string `json:"benches,omitempty"`
	Environment  []string `json:"environment,omitempty"`
	Placeholders []string `json:"placeholders,omitempty"`
	// Asked are the variables of the environment that the file was compiled with, and
	// Values is the sum of what they were.
	Asked  []string `json:"asked,omitempty"`
	Values string   `json:"values"`
	// Reads are the files and directories that were read beside the file itself.
	Reads []Read `json:"reads,omitempty"`
}

// A Scenario is what a report needs of one.
type Scenario struct {
	// Row is the line that package report writes for a merge.
	Row json.RawMessage `json:"row"`
	// Wall is how long the run took.
	Wall time.Duration `json:"wall_ns"`
	// Snapshots are where its records lie.
	Snapshots []string `json:"snapshots,omitempty"`
}

// A Read is a path with the sum of what was there.
type Read struct {
	Path string `json:"path"`
	Sum  string `json:"sum"`
}

// readMax bounds what is read of one file to sum it: as much as any file may have
// that a scenario reads.
const readMax = 64 << 20

// missing is the sum of a path where nothing is.
const missing = "missing"

var errTooNew = errors.New("changed while it was read")

// ReadAt sums what is at a path. It refuses what has changed since a time: what was
// compiled may have been something else.
func ReadAt(path string, since time.Time) (Read, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Read{path, missing}, nil
	case err != nil:
		return Read{}, err
	case !since.IsZero() && !info.ModTime().Before(since):
		return Read{}, errTooNew
	}
	sum := sha256.New()
	if info.IsDir() {
		entries, err := os.ReadDir(path)
		if err != nil {
			return Read{}, err
		}
		for _, e := range entries {
			io.WriteString(sum, e.Name()+"\x00"+e.Type().String()+"\x00")
			if to, err := os.Readlink(filepath.Join(path, e.Name())); err == nil {
				io.WriteString(sum, to+"\x00") // it may come to lead elsewhere
			}
		}
		return Read{path, "directory " + hex.EncodeToString(sum.Sum(nil))}, nil
	}
	data, err := disk.Read(path, readMax)
	switch {
	case err != nil:
		return Read{}, err
	case len(data) > readMax:
		return Read{}, errors.New("too large")
	}
	sum.Write(data)
	return Read{path, hex.EncodeToString(sum.Sum(nil))}, nil
}

// unchanged reports whether what was read is still there.
func (e *Entry) unchanged() bool {
	for _, r := range e.Reads {
		if now, err := ReadAt(r.Path, time.Time{}); err != nil || now != r {
			return false
		}
	}
	return true
}

// ValuesOf is the sum of what the environment has for some names.
func ValuesOf(names []string, env func(string) (string, bool)) string {
	sum := sha256.New()
	for _, name := range names {
		value, set := env(name)
		fold(sum, name, value)
		if set {
			io.WriteString(sum, "set")
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// encode writes an entry with its sum before it.
func (e *Entry) encode() ([]byte, error) {
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false) // a row is kept byte for byte
	if err := enc.Encode(e); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(body.Bytes())
	return append([]byte(hex.EncodeToString(sum[:])+"\n"), body.Bytes()...), nil
}

// decode reads an entry; ok is false for a damaged one.
func decode(data []byte) (e *Entry, ok bool) {
	head, body, found := bytes.Cut(data, []byte("\n"))
	sum := sha256.Sum256(body)
	if !found || string(head) != hex.EncodeToString(sum[:]) {
		return nil, false
	}
	e = &Entry{}
	return e, json.Unmarshal(body, e) == nil
}
