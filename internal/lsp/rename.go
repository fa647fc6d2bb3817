package lsp

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/stdlib"
)

// rename is the edit that gives what stands at an offset another name, or why
// there is none. Every place that names it changes with it.
func (s *server) renamed(ctx context.Context, doc *document, offset int, name string) (workspaceEdit, error) {
	d, err := renameable(doc, offset)
	if err != nil {
		return workspaceEdit{}, err
	}
	ix := doc.parsed()
	if err := ix.permits(d, name); err != nil {
		return workspaceEdit{}, err
	}
	var edit workspaceEdit
	for _, at := range s.locations(doc, s.everywhere(ctx, doc, d, true)) {
		if n := len(edit.Changes); n == 0 || edit.Changes[n-1].TextDocument.URI != at.URI {
			id := versionedID{URI: at.URI}
			if open := s.docs.get(at.URI); open != nil {
				id.Version = &open.version
			}
			edit.Changes = append(edit.Changes, documentEdit{TextDocument: id})
		}
		last := &edit.Changes[len(edit.Changes)-1]
		last.Edits = append(last.Edits, textEdit{at.Range, name})
	}
	return edit, nil
}

// renameable is the declaration at an offset. A file that cannot be read whole
// has none: references might be missed.
func renameable(doc *document, offset int) (*declaration, error) {
	ix := doc.parsed()
	if ix == nil || doc.broken() {
		return nil, fmt.Errorf("the file has a syntax error: correct it first, or some references would keep the old name")
	}
	d, _ := ix.at(offset)
	if d == nil {
		return nil, fmt.Errorf("there is no name here that is declared in this file")
	}
	if stdlib.IsModule(d.rng.Filename) {
		return nil, fmt.Errorf("%q is declared in %s, which cannot be changed", d.name, d.rng.Filename)
	}
	return d, nil
}

// permits says why a declaration cannot have a name.
func (ix *index) permits(d *declaration, name string) error {
	switch {
	case name == "":
		return fmt.Errorf("a name has at least one letter")
	case prose(d.typ):
		if strings.ContainsAny(name, "\"\\") || strings.Contains(name, "${") || strings.Contains(name, "%{") || strings.ContainsFunc(name, unicode.IsControl) {
			return fmt.Errorf("%q cannot be written between quotes as it is", name)
		}
	case !hclsyntax.ValidIdentifier(name):
		return fmt.Errorf("%q is no name: one has letters, digits, _ and -, and begins with a letter", name)
	}
	for _, other := range ix.declared {
		if other != d && other.typ == d.typ && other.name == name && sameScope(ix, other, d) {
			return fmt.Errorf("there is a %s %q already, in line %d", d.typ, name, other.rng.Start.Line)
		}
	}
	return nil
}

// prose reports whether blocks of a type are named for people alone.
func prose(typ string) bool {
	switch typ {
	case "scenario", "assert", "invariant", "validate", "snapshot":
		return true
	}
	return false
}

// sameScope reports whether two declarations of one type cannot share a name.
func sameScope(ix *index, a, b *declaration) bool {
	if a.typ == "target" || a.typ == "local" {
		return true // unique in a file
	}
	if a.block.Type == a.typ {
		return a.block.Parent == b.block.Parent
	}
	return a.block == b.block
}
