package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
)

// release is the version of a release, set when one is linked.
var release string

// Version is that of a release, else the module's version as `go install` recorded
// it: that of a clone names its commit.
func Version() string {
	if release != "" {
		return release
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// Build tells two builds apart: it is the version, and for one that many builds have, also
// the beginning of the hash of the program's file. A build from a clean clone is known by its
// commit, which is in its version; one of changed files, or without a repository, has nothing
// else that another machine could compare.
func Build() string { return buildOf(Version(), binary) }

func buildOf(version string, binary func() string) string {
	if version != "(devel)" && !strings.HasSuffix(version, "+dirty") {
		return version
	}
	if sum := binary(); sum != "" {
		return version + ", binary sha256:" + sum
	}
	return version
}

// sumShown is how many digits of a hash are shown.
const sumShown = 12

// binary is the beginning of the hash of the program that runs, "" where it cannot be read.
var binary = sync.OnceValue(func() string {
	path := "/proc/self/exe" // the file that was started, also where another one has its place by now
	if runtime.GOOS != "linux" {
		var err error
		if path, err = os.Executable(); err != nil {
			return ""
		}
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return ""
	}
	return hex.EncodeToString(sum.Sum(nil))[:sumShown]
})
