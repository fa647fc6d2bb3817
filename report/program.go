package report

import "github.com/scenario-lang/scenario/interp"

// programEnd tells how the program under test ended, "" where none ran, and what it
// wrote last where the scenario did not pass.
func programEnd(r *interp.Result) (line string, said []string) {
	p := r.Program
	if p == nil {
		return "", nil
	}
	line = "the program " + p.String()
	switch {
	case r.Verdict == interp.Pass:
		return line, nil
	case p.Said == nil:
		return line + " and wrote nothing", nil
	}
	return line + "; the last of its " + p.Stream + ":", p.Said
}

// programLines are the end of the program under test as lines of a report about a
// scenario that did not pass, nil for all others.
func programLines(r *interp.Result) []string {
	line, said := programEnd(r)
	if line == "" || r.Verdict == interp.Pass {
		return nil
	}
	lines := []string{line}
	for _, l := range said {
		lines = append(lines, "  "+l)
	}
	return lines
}
