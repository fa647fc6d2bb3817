package lsp

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
)

// long is a file of at least so many lines, with a workflow for each dozen of
// scenarios.
func long(lines int) string {
	var b strings.Builder
	b.WriteString("provider \"openai\" \"llm\" { model = \"gpt-4o-mini\" }\nretry \"exponential\" \"std\" { max_retries = 3 }\n")
	for n := 0; strings.Count(b.String(), "\n") < lines; n++ {
		fmt.Fprintf(&b, "\nworkflow \"w%d\" {\n  provider = provider.llm\n\n  step \"llm\" \"answer\" {\n    prompt  = \"Why is the sky blue? %d\"\n    retry   = retry.std\n    timeout = \"20s\"\n  }\n}\n", n, n)
		for k := range 12 {
			fmt.Fprintf(&b, "\nscenario \"s%d_%d\" {\n  run = workflow.w%d\n\n  on \"answer\" {\n    fault \"http_error\" {\n      status_code = 503\n      times       = %d\n    }\n    reply { content = \"Rayleigh scattering.\" }\n  }\n\n  expect \"answer\" { content = \"Rayleigh scattering.\" }\n\n  assert \"attempts\" {\n    condition = length(step.answer.attempts) == %d\n  }\n  assert \"waits\" {\n    condition = step.answer.attempts[0].duration_ms >= 0\n  }\n}\n", n, k, n, k%3+1, k%3+2)
		}
	}
	return b.String()
}

// typing has a client type at a mark, a letter for each call, until it has the
// diagnostics of what it typed.
func typing(c *client, uri, text string) func() publishParams {
	version, at := 1, placeAfter(text[:strings.Index(text, "Rayleigh")])
	return func() publishParams {
		version++
		c.tell("textDocument/didChange", map[string]any{
			"textDocument":   map[string]any{"uri": uri, "version": version},
			"contentChanges": []any{map[string]any{"range": span{at, at}, "text": "x"}},
		})
		return c.diagnosticsOf(uri, version)
	}
}

// From a key to the diagnostics, in a file of 5,000 lines, as somebody sees it who
// types: with the wait for the next key.
func BenchmarkKeystroke(b *testing.B) {
	opts := testOptions()
	opts.Wait, opts.Now = time.After, time.Now
	c := start(b, opts)
	text := long(5000)
	uri := c.open("a.scenario.hcl", text)
	c.diagnostics(uri)
	key := typing(c, uri, text)
	key()
	for b.Loop() {
		key()
	}
}

// Completion in such a file, just after a key, while it is being checked.
func BenchmarkCompletion(b *testing.B) {
	opts := testOptions()
	opts.Wait, opts.Now = time.After, time.Now
	c := start(b, opts)
	text, at := cursor(b, strings.Replace(long(5000), "length(step.answer.attempts)", "length(step.answer.‸)", 1))
	uri := c.open("a.scenario.hcl", text)
	for b.Loop() {
		var got completionList
		if c.call("textDocument/completion", here(uri, at), &got); len(got.Items) < 5 {
			b.Fatalf("%v", got)
		}
	}
}

// A completion compiles the scenario that it is in and no other; one outside of
// scenarios one for each workflow that is run.
func TestCompletionCompilesOneScenario(t *testing.T) {
	for _, test := range []struct {
		old, new  string
		scenarios int
	}{
		{"length(step.answer.attempts)", "length(step.answer.‸)", 1},
		{"prompt  = \"Why is the sky blue? 0\"", "prompt  = ‸", 20},
	} {
		opts := testOptions()
		var compiled []int
		opts.Names = func(file *dsl.File, watch func(dsl.Name)) {
			compiled = append(compiled, len(file.Body.All("scenario")))
			watched(file, watch)
		}
		c := start(t, opts)
		text, at := cursor(t, strings.Replace(long(5000), test.old, test.new, 1))
		uri := c.open("a.scenario.hcl", text)
		var got completionList
		if c.call("textDocument/completion", here(uri, at), &got); len(got.Items) == 0 {
			t.Errorf("%s: nothing is offered", test.new)
		}
		if n := strings.Count(text, "\nscenario "); n < 200 || len(compiled) != 1 || compiled[0] != test.scenarios {
			t.Errorf("%s: of %d scenarios %v were compiled", test.new, n, compiled)
		}
	}
}

// What is offered is what the whole file would say, in every example, at any place
// and in whatever state its line is.
func TestCompletionIsThatOfTheWholeFile(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	opts := testOptions()
	s := &server{opts: &opts}
	tried, offered := 0, 0
	err := filepath.WalkDir("../../scenarios", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".scenario.hcl") {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		places := 12
		if testing.Short() {
			places = 2
		}
		for range places {
			at := rnd.IntN(len(src))
			text := string(src[:at])
			if rnd.IntN(2) == 0 { // the rest of the line is not written yet
				rest := string(src[at:])
				text += rest[max(0, strings.IndexByte(rest, '\n')):]
			} else {
				text += string(src[at:])
			}
			doc := s.newDocument(uriOf(path), 1, newText([]byte(text)))
			want := completeIn(context.Background(), &opts, doc, at, false)
			got := complete(context.Background(), &opts, doc, doc.text.position(at), false)
			if !slices.Equal(labelsOf(got.Items), labelsOf(want.Items)) {
				t.Errorf("%s at %d: %v, and with the whole file %v", path, at, labelsOf(got.Items), labelsOf(want.Items))
			}
			tried, offered = tried+1, offered+min(1, len(want.Items))
		}
		return nil
	})
	if err != nil || offered < tried/4 {
		t.Errorf("%d of %d places had anything: %v", offered, tried, err)
	}
}

// A key has the document checked that it was typed in, first, and those that depend
// on it, and no other that is open.
func TestKeystrokeChecksWhatItReaches(t *testing.T) {
	opts := testOptions()
	var checked []string
	opts.Check = func(_ context.Context, path string, _ Open) hcl.Diagnostics {
		checked = append(checked, filepath.Base(path))
		return nil
	}
	opts.Concerns = func(path, changed string) bool {
		return strings.HasPrefix(filepath.Base(path), "imports") && filepath.Base(changed) == "common"
	}
	s := &server{opts: &opts}
	c := newChecker(&opts, &s.docs, func(publishParams) {})
	versions := 0
	put := func(name string) *document {
		versions++
		doc := s.newDocument("file:///"+name, versions, newText(nil))
		s.docs.put(doc)
		return doc
	}
	round := func() []string {
		checked = nil
		<-c.wake
		c.all(t.Context())
		slices.Sort(checked[min(1, len(checked)):])
		return checked
	}
	for _, name := range []string{"alone", "imports1", "common", "imports2", "other"} {
		put(name)
		c.changed(nil)
	}
	if got := round(); len(got) != 5 {
		t.Errorf("at first %v are checked", got)
	}
	for name, want := range map[string][]string{"alone": {"alone"}, "imports1": {"imports1"}, "common": {"common", "imports1", "imports2"}} {
		c.changed(put(name))
		if got := round(); !slices.Equal(got, want) {
			t.Errorf("a key in %s checks %v", name, got)
		}
	}
	// What a key has kept from being checked is made up for.
	interrupts := true
	opts.Check = func(_ context.Context, path string, _ Open) hcl.Diagnostics {
		checked = append(checked, filepath.Base(path))
		if interrupts {
			interrupts = false
			c.changed(put("other"))
		}
		return nil
	}
	c.changed(put("common"))
	round()
	if got, want := round(), []string{"other", "common", "imports1", "imports2"}; !slices.Equal(got, want) {
		t.Errorf("after an interrupted check %v are checked", got)
	}
	c.changed(nil)
	opts.Check = func(context.Context, string, Open) hcl.Diagnostics { checked = append(checked, ""); return nil }
	if got := round(); len(got) != 5 {
		t.Errorf("after a change of something else %d are checked", len(got))
	}
}

// The wait for the next key is half of what the last check took, between bounds.
func TestPauseFitsTheFile(t *testing.T) {
	now := time.Unix(0, 0)
	opts := testOptions()
	opts.Now = func() time.Time { return now }
	var docs documents
	c := newChecker(&opts, &docs, func(publishParams) {})
	s := &server{opts: &opts}
	doc := s.newDocument("file:///a.scenario.hcl", 1, newText(nil))
	docs.put(doc)
	for took, want := range map[time.Duration]time.Duration{0: quietMin, 30 * time.Millisecond: 15 * time.Millisecond, time.Second: quietMax} {
		opts.Check = func(context.Context, string, Open) hcl.Diagnostics {
			now = now.Add(took)
			return nil
		}
		c.mu.Lock()
		c.reach(doc)
		c.mu.Unlock()
		c.all(t.Context())
		if got := c.quiet(); got != want {
			t.Errorf("after a check of %s the wait is %s, not %s", took, got, want)
		}
	}
	opts.Now = nil
	if got := c.quiet(); got != quietMax {
		t.Errorf("without a clock the wait is %s", got)
	}
}
