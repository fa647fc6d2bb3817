package search

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/pool"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/internal/mutate"
)

// emit writes for mutants that no scenario meets the scenarios that kill them. What
// cannot be written says why.
func (x *mutation) emit(r *mutate.Report) error {
	if x.flags.emit == "" {
		return nil
	}
	files := emittedFiles{dir: x.flags.emit, mark: mutate.Mark}
	var written []*mutate.Mutant
	for _, m := range r.Mutants {
		if m.Verdict != mutate.Unseen {
			continue
		}
		if pool.Closed(x.halt.C) {
			break
		}
		if m.Emitted = x.killedBy(written, m); m.Emitted != "" {
			continue
		}
		path := files.unused(m.Declaration + " " + m.Operator)
		imported, err := importOf(path, m.By.File)
		if err != nil {
			return err
		}
		text, err := m.Scenario(path, imported, x.options)
		if err != nil {
			m.Unwritten = err.Error()
			continue
		}
		if err := os.MkdirAll(x.flags.emit, 0o777); err != nil {
			return cli.ExitAs(cli.ExitInternal, "cannot write the scenario: "+err.Error(), "")
		}
		if err := disk.Write(path, text, 0o666); err != nil {
			return cli.ExitAs(cli.ExitInternal, "cannot write the scenario: "+err.Error(), "")
		}
		if why := m.Shows(path, nil, x.options); why != nil && !pool.Closed(x.halt.C) {
			return cli.ExitAs(cli.ExitInternal, fmt.Sprintf("%s does not show the mutant: %s", filepath.ToSlash(path), why), "please report it, with the file that was mutated")
		}
		m.Emitted = filepath.ToSlash(path)
		files.taken(path)
		written = append(written, m)
	}
	return nil
}

// killedBy is the file of one that was written which kills another mutant too, "" for
// none.
func (x *mutation) killedBy(written []*mutate.Mutant, m *mutate.Mutant) string {
	for _, w := range written {
		if w.By == m.By && m.Shows(w.Emitted, nil, x.options) == nil {
			return w.Emitted
		}
	}
	return ""
}
