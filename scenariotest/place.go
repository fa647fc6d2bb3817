package scenariotest

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// caller is the line that called into this package, as tests print it: what a run comes
// to is told by goroutines and cleanups, in which the test itself has no frame.
func caller() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, ownPackage) {
			return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		}
		if !more {
			return ""
		}
	}
}

// ownPackage begins the names of the functions of this package.
const ownPackage = "github.com/scenario-lang/scenario/scenariotest."

// fails fails a test with a text that has a place of its own, and goes on.
func fails(t testing.TB, at, text string) {
	logs(t, at, text)
	t.Fail()
}

// logs is t.Log with a place of its own.
func logs(t testing.TB, at, text string) {
	_, _ = fmt.Fprintf(t.Output(), "%s: %s\n", at, strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n    "))
}

// outside fails a test that calls a function in a bubble which makes its own.
func outside(t *testing.T, function string) {
	t.Helper()
	if inBubble() {
		t.Fatalf("%s makes a bubble for each scenario, and is called in one: call it outside of synctest.Test, or begin the scenario with New", function)
	}
}
