package lsp

import (
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/scenario-lang/scenario/dsl"
)

// A document is one state of a file that the editor has open. It is not
// changed; an edit makes another.
type document struct {
	uri     string
	path    string
	version int
	text    *text
	// file is the document alone, and parsed its index with what it imports;
	// both are nil where nothing can be read.
	file   func() *dsl.File
	parsed func() *index
	open   Open
}

func (s *server) newDocument(uri string, version int, t *text) *document {
	d := &document{uri: uri, path: pathOf(uri), version: version, text: t}
	// What it imports may change while it does not.
	d.open = func(path string) ([]byte, bool) { return s.docs.texts()(path) }
	d.file = sync.OnceValue(func() *dsl.File {
		file, _ := dsl.Parse(d.path, d.text.src)
		return file
	})
	alone := sync.OnceValue(func() *index { return newIndex(d.file()) })
	d.parsed = func() *index {
		file := d.file()
		switch {
		case file == nil:
			return nil
		case file.Linked() || s.opts.Link == nil:
			return alone()
		}
		return newIndex(s.opts.Link(file, d.open))
	}
	return d
}

// documents are the open files, by URI. It is safe for concurrent use.
type documents struct {
	mu   sync.Mutex
	open map[string]*document
}

func (ds *documents) put(d *document) {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	if ds.open == nil {
		ds.open = map[string]*document{}
	}
	ds.open[d.uri] = d
}

func (ds *documents) drop(uri string) {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	delete(ds.open, uri)
}

// get is the document of a URI, nil for one that is not open.
func (ds *documents) get(uri string) *document {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	return ds.open[uri]
}

func (ds *documents) all() []*document {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	all := make([]*document, 0, len(ds.open))
	for _, d := range ds.open {
		all = append(all, d)
	}
	return all
}

// texts gives the unsaved texts as they are now.
func (ds *documents) texts() Open {
	byPath := map[string][]byte{}
	for _, d := range ds.all() {
		byPath[d.path] = d.text.src
	}
	return func(path string) ([]byte, bool) {
		src, ok := byPath[absolute(path)]
		return src, ok
	}
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return filepath.Clean(path)
}

// pathOf is the file of a URI; a document that is in no file yet has a name
// that no file has.
func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return absolute(strings.NewReplacer("/", "_", ":", "_").Replace(uri))
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/")
	}
	return absolute(filepath.FromSlash(path))
}

// uriOf is the URI of a file.
func uriOf(path string) string {
	path = filepath.ToSlash(absolute(path))
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// broken reports whether the syntax of the document is wrong.
func (d *document) broken() bool {
	_, diags := dsl.Syntax(d.path, d.text.src)
	return diags.HasErrors()
}
