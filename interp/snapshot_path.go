package interp

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// fileSuffix is how the name of every scenario file ends.
const fileSuffix = ".scenario.hcl"

// SnapshotDir is the directory of the records of a scenario file, from the
// file's own directory, with slashes.
func SnapshotDir(file string) string {
	return path.Join("snapshots", fileName(strings.TrimSuffix(filepath.Base(file), fileSuffix)))
}

func snapshotPath(file, scenario, name string) string {
	return path.Join(SnapshotDir(file), fileName(scenario), fileName(name)+".golden")
}

// longestName bounds an escaped name, in bytes; file systems take 255.
const longestName = 160

// fileName turns any name into one that every file system takes and tells from
// every other, also one that ignores case. Small letters, digits, spaces and
// some marks stay; a capital is its small letter after a ^, and all else is
// written byte by byte as % and two hex digits. What gets too long ends in a ~
// and a part of its hash.
func fileName(name string) string {
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
