package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/channel"
	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp"
)

// compile is what the command hands in, without cassettes and variables.
func compile(ctx context.Context, path string, open Open) hcl.Diagnostics {
	src, ok := open(path)
	if !ok {
		src, _ = os.ReadFile(path)
	}
	file, diags := dsl.Parse(path, src)
	if file == nil || diags.HasErrors() {
		return diags
	}
	file, more := dsl.Link(file, opener(open))
	if diags = append(diags, more...); diags.HasErrors() {
		return diags
	}
	_, more = interp.Compile(file, interp.Options{Context: ctx})
	return append(diags, more...)
}

// opener finds imports beside the file, the open ones first.
func opener(open Open) dsl.Opener {
	return func(from, written string) (string, []byte, error) {
		path := filepath.Join(filepath.Dir(from), written)
		if src, ok := open(path); ok {
			return path, src, nil
		}
		src, err := os.ReadFile(path)
		return path, src, err
	}
}

func linked(file *dsl.File, open Open) *dsl.File {
	file, _ = dsl.Link(file, opener(open))
	return file
}

func watched(file *dsl.File, watch func(dsl.Name)) {
	interp.Compile(file, interp.Options{Watch: watch})
}

func testOptions() Options {
	return Options{
		Version: "test", Check: compile, Link: linked, Names: watched, Read: os.ReadFile,
		Words: map[string][]string{"scenario.allow": interp.Gates()},
	}
}

// A client is an editor that a test plays. It speaks through the library's own
// framing, over pipes.
type client struct {
	t    testing.TB
	rpc  *jrpc2.Client
	dir  string
	news chan publishParams
	// ended gives what Serve returned.
	ended chan error
	in    *io.PipeWriter
}

func connect(t testing.TB, opts Options) *client {
	t.Helper()
	toServer, in := io.Pipe()
	out, fromServer := io.Pipe()
	c := &client{t: t, dir: t.TempDir(), news: make(chan publishParams, 1000), ended: make(chan error, 1), in: in}
	go func() {
		err := Serve(toServer, fromServer, opts)
		fromServer.Close()
		c.ended <- err
	}()
	c.rpc = jrpc2.NewClient(channel.LSP(out, in), &jrpc2.ClientOptions{OnNotify: func(r *jrpc2.Request) {
		var p publishParams
		if err := r.UnmarshalParams(&p); err != nil || r.Method() != "textDocument/publishDiagnostics" {
			t.Errorf("the server said %s: %v", r.Method(), err)
		}
		c.news <- p
	}})
	t.Cleanup(func() { c.rpc.Close() })
	return c
}

// start is a client that has said hello.
func start(t testing.TB, opts Options) *client {
	t.Helper()
	c := connect(t, opts)
	hello := map[string]any{
		"rootUri":      c.uri("."),
		"capabilities": map[string]any{"textDocument": map[string]any{"completion": map[string]any{"completionItem": map[string]any{"snippetSupport": false}}}},
	}
	c.call("initialize", hello, nil)
	c.tell("initialized", struct{}{})
	return c
}

func (c *client) uri(name string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(c.dir, name))}).String()
}

func (c *client) call(method string, params, result any) {
	c.t.Helper()
	if err := c.try(method, params, result); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

func (c *client) try(method string, params, result any) error {
	c.t.Helper()
	r, err := c.rpc.Call(context.Background(), method, params)
	if err != nil {
		return err
	}
	if result == nil {
		return nil
	}
	return r.UnmarshalResult(result)
}

func (c *client) tell(method string, params any) {
	c.t.Helper()
	if err := c.rpc.Notify(context.Background(), method, params); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

// open opens a file and returns its URI.
func (c *client) open(name, text string) string {
	c.t.Helper()
	c.tell("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": c.uri(name), "languageId": "scenario", "version": 1, "text": text}})
	return c.uri(name)
}

// diagnostics waits for the next ones of a document's first version.
func (c *client) diagnostics(uri string) publishParams {
	c.t.Helper()
	return c.diagnosticsOf(uri, 1)
}

// diagnosticsOf waits for the next ones of a version; 0 is for a document that
// was closed. A version may be checked several times.
func (c *client) diagnosticsOf(uri string, version int) publishParams {
	c.t.Helper()
	for {
		select {
		case p := <-c.news:
			if p.URI == uri && (p.Version == nil && version == 0 || p.Version != nil && *p.Version == version) {
				return p
			}
		case err := <-c.ended:
			c.t.Fatalf("the server ended: %v", err)
		}
	}
}

func here(uri string, at position) map[string]any {
	return map[string]any{"textDocument": map[string]any{"uri": uri}, "position": at}
}

// cursor takes the mark ‸ out of a text and says where it stood. The place is
// counted by encoding the line in UTF-16, not by the code under test.
func cursor(t testing.TB, marked string) (string, position) {
	t.Helper()
	before, after, found := strings.Cut(marked, "‸")
	if !found {
		t.Fatal("no mark in the text")
	}
	return before + after, placeAfter(before)
}

func placeAfter(before string) position {
	line := strings.Count(before, "\n")
	last := before[strings.LastIndexByte(before, '\n')+1:]
	return position{line, len(utf16.Encode([]rune(last)))}
}

// spans takes the marks ⟦ and ⟧ out of a text and says what they stood around.
func spans(marked string) (string, []span) {
	var all []span
	for {
		before, rest, found := strings.Cut(marked, "⟦")
		if !found {
			return marked, all
		}
		inside, after, _ := strings.Cut(rest, "⟧")
		all = append(all, span{placeAfter(before), placeAfter(before + inside)})
		marked = before + inside + after
	}
}

// labels are those of completion at the mark of a text.
func (c *client) complete(marked string) []completionItem {
	c.t.Helper()
	text, at := cursor(c.t, marked)
	uri := c.open("complete.scenario.hcl", text)
	var list completionList
	c.call("textDocument/completion", here(uri, at), &list)
	return list.Items
}

func labelsOf(items []completionItem) []string {
	list := []string{}
	for _, i := range items {
		list = append(list, i.Label)
	}
	return list
}

// edited applies edits of one document as an editor does, from the end.
func edited(text string, edits []textEdit) string {
	lines := strings.SplitAfter(text, "\n")
	at := func(p position) int {
		n := 0
		for _, l := range lines[:p.Line] {
			n += len(l)
		}
		if p.Line < len(lines) {
			units := utf16.Encode([]rune(lines[p.Line]))
			n += len(string(utf16.Decode(units[:p.Character])))
		}
		return n
	}
	for i := len(edits) - 1; i >= 0; i-- {
		from, to := at(edits[i].Range.Start), at(edits[i].Range.End)
		text = text[:from] + edits[i].NewText + text[to:]
	}
	return text
}

func asJSON(v any) string {
	b, _ := json.MarshalIndent(v, "", " ")
	return string(b)
}

// world is a valid file that the tests write into.
const world = `provider "openai" "primary" { model = "gpt-4o-mini" }
provider "openai" "backup" { model = "gpt-4o-mini" }

# Waits longer each time.
retry "exponential" "std" { max_retries = 3 }

breaker "std" { threshold = 3 }

gateway "llm" {
  target "first" {
    provider = provider.primary
    breaker  = breaker.std
  }
  target "second" { provider = provider.backup }
}

variable "size" { default = 3 }

locals { limit = 5 }

workflow "support" {
  gateway = gateway.llm
  inputs  = { question = null, mood = "calm" }

  step "llm" "classify" { prompt = "Classify: ${input.question}" }
  step "llm" "answer" {
    prompt = "Answer ${step.classify.content}"
    retry  = retry.std
  }
}
`

// scenarioWith is the world and a scenario that holds some lines.
func scenarioWith(lines string) string {
	return world + `
scenario "works" {
  run    = workflow.support
  inputs = { question = "why?" }

` + lines + `
}
`
}

func asText(s span) string {
	return fmt.Sprintf("%d:%d-%d:%d", s.Start.Line, s.Start.Character, s.End.Line, s.End.Character)
}
