package lsp

import (
	"context"
	"io"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/schema"
)

// Options are what the server is given of the rest of the program. Its
// functions are called from several goroutines at once.
type Options struct {
	// Version is told to the client.
	Version string
	// Check says what is wrong with a file, as `scenario validate` does, and
	// open gives the texts of files that the editor has not saved, by their
	// cleaned path. The diagnostics name files as path does. The context ends
	// with the next change of any document: what is said then is not shown.
	Check func(ctx context.Context, path string, open Open) hcl.Diagnostics
	// Concerns reports whether a change of one file changes what the last check of
	// another one said. Nil says that any does.
	Concerns func(path, changed string) bool
	// Run runs a scenario of a file, by its name, and says what became of it; Explain
	// says why it behaves as it does. Both start no program and reach no network. Nil
	// ones are not offered.
	Run     func(ctx context.Context, path, name string, open Open) (*Verdict, error)
	Explain func(ctx context.Context, path, name string, open Open) (string, error)
	// Link adds to a file what it imports.
	Link func(file *dsl.File, open Open) *dsl.File
	// Names compiles a file as far as that goes, and tells watch of every name
	// in it. It may panic: the file may be in any state.
	Names func(file *dsl.File, watch func(dsl.Name))
	// Words gives the words that a string of an attribute may be beside those
	// of the schema, by block type and attribute: "scenario.allow".
	Words map[string][]string
	// Find lists the scenario files below a directory, for the symbols of a
	// workspace.
	Find func(dir string) []string
	// Read reads a file that is not open.
	Read func(path string) ([]byte, error)
	// Wait gives a channel that is ready after so long; a file that is being
	// typed is checked when nothing was typed for that time. Nil checks at
	// once.
	Wait func(time.Duration) <-chan time.Time
	// Now is the time on the real clock. It decides for how long nothing may be
	// typed; nil waits for as long as it ever does.
	Now func() time.Time
	// Log takes what goes wrong in the server itself.
	Log io.Writer
}

// Open is the text of a file that an editor has open.
type Open func(path string) ([]byte, bool)

// parse reads a text in any state, alone and with what it imports; both are
// nil where nothing can be read.
func (o *Options) parse(path string, src []byte, open Open) (alone, linked *dsl.File) {
	alone, _ = dsl.Parse(path, src)
	if alone == nil || alone.Linked() || o.Link == nil {
		return alone, alone
	}
	return alone, o.Link(alone, open)
}

// names is Names for a file in any state.
func (o *Options) names(file *dsl.File, watch func(dsl.Name)) {
	defer func() { _ = recover() }()
	if o.Names != nil {
		o.Names(file, watch)
	}
}

func (o *Options) words(b *schema.Block, a *schema.Attr) []string {
	words := a.OneOf[:len(a.OneOf):len(a.OneOf)]
	if b != nil {
		words = append(words, o.Words[b.Type+"."+a.Name]...)
	}
	return words
}
