package lsp

import (
	"bytes"
	"context"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/stdlib"
)

// everywhere is where a declaration is named: in its own file, in the document,
// and in all files of the workspace that import it.
func (s *server) everywhere(ctx context.Context, doc *document, d *declaration, declared bool) []hcl.Range {
	paths := []string{doc.path, d.rng.Filename}
	for _, open := range s.docs.all() {
		paths = append(paths, open.path)
	}
	if s.opts.Find != nil && s.root != "" {
		for _, path := range s.opts.Find(s.root) {
			paths = append(paths, absolute(path))
		}
	}
	slices.Sort(paths)
	var all []hcl.Range
	for _, path := range slices.Compact(paths) {
		src, ok := s.read(path)
		if ctx.Err() != nil || !ok || path != doc.path && path != d.rng.Filename && !bytes.Contains(src, []byte("import")) {
			continue
		}
		_, file := s.opts.parse(path, src, doc.open)
		if file == nil {
			continue
		}
		ix := newIndex(file)
		for _, same := range ix.declared {
			if same.typ == d.typ && same.rng.Filename == d.rng.Filename && same.rng.Start.Byte == d.rng.Start.Byte {
				all = append(all, ix.places(same, declared, path)...)
			}
		}
	}
	return all
}

// read is the text of a file as the editor shows it, else as it is on disk.
func (s *server) read(path string) ([]byte, bool) {
	if src, ok := s.docs.texts()(path); ok {
		return src, true
	}
	if s.opts.Read == nil {
		return nil, false
	}
	src, err := s.opts.Read(path)
	return src, err == nil
}

// locations are ranges as the protocol names them; those of the standard
// library have none.
func (s *server) locations(doc *document, ranges []hcl.Range) []location {
	list := []location{}
	texts := map[string]*text{doc.path: doc.text}
	for _, rng := range ranges {
		if stdlib.IsModule(rng.Filename) {
			continue
		}
		if texts[rng.Filename] == nil {
			src, _ := s.read(rng.Filename)
			texts[rng.Filename] = newText(src)
		}
		uri := doc.uri
		if rng.Filename != doc.path {
			uri = s.uriOf(rng.Filename)
		}
		list = append(list, location{uri, texts[rng.Filename].rangeOf(rng)})
	}
	return list
}

// uriOf is what the editor calls a file.
func (s *server) uriOf(path string) string {
	for _, d := range s.docs.all() {
		if d.path == path {
			return d.uri
		}
	}
	return uriOf(path)
}
