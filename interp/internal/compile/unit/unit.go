package unit

import (
	"context"
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/stdlib"
)

// Options are what a file is compiled with.
type Options struct {
	// Vars are values of variables as text, from the environment or the
	// command line; they are converted to the variable's type.
	Vars map[string]string
	// Place is what traces call the file: its path relative to the suite root,
	// with slashes, so that they do not depend on where a command was started.
	// Where empty it is the file's own path.
	Place string
	// Seed replaces the seed of every scenario, where not nil.
	Seed *uint64
	// Files gives the functions file and fileset what they may read. The zero
	// value reads nothing.
	Files stdlib.Files
	// Env finds variables of the environment for provider blocks; nil finds
	// none.
	Env stdlib.Lookup
	// Placeholder says which variables of the environment are not read: env
	// gives a placeholder for them. Nil says that all are.
	Placeholder func(name string) bool
	// ReadSnapshot reads the record of a snapshot; path is from the directory
	// of the scenario file, with slashes. An error that is fs.ErrNotExist says
	// that there is none, and so does nil in its place.
	ReadSnapshot func(path string) ([]byte, error)
	// LoadCassette reads a recording; path is as the scenario writes it. Nil
	// refuses every cassette.
	LoadCassette func(path string) (*cassette.Cassette, error)
	// Wanted says which scenarios will be run; nil wants all. Of the others
	// everything is checked but their cassettes, which are not even opened, and
	// their plans must not be run.
	Wanted func(*plan.Handle) bool
	// Recording says that the plans may be recorded: they then know which
	// header fields of answers the file reads, so that a recording keeps those.
	Recording bool
	// Context, where not nil, ends the compilation: what is evaluated then is an
	// error, and what the diagnostics say is of no use.
	Context context.Context
	// Lint, where not nil, says what else there is to warn of in a file without a mistake, linked with
	// its imports.
	Lint func(*dsl.File) hcl.Diagnostics
	// Watch, where not nil, is told of every name in the file's expressions
	// and expectations, with what is known of it. An editor asks for it.
	Watch func(dsl.Name)

	// Partial says that parts of the file could not be read, so that nobody knows
	// which names it declares.
	Partial bool
}

// A Unit is one file while it is compiled: what it says before anything of it
// runs, and what is wrong with it. It is for one use and one goroutine.
type Unit struct {
	File      *dsl.File
	Options   Options
	Diags     hcl.Diagnostics
	Functions *plan.FunctionSet

	// Statics is the context of everything that is known before the run, and
	// Static what the static check knows of it.
	Statics *hcl.EvalContext
	Static  *dsl.Env
	Meter   *dsl.Meter
	Secrets plan.Secrets
	// Placeholders are the variables of the environment, by what stands for them
	// because they may not be read.
	Placeholders map[string]string

	variables map[string]cty.Value
	locals    map[string]cty.Value
	declared  func(domain string) []string
	// interrupted says that the end of the context was reported.
	interrupted bool
	// providerEnv is Static for provider blocks, which may read the environment;
	// nil before the first of them.
	providerEnv *dsl.Env
	expands     *dsl.Expander // nil before it is needed
	// top are the blocks of the file by their types, nil before they are needed.
	top map[string][]*dsl.Block
}

// New reads a linked file's variables and locals, writes out its dynamic blocks
// and reads the files that its expressions ask for. Declared lists the names
// that the file has of a domain of [schema.Shape]; it is asked only after New.
func New(file *dsl.File, o Options, diags hcl.Diagnostics, declared func(domain string) []string) *Unit {
	u := &Unit{File: file, Options: o, Diags: diags, Functions: plan.FunctionTable(o.Files, file), declared: declared}
	u.readVariables()
	u.readLocals()
	u.writeOut()
	u.readFiles()
	return u
}

// Top are the blocks of a type at the top level of the file, in order of
// declaration. Each scenario of a file asks for those of several types, so that
// they are looked for once.
func (u *Unit) Top(typ string) []*dsl.Block {
	if u.top == nil {
		u.top = map[string][]*dsl.Block{}
		for _, b := range u.File.Body.Blocks {
			u.top[b.Type] = append(u.top[b.Type], b)
		}
	}
	return u.top[typ]
}

// Errorf adds an error at its place.
func (u *Unit) Errorf(rng hcl.Range, summary, format string, args ...any) {
	u.Diags = append(u.Diags, &hcl.Diagnostic{Severity: hcl.DiagError, Summary: summary, Detail: fmt.Sprintf(format, args...), Subject: &rng})
}

// Warnf adds a warning at its place.
func (u *Unit) Warnf(rng hcl.Range, summary, format string, args ...any) {
	u.Diags = append(u.Diags, &hcl.Diagnostic{Severity: hcl.DiagWarning, Summary: summary, Detail: fmt.Sprintf(format, args...), Subject: &rng})
}

// Read returns a reader of a block's static attributes, after the static check
// of their references.
func (u *Unit) Read(b *dsl.Block) dsl.Reader { return u.ReadIn(b, u.Static, u.Statics) }

// ReadIn is Read with what may be named and its values.
func (u *Unit) ReadIn(b *dsl.Block, static *dsl.Env, ctx *hcl.EvalContext) dsl.Reader {
	for _, a := range b.Attrs {
		if a.Schema == nil || a.Schema.Runtime || a.Schema.Type == schema.Expr || a.Schema.Type == schema.Ref || a.Schema.Type == schema.Refs {
			continue
		}
		if plan.IsLiteral(a.Expr) {
			continue
		}
		env := *static
		env.Where = "the attribute " + a.Name + " of a " + b.Type + " block"
		if _, diags := dsl.Infer(a.Expr, &env); diags.HasErrors() {
			u.Diags = append(u.Diags, diags...)
			a.Expr = &hclsyntax.LiteralValueExpr{Val: read.Null, SrcRange: a.Expr.Range()}
		}
	}
	return dsl.Reader{Block: b, Ctx: ctx, Diags: &u.Diags}
}

// Ended reports whether the compilation has, and says so once.
func (u *Unit) Ended() bool {
	if u.Options.Context == nil || u.Options.Context.Err() == nil {
		return false
	}
	if !u.interrupted {
		u.interrupted = true
		start := hcl.Range{Filename: u.File.Path, Start: hcl.InitialPos, End: hcl.InitialPos}
		u.Diags = append(u.Diags, dsl.Interrupted(u.Options.Context, start))
	}
	return true
}
