package scenariotest

import (
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/internal/explore"
	"github.com/scenario-lang/scenario/interp"
)

// A witness is the testing.TB of one run of an exploration: what fails is told to the
// search, and not to the test. All else is that of the bubble's own test.
type witness struct {
	testing.TB

	mu       sync.Mutex
	problems []interp.Problem
	skipped  string
	skips    bool
	// gaveUp is the error that the function returned.
	gaveUp  error
	helpers map[string]bool
}

// fails notes a failure, once for each place.
func (w *witness) fails(text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.note(explore.KindTest, strings.TrimSpace(text), w.place())
}

func (w *witness) note(kind, text string, at hcl.Range) {
	if slices.ContainsFunc(w.problems, func(p interp.Problem) bool { return p.Kind == kind && p.Range == at }) {
		return
	}
	name, _, _ := strings.Cut(text, "\n")
	if runes := []rune(name); len(runes) > nameMax {
		name = string(runes[:nameMax])
	}
	w.problems = append(w.problems, interp.Problem{Kind: kind, Name: name, Message: text, Range: at})
}

// nameMax bounds the name of a failure, in characters.
const nameMax = 80

// place is the line of the test that called a method of the witness, helpers left out.
func (w *witness) place() hcl.Range {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for {
		f, more := frames.Next()
		if !w.helpers[f.Function] && !strings.Contains(f.Function, "scenariotest.(*witness).") {
			return lineOf(f)
		}
		if !more {
			return hcl.Range{}
		}
	}
}

func lineOf(f runtime.Frame) hcl.Range {
	at := hcl.Pos{Line: f.Line}
	return hcl.Range{Filename: filepath.Base(f.File), Start: at, End: at}
}

// call runs the function of the test, which may end its goroutine or panic.
func (w *witness) call(f func() error) {
	var running sync.WaitGroup
	running.Go(func() {
		defer func() {
			if p := recover(); p != nil {
				w.panicked(p)
			}
		}()
		err := f()
		w.mu.Lock()
		defer w.mu.Unlock()
		w.gaveUp = err
	})
	running.Wait()
}

// panicked notes a panic, while its stack is there.
func (w *witness) panicked(p any) {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	at, panics := hcl.Range{}, false
	for {
		f, more := frames.Next()
		own := !strings.HasPrefix(f.Function, "runtime.")
		if panics && own {
			at = lineOf(f)
			break
		}
		panics = panics || f.Function == "runtime.gopanic"
		if !more {
			break
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.note(explore.KindPanic, fmt.Sprint(p), at)
}

// Helper marks a function of the caller whose failures are those of its own caller.
func (w *witness) Helper() {
	pc, _, _, ok := runtime.Caller(1)
	if !ok {
		return
	}
	f, _ := runtime.CallersFrames([]uintptr{pc + 1}).Next()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.helpers == nil {
		w.helpers = map[string]bool{}
	}
	w.helpers[f.Function] = true
}

// Error, Errorf, Fail, FailNow, Fatal and Fatalf are finds.
func (w *witness) Error(args ...any)                 { w.fails(fmt.Sprintln(args...)) }
func (w *witness) Errorf(format string, args ...any) { w.fails(fmt.Sprintf(format, args...)) }
func (w *witness) Fail()                             { w.fails("the test failed") }

// FailNow is as Fatal, without words.
func (w *witness) FailNow() {
	if !w.Failed() {
		w.fails("the test failed")
	}
	runtime.Goexit()
}

// Fatal is Error, and ends the goroutine.
func (w *witness) Fatal(args ...any) {
	w.fails(fmt.Sprintln(args...))
	runtime.Goexit()
}

// Fatalf is Errorf, and ends the goroutine.
func (w *witness) Fatalf(format string, args ...any) {
	w.fails(fmt.Sprintf(format, args...))
	runtime.Goexit()
}

// Failed reports whether the run has failed.
func (w *witness) Failed() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.problems) > 0
}

// Log, Logf and Output say nothing: an exploration makes thousands of runs.
func (w *witness) Log(...any)          {}
func (w *witness) Logf(string, ...any) {}
func (w *witness) Output() io.Writer   { return io.Discard }

// Skip, Skipf and SkipNow end the run, which shows nothing.
func (w *witness) Skip(args ...any)                 { w.skip(fmt.Sprintln(args...)) }
func (w *witness) Skipf(format string, args ...any) { w.skip(fmt.Sprintf(format, args...)) }
func (w *witness) SkipNow()                         { w.skip("the test skipped itself") }

func (w *witness) skip(why string) {
	w.mu.Lock()
	w.skips, w.skipped = true, strings.TrimSpace(why)
	w.mu.Unlock()
	runtime.Goexit()
}

// Skipped reports whether the run was skipped.
func (w *witness) Skipped() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.skips
}
