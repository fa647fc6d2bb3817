package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// SnapshotCheck is a value that must be what it was when it was recorded.
type SnapshotCheck struct {
	Name  string
	Value hclsyntax.Expression
	// Source is the text of the file that it stands in.
	Source []byte
	// Path is where the record lies, from the directory of the scenario's file,
	// and Golden is what it holds, nil where there is none.
	Path   string
	Golden []byte
	Rng    hcl.Range
	// Unseen says where it is not observed.
	Unseen Unseen
}

// A Snapshot is a value of a finished run that is compared with a record. It
// holds no secrets.
type Snapshot struct {
	Name string
	// Path is where the record stands, from the directory of the scenario's
	// file, with slashes.
	Path string
	// Value is the value as canonical JSON, indented for the readers of
	// differences; nil where it could not be evaluated.
	Value []byte
	// Recorded says that a record is there, and Same that it is this value.
	Recorded, Same bool
}

// fileSuffix is how the name of every scenario file ends.
const fileSuffix = ".scenario.hcl"

// SnapshotDir is the directory of the records of a scenario file, from the
// file's own directory, with slashes.
func SnapshotDir(file string) string {
	return path.Join("snapshots", FileName(strings.TrimSuffix(filepath.Base(file), fileSuffix)))
}

// SnapshotPath is where the record of a snapshot lies, from the directory of
// the scenario file, with slashes.
func SnapshotPath(file, scenario, name string) string {
	return path.Join(SnapshotDir(file), FileName(scenario), FileName(name)+".golden")
}

// longestName bounds an escaped name, in bytes; file systems take 255.
const longestName = 160

// FileName turns any name into one that every file system takes and tells from
// every other, also one that ignores case. Small letters, digits, spaces and
// some marks stay; a capital is its small letter after a ^, and all else is
// written byte by byte as % and two hex digits. What gets too long ends in a ~
// and a part of its hash.
func FileName(name string) string {
	var b strings.Builder
	for i := range len(name) {
		c := name[i]
		switch edge := i == 0 || i == len(name)-1; {
		case c >= 'A' && c <= 'Z':
			b.WriteByte('^')
			b.WriteByte(c - 'A' + 'a')
		case c >= 'a' && c <= 'z' && !(i == 0 && reserved(name)), c >= '0' && c <= '9', strings.IndexByte("-_,+=@()[]", c) >= 0, (c == '.' || c == ' ') && !edge:
			b.WriteByte(c)
		default:
			b.WriteByte('%')
			b.WriteByte("0123456789abcdef"[c>>4])
			b.WriteByte("0123456789abcdef"[c&15])
		}
	}
	if b.Len() <= longestName {
		return b.String()
	}
	sum := sha256.Sum256([]byte(name))
	return b.String()[:longestName-17] + "~" + hex.EncodeToString(sum[:8])
}

// reserved reports whether Windows takes a name for a device, with whatever
// ending.
func reserved(name string) bool {
	stem, _, _ := strings.Cut(name, ".")
	switch stem = strings.TrimRight(stem, " "); stem {
	case "con", "prn", "aux", "nul", "conin$", "conout$":
		return true
	}
	if port, ok := strings.CutPrefix(stem, "com"); ok || strings.HasPrefix(stem, "lpt") {
		port = strings.TrimPrefix(port, "lpt")
		_, err := strconv.ParseUint(port, 10, 4)
		return err == nil && len(port) == 1
	}
	return false
}
