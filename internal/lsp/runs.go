package lsp

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/creachadair/jrpc2"
	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
)

// The commands that a lens above a scenario has, and their titles.
const (
	runCommand     = "scenario.run"
	explainCommand = "scenario.explain"
)

// A Verdict is what became of a scenario.
type Verdict struct {
	// Word says it in one: passed, failed, error, not run. Note says more about one
	// that was not run.
	Word, Note string
	// Problems are what did not hold, each with its place.
	Problems hcl.Diagnostics
}

// verdicts are those of the scenarios of one state of a document, by name.
type verdicts struct {
	doc *document
	by  map[string]*Verdict
}

// ran keeps what became of a scenario, and shows it, unless the document has changed
// since: then nobody knows what would become of it now.
func (c *checker) ran(doc *document, name string, v *Verdict) (kept bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.docs.get(doc.uri) != doc {
		return false
	}
	of := c.verdicts[doc.uri]
	if of == nil || of.doc != doc {
		of = &verdicts{doc, map[string]*Verdict{}}
		c.verdicts[doc.uri] = of
	}
	of.by[name] = v
	if f := c.found[doc.uri]; f.doc == doc {
		c.show(f)
	}
	return true
}

// verdictsOf are those of a state of a document, none where it is another one.
func (c *checker) verdictsOf(doc *document) map[string]*Verdict {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.standing(doc)
}

// standing is verdictsOf for who holds the lock.
func (c *checker) standing(doc *document) map[string]*Verdict {
	if of := c.verdicts[doc.uri]; of != nil && of.doc == doc {
		return of.by
	}
	return nil
}

// expire forgets what became of scenarios of all documents, because files have
// changed that they may read.
func (c *checker) expire() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.verdicts)
}

// show publishes what is wrong with a state of a document, with what its scenarios
// came to. The caller holds the lock.
func (c *checker) show(f finding) {
	list := make([]diagnostic, 0, len(f.diags))
	for _, d := range f.diags {
		list = append(list, toDiagnostic(f.doc.text, d))
	}
	if by := c.standing(f.doc); by != nil {
		for _, b := range f.doc.scenarios() {
			if v := by[b.Name()]; v != nil {
				list = append(list, problemsOf(f.doc, b, v)...)
			}
		}
	}
	c.publish(publishParams{URI: f.doc.uri, Version: &f.doc.version, Diagnostics: list})
}

// problemsOf are what did not hold in a scenario, in its document; what is in another
// file is shown at the scenario.
func problemsOf(doc *document, b *dsl.Block, v *Verdict) []diagnostic {
	var list []diagnostic
	for _, p := range v.Problems {
		at := *p
		if p.Subject == nil || absolute(dsl.Place(*p.Subject).Filename) != doc.path {
			at.Subject = &b.DefRange
		}
		d := toDiagnostic(doc.text, &at)
		d.Source = "scenario test"
		list = append(list, d)
	}
	return list
}

// scenarios are those that the document itself declares.
func (d *document) scenarios() []*dsl.Block {
	if file := d.file(); file != nil {
		return file.Body.All("scenario")
	}
	return nil
}

// lenses are what can be done with each scenario.
func (s *server) lenses(_ context.Context, p documentParams) (any, error) {
	doc, err := s.document(p.TextDocument)
	if err != nil {
		return nil, err
	}
	list := []codeLens{}
	for _, b := range doc.scenarios() {
		if b.Name() == "" {
			continue
		}
		at, args := doc.text.rangeOf(b.DefRange), []any{doc.uri, b.Name()}
		list = append(list, codeLens{at, command{"run", runCommand, args}}, codeLens{at, command{"explain", explainCommand, args}})
	}
	return list, nil
}

// hints are the verdicts of scenarios, behind their first lines.
func (s *server) hints(_ context.Context, p hintParams) (any, error) {
	doc, err := s.document(p.TextDocument)
	if err != nil {
		return nil, err
	}
	list := []inlayHint{}
	by := s.checker.verdictsOf(doc)
	from, to := doc.text.offset(p.Range.Start), doc.text.offset(p.Range.End)
	for _, b := range doc.scenarios() {
		v := by[b.Name()]
		if at := b.DefRange.Start.Byte; v == nil || at < from || at > to {
			continue
		}
		line := doc.text.position(b.DefRange.Start.Byte).Line
		end := doc.text.offset(position{line, 1 << 20})
		list = append(list, inlayHint{Position: doc.text.position(end), Label: v.Word, Tooltip: v.Note, Padding: true})
	}
	return list, nil
}

// execute does what a lens is for. A run of the interpreter starts no program and
// reaches no network.
func (s *server) execute(ctx context.Context, p executeParams) (any, error) {
	var uri, name string
	if len(p.Arguments) != 2 || json.Unmarshal(p.Arguments[0], &uri) != nil || json.Unmarshal(p.Arguments[1], &name) != nil || s.opts.Run == nil {
		return nil, jrpc2.Errorf(jrpc2.InvalidParams, "%s takes the URI of a document and the name of a scenario", p.Command)
	}
	doc, err := s.document(documentID{URI: uri})
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(doc.scenarios(), func(b *dsl.Block) bool { return b.Name() == name }) {
		return nil, jrpc2.Errorf(codeRequestFailed, "the document has no scenario %q", name)
	}
	switch p.Command {
	case runCommand:
		return s.run(ctx, doc, name)
	case explainCommand:
		return s.explained(ctx, doc, name)
	}
	return nil, jrpc2.Errorf(jrpc2.InvalidParams, "there is no command %s", p.Command)
}

func (s *server) run(ctx context.Context, doc *document, name string) (any, error) {
	v, err := s.opts.Run(ctx, doc.path, name, s.docs.texts())
	if err != nil {
		return nil, jrpc2.Errorf(codeRequestFailed, "%s", err)
	}
	if !s.checker.ran(doc, name, v) {
		return runResult{Verdict: v.Word, Note: v.Note, Stale: true}, nil
	}
	s.refresh()
	return runResult{Verdict: v.Word, Note: v.Note}, nil
}

func (s *server) explained(ctx context.Context, doc *document, name string) (any, error) {
	text, err := s.opts.Explain(ctx, doc.path, name, s.docs.texts())
	if err != nil {
		return nil, jrpc2.Errorf(codeRequestFailed, "%s", err)
	}
	if !s.showsText { // a client that shows no result shows a message
		_ = s.rpc.Notify(context.Background(), "window/showMessage", message{messageInfo, text})
	}
	return text, nil
}

// refresh has a client that can ask for the verdicts again.
func (s *server) refresh() {
	if s.refreshes {
		go func() { _, _ = s.rpc.Callback(context.Background(), "workspace/inlayHint/refresh", nil) }()
	}
}
