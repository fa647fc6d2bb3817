package interp

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/actor"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/stdlib"
	"github.com/zclconf/go-cty/cty"
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
	Wanted func(*Plan) bool
	// Recording says that the plans may be recorded: they then know which
	// header fields of answers the file reads, so that a recording keeps those.
	Recording bool
	// Watch, where not nil, is told of every name in the file's expressions
	// and expectations, with what is known of it. An editor asks for it.
	Watch func(dsl.Name)
}

// Compile checks a file as a whole and turns its scenarios into plans. With
// errors among the diagnostics there is no suite. A cassette that cannot be
// loaded is a diagnostic whose Extra is a [*CassetteError]. A file that imports
// others than those of the standard library must have been linked.
func Compile(file *dsl.File, opts Options) (*Suite, hcl.Diagnostics) {
	file, diags := dsl.Link(file, nil)
	if diags.HasErrors() {
		return nil, diags
	}
	c := &compiler{file: file, opts: opts, diags: diags, functions: functionTable(opts.Files, file), sources: file.Sources(), strangers: map[*dsl.Block]hcl.Diagnostics{}, bodies: map[*step]*workflowCompiler{}}
	c.compileVariables()
	c.compileLocals()
	c.compileDynamic()
	c.readFiles()
	c.compileTaxonomies()
	c.staticEnv.Values = c.values()
	c.compileWorld()
	c.compileServices()
	c.compileClassifiers()
	c.compileWorkflows()
	c.compileHandlers()
	c.compileBenches()
	var reads headerReads
	if opts.Recording {
		reads.readHeaders(c.file.Body)
	}
	suite := &Suite{Path: file.Path, File: file}
	multiplied := false
	for _, b := range c.file.Body.All("scenario") {
		suite.Plans = append(suite.Plans, c.scenarios(b)...)
		multiplied = multiplied || b.Multiplied()
	}
	for _, b := range c.file.Body.All("bench") {
		if dsl.Place(b.DefRange).Filename == c.file.Path {
			suite.Benches = append(suite.Benches, c.newBenchPlan(c.benches[b.Name()]))
		}
	}
	for _, p := range suite.Plans {
		p.headerReads = reads
	}
	if multiplied {
		c.sameNames(suite.Plans)
	}
	c.reportStrangers()
	c.diags = dsl.Distinct(c.secrets.diagnostics(dsl.Instances(dsl.InWords(c.diags))))
	if c.diags.HasErrors() {
		return nil, c.diags
	}
	return suite, c.diags
}

// CassetteError marks the diagnostic of a cassette that cannot be loaded.
type CassetteError struct{ Err error }

// Error implements error.
func (e *CassetteError) Error() string { return e.Err.Error() }

// Unwrap returns what the loader said.
func (e *CassetteError) Unwrap() error { return e.Err }

type compiler struct {
	file      *dsl.File
	opts      Options
	diags     hcl.Diagnostics
	functions *functionSet

	variables map[string]cty.Value
	locals    map[string]cty.Value
	// statics is the context of everything that is known before the run, and
	// staticEnv what the static check knows of it.
	statics   *hcl.EvalContext
	staticEnv *dsl.Env
	// providerEnv and environment are the same for provider blocks, which may
	// read the environment; nil before the first of them.
	providerEnv *dsl.Env
	environment *hcl.EvalContext
	expands     *dsl.Expander // nil before it is needed
	// overrides are the workflows that steps run in place of the declared ones,
	// while a scenario's override is compiled.
	overrides map[*dsl.Block]*dsl.Block
	secrets   secrets

	providers map[string]*provider
	targets   map[string]*target
	world     world
	gateways  map[string]*gateway
	services  population
	// taxonomies are those of the file and the engine's.
	taxonomies map[string]*taxonomy
	workflows  map[string]*workflow
	fanouts    map[string]*fanout // the declared ones

	classifiers map[string]*classifier
	// handlers are those that run a workflow, and beside counts the steps that
	// stand in none of a scenario.
	handlers map[actor.Target]*handlerWork
	beside   int
	// bodies are the compilers of the loops.
	bodies  map[*step]*workflowCompiler
	benches map[string]*benchDecl
	// compiling are the workflows being compiled, each run by a step of the one
	// before.
	compiling []string
	swollen   bool // too many steps have been complained about
	// adrift says that a reference to a service or to a policy of one is wrong,
	// so that what conditions can read of services is not known.
	adrift bool
	// strangers are the invariants of the file that fitted no scenario so far,
	// with what the first one found.
	strangers map[*dsl.Block]hcl.Diagnostics
	sources   map[string][]byte // texts of the file and its imports
	prefix    string
}

func (c *compiler) errorf(rng hcl.Range, summary, format string, args ...any) {
	c.diags = append(c.diags, &hcl.Diagnostic{Severity: hcl.DiagError, Summary: summary, Detail: fmt.Sprintf(format, args...), Subject: &rng})
}

func (c *compiler) warnf(rng hcl.Range, summary, format string, args ...any) {
	c.diags = append(c.diags, &hcl.Diagnostic{Severity: hcl.DiagWarning, Summary: summary, Detail: fmt.Sprintf(format, args...), Subject: &rng})
}

// read returns a reader of a block's static attributes, after the static check
// of their references.
func (c *compiler) read(b *dsl.Block) dsl.Reader { return c.readIn(b, c.staticEnv, c.statics) }

func (c *compiler) readIn(b *dsl.Block, static *dsl.Env, ctx *hcl.EvalContext) dsl.Reader {
	for _, a := range b.Attrs {
		if a.Schema == nil || a.Schema.Runtime || a.Schema.Type == schema.Expr || a.Schema.Type == schema.Ref || a.Schema.Type == schema.Refs {
			continue
		}
		if isLiteral(a.Expr) {
			continue
		}
		env := *static
		env.Where = "the attribute " + a.Name + " of a " + b.Type + " block"
		if _, diags := dsl.Infer(a.Expr, &env); diags.HasErrors() {
			c.diags = append(c.diags, diags...)
			a.Expr = &hclsyntax.LiteralValueExpr{Val: null, SrcRange: a.Expr.Range()}
		}
	}
	return dsl.Reader{Block: b, Ctx: ctx, Diags: &c.diags}
}

// isLiteral reports whether an expression refers to nothing, cheaply and for
// the common forms.
func isLiteral(e hclsyntax.Expression) bool {
	switch x := e.(type) {
	case *hclsyntax.LiteralValueExpr:
		return true
	case *hclsyntax.UnaryOpExpr:
		return isLiteral(x.Val)
	case *hclsyntax.TemplateExpr:
		return x.IsStringLiteral()
	case *hclsyntax.TupleConsExpr:
		for _, e := range x.Exprs {
			if !isLiteral(e) {
				return false
			}
		}
		return true
	case *hclsyntax.ObjectConsExpr:
		for _, item := range x.Items {
			key, plain := item.KeyExpr.(*hclsyntax.ObjectConsKeyExpr)
			if !plain || key.ForceNonLiteral || !isLiteral(key.Wrapped) && hcl.ExprAsKeyword(key.Wrapped) == "" || !isLiteral(item.ValueExpr) {
				return false
			}
		}
		return true
	}
	return false
}

func (c *compiler) compileVariables() {
	c.variables = map[string]cty.Value{}
	shapes := map[string]*schema.Shape{}
	literal := &hcl.EvalContext{}
	var hidden []string
	for _, b := range c.file.Body.All("variable") {
		r := dsl.Reader{Block: b, Ctx: literal, Diags: &c.diags}
		v := c.variable(b, r)
		c.variables[b.Name()] = v
		shapes[b.Name()] = schema.UnknownShape
		if r.Bool("sensitive") {
			hidden = append(hidden, c.sensitive(b, v)...)
		}
	}
	hidden = append(hidden, c.environmentSecrets()...)
	c.secrets.values, c.secrets.Redactor = hidden, redact.New(hidden)
	c.statics = c.functions.context.NewChild()
	c.statics.Variables = map[string]cty.Value{"var": cty.ObjectVal(c.variables)}
	c.staticEnv = &dsl.Env{
		Roots:     map[string]*schema.Shape{"var": directory("variable", inFile, shapes)},
		Funcs:     c.functions.signatures,
		Watch:     c.opts.Watch,
		Elsewhere: beforeRuns,
	}
}

// beforeRuns says of names that a file knows elsewhere why what is computed before
// any run does not know them.
var beforeRuns = map[string]string{
	"step": "A step's result exists only while a scenario runs.", "run": "The run's result exists only after it.",
	"loop":      "loop.index is known in the condition of a loop and to the steps inside it.",
	"arguments": "arguments are what a model passes to a tool: tool blocks and the steps that are tools read them.",
	"target":    "target.NAME is what was dialled in a run: it belongs in a condition.",
	"breaker":   "breaker.NAME is the state of a target's breaker in a run: it belongs in a condition.",
	"gateway":   "gateway.NAME is what happened at a gateway in a run: it belongs in a condition.",
	"input":     "Inputs are known to the steps of a workflow.", "self": "self is a step's own result, in its output and validate blocks.",
	"failure": "failure is what a detect rule of a taxonomy looks at.",
	"each":    elsewhere["each"], "matrix": elsewhere["matrix"],
}

const inFile = "in this file"

// directory is a root whose names are declarations.
func directory(noun, within string, names map[string]*schema.Shape) *schema.Shape {
	return &schema.Shape{Kind: schema.ShapeObject, Name: noun, Within: within, Attrs: names}
}

// variable is the value of one variable: the one given from outside, else its
// default.
func (c *compiler) variable(b *dsl.Block, r dsl.Reader) cty.Value {
	kind := r.String("type")
	text, given := c.opts.Vars[b.Name()]
	if !given {
		if b.Attr("default") == nil {
			c.errorf(b.DefRange, "Variable without a value", "The variable %q has no default: give it with --var %s=… or in the environment as SCENARIO_VAR_%s.", b.Name(), b.Name(), b.Name())
			return cty.DynamicVal
		}
		v, literal := dsl.Literal(b.Attr("default").Expr)
		if !literal {
			var diags hcl.Diagnostics
			if v, diags = b.Attr("default").Expr.Value(r.Ctx); diags.HasErrors() {
				c.diags = append(c.diags, diags...)
				return normalise(v)
			}
		}
		if !v.IsNull() && kind != "any" && kind != "" && v.Type().FriendlyName() != kind {
			r.Errorf("default", "Wrong value", "The default of variable %q must be a %s, not %s.", b.Name(), kind, dsl.Render(v, 60))
		}
		return normalise(v)
	}
	v, err := parseVariable(text, kind)
	if err != nil {
		c.errorf(b.DefRange, "Wrong value", "The value given for variable %q must be a %s: %s.", b.Name(), kind, err)
	}
	return v
}

// parseVariable reads a value given as text by the variable's type; for any
// type, JSON where it is JSON and else the text itself.
func parseVariable(text, kind string) (cty.Value, error) {
	switch kind {
	case "string":
		return cty.StringVal(text), nil
	case "number":
		v, err := cty.ParseNumberVal(strings.TrimSpace(text))
		if err != nil || !stdlib.InRange(v) {
			return cty.DynamicVal, fmt.Errorf("%q is no number", text)
		}
		return v, nil
	case "bool":
		switch strings.TrimSpace(text) {
		case "true":
			return cty.True, nil
		case "false":
			return cty.False, nil
		}
		return cty.DynamicVal, fmt.Errorf("%q is neither true nor false", text)
	}
	if v := jsonValue(text); !v.IsNull() {
		return v, nil
	}
	return cty.StringVal(text), nil
}

// compileLocals evaluates locals in the order of their references.
func (c *compiler) compileLocals() {
	c.locals = map[string]cty.Value{}
	attrs := map[string]*dsl.Attr{}
	var order []string
	for _, b := range c.file.Body.All("locals") {
		for _, a := range b.Attrs {
			if prev := attrs[a.Name]; prev != nil {
				c.errorf(a.NameRange, "Duplicate name", "The local %q is a duplicate: it was declared before %s.", a.Name, dsl.Declared(prev.NameRange, a.NameRange))
				continue
			}
			attrs[a.Name] = a
			order = append(order, a.Name)
		}
	}
	shapes := map[string]*schema.Shape{}
	for _, name := range order {
		shapes[name] = schema.UnknownShape
	}
	c.staticEnv.Roots["local"] = directory("local", inFile, shapes)
	state, broken := map[string]int{}, map[string]bool{}
	var path []string
	var visit func(name string)
	visit = func(name string) {
		a := attrs[name]
		if a == nil || state[name] == 2 {
			return
		}
		if state[name] == 1 {
			c.errorf(a.NameRange, "Cycle among locals", "The local %q refers to itself: the cycle is %s -> %s.", name, strings.Join(path, " -> "), name)
			c.locals[name], broken[name] = null, true // or each of the others would be complained about, too
			return
		}
		state[name] = 1
		path = append(path, name)
		if v, literal := dsl.Literal(a.Expr); literal {
			c.locals[name], shapes[name] = v, dsl.LiteralShape(v)
		} else {
			of := false // a local that is broken
			for _, t := range a.Expr.Variables() {
				if t.RootName() == "local" {
					if ref, ok := attrName(t, 1); ok {
						visit(ref)
						of = of || broken[ref]
					}
				}
			}
			v, ok := c.local(a, shapes, !of)
			c.locals[name], broken[name] = v, !ok
		}
		path = path[:len(path)-1]
		state[name] = 2
	}
	for _, name := range order {
		visit(name)
	}
	c.statics.Variables["local"] = cty.ObjectVal(c.locals)
}

// local is the value of a local, and whether it has one. What refers to one that
// has none is checked, and cannot be evaluated.
func (c *compiler) local(a *dsl.Attr, shapes map[string]*schema.Shape, evaluated bool) (v cty.Value, ok bool) {
	env := *c.staticEnv
	env.Where = "a local"
	dsl.Strict(a.Expr)
	shape, diags := dsl.Infer(a.Expr, &env)
	c.diags = append(c.diags, diags...)
	if diags.HasErrors() {
		return null, false
	}
	shapes[a.Name] = shape
	if !evaluated {
		return null, false
	}
	c.statics.Variables["local"] = cty.ObjectVal(c.locals)
	v, diags = a.Expr.Value(c.statics)
	c.diags = append(c.diags, diags...)
	if diags.HasErrors() {
		return null, false
	}
	if heavier(v, maxLocal) {
		c.errorf(a.Expr.Range(), "Value is too large", "The local %q is larger than 16 MiB. What is that large belongs into a file, which file(…) reads where it is needed, or into a cassette.", a.Name)
		return null, false
	}
	return normalise(v), true
}
