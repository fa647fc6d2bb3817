package search

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/internal/mutate"
)

// Unnoticed bounds how many scenarios are run again with each setting of their files weakened, where nobody
// asked for that alone.
const Unnoticed = 50

// unnoticedShown bounds how many settings are listed.
const unnoticedShown = 20

// unnoticedData bounds how many changes of what expressions say are tried: a large file has many.
const unnoticedData = 200

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
	r := mutate.Run(hostsOf(files, jobs), mutate.Options{Data: unnoticedData, Parallel: workers, Compile: x.compile, Read: x.read, Done: h.C})
	if r.Interrupted || len(r.Broken) > 0 {
		return
	}
	tellStoodIn(a, files)
	tellBypassed(a, r)
	tellAlike(a, r)
	lines := unnoticed(r)
	if len(lines) == 0 {
		return
	}
	rest := ""
	if len(lines) > unnoticedShown {
		rest = fmt.Sprintf("  and %d more\n", len(lines)-unnoticedShown)
		lines = lines[:unnoticedShown]
	}
	if r.Left > 0 {
		rest += fmt.Sprintf("  and %s of expressions, which were not tried\n", cli.Plural(r.Left, "change"))
	}
	fmt.Fprintf(a.Stderr, "note: every scenario passes as well with one of these changed:\n%s%shint: scenario mutate says of each what differs, and which check would see it\n", strings.Join(lines, ""), rest)
}

// tellStoodIn tells of benches of which no case runs the workflow, or looks at the conditions of the rubric, in any
// scenario of their file: each is given the result.
func tellStoodIn(a *cli.App, files []*harness.Loaded) {
	for _, f := range files {
		var order []string
		workflows, rubrics := map[string]string{}, map[string]bool{}
		for _, p := range f.Plans {
			name, workflow, rubric := p.StoodIn()
			if name == "" {
				continue
			}
			if _, known := workflows[name]; !known {
				order = append(order, name)
				workflows[name], rubrics[name] = workflow, rubric
			}
			if workflow == "" {
				workflows[name] = ""
			}
			rubrics[name] = rubrics[name] && rubric
		}
		for _, name := range order {
			if w := workflows[name]; w != "" {
				fmt.Fprintf(a.Stderr, "note: no case of bench %q in %s runs workflow %q: each is given its output\n", name, cli.Readable(f.Path), w)
			}
			if rubrics[name] {
				fmt.Fprintf(a.Stderr, "note: no case of bench %q in %s looks at the conditions of its rubric: each is given whether it passed\n", name, cli.Readable(f.Path))
			}
		}
	}
}

// tellBypassed tells what scenarios of a suite do not run with: what they override, also in files that they
// import, and what else a file with scenarios declares and names for nothing that these run.
func tellBypassed(a *cli.App, r *mutate.Report) {
	var lines []string
	overridden := false
	for _, b := range r.Bypassed() {
		if b.Overridden || b.Own && b.Setting == "" {
			lines = append(lines, fmt.Sprintf("  %s: %s  %s:%d\n", b.Name(), b.Reason(), cli.Readable(b.File), b.Line))
			overridden = overridden || b.Overridden
		}
	}
	if len(lines) == 0 {
		return
	}
	hint := "run what reads it in a scenario"
	if overridden {
		hint = "leave out the override in one scenario, which shows what the program itself does; time is virtual, so a long wait costs nothing"
	}
	rest := ""
	if len(lines) > unnoticedShown {
		rest = fmt.Sprintf("  and %d more\n", len(lines)-unnoticedShown)
		lines = lines[:unnoticedShown]
	}
	fmt.Fprintf(a.Stderr, "note: whatever these say, every scenario passes:\n%s%shint: %s\n", strings.Join(lines, ""), rest, hint)
}

// tellAlike tells of rows that differ in nothing that decides something: each but the first shows nothing.
func tellAlike(a *cli.App, r *mutate.Report) {
	if len(r.Alike) == 0 {
		return
	}
	var b strings.Builder
	for _, x := range r.Alike[:min(len(r.Alike), unnoticedShown)] {
		fmt.Fprintf(&b, "  %s  %s:%d\n", cli.Readable(x.String()), cli.Readable(x.File), x.Line)
	}
	if more := len(r.Alike) - unnoticedShown; more > 0 {
		fmt.Fprintf(&b, "  and %d more\n", more)
	}
	fmt.Fprintf(a.Stderr, "note: of these rows all show the same:\n%shint: use the value of the row where it decides something, such as role = each.value, or keep one row\n", b.String())
}

// unnoticed are the lines of mutants that nothing notices: of a setting the first, and of an expression none
// in what is listed as a whole.
func unnoticed(r *mutate.Report) []string {
	var lines []string
	known, whole := map[string]bool{}, map[string][]hcl.Range{}
	for _, m := range r.Mutants {
		setting, _, _ := strings.Cut(m.Change, " ")
		name, note := m.File+" "+m.Declaration+" "+setting, ""
		switch {
		case m.Verdict != mutate.Survived && m.Verdict != mutate.Unseen && m.Verdict != mutate.Unshown:
			continue
		case m.Data:
			name = fmt.Sprintf("%s %s %s %d", m.File, m.Declaration, m.Change, m.Line)
		case isDefault(m, setting):
			known[name] = true
			continue
		case m.Operator == "kind" && known[m.File+" "+m.Declaration+" multiplier"]: // that waits grow at all is not shown
			continue
		}
		if m.Verdict == mutate.Unshown {
			note = "  (" + mutate.NoData + ")"
		}
		of := fmt.Sprintf("%s %s", m.File, m.Declaration)
		list := of
		if m.Operator == "computation" { // that a call changes nothing does not say which member it may read
			list += " call"
		}
		covers := whole[of]
		if m.Data && m.Operator != "related" {
			covers = slices.Concat(covers, whole[of+" call"])
		}
		if known[name] || m.Data && known[of+" dropped"] || m.Data && slices.ContainsFunc(covers, func(w hcl.Range) bool { return within(m.Range, w) }) {
			continue
		}
		known[name] = true
		whole[list] = append(whole[list], m.Range)
		lines = append(lines, fmt.Sprintf("  %s: %s  %s:%d%s\n", m.Declaration, m.Change, cli.Readable(m.File), m.Line, note))
	}
	return lines
}

// within reports whether a part of a file lies in another one.
func within(part, whole hcl.Range) bool {
	return whole.Start.Byte <= part.Start.Byte && part.End.Byte <= whole.End.Byte
}

// isDefault reports whether a mutant changes a setting that its block does not write.
func isDefault(m *mutate.Mutant, setting string) bool {
	from, to := m.Range.Start.Byte, m.Range.End.Byte
	return setting != "dropped" && strings.Contains(m.Change, " → ") && 0 <= from && from <= to && to <= len(m.Original) && !strings.Contains(string(m.Original[from:to]), setting)
}
