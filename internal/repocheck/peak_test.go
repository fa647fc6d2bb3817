package repocheck

import (
	"regexp"
	"strings"
	"testing"
)

// measured is how the system names the largest resident size of a process, and peakDir
// where that may be read.
var measured = regexp.MustCompile(`[.]Maxrss\b`)

const peakDir = "internal/peak"

// checkPeak finds what measures the memory of a program by itself: the system counts to it
// what the process that started it had.
func checkPeak(f *file) []string {
	if !strings.HasSuffix(f.Path, ".go") || f.Dir() == peakDir || !measured.MatchString(f.Text) {
		return nil
	}
	return []string{f.Path + ": a program's memory is measured by " + peakDir + ", as its starter's counts elsewhere"}
}

// Shows that the memory of programs is measured in one place, also by the modules within this one.
func TestPeaksAreMeasuredInOnePlace(t *testing.T) {
	for _, f := range allFiles(t) {
		report(t, checkPeak(f))
	}
}

// Shows that what measures by itself is found, in tests and outside.
func TestPeaksFindOffenders(t *testing.T) {
	text := "package x\n\nfunc peak(u syscall.Rusage) int64 { return u." + "Maxrss }\n"
	expect(t, checkPeak(source(t, "cmd/scenario/x_test.go", text)), "is measured by internal/peak")
	expect(t, checkPeak(source(t, "internal/bench/x.go", text)), "is measured by internal/peak")
	expect(t, checkPeak(source(t, peakDir+"/x.go", text)), "")
}
