package lsp

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What another file declares is completed, found and renamed as if it stood
// here, from the text that the editor shows, saved or not; files of the
// workspace that are not open change with it.
func TestImports(t *testing.T) {
	opts := testOptions()
	var closed string
	opts.Find = func(string) []string { return []string{closed} }
	c := start(t, opts)
	closed = filepath.Join(c.dir, "closed.scenario.hcl")
	const user = `import = ["./common.scenario.hcl", "std/cuga"]
workflow "w" {
  provider = provider.⟦shared⟧
  step "llm" "a" {
    prompt = "🙂"
    retry  = retry.cuga
  }
}
`
	text, at := spans(user)
	if err := os.WriteFile(closed, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(c.dir, "common.scenario.hcl"), []byte("stale and broken {"), 0o666); err != nil {
		t.Fatal(err)
	}
	commonText, declared := spans("# 🙂\nprovider \"openai\" \"⟦shared⟧\" { model = \"m\" }\n")
	common := c.open("common.scenario.hcl", commonText)
	c.diagnostics(common)
	uri := c.open("user.scenario.hcl", text)
	if got := c.diagnostics(uri); len(got.Diagnostics) != 0 {
		t.Errorf("diagnostics: %s", asJSON(got))
	}

	var def []location
	c.call("textDocument/definition", here(uri, at[0].Start), &def)
	if !slices.Equal(def, []location{{common, declared[0]}}) {
		t.Errorf("definition: %v, want %v", def, declared)
	}
	items := labelsOf(c.complete(strings.Replace(text, "provider.shared", "provider.‸", 1)))
	if !slices.Equal(items, []string{"provider.shared"}) {
		t.Errorf("completion: %v", items)
	}
	c.tell("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": c.uri("complete.scenario.hcl")}})

	for _, from := range []map[string]any{here(uri, at[0].Start), here(common, declared[0].End)} {
		from["newName"] = "main"
		var edit workspaceEdit
		c.call("textDocument/rename", from, &edit)
		var changed []string
		for _, d := range edit.Changes {
			was := text
			if d.TextDocument.URI == common {
				was = commonText
			}
			if got, want := edited(was, d.Edits), strings.ReplaceAll(was, "shared", "main"); got != want {
				t.Errorf("%s becomes\n%s", d.TextDocument.URI, got)
			}
			if closed := d.TextDocument.URI == c.uri("closed.scenario.hcl"); closed != (d.TextDocument.Version == nil) {
				t.Errorf("%s has the version %v", d.TextDocument.URI, d.TextDocument.Version)
			}
			changed = append(changed, filepath.Base(d.TextDocument.URI))
		}
		if want := []string{"closed.scenario.hcl", "common.scenario.hcl", "user.scenario.hcl"}; !slices.Equal(changed, want) {
			t.Errorf("changed %v, want %v", changed, want)
		}
	}

	_, cuga := spans(strings.Replace(text, "retry.cuga", "retry.⟦cuga⟧", 1))
	params := here(uri, cuga[0].Start)
	params["newName"] = "x"
	if err := c.try("textDocument/rename", params, nil); err == nil || !strings.Contains(err.Error(), "cannot be changed") {
		t.Errorf("a declaration of the standard library: %v", err)
	}

	c.tell("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": common, "version": 2}, "contentChanges": []any{map[string]any{"text": "provider \"openai\" \"other\" { model = \"m\" }\n"}}})
	got := c.diagnostics(uri)
	for len(got.Diagnostics) == 0 { // of checks before the change
		got = c.diagnostics(uri)
	}
	if len(got.Diagnostics) != 1 || got.Diagnostics[0].Range.Start.Line != at[0].Start.Line {
		t.Errorf("after the import lost the name: %s", asJSON(got))
	}
}
