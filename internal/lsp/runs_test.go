package lsp

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp"
)

// ranWith runs a scenario of a text as the command does, without imports.
func ranWith(_ context.Context, path, name string, open Open) (*Verdict, error) {
	src, _ := open(path)
	file, diags := dsl.Parse(path, src)
	if diags.HasErrors() {
		return nil, errors.New("the file is invalid")
	}
	suite, diags := interp.Compile(file, interp.Options{})
	if diags.HasErrors() {
		return nil, errors.New("the file is invalid")
	}
	v := &Verdict{Word: "passed"}
	for _, p := range suite.Plans {
		if p.Name != name {
			continue
		}
		r := interp.Run(p, interp.RunOptions{})
		for _, problem := range r.Problems {
			at := problem.Range
			v.Word = "failed"
			v.Problems = append(v.Problems, &hcl.Diagnostic{Severity: hcl.DiagError, Summary: problem.Name, Detail: problem.Message, Subject: &at})
		}
	}
	return v, nil
}

const twoVerdicts = `workflow "w" {
  step "value" "v" { value = 1 }
}

scenario "good" {
  run = workflow.w
  expect "v" { output = 1 }
}

scenario "bäd" { # 🙂
  run = workflow.w
  expect "v" { output = 2 }
}
`

// runner is a client of a server that runs scenarios.
func runner(t *testing.T, change func(*Options)) *client {
	opts := testOptions()
	opts.Run = ranWith
	opts.Explain = func(_ context.Context, _, name string, _ Open) (string, error) { return "why " + name, nil }
	if change != nil {
		change(&opts)
	}
	return start(t, opts)
}

func (c *client) hints(uri string) []inlayHint {
	var hints []inlayHint
	c.call("textDocument/inlayHint", map[string]any{"textDocument": map[string]any{"uri": uri}, "range": span{End: position{1000, 0}}}, &hints)
	return hints
}

func (c *client) execute(command string, args ...any) (got runResult, err error) {
	err = c.try("workspace/executeCommand", map[string]any{"command": command, "arguments": args}, &got)
	return got, err
}

// Each scenario has a lens to run it and one to explain it. What it came to stands
// behind its first line, and what did not hold where it stands, until the text
// changes.
func TestVerdicts(t *testing.T) {
	c := runner(t, nil)
	uri := c.open("a.scenario.hcl", twoVerdicts)
	if got := c.diagnostics(uri); len(got.Diagnostics) != 0 {
		t.Fatalf("at first there is %v", got.Diagnostics)
	}
	var lenses []codeLens
	c.call("textDocument/codeLens", map[string]any{"textDocument": map[string]any{"uri": uri}}, &lenses)
	if len(lenses) != 4 || lenses[2].Command.Title != "run" || lenses[3].Command.Title != "explain" || lenses[2].Range.Start.Line != 9 {
		t.Fatalf("lenses %s", asJSON(lenses))
	}
	if got := c.hints(uri); len(got) != 0 {
		t.Errorf("before a run there is %v", got)
	}
	for _, lens := range []codeLens{lenses[0], lenses[2]} { // as an editor does, with what the lens says
		if _, err := c.execute(lens.Command.Command, lens.Command.Arguments...); err != nil {
			t.Fatal(err)
		}
	}
	hints := c.hints(uri)
	if len(hints) != 2 || hints[0].Label != "passed" || hints[1].Label != "failed" || hints[1].Position != (position{9, 21}) {
		t.Errorf("hints %s", asJSON(hints))
	}
	c.diagnostics(uri) // of the one that passed
	got := c.diagnostics(uri)
	if len(got.Diagnostics) != 1 || got.Diagnostics[0].Source != "scenario test" || got.Diagnostics[0].Range.Start.Line != 11 || !strings.Contains(got.Diagnostics[0].Message, "v") {
		t.Errorf("after a run there is %s", asJSON(got))
	}
	c.tell("textDocument/didSave", map[string]any{"textDocument": map[string]any{"uri": uri}})
	if got := c.diagnostics(uri); len(got.Diagnostics) != 1 || len(c.hints(uri)) != 2 {
		t.Errorf("after it was saved there is %s", asJSON(got))
	}
	end := placeAfter(twoVerdicts)
	c.tell("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": uri, "version": 2}, "contentChanges": []any{map[string]any{"range": span{end, end}, "text": "#"}}})
	if got := c.diagnosticsOf(uri, 2); len(got.Diagnostics) != 0 {
		t.Errorf("after a key there is %s", asJSON(got))
	}
	if got := c.hints(uri); len(got) != 0 {
		t.Errorf("after a key there is %v", got)
	}
}

// A verdict on a text that has changed during the run is of no use, and a change of a
// file outside of the editor ends all.
func TestStaleVerdicts(t *testing.T) {
	began, goOn := make(chan bool), make(chan bool)
	c := runner(t, func(o *Options) {
		o.Run = func(ctx context.Context, path, name string, open Open) (*Verdict, error) {
			began <- true
			<-goOn
			return ranWith(ctx, path, name, open)
		}
	})
	uri := c.open("a.scenario.hcl", twoVerdicts)
	c.diagnostics(uri)
	answer := make(chan runResult)
	go func() {
		got, _ := c.execute(runCommand, uri, "bäd")
		answer <- got
	}()
	<-began
	c.tell("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": uri, "version": 2}, "contentChanges": []any{map[string]any{"text": twoVerdicts + "#"}}})
	c.diagnosticsOf(uri, 2)
	goOn <- true
	if got := <-answer; !got.Stale || got.Verdict != "failed" {
		t.Errorf("%+v", got)
	}
	if got := c.hints(uri); len(got) != 0 {
		t.Errorf("there is %v", got)
	}
	go func() { <-began; goOn <- true }()
	if got, err := c.execute(runCommand, uri, "bäd"); err != nil || got.Stale || len(c.hints(uri)) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	c.tell("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{}})
	c.diagnosticsOf(uri, 2)
	if got := c.hints(uri); len(got) != 0 {
		t.Errorf("after a change of something else there is %v", got)
	}
}

// What is asked wrongly is refused, an explanation is text, and nothing is offered
// where nothing is run.
func TestCommandsAreChecked(t *testing.T) {
	c := runner(t, nil)
	uri := c.open("a.scenario.hcl", twoVerdicts)
	for want, args := range map[string][]any{
		"has no scenario":     {runCommand, uri, "absent"},
		"is not open":         {runCommand, c.uri("b.scenario.hcl"), "good"},
		"takes the URI":       {runCommand, uri},
		"takes the URI of":    {runCommand, 1, "good"},
		"there is no command": {"scenario.exec", uri, "good"},
	} {
		if _, err := c.execute(args[0].(string), args[1:]...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", args, err)
		}
	}
	broken := c.open("c.scenario.hcl", twoVerdicts+"retry \"linear\" \"x\" { nothing = 1 }\n")
	if _, err := c.execute(runCommand, broken, "good"); err == nil || !strings.Contains(err.Error(), "invalid") {
		t.Errorf("%v", err)
	}
	c = connect(t, testOptions())
	var hello initializeResult
	c.call("initialize", map[string]any{"capabilities": map[string]any{}}, &hello)
	if got := hello.Capabilities; got.Commands != nil || got.Lenses != nil || got.Hints {
		t.Errorf("%+v", got)
	}
	if _, err := c.execute(runCommand, uri, "good"); err == nil {
		t.Error("it runs all the same")
	}
	opts := testOptions()
	opts.Run = ranWith
	opts.Explain = func(_ context.Context, _, name string, _ Open) (string, error) { return "why " + name, nil }
	c = connect(t, opts)
	c.call("initialize", map[string]any{"capabilities": map[string]any{}, "initializationOptions": map[string]any{"showsText": true}}, &hello)
	if !slices.Equal(hello.Capabilities.Commands.Commands, []string{runCommand, explainCommand}) {
		t.Errorf("%+v", hello.Capabilities.Commands)
	}
	uri = c.open("a.scenario.hcl", twoVerdicts)
	var text string
	c.call("workspace/executeCommand", map[string]any{"command": explainCommand, "arguments": []any{uri, "good"}}, &text)
	if text != "why good" {
		t.Errorf("%q", text)
	}
}

// A change of a file ends the verdicts of those that import it, and no others.
func TestVerdictsOfWhatImports(t *testing.T) {
	opts := testOptions()
	opts.Check = func(context.Context, string, Open) hcl.Diagnostics { return nil }
	opts.Concerns = func(path, changed string) bool {
		return strings.HasSuffix(path, "imports") && strings.HasSuffix(changed, "common")
	}
	s := &server{opts: &opts}
	c := newChecker(&opts, &s.docs, func(publishParams) {})
	docs := map[string]*document{}
	for _, name := range []string{"imports", "common", "other"} {
		docs[name] = s.newDocument("file:///"+name, 1, newText(nil))
		s.docs.put(docs[name])
	}
	c.changed(nil)
	c.all(t.Context())
	if <-c.wake; len(c.due) > 0 {
		c.all(t.Context())
	}
	for _, doc := range docs {
		if !c.ran(doc, "s", &Verdict{Word: "passed"}) {
			t.Error("a verdict is not kept")
		}
	}
	next := s.newDocument("file:///common", 2, newText(nil))
	s.docs.put(next)
	c.changed(next)
	for name, want := range map[string]int{"imports": 0, "other": 1, "common": 0} {
		if got := len(c.verdictsOf(docs[name])); got != want {
			t.Errorf("%s has %d verdicts", name, got)
		}
	}
}
