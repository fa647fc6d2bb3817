package convert

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/cassette/internal/disk"
	"github.com/scenario-lang/scenario/cassette/internal/flaw"
	"github.com/scenario-lang/scenario/cassette/internal/yamlnode"
	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/internal/nojson"
	"gopkg.in/yaml.v3"
)

// An Imported is the file of another tool in terms of ours: a cassette, or the
// draft of a scenario file. Secrets in it are hidden as in a recording.
type Imported struct {
	// Format is the name of the format that was found.
	Format   string
	Cassette *cassette.Cassette // nil where there is a draft
	Draft    *Draft             // nil where there is a cassette
	// Notes are what could not be carried over, or not exactly, in the order of
	// the file.
	Notes []string
}

// An importer is one format. There is one file for each.
type importer struct {
	name string
	// is recognises the top-level value of a file.
	is func(root *yaml.Node) bool
	// read fills in the result. It notes every key that it does not use.
	read func(r *importReader, root *yaml.Node) error
	// items are the keys that lead to the list of what a file holds, by which
	// the files of a folder are joined; nil where they are imported one by one.
	items []string
	// whole, where not nil, is a file in the form that has such a list.
	whole func(root *yaml.Node) *yaml.Node
}

// importers are the formats that can be imported, in the order in which they
// are tried.
var importers = []*importer{&importHAR, &importAIMock, &importWireMock, &importAgentLoom}

// ImportFormats names the formats that [Import] takes.
func ImportFormats() []string {
	names := make([]string, len(importers))
	for i, f := range importers {
		names[i] = f.name
	}
	return names
}

// ImportOptions are what an import needs beside the file.
type ImportOptions struct {
	// Format is the name of the format, "" to recognise it.
	Format string
	// Redactor hides secrets; see [redact.Redactor] for a nil one.
	Redactor *redact.Redactor
	// Others are formats that the caller imports by itself, for messages.
	Others []string
	// Body reads a file with a body that the imported file names. It may be nil.
	Body func(name string) ([]byte, error)
}

// Import reads the file of another tool, which is JSON; path only names it in
// messages. Every error is a *[cassette.LoadError].
func Import(path string, data []byte, o ImportOptions) (*Imported, error) {
	o.Redactor = o.Redactor.Recording() // what another tool recorded may hold any token
	out, err := importFile(data, o)
	if err != nil {
		e := loadError(err)
		e.Path = path
		return nil, e
	}
	return out, nil
}

func importFile(data []byte, o ImportOptions) (*Imported, error) {
	hint := "imported are files of " + strings.Join(append(ImportFormats(), o.Others...), ", ")
	if len(data) > disk.SizeMax {
		return nil, flaw.New(0, "split the file", "the file has more than %d MiB", disk.SizeMax>>20)
	}
	root := yamlnode.FromJSON(data)
	if root == nil {
		why := ""
		if bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("{")) {
			if err := nojson.Why(string(data)); err != nil {
				why = ": " + err.Error()
			}
		}
		return nil, flaw.New(0, hint+"; recordings of go-vcr and vcrpy are played as they are", "the file is no JSON object%s", why)
	}
	if f := formatOf(root, o.Format); f != nil {
		return f.imported(root, o)
	}
	if o.Format != "" {
		return nil, flaw.New(0, hint+"; leave the format out to have it recognised", "the file is not of the format %s", o.Format)
	}
	return nil, flaw.New(0, hint, "the file is of no format that can be imported")
}

// formatOf is the format of a file, or the named one if it is that; nil for
// none.
func formatOf(root *yaml.Node, name string) *importer {
	for _, f := range importers {
		if root != nil && f.is(root) && (name == "" || f.name == name) {
			return f
		}
	}
	return nil
}

func (f *importer) imported(root *yaml.Node, o ImportOptions) (*Imported, error) {
	r := &importReader{options: o, out: &Imported{Format: f.name}, by: map[string]*note{}}
	err := f.read(r, root)
	if r.err != nil {
		return nil, r.err // it came first
	}
	if err != nil {
		return nil, err
	}
	r.finish()
	return r.out, nil
}

// finish hides the secrets of a draft, and writes down what was noted.
func (r *importReader) finish() {
	for _, n := range r.notes {
		text := fmt.Sprintf("line %d: %s", n.line, n.text)
		if n.count > 1 {
			text += fmt.Sprintf(" (%d times in all)", n.count)
		}
		r.out.Notes = append(r.out.Notes, text)
	}
	d := r.out.Draft
	if d == nil {
		return
	}
	for _, c := range d.Cases {
		for _, s := range c.Steps {
			if text := s.unreached(); text != "" {
				r.out.Notes = append(r.out.Notes, text)
			}
		}
	}
	hider{r.options.Redactor}.draft(d)
}
