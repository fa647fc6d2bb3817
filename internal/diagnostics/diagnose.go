package diagnostics

import (
	"bytes"
	"fmt"
	"path"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp"
)

// Diagnose returns what is said of the file of an entry.
func (e *Entry) Diagnose() hcl.Diagnostics {
	file, diags := dsl.Parse(File, e.Source)
	if file == nil {
		return diags
	}
	linked, more := dsl.Link(file, e.open)
	diags = append(diags, more...)
	if diags.HasErrors() {
		return dsl.Distinct(append(diags, interp.Independent(linked, diags)...))
	}
	_, more = interp.Compile(linked, interp.Options{Lint: interp.Unsent, Vars: e.Vars, LoadCassette: e.cassette, ReadSnapshot: e.file})
	return dsl.Distinct(append(diags, slices.DeleteFunc(more, e.unused)...))
}

// unused reports whether a diagnostic is about a declaration of the world that the
// example does not use.
func (e *Entry) unused(d *hcl.Diagnostic) bool {
	return d.Severity == hcl.DiagWarning && e.world > 0 && d.Subject.Filename == File && d.Subject.Start.Byte > e.world
}

// Sources are the texts that the diagnostics of an entry are about.
func (e *Entry) Sources() map[string][]byte {
	all := map[string][]byte{File: e.Source}
	for name, src := range e.Files {
		all[name] = src
	}
	return all
}

// Message is what the user reads.
func (e *Entry) Message() string {
	var out bytes.Buffer
	dsl.WriteDiagnostics(&out, e.Diagnose(), e.Sources(), dsl.WriteOptions{})
	return out.String()
}

func (e *Entry) open(_, written string) (string, []byte, error) {
	name := path.Clean(written)
	if name == File {
		return File, e.Source, nil
	}
	src, err := e.file(name)
	return name, src, err
}

func (e *Entry) file(name string) ([]byte, error) {
	if src, ok := e.Files[name]; ok {
		return src, nil
	}
	return nil, fmt.Errorf("%s: no such file", name)
}

func (e *Entry) cassette(name string) (*cassette.Cassette, error) {
	src, err := e.file(name)
	if err != nil {
		return nil, err
	}
	return cassette.Parse(name, src)
}
