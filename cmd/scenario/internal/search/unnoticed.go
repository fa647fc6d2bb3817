package search

import (
	"fmt"
	"strings"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/internal/mutate"
)

// Unnoticed bounds how many scenarios are run again with each setting of their files weakened, where nobody
// asked for that alone.
const Unnoticed = 50

// unnoticedShown bounds how many settings are listed.
const unnoticedShown = 20

// TellUnnoticed tells on standard error which settings of the files of a suite no scenario notices, once all
// of them have passed: with another value, or without it, each is green as well. It tells nothing where
// something cannot be read again.
func TellUnnoticed(a *cli.App, vars harness.VariableFlags, paths []string, workers int) {
	given, err := vars.Read(a)
	if err != nil {
		return
	}
	h := a.WatchHalt(0)
	defer h.Release()
	x := &mutation{App: a, halt: h, open: func() *harness.Loader {
		l := harness.NewLoader(a)
		l.Vars, l.Environment = given, vars.Environment
		return l
	}}
	defer x.close()
	l := x.loader()
	files, err := harness.Load(a, l, paths, workers, h, true)
	x.free(l)
	if err != nil {
		return
	}
	var jobs []harness.Job
	for _, f := range files {
		for _, p := range f.Plans {
			jobs = append(jobs, harness.Job{Plan: p})
		}
	}
	r := mutate.Run(hostsOf(files, jobs), mutate.Options{Parallel: workers, Compile: x.compile, Done: h.C})
	if r.Interrupted || len(r.Broken) > 0 {
		return
	}
	var lines []string
	known := map[string]bool{}
	for _, m := range r.Mutants {
		setting, _, _ := strings.Cut(m.Change, " ")
		name := m.File + " " + m.Declaration + " " + setting
		if m.Verdict != mutate.Survived && m.Verdict != mutate.Unseen || known[name] || isDefault(m, setting) {
			continue
		}
		known[name] = true
		lines = append(lines, fmt.Sprintf("  %s: %s  %s:%d\n", m.Declaration, m.Change, cli.Readable(m.File), m.Line))
	}
	if len(lines) == 0 {
		return
	}
	rest := ""
	if len(lines) > unnoticedShown {
		rest = fmt.Sprintf("  and %d more\n", len(lines)-unnoticedShown)
		lines = lines[:unnoticedShown]
	}
	fmt.Fprintf(a.Stderr, "note: every scenario passes as well with one of these changed:\n%s%shint: scenario mutate says of each what differs, and which check would see it\n", strings.Join(lines, ""), rest)
}

// isDefault reports whether a mutant changes a setting that its block does not write.
func isDefault(m *mutate.Mutant, setting string) bool {
	from, to := m.Range.Start.Byte, m.Range.End.Byte
	return setting != "dropped" && strings.Contains(m.Change, " → ") && 0 <= from && from <= to && to <= len(m.Original) && !strings.Contains(string(m.Original[from:to]), setting)
}
