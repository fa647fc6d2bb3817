package play

import (
	"context"
	"io"
	"io/fs"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/lsp"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
)

// Serve is the language server for an editor whose files are all open: it talks to
// the editor as `scenario lsp` does, until in ends.
func Serve(in io.Reader, out io.Writer) error {
	empty := source(nil)
	return lsp.Serve(in, out, lsp.Options{
		Version: "playground",
		Check:   check,
		Link: func(file *dsl.File, open lsp.Open) *dsl.File {
			linked, _ := (&suite.Loader{Source: empty, Unsaved: open}).Link(file)
			return linked
		},
		Names: func(file *dsl.File, watch func(dsl.Name)) { interp.Compile(file, interp.Options{Watch: watch}) },
		Words: map[string][]string{"scenario.allow": interp.Gates()},
		Find:  func(string) []string { return nil },
		Read:  func(string) ([]byte, error) { return nil, fs.ErrNotExist },
		Wait:  time.After,
		Log:   io.Discard,
	})
}

// check says what is wrong with a file that is open.
func check(ctx context.Context, path string, open lsp.Open) hcl.Diagnostics {
	files := map[string]string{}
	name := strings.TrimPrefix(path, "/")
	if text, ok := open(path); ok {
		files[name] = string(text)
	}
	l := loader(source(files))
	defer l.Close()
	diags := l.LoadContext(ctx, name).Diags
	for _, d := range diags {
		for _, r := range []*hcl.Range{d.Subject, d.Context} {
			if r != nil && r.Filename == name {
				r.Filename = path
			}
		}
	}
	return diags
}
