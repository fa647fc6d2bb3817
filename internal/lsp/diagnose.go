package lsp

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
)

// The bounds of how long nothing may be typed before a file is checked. In between
// it is half of what the last check took, so that somebody who types has diagnostics
// soon and most of the machine.
const (
	quietMin = 5 * time.Millisecond
	quietMax = 150 * time.Millisecond
)

// A checker publishes what is wrong with the open documents. It checks in a
// goroutine of its own and only the newest state: a change ends the check that
// is under way, and what was changed is checked when nothing more is typed, with
// what depends on it.
type checker struct {
	opts    *Options
	docs    *documents
	publish func(publishParams)
	wake    chan struct{}

	mu sync.Mutex
	// found are the diagnostics of the last check, by URI.
	found map[string]finding
	// stop ends the check that is under way, nil where none is.
	stop context.CancelFunc
	// due are the documents that have to be checked, by URI, those first that were
	// changed last; everything says that all have to be.
	due        []string
	everything bool
	// verdicts are those of the last runs, by URI.
	verdicts map[string]*verdicts
	// took is how long the last round was at work.
	took time.Duration
}

// A finding is what was wrong with one state of a document.
type finding struct {
	doc   *document
	diags hcl.Diagnostics
}

func newChecker(opts *Options, docs *documents, publish func(publishParams)) *checker {
	return &checker{opts: opts, docs: docs, publish: publish, wake: make(chan struct{}, 1), found: map[string]finding{}, verdicts: map[string]*verdicts{}}
}

// changed has a document checked soon, and no longer as it was, with those that
// depend on it; all of them where something else has changed.
func (c *checker) changed(doc *document) {
	c.mu.Lock()
	if c.stop != nil {
		c.stop()
	}
	if doc == nil {
		c.everything = true
	} else {
		c.reach(doc)
	}
	c.mu.Unlock()
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// reach notes what a change of a document concerns.
func (c *checker) reach(doc *document) {
	reached := []string{doc.uri}
	for _, other := range c.docs.all() {
		if f, checked := c.found[other.uri]; other.uri != doc.uri && checked && f.doc == other && (c.opts.Concerns == nil || c.opts.Concerns(other.path, doc.path)) {
			reached = append(reached, other.uri)
		}
	}
	for _, uri := range reached {
		delete(c.verdicts, uri)
	}
	for _, uri := range c.due {
		if !slices.Contains(reached, uri) {
			reached = append(reached, uri)
		}
	}
	c.due = reached
}

// run checks until the context ends.
func (c *checker) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-c.wake:
		}
		if !c.settled(ctx) {
			return
		}
		c.all(ctx)
	}
}

// all checks the documents that are due until one of them changes.
func (c *checker) all(ctx context.Context) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	c.mu.Lock()
	c.stop = stop
	due := c.round()
	c.mu.Unlock()
	if len(c.wake) > 0 {
		return // changed before it could be stopped
	}
	var began time.Time
	if c.opts.Now != nil {
		began = c.opts.Now()
	}
	for _, doc := range due {
		if ctx.Err() != nil {
			break
		}
		c.check(ctx, doc)
	}
	if c.opts.Now != nil {
		c.mu.Lock()
		c.took = c.opts.Now().Sub(began)
		c.mu.Unlock()
	}
}

// round are the documents that are due, in order. They are until they have been
// checked.
func (c *checker) round() (docs []*document) {
	for _, uri := range c.due {
		if doc := c.docs.get(uri); doc != nil {
			docs = append(docs, doc)
		}
	}
	if c.everything {
		for _, doc := range c.docs.all() {
			if !slices.Contains(docs, doc) {
				docs = append(docs, doc)
			}
		}
		c.due, c.everything = nil, false
		for _, doc := range docs {
			c.due = append(c.due, doc.uri)
		}
	}
	return docs
}

// settled waits until nothing more is typed.
func (c *checker) settled(ctx context.Context) bool {
	for c.opts.Wait != nil {
		select {
		case <-ctx.Done():
			return false
		case <-c.wake:
		case <-c.opts.Wait(c.quiet()):
			return true
		}
	}
	return true
}

// quiet is for how long nothing may be typed before a file is checked.
func (c *checker) quiet() time.Duration {
	if c.opts.Now == nil {
		return quietMax
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return min(max(c.took/2, quietMin), quietMax)
}

// check publishes what is wrong with a document, unless it has changed since.
func (c *checker) check(ctx context.Context, doc *document) {
	diags := slices.Clone(c.opts.Check(ctx, doc.path, c.docs.texts()))
	if ctx.Err() != nil {
		return // an edit has woken the checker again
	}
	diags = first(diags)
	for i, d := range diags {
		if d.Subject != nil && absolute(dsl.Place(*d.Subject).Filename) != doc.path {
			diags[i] = doc.imported(d)
		}
	}
	// Under the lock, so that nothing is said of a document after it is closed.
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.docs.get(doc.uri) != doc {
		return // an edit has woken the checker again
	}
	c.found[doc.uri] = finding{doc, diags}
	c.due = slices.DeleteFunc(c.due, func(uri string) bool { return uri == doc.uri })
	c.show(c.found[doc.uri])
}

// mostShown is how many diagnostics of a document are published: nobody reads more, and an editor has to hold them.
const mostShown = 500

// first are as many diagnostics as are published, errors before warnings where there are more. One more says how many
// are left out.
func first(diags hcl.Diagnostics) hcl.Diagnostics {
	left := len(diags) - mostShown
	if left <= 0 {
		return diags
	}
	slices.SortStableFunc(diags, func(a, b *hcl.Diagnostic) int { return cmp.Compare(a.Severity, b.Severity) })
	return append(diags[:mostShown:mostShown], &hcl.Diagnostic{
		Severity: hcl.DiagError, Summary: "Not all is shown", Subject: diags[mostShown].Subject,
		Detail: fmt.Sprintf("The file has %d more errors and warnings than the %d that are shown. They are shown once some of these are mended; scenario validate prints all of them.", left, mostShown),
	})
}

// forget takes back what was said of a document that is closed.
func (c *checker) forget(uri string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.found, uri)
	delete(c.verdicts, uri)
	c.due = slices.DeleteFunc(c.due, func(due string) bool { return due == uri })
	c.publish(publishParams{URI: uri, Diagnostics: []diagnostic{}})
}

// of are the diagnostics of a state of a document: none where it was not
// checked yet.
func (c *checker) of(doc *document) hcl.Diagnostics {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f := c.found[doc.uri]; f.doc == doc {
		return f.diags
	}
	return nil
}

// imported is a diagnostic about an imported file as the document shows it: at
// the import.
func (d *document) imported(about *hcl.Diagnostic) *hcl.Diagnostic {
	at := dsl.Place(*about.Subject)
	out := *about
	out.Detail = fmt.Sprintf("%s (in %s at line %d)", about.Detail, filepath.Base(at.Filename), at.Start.Line)
	out.Subject = &hcl.Range{Filename: d.path, Start: hcl.InitialPos, End: hcl.InitialPos}
	if file := d.file(); file != nil {
		if a := file.Body.Attr("import"); a != nil {
			out.Subject = &a.Range
		}
	}
	return &out
}

func toDiagnostic(t *text, d *hcl.Diagnostic) diagnostic {
	out := diagnostic{Severity: severityError, Source: "scenario", Message: d.Summary}
	if d.Severity != hcl.DiagError {
		out.Severity = severityWarning
	}
	if detail := strings.TrimSpace(d.Detail); detail != "" {
		out.Message += ": " + detail
	}
	if d.Subject != nil {
		out.Range = t.rangeOf(*d.Subject)
	}
	return out
}
