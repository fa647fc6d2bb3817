package lsp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/channel"
	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
)

// Diagnostics follow what is typed, at places counted in UTF-16, whatever the
// ends of lines are, and go when the document is closed.
func TestDiagnostics(t *testing.T) {
	c := start(t, testOptions())
	for name, marked := range map[string]string{
		"plain":                 strings.Replace(world, "step.classify", "step⟦.clasify⟧", 1),
		"behind two units":      strings.Replace(world, "Answer ${step.classify", "🙂🙂 ${step⟦.clasify⟧", 1),
		"CRLF":                  strings.ReplaceAll(strings.Replace(world, "step.classify", "step⟦.clasify⟧", 1), "\n", "\r\n"),
		"composed of two runes": strings.Replace(world, "Answer ${step.classify", "e\u0301 ${step⟦.clasify⟧", 1),
	} {
		text, want := spans(marked)
		uri := c.open(strings.ReplaceAll(name, " ", "_")+".scenario.hcl", text)
		got := c.diagnostics(uri)
		if len(got.Diagnostics) != 1 || got.Diagnostics[0].Range != want[0] || got.Diagnostics[0].Severity != 1 ||
			got.Diagnostics[0].Message != `Unknown name: No step "clasify" is declared in workflow "support". Did you mean "classify"?` {
			t.Errorf("%s: %s\nwant one at %v", name, asJSON(got), want[0])
		}
		var fix []codeAction
		c.call("textDocument/codeAction", map[string]any{"textDocument": map[string]any{"uri": uri}, "range": want[0], "context": map[string]any{}}, &fix)
		if len(fix) != 1 || fix[0].Title != "Change to classify" {
			t.Fatalf("%s: actions %s", name, asJSON(fix))
		}
		fixed := fix[0].Edit.Changes[0].Edits
		if got, want := edited(text, fixed), strings.Replace(text, "clasify", "classify", 1); got != want {
			t.Errorf("%s: corrected to\n%s", name, got)
		}
		c.tell("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": uri, "version": 2}, "contentChanges": []any{map[string]any{"range": fixed[0].Range, "text": fixed[0].NewText}}})
		if got := c.diagnosticsOf(uri, 2); len(got.Diagnostics) != 0 {
			t.Errorf("%s: after the correction: %s", name, asJSON(got))
		}
		c.tell("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": uri}})
		if got := c.diagnosticsOf(uri, 0); len(got.Diagnostics) != 0 {
			t.Errorf("%s: after closing: %s", name, asJSON(got))
		}
	}
}

// A correction replaces the misspelt word and nothing around it, for every
// kind of name that a message can suggest.
func TestCorrections(t *testing.T) {
	c := start(t, testOptions())
	for i, test := range []struct{ wrong, right string }{
		{"workflow \"w\" {\n  stp \"value\" \"a\" { value = 1 }\n  step \"value\" \"b\" { value = 1 }\n}", "step \"value\" \"a\""},
		{"retry \"exponentiel\" \"x\" {}", `retry "exponential" "x" {}`},
		{"retry \"linear\" \"x\" { max_retrys = 3 }", "max_retries = 3"},
		{"locals { x = lenght([]) }", "length([])"},
		{scenarioWith("  on \"anwser\" {\n    reply { content = \"x\" }\n  }"), `on "answer"`},
		{scenarioWith("  allow = [\"unused_replay\", \"drifted\"]\n  expect \"answer\" { content = \"\" }"), `["unused_reply", "drifted"]`},
		{scenarioWith("  assert \"x\" { condition = stp.answer.content == \"\" }"), "condition = step.answer"},
		{strings.Replace(world, "breaker.std", "breaker.sdt", 1), "breaker  = breaker.std"},
		{strings.Replace(world, "gateway = gateway.llm", "gateway = gateway.lm", 1), "gateway = gateway.llm"},
		{strings.Replace(world, "target \"first\" {", "strategy = \"priorty\"\n  target \"first\" {", 1), `strategy = "priority"`},
	} {
		uri := c.open(fmt.Sprintf("correct%d.scenario.hcl", i), test.wrong)
		found := c.diagnostics(uri)
		var fix []codeAction
		for _, d := range found.Diagnostics {
			var some []codeAction
			c.call("textDocument/codeAction", map[string]any{"textDocument": map[string]any{"uri": uri}, "range": d.Range}, &some)
			fix = append(fix, some...)
		}
		if len(fix) == 0 {
			t.Errorf("%s: no correction among %s", test.wrong, asJSON(found))
			continue
		}
		if got := edited(test.wrong, fix[0].Edit.Changes[0].Edits); !strings.Contains(got, test.right) {
			t.Errorf("%s: corrected to\n%s", fix[0].Title, got)
		}
	}
}

// While somebody types, nothing is checked; what is there when the pause comes
// is checked once.
func TestDiagnosticsWaitForAPause(t *testing.T) {
	opts := testOptions()
	waits := make(chan chan time.Time)
	opts.Wait = func(time.Duration) <-chan time.Time {
		tick := make(chan time.Time, 1)
		waits <- tick
		return tick
	}
	var checked []string
	opts.Check = func(_ context.Context, path string, open Open) hcl.Diagnostics {
		src, _ := open(path)
		checked = append(checked, string(src))
		return nil
	}
	c := start(t, opts)
	uri := c.open("a.scenario.hcl", "# 1\n")
	<-waits
	for n := range 3 {
		c.tell("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": uri, "version": n + 2}, "contentChanges": []any{map[string]any{"text": fmt.Sprintf("# %d\n", n+2)}}})
		tick := <-waits // a new pause begins
		if n == 2 {
			tick <- time.Time{}
		}
	}
	c.diagnosticsOf(uri, 4)
	if len(checked) != 1 || checked[0] != "# 4\n" {
		t.Errorf("checked %q", checked)
	}
}

// Formatting gives what scenario fmt gives; a file that does not parse is
// left alone.
func TestFormatting(t *testing.T) {
	c := start(t, testOptions())
	ugly := "retry \"linear\"  \"größe\" {\r\nmax_retries=3\r\n  delay = \"1s\" # 🙂\r\n}"
	var got []textEdit
	uri := c.open("a.scenario.hcl", ugly)
	c.call("textDocument/formatting", map[string]any{"textDocument": map[string]any{"uri": uri}}, &got)
	if text := edited(ugly, got); text != string(dsl.Format([]byte(ugly))) || !strings.Contains(text, "\r\n  max_retries = 3\r\n") {
		t.Errorf("%q", text)
	}
	uri = c.open("b.scenario.hcl", world)
	c.call("textDocument/formatting", map[string]any{"textDocument": map[string]any{"uri": uri}}, &got)
	if len(got) != 0 {
		t.Errorf("a formatted file is changed: %v", got)
	}
	uri = c.open("c.scenario.hcl", world+"}")
	if err := c.try("textDocument/formatting", map[string]any{"textDocument": map[string]any{"uri": uri}}, nil); err == nil || !strings.Contains(err.Error(), "syntax error") {
		t.Errorf("a file that does not parse: %v", err)
	}
}

// The protocol's own order is kept: nothing before initialize, nothing after
// shutdown, and exit ends the server, as an error without a shutdown.
func TestLifecycle(t *testing.T) {
	c := connect(t, testOptions())
	if err := c.try("textDocument/hover", here("file:///x", position{}), nil); errorCode(err) != -32002 {
		t.Errorf("before initialize: %v", err)
	}
	c.call("initialize", map[string]any{"capabilities": map[string]any{}}, nil)
	if err := c.try("initialize", map[string]any{}, nil); errorCode(err) != -32600 {
		t.Errorf("initialize twice: %v", err)
	}
	if err := c.try("textDocument/hover", here("file:///x", position{}), nil); errorCode(err) != -32602 {
		t.Errorf("a file that is not open: %v", err)
	}
	if err := c.try("textDocument/unheardOf", map[string]any{}, nil); errorCode(err) != -32601 {
		t.Errorf("an unknown method: %v", err)
	}
	if err := c.try("textDocument/hover", []int{1}, nil); errorCode(err) != -32602 {
		t.Errorf("parameters of another kind: %v", err)
	}
	c.tell("$/unheardOf", map[string]any{})
	c.call("shutdown", nil, nil)
	if err := c.try("textDocument/hover", here("file:///x", position{}), nil); errorCode(err) != -32600 {
		t.Errorf("after shutdown: %v", err)
	}
	c.tell("exit", nil)
	if err := <-c.ended; err != nil {
		t.Errorf("after shutdown and exit: %v", err)
	}

	c = start(t, testOptions())
	c.tell("exit", nil)
	if err := <-c.ended; !errors.Is(err, ErrNoShutdown) {
		t.Errorf("exit without shutdown: %v", err)
	}
	c = start(t, testOptions())
	c.in.Close()
	if err := <-c.ended; !errors.Is(err, ErrNoShutdown) {
		t.Errorf("a client that is gone: %v", err)
	}
}

func errorCode(err error) int {
	var e *jrpc2.Error
	if errors.As(err, &e) {
		return int(e.Code)
	}
	return 0
}

// A message that is no message ends the server with an error, never with a
// panic, and whatever its header claims.
func TestBrokenFraming(t *testing.T) {
	for _, in := range []string{
		"", "\r\n\r\n", "Content-Length: x\r\n\r\n", "Content-Length: -1\r\n\r\n", "Content-Length: 99999999999999\r\n\r\n{}",
		"Content-Length: 10\r\n\r\n{}", strings.Repeat("x", 1<<20), "hello\n", "Content-Length: 3\r\n\r\n{}}Content-Length: 1\r\n\r\n",
	} {
		var out bytes.Buffer
		if err := Serve(io.NopCloser(strings.NewReader(in)), &out, testOptions()); !errors.Is(err, ErrNoShutdown) {
			t.Errorf("%.40q: %v", in, err)
		}
	}
}

// A request can be cancelled while it is worked on, by the id it was sent
// with, and others are answered meanwhile.
func TestCancellation(t *testing.T) {
	opts := testOptions()
	entered, release := make(chan struct{}, 10), make(chan struct{})
	opts.Names = func(*dsl.File, func(dsl.Name)) {
		entered <- struct{}{}
		<-release
	}
	opts.Check = func(context.Context, string, Open) hcl.Diagnostics { return nil }
	text, at := cursor(t, scenarioWith("  assert \"x\" {\n    condition = step.‸\n  }"))
	for _, id := range []string{`7`, `"seven"`} {
		toServer, in := io.Pipe()
		out, fromServer := io.Pipe()
		go Serve(toServer, fromServer, opts)
		raw := channel.LSP(out, in)
		send := func(format string, args ...any) {
			if err := raw.Send(fmt.Appendf(nil, format, args...)); err != nil {
				t.Fatal(err)
			}
		}
		said := make(chan string, 100)
		go func() {
			defer close(said)
			for m, err := raw.Recv(); err == nil; m, err = raw.Recv() {
				said <- string(m)
			}
		}()
		// answer waits until the answer to a request comes.
		answer := func(id string) string {
			for m := range said {
				if strings.Contains(m, `"id":`+id) {
					return m
				}
			}
			t.Fatal("the server ended")
			return ""
		}
		params := asJSON(here("file:///a.scenario.hcl", at))
		send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`)
		answer("1")
		send(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":%s}}`, asJSON(documentItem{"file:///a.scenario.hcl", 1, text}))
		send(`{"jsonrpc":"2.0","id":%s,"method":"textDocument/completion","params":%s}`, id, params)
		<-entered
		send(`{"jsonrpc":"2.0","id":2,"method":"textDocument/documentSymbol","params":%s}`, params)
		if got := answer("2"); !strings.Contains(got, "workflow support") {
			t.Errorf("beside a slow request: %s", got)
		}
		send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":%s}}`, id)
		send(`{"jsonrpc":"2.0","id":3,"method":"textDocument/documentSymbol","params":%s}`, params)
		answer("3")
		release <- struct{}{}
		if got := answer(id); !strings.Contains(got, "-32800") {
			t.Errorf("cancelled: %s", got)
		}
		in.Close()
	}
}

// What was found in a text that has changed since is not shown.
func TestStaleDiagnosticsAreNotShown(t *testing.T) {
	opts := testOptions()
	entered, release := make(chan struct{}), make(chan struct{})
	opts.Check = func(_ context.Context, path string, open Open) hcl.Diagnostics {
		entered <- struct{}{}
		<-release
		return nil
	}
	c := start(t, opts)
	uri := c.open("a.scenario.hcl", "# 1\n")
	<-entered
	c.tell("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": uri, "version": 2}, "contentChanges": []any{map[string]any{"text": "# 2\n"}}})
	var symbols []documentSymbol // its answer comes after the change is known
	c.call("textDocument/documentSymbol", map[string]any{"textDocument": map[string]any{"uri": uri}}, &symbols)
	release <- struct{}{}
	<-entered
	release <- struct{}{}
	if got := <-c.news; got.Version == nil || *got.Version != 2 {
		t.Errorf("shown: %s", asJSON(got))
	}
}

// A change ends the check that is under way, however long that would take: what
// the editor shows never waits for a text that is gone.
func TestChangeEndsTheCheckBeforeIt(t *testing.T) {
	opts := testOptions()
	entered := make(chan struct{})
	opts.Check = func(ctx context.Context, path string, open Open) hcl.Diagnostics {
		if src, _ := open(path); string(src) != "# 1\n" {
			return nil
		}
		close(entered)
		<-ctx.Done() // as an expression without an end would
		return hcl.Diagnostics{{Severity: hcl.DiagError, Summary: "Interrupted"}}
	}
	c := start(t, opts)
	uri := c.open("a.scenario.hcl", "# 1\n")
	<-entered
	c.tell("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": uri, "version": 2}, "contentChanges": []any{map[string]any{"text": "# 2\n"}}})
	if got := <-c.news; got.Version == nil || *got.Version != 2 || len(got.Diagnostics) != 0 {
		t.Errorf("shown: %s", asJSON(got))
	}
}

// What is wrong with a text of which one expression would never end is said
// beside that expression, and goes when it is edited away.
func TestEndlessExpressionIsADiagnostic(t *testing.T) {
	c := start(t, testOptions())
	const endless = "[for a in range(1000) : [for b in range(1000) : [for c in range(1000) : a + b + c]]]"
	uri := c.open("a.scenario.hcl", "locals {\n  x = "+endless+"\n}\n")
	if got := c.diagnostics(uri); len(got.Diagnostics) != 1 || !strings.HasPrefix(got.Diagnostics[0].Message, "Too much to compute: ") || got.Diagnostics[0].Range.Start.Line != 1 {
		t.Errorf("shown: %s", asJSON(got))
	}
	c.tell("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": uri, "version": 2}, "contentChanges": []any{map[string]any{"text": "locals {\n  x = 1\n}\n"}}})
	if got := c.diagnosticsOf(uri, 2); len(got.Diagnostics) != 0 {
		t.Errorf("shown: %s", asJSON(got))
	}
}

// Shows that of very many mistakes the first are published, the errors before the warnings, and how many more there are.
func TestNotAllDiagnosticsAreShown(t *testing.T) {
	var names []string
	for i := range 700 {
		names = append(names, fmt.Sprintf("step.q%d", i))
	}
	c := start(t, testOptions())
	uri := c.open("many.scenario.hcl", "workflow \"w\" {\n  step \"value\" \"a\" { value = ["+strings.Join(names, ", ")+"] }\n}\n")
	got := c.diagnostics(uri).Diagnostics
	if len(got) != 501 {
		t.Fatalf("%d diagnostics", len(got))
	}
	if last := got[500].Message; !strings.HasPrefix(last, "Not all is shown: The file has ") || !strings.Contains(last, "more errors and warnings than the 500 that are shown") {
		t.Errorf("the last one is %q", last)
	}
}
