package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/creachadair/jrpc2"
	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
)

// ErrNoShutdown is what Serve returns when the client went away without a
// word: it sent exit before shutdown, or closed its end.
var ErrNoShutdown = errors.New("the client ended without a shutdown request")

// Serve speaks with one client until it says exit or is gone. Nothing but
// messages of the protocol is written to out.
func Serve(in io.Reader, out io.Writer, opts Options) error {
	s := &server{opts: &opts, exited: make(chan struct{})}
	s.rpc = jrpc2.NewServer(s, &jrpc2.ServerOptions{AllowPush: true, DisableBuiltin: true, Concurrency: concurrency})
	s.checker = newChecker(s.opts, &s.docs, s.publish)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go s.checker.run(ctx)
	gone := make(chan struct{})
	f := newFraming(in, out)
	defer f.silence()
	s.rpc.Start(f)
	go func() {
		_ = s.rpc.Wait()
		close(gone)
	}()
	select {
	case <-s.exited:
	case <-gone:
	}
	if !f.polite.Load() {
		return ErrNoShutdown
	}
	return nil
}

// concurrency is how many requests may be under way: so many that a slow one
// keeps no edit and no cancellation from being heard.
const concurrency = 64

type phase uint8

const (
	started phase = iota
	ready
	down
)

type server struct {
	opts    *Options
	rpc     *jrpc2.Server
	docs    documents
	checker *checker
	exited  chan struct{}

	mu       sync.Mutex
	phase    phase
	exitOnce sync.Once
	snippets bool
	root     string
	// refreshes says that the client can be told to ask for hints again, and
	// showsText that it shows explanations by itself.
	refreshes, showsText bool
}

func (s *server) state() phase {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.phase
}

// publish is called from one goroutine. A client that is gone needs no news.
func (s *server) publish(p publishParams) {
	_ = s.rpc.Notify(context.Background(), "textDocument/publishDiagnostics", p)
}

// Codes of the protocol beside those of JSON-RPC.
const (
	codeNotInitialized = jrpc2.Code(-32002)
	codeRequestFailed  = jrpc2.Code(-32803)
	codeCancelled      = jrpc2.Code(-32800)
)

// Assign implements jrpc2.Assigner.
func (s *server) Assign(_ context.Context, method string) jrpc2.Handler {
	h := s.methods()[method]
	if h == nil {
		return nil
	}
	return func(ctx context.Context, req *jrpc2.Request) (result any, err error) {
		defer func() {
			if p := recover(); p != nil {
				s.log("%s: %v\n%s", method, p, debug.Stack())
				result, err = nil, jrpc2.Errorf(jrpc2.InternalError, "internal error: %v", p)
			}
		}()
		switch state := s.state(); {
		case method == "exit", method == "initialize" && state == started:
		case state == started && req.IsNotification():
			return nil, nil
		case state == started:
			return nil, jrpc2.Errorf(codeNotInitialized, "the server is not initialized")
		case state == down, method == "initialize":
			return nil, jrpc2.Errorf(jrpc2.InvalidRequest, "%s cannot be asked now", method)
		}
		result, err = h(ctx, req)
		if ctx.Err() != nil {
			return nil, jrpc2.Errorf(codeCancelled, "cancelled")
		}
		return result, err
	}
}

func (s *server) log(format string, args ...any) {
	if s.opts.Log != nil {
		fmt.Fprintf(s.opts.Log, "scenario lsp: "+format+"\n", args...)
	}
}

// methods are what the server understands.
func (s *server) methods() map[string]jrpc2.Handler {
	return map[string]jrpc2.Handler{
		"initialize":                        with(s.initialize),
		"initialized":                       ignored,
		"shutdown":                          with(s.shutdown),
		"exit":                              with(s.exit),
		"$/cancelRequest":                   with(s.cancel),
		"$/setTrace":                        ignored,
		"textDocument/didOpen":              with(s.didOpen),
		"textDocument/didChange":            with(s.didChange),
		"textDocument/didClose":             with(s.didClose),
		"textDocument/didSave":              with(s.saved),
		"textDocument/codeLens":             with(s.lenses),
		"textDocument/inlayHint":            with(s.hints),
		"workspace/executeCommand":          with(s.execute),
		"workspace/didChangeWatchedFiles":   with(s.recheck),
		"workspace/didChangeConfiguration":  ignored,
		"textDocument/completion":           with(s.completion),
		"textDocument/hover":                with(s.hover),
		"textDocument/signatureHelp":        with(s.signature),
		"textDocument/definition":           with(s.definition),
		"textDocument/references":           with(s.references),
		"textDocument/documentHighlight":    with(s.highlights),
		"textDocument/prepareRename":        with(s.prepareRename),
		"textDocument/rename":               with(s.rename),
		"textDocument/documentSymbol":       with(s.symbols),
		"workspace/symbol":                  with(s.workspaceSymbols),
		"textDocument/formatting":           with(s.format),
		"textDocument/codeAction":           with(s.actions),
		"textDocument/semanticTokens/full":  with(s.tokens),
		"textDocument/semanticTokens/range": with(s.tokens),
	}
}

func ignored(context.Context, *jrpc2.Request) (any, error) { return nil, nil }

// with decodes the parameters of a method.
func with[P any](f func(context.Context, P) (any, error)) jrpc2.Handler {
	return func(ctx context.Context, req *jrpc2.Request) (any, error) {
		var p P
		if err := req.UnmarshalParams(&p); err != nil {
			return nil, err
		}
		return f(ctx, p)
	}
}

func (s *server) initialize(_ context.Context, p initializeParams) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.phase = ready
	s.snippets = p.Capabilities.TextDocument.Completion.Item.Snippets
	s.refreshes, s.showsText = p.Capabilities.Workspace.Hints.Refresh, p.Options.ShowsText
	if p.RootURI != "" {
		s.root = pathOf(p.RootURI)
	}
	result := initializeResult{
		ServerInfo: serverInfo{Name: "scenario", Version: s.opts.Version},
		Capabilities: capabilities{
			PositionEncoding: "utf-16",
			Sync:             syncOptions{OpenClose: true, Change: syncIncremental, Save: true},
			Completion:       completionOptions{Triggers: []string{".", `"`, "=", " "}},
			Signature:        signatureOptions{Triggers: []string{"("}, Retriggers: []string{","}},
			Actions:          actionOptions{Kinds: []string{quickFix}},
			Rename:           renameOptions{Prepare: true},
			Tokens:           tokenOptions{Legend: tokenLegend{Types: tokenTypes, Modifiers: []string{}}, Full: true, Range: true},
			Hover:            true, Definition: true, References: true, Highlight: true,
			Symbols: true, WorkspaceSymbols: s.opts.Find != nil, Formatting: true,
		},
	}
	if c := &result.Capabilities; s.opts.Run != nil {
		c.Lenses, c.Hints, c.Commands = &lensOptions{}, true, &commandOptions{[]string{runCommand, explainCommand}}
	}
	return result, nil
}

func (s *server) shutdown(context.Context, any) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.phase = down
	return nil, nil
}

func (s *server) exit(context.Context, any) (any, error) {
	s.exitOnce.Do(func() { close(s.exited) })
	return nil, nil
}

// cancel ends the context of a request; its answer says that it was cancelled.
func (s *server) cancel(_ context.Context, p cancelParams) (any, error) {
	s.rpc.CancelRequest(string(p.ID))
	return nil, nil
}

func (s *server) didOpen(_ context.Context, p openParams) (any, error) {
	s.docs.put(s.newDocument(p.TextDocument.URI, p.TextDocument.Version, newText([]byte(p.TextDocument.Text))))
	s.checker.changed(nil)
	return nil, nil
}

func (s *server) didChange(_ context.Context, p changeParams) (any, error) {
	doc := s.docs.get(p.TextDocument.URI)
	if doc == nil {
		return nil, nil
	}
	t, version := doc.text, doc.version+1
	for _, c := range p.Changes {
		t = t.apply(c)
	}
	if p.TextDocument.Version != nil {
		version = *p.TextDocument.Version
	}
	doc = s.newDocument(doc.uri, version, t)
	s.docs.put(doc)
	s.checker.changed(doc)
	return nil, nil
}

func (s *server) didClose(_ context.Context, p documentParams) (any, error) {
	s.docs.drop(p.TextDocument.URI)
	s.checker.forget(p.TextDocument.URI)
	s.checker.changed(nil)
	return nil, nil
}

// saved checks what may read the file. What its scenarios came to was of the text
// that is saved now.
func (s *server) saved(context.Context, json.RawMessage) (any, error) {
	s.checker.changed(nil)
	return nil, nil
}

// recheck is for files that have changed outside of the editor.
func (s *server) recheck(context.Context, json.RawMessage) (any, error) {
	s.checker.expire()
	s.checker.changed(nil)
	return nil, nil
}

// document is one that a request is about.
func (s *server) document(id documentID) (*document, error) {
	if doc := s.docs.get(id.URI); doc != nil {
		return doc, nil
	}
	return nil, jrpc2.Errorf(jrpc2.InvalidParams, "%s is not open", id.URI)
}

func (s *server) completion(ctx context.Context, p positionParams) (any, error) {
	doc, err := s.document(p.TextDocument)
	if err != nil {
		return nil, err
	}
	return complete(ctx, s.opts, doc, p.Position, s.snippets), nil
}

func (s *server) hover(_ context.Context, p positionParams) (any, error) {
	doc, err := s.document(p.TextDocument)
	if err != nil {
		return nil, err
	}
	if h := explain(s.opts, doc, doc.text.offset(p.Position)); h != nil {
		return h, nil
	}
	return nil, nil
}

func (s *server) signature(_ context.Context, p positionParams) (any, error) {
	doc, err := s.document(p.TextDocument)
	if err != nil {
		return nil, err
	}
	if h := signatureAt(doc.text.src, doc.text.offset(p.Position)); h != nil {
		return h, nil
	}
	return nil, nil
}

// declared is what is named at a place.
func (s *server) declared(p positionParams) (*document, *index, *declaration, error) {
	doc, err := s.document(p.TextDocument)
	if err != nil {
		return nil, nil, nil, err
	}
	ix := doc.parsed()
	if ix == nil {
		return doc, nil, nil, nil
	}
	d, _ := ix.at(doc.text.offset(p.Position))
	return doc, ix, d, nil
}

func (s *server) definition(_ context.Context, p positionParams) (any, error) {
	doc, _, d, err := s.declared(p)
	if d == nil {
		return nil, err
	}
	return s.locations(doc, []hcl.Range{d.rng}), nil
}

func (s *server) references(ctx context.Context, p referenceParams) (any, error) {
	doc, _, d, err := s.declared(p.positionParams)
	list := []location{}
	if d != nil {
		list = s.locations(doc, s.everywhere(ctx, doc, d, p.Context.IncludeDeclaration))
	}
	return list, err
}

func (s *server) highlights(_ context.Context, p positionParams) (any, error) {
	doc, ix, d, err := s.declared(p)
	list := []highlight{}
	if d != nil {
		for _, rng := range ix.places(d, true, doc.path) {
			list = append(list, highlight{doc.text.rangeOf(rng)})
		}
	}
	return list, err
}

func (s *server) prepareRename(_ context.Context, p positionParams) (any, error) {
	doc, err := s.document(p.TextDocument)
	if err != nil {
		return nil, err
	}
	offset := doc.text.offset(p.Position)
	d, err := renameable(doc, offset)
	if err != nil {
		return nil, jrpc2.Errorf(codeRequestFailed, "%s", err)
	}
	_, rng := doc.parsed().at(offset)
	return prepared{doc.text.rangeOf(rng), d.name}, nil
}

func (s *server) rename(ctx context.Context, p renameParams) (any, error) {
	doc, err := s.document(p.TextDocument)
	if err != nil {
		return nil, err
	}
	edit, err := s.renamed(ctx, doc, doc.text.offset(p.Position), p.NewName)
	if err != nil {
		return nil, jrpc2.Errorf(codeRequestFailed, "%s", err)
	}
	return edit, nil
}

func (s *server) symbols(_ context.Context, p documentParams) (any, error) {
	doc, err := s.document(p.TextDocument)
	if err != nil {
		return nil, err
	}
	if file := doc.file(); file != nil {
		return outline(doc.text, file.Body), nil
	}
	return []documentSymbol{}, nil
}

// mostSymbols bounds the answer about a workspace.
const mostSymbols = 1000

func (s *server) workspaceSymbols(ctx context.Context, p symbolParams) (any, error) {
	list := []symbolInformation{}
	if s.opts.Find == nil || s.opts.Read == nil || s.root == "" {
		return list, nil
	}
	open := s.docs.texts()
	for _, path := range s.opts.Find(s.root) {
		if ctx.Err() != nil || len(list) >= mostSymbols {
			break
		}
		src, ok := open(path)
		if !ok {
			var err error
			if src, err = s.opts.Read(path); err != nil {
				continue
			}
		}
		if file, _ := dsl.Parse(path, src); file != nil {
			list = append(list, matching(newText(src), uriOf(path), file, p.Query)...)
		}
	}
	return list[:min(len(list), mostSymbols)], nil
}

// format gives a file the one layout. One with a syntax error keeps its own.
func (s *server) format(_ context.Context, p documentParams) (any, error) {
	doc, err := s.document(p.TextDocument)
	if err != nil {
		return nil, err
	}
	if doc.broken() {
		return nil, jrpc2.Errorf(codeRequestFailed, "the file has a syntax error and stays as it is")
	}
	formatted := dsl.Format(doc.text.src)
	if string(formatted) == string(doc.text.src) {
		return []textEdit{}, nil
	}
	return []textEdit{{doc.text.whole(), string(formatted)}}, nil
}

// tokens are those of a document, or of a part of it.
func (s *server) tokens(_ context.Context, p tokenParams) (any, error) {
	doc, err := s.document(p.TextDocument)
	if err != nil {
		return nil, err
	}
	all := tokens(doc.path, doc.text.src)
	if p.Range != nil {
		from, to := doc.text.offset(p.Range.Start), doc.text.offset(p.Range.End)
		all = slices.DeleteFunc(all, func(t token) bool { return t.to <= from || t.from >= to })
	}
	return tokenList{doc.text.encode(all)}, nil
}

func (s *server) actions(_ context.Context, p actionParams) (any, error) {
	doc, err := s.document(p.TextDocument)
	if err != nil {
		return nil, err
	}
	return actionsFor(doc, s.checker.of(doc), p.Range), nil
}
