package lsp

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/language"
	"github.com/scenario-lang/scenario/schema"
)

// Every word of the language is offered in its block, also one that was added
// after this test was written, and none that its block refuses.
func TestEveryWordIsOffered(t *testing.T) {
	opts := testOptions()
	var visit func(b *schema.Block, before, after string)
	visit = func(b *schema.Block, before, after string) {
		if b.Kinds != nil {
			for _, k := range b.Kinds {
				visit(k, before, after)
			}
			return
		}
		if b.Type != "" {
			header := b.Type
			for i, l := range b.Labels {
				if i == 0 && b.Kind != "" {
					l = b.Kind
				}
				header += fmt.Sprintf(" %q", l)
			}
			before, after = before+header+" {\n", "\n}"+after
		}
		if b.Open {
			return
		}
		s := &server{opts: &opts}
		doc := s.newDocument("file:///all.scenario.hcl", 1, newText([]byte(before+after)))
		list := complete(context.Background(), &opts, doc, doc.text.position(len(before)), false)
		got := labelsOf(list.Items)
		for _, a := range b.Attrs {
			if slices.Contains(got, a.Name) == a.Refused {
				t.Errorf("%s after %q: offered is %t, refused is %t", a.Name, before, a.Refused, a.Refused)
			}
		}
		for _, n := range b.Blocks {
			if !slices.Contains(got, n.Type) {
				t.Errorf("%s is not offered after %q", n.Type, before)
			}
			if len(before) < 400 { // blocks may nest themselves
				visit(n, before, after)
			}
		}
	}
	visit(language.File(), "", "")
}

// An address may begin with the type of a block, also of one that has blocks of its
// own type in it.
func TestBlockTypes(t *testing.T) {
	for _, typ := range []string{"step", "scenario", "fault", "target"} {
		if !blockTypes()[typ] {
			t.Errorf("%s is no type of a block", typ)
		}
	}
	if blockTypes()["answer"] {
		t.Error("answer is one")
	}
}

// The compiler tells of every name in the examples: an expression that is
// checked without would have no completion and no hover.
func TestEveryNameIsWatched(t *testing.T) {
	files := 0
	err := filepath.WalkDir("../../scenarios", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".scenario.hcl") {
			return err
		}
		files++
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file, _ := dsl.Parse(path, src)
		seen := map[int]bool{}
		watched(linked(file, func(string) ([]byte, bool) { return nil, false }), func(n dsl.Name) { seen[n.Range.Start.Byte] = true })
		var visit func(b *dsl.Block)
		visit = func(b *dsl.Block) {
			for _, a := range b.Attrs {
				if a.Schema == nil || a.Schema.Type != schema.Expr || !strings.HasPrefix(b.Type, "assert") && b.Type != "validate" {
					continue
				}
				_ = hclsyntax.VisitAll(a.Expr, func(n hclsyntax.Node) hcl.Diagnostics {
					e, ok := n.(*hclsyntax.ScopeTraversalExpr)
					if ok && slices.Contains([]string{"each", "matrix"}, e.Traversal.RootName()) {
						return nil // their values stand in the place of them by then
					}
					if ok && !seen[e.Range().Start.Byte] {
						t.Errorf("%s: nothing is told of %s", e.Range(), e.Traversal.RootName())
					}
					return nil
				})
			}
			for _, n := range b.Blocks {
				visit(n)
			}
		}
		visit(file.Body)
		return nil
	})
	if err != nil || files == 0 {
		t.Fatalf("%d files: %v", files, err)
	}
}

// A file of the greatest size can be worked on: each answer parses it a few
// times at most.
func TestGreatestFile(t *testing.T) {
	if testing.Short() {
		t.Skip("parses tens of megabytes")
	}
	filler := strings.Repeat("# "+strings.Repeat("x", 997)+"\n", (dsl.MaxFileSize-len(world)-2000)/1000)
	parsed := 0
	opts := testOptions()
	opts.Names = func(file *dsl.File, watch func(dsl.Name)) {
		parsed++
		watched(file, watch)
	}
	opts.Check = func(context.Context, string, Open) hcl.Diagnostics { return nil }
	c := start(t, opts)
	if got := labelsOf(c.complete(filler + scenarioWith("  assert \"x\" {\n    condition = step.‸\n  }"))); !slices.Equal(got, []string{"answer", "classify"}) {
		t.Errorf("got %v", got)
	}
	if got := labelsOf(c.complete(filler + scenarioWith("  assert \"x\" {\n    condition = = = step.‸ }}}\n  }"))); parsed > 6 {
		t.Errorf("compiled %d times for %v", parsed, got)
	}
}

// Whatever a text holds and wherever the cursor is, every request has an
// answer: no panic, places inside of the text, and a name that is found is
// where it says.
func FuzzServer(f *testing.F) {
	for _, s := range []string{world, scenarioWith("  on \"answer\" {\n    fault \"timeout\" {}\n  }"), "x = \"${", "a \"", "<<EOT\n${", "}\r\n{\r", "locals {\n  🙂 = [for", "\xff\xfe", "import = [\"std/cuga\"]\nretry"} {
		f.Add(s, len(s)/2)
		f.Add(s, len(s))
	}
	f.Fuzz(func(t *testing.T, src string, offset int) {
		if len(src) > 4000 || offset < 0 || offset > len(src) {
			return
		}
		opts := testOptions()
		opts.Names = func(file *dsl.File, watch func(dsl.Name)) {
			defer func() { _ = recover() }() // the compiler has a fuzz target of its own
			watched(file, watch)
		}
		s := &server{opts: &opts}
		s.checker = newChecker(&opts, &s.docs, func(publishParams) {})
		doc := s.newDocument("file:///fuzz.scenario.hcl", 1, newText([]byte(src)))
		s.docs.put(doc)
		at := doc.text.position(offset)
		if back := doc.text.offset(at); back > offset || offset-back > 3 {
			t.Fatalf("offset %d is at %v, which is offset %d", offset, at, back)
		}
		complete(context.Background(), &opts, doc, at, true)
		explain(&opts, doc, offset)
		signatureAt(doc.text.src, offset)
		if file := doc.file(); file != nil {
			outline(doc.text, file.Body)
		}
		if edit, err := s.renamed(context.Background(), doc, offset, "fuzz_name"); err == nil {
			for _, e := range edit.Changes[0].Edits {
				if from, to := doc.text.offset(e.Range.Start), doc.text.offset(e.Range.End); from > to || to > len(src) {
					t.Fatalf("an edit from %d to %d", from, to)
				}
			}
		}
		s.checker.check(t.Context(), doc)
		actionsFor(doc, s.checker.of(doc), doc.text.whole())
	})
}
