package cassette

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/scenario-lang/scenario/cassette/internal/disk"
)

// Bodies that nobody would read in the file stand beside it: those that are
// large, and those that are no text, but for small ones.
const (
	sidecarMin       = 256 << 10
	sidecarMinBinary = 1 << 10
)

func needsSidecar(body string) bool {
	return len(body) > sidecarMin || len(body) > sidecarMinBinary && !utf8.ValidString(body)
}

// bodiesPath names the folder of a cassette's bodies.
func bodiesPath(path string) string { return path + ".bodies" }

// A bodyFolder holds bodies by the hex sum of their bytes. A nil one has none
// and takes none.
type bodyFolder struct {
	d   disk.Disk
	dir string
}

func bodiesOf(d disk.Disk, path string) *bodyFolder { return &bodyFolder{d, bodiesPath(path)} }

func bodySum(body string) string {
	sum := sha256.Sum256([]byte(body))
	return hex.EncodeToString(sum[:])
}

// put stores a body and returns when it is on the medium.
func (f *bodyFolder) put(sum, body string) error {
	name := filepath.Join(f.dir, sum)
	if have, err := f.d.ReadFile(name); err == nil && string(have) == body {
		return nil
	}
	if err := f.d.Mkdir(f.dir); err != nil {
		return err
	}
	if err := f.d.SyncDir(filepath.Dir(f.dir)); err != nil {
		return err
	}
	return replaceFile(f.d, name, []byte(body))
}

var errNoFolder = errors.New("a body of it stands beside the file, which was given without its folder")

// get reads a body and proves that it is the one.
func (f *bodyFolder) get(sum string) (string, error) {
	if f == nil {
		return "", errNoFolder
	}
	if len(sum) != 2*sha256.Size || strings.Trim(sum, "0123456789abcdef") != "" {
		return "", errors.New("beside has " + strconv.Quote(sum) + ", which is no sum")
	}
	name := filepath.Join(f.dir, sum)
	data, err := f.d.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", errors.New("its body " + filepath.ToSlash(name) + " is missing")
	case err != nil:
		return "", err
	case bodySum(string(data)) != sum:
		return "", errors.New("its body " + filepath.ToSlash(name) + " is not as it was written")
	}
	return string(data), nil
}

// dropUnused removes the bodies that only an older state of the file needed.
// What cannot be removed is left over for [Orphans].
func (f *bodyFolder) dropUnused(old, now []*Interaction) {
	used := map[string]bool{}
	for _, sum := range sidecarSums(now) {
		used[sum] = true
	}
	dropped := false
	for _, sum := range sidecarSums(old) {
		if !used[sum] {
			dropped = f.d.Remove(filepath.Join(f.dir, sum)) == nil
		}
	}
	if dropped && len(used) == 0 {
		_ = f.d.Remove(f.dir) // it stays where something else is in it
	}
}

func sidecarSums(items []*Interaction) []string {
	var sums []string
	for _, it := range items {
		for _, body := range []string{string(it.RequestBody), string(it.Response.Body())} {
			if needsSidecar(body) {
				sums = append(sums, bodySum(body))
			}
		}
	}
	return sums
}

// Orphans returns the files in the folder of a cassette's bodies to which
// neither the cassette nor its journal refers, sorted: what an interrupted
// recording left behind. Hold the file's lock while removing them. The error
// is that of a cassette that cannot be read; it need not be whole.
func Orphans(path string) ([]string, error) {
	path = disk.Target(path)
	entries, err := os.ReadDir(bodiesPath(path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var texts [][]byte
	for _, name := range []string{path, journalPath(path)} {
		text, err := disk.Read(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		texts = append(texts, text)
	}
	var orphans []string
	for _, e := range entries {
		if name := []byte(e.Name()); !bytes.Contains(texts[0], name) && !bytes.Contains(texts[1], name) {
			orphans = append(orphans, filepath.Join(bodiesPath(path), e.Name()))
		}
	}
	return orphans, nil
}
