package compile

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/actor"
	"github.com/scenario-lang/scenario/interp/internal/lint"
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
	// Watch, where not nil, is told of every name in the file's expressions
	// and expectations, with what is known of it. An editor asks for it.
	Watch func(dsl.Name)

	// partial says that parts of the file could not be read, so that nobody knows
	// which names it declares.
	partial bool
}

// Compile checks a file as a whole and turns its scenarios into plans. With
// errors among the diagnostics there is no suite. A cassette that cannot be
// loaded is a diagnostic whose Extra is a [*CassetteError]. A file that imports
// others than those of the standard library must have been linked.
func Compile(file *dsl.File, opts Options) (*plan.Suite, hcl.Diagnostics) {
	file, diags := dsl.Link(file, nil)
	if diags.HasErrors() {
		return nil, diags
	}
	c := &Compiler{File: file, opts: opts, Diags: diags, Functions: plan.FunctionTable(opts.Files, file), sources: file.Sources(), foreign: map[*dsl.Block]hcl.Diagnostics{}, bodies: map[*plan.Step]*workflowCompiler{}}
	c.CompileVariables()
	c.CompileLocals()
	c.compileDynamic()
	c.readFiles()
	c.CompileTaxonomies()
	c.compileWorld()
	c.compileEndpoints()
	c.compileServices()
	c.compileClassifiers()
	c.compileWorkflows()
	c.compileHandlers()
	c.compileBenches()
	var reads plan.HeaderReads
	if opts.Recording {
		reads.ReadHeaders(c.File.Body)
	}
	suite := &plan.Suite{Path: file.Path, File: file, Placeholders: slices.Sorted(maps.Values(c.placeholders))}
	var plans []*plan.Plan
	multiplied := false
	for _, b := range c.File.Body.All("scenario") {
		if c.ended() {
			return nil, c.Diags
		}
		plans = append(plans, c.scenarios(b)...)
		multiplied = multiplied || b.Multiplied()
	}
	for _, b := range c.File.Body.All("bench") {
		if dsl.Place(b.DefRange).Filename == c.File.Path {
			suite.Benches = append(suite.Benches, plan.Publish(c.newBenchPlan(c.benches[b.Name()])))
		}
	}
	if multiplied {
		c.sameNames(plans)
	}
	for _, p := range plans {
		p.HeaderReads, p.Placeholders = reads, c.placeholders
		suite.Plans = append(suite.Plans, plan.Publish(p))
	}
	c.reportForeign()
	if !c.Diags.HasErrors() { // a name that is misspelt would be nobody's use of the right one
		c.Diags = append(c.Diags, lint.File(file)...)
	}
	c.meter.Running().Install(c.statics)
	c.Diags = dsl.Distinct(c.secrets.Diagnostics(dsl.Instances(dsl.InWords(c.meter.Over(file.Path, c.Diags)))))
	if c.Diags.HasErrors() {
		return nil, c.Diags
	}
	return suite, c.Diags
}

// ended reports whether the compilation has, and says so once.
func (c *Compiler) ended() bool {
	if c.opts.Context == nil || c.opts.Context.Err() == nil {
		return false
	}
	if !c.interrupted {
		c.interrupted = true
		start := hcl.Range{Filename: c.File.Path, Start: hcl.InitialPos, End: hcl.InitialPos}
		c.Diags = append(c.Diags, dsl.Interrupted(c.opts.Context, start))
	}
	return true
}

// CassetteError marks the diagnostic of a cassette that cannot be loaded.
type CassetteError struct{ Err error }

// Error implements error.
func (e *CassetteError) Error() string { return e.Err.Error() }

// Unwrap returns what the loader said.
func (e *CassetteError) Unwrap() error { return e.Err }

// A Compiler compiles one file. It collects diagnostics and goes on, so that
// all that is wrong with a file is reported at once. It is for one use and one
// goroutine.
type Compiler struct {
	File      *dsl.File
	opts      Options
	Diags     hcl.Diagnostics
	Functions *plan.FunctionSet

	variables map[string]cty.Value
	locals    map[string]cty.Value
	// statics is the context of everything that is known before the run, and
	// staticEnv what the static check knows of it.
	statics   *hcl.EvalContext
	staticEnv *dsl.Env
	meter     *dsl.Meter
	// interrupted says that the end of the context was reported.
	interrupted bool
	// providerEnv is the same for provider blocks, which may read the
	// environment; nil before the first of them.
	providerEnv *dsl.Env
	// placeholders are the variables of the environment, by what stands for them
	// because they may not be read.
	placeholders map[string]string
	expands      *dsl.Expander // nil before it is needed
	// overrides are the workflows that steps run in place of the declared ones,
	// while a scenario's override is compiled.
	overrides map[*dsl.Block]*dsl.Block
	secrets   plan.Secrets

	providers map[string]*plan.Provider
	targets   map[string]*plan.Target
	world     world
	gateways  map[string]*plan.Gateway
	services  population
	// Taxonomies are those of the file and the engine's.
	Taxonomies map[string]*plan.Taxonomy
	workflows  map[string]*plan.Workflow
	fanouts    map[string]*plan.Fanout // the declared ones

	asked       endpoints
	classifiers map[string]*plan.Classifier
	// handlers are those that run a workflow, and outsideOrder counts the steps
	// that belong to no workflow of a scenario.
	handlers     map[actor.Target]*plan.HandlerWork
	outsideOrder int
	// bodies are the compilers of the loops.
	bodies  map[*plan.Step]*workflowCompiler
	benches map[string]*plan.BenchDecl
	// compiling are the workflows being compiled, each run by a step of the one
	// before.
	compiling []string
	swollen   bool // too many steps have been complained about
	// unresolved says that a reference to a service or to a policy of one is wrong,
	// so that what conditions can read of services is not known.
	unresolved bool
	// foreign are the invariants of the file that fitted no scenario so far,
	// with what the first one found.
	foreign map[*dsl.Block]hcl.Diagnostics
	// absences are those of the conditions of invariants and events.
	absences map[hclsyntax.Expression]*dsl.Absence
	sources  map[string][]byte // texts of the file and its imports
	prefix   string
}

func (c *Compiler) errorf(rng hcl.Range, summary, format string, args ...any) {
	c.Diags = append(c.Diags, &hcl.Diagnostic{Severity: hcl.DiagError, Summary: summary, Detail: fmt.Sprintf(format, args...), Subject: &rng})
}

func (c *Compiler) warnf(rng hcl.Range, summary, format string, args ...any) {
	c.Diags = append(c.Diags, &hcl.Diagnostic{Severity: hcl.DiagWarning, Summary: summary, Detail: fmt.Sprintf(format, args...), Subject: &rng})
}

// read returns a reader of a block's static attributes, after the static check
// of their references.
func (c *Compiler) read(b *dsl.Block) dsl.Reader { return c.readIn(b, c.staticEnv, c.statics) }

func (c *Compiler) readIn(b *dsl.Block, static *dsl.Env, ctx *hcl.EvalContext) dsl.Reader {
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
			c.Diags = append(c.Diags, diags...)
			a.Expr = &hclsyntax.LiteralValueExpr{Val: read.Null, SrcRange: a.Expr.Range()}
		}
	}
	return dsl.Reader{Block: b, Ctx: ctx, Diags: &c.Diags}
}

// CompileVariables reads the variable blocks and the values that were given
// for them.
func (c *Compiler) CompileVariables() {
	c.variables = map[string]cty.Value{}
	shapes := map[string]*schema.Shape{}
	literal := &hcl.EvalContext{}
	var hidden []string
	for _, b := range c.File.Body.All("variable") {
		r := dsl.Reader{Block: b, Ctx: literal, Diags: &c.Diags}
		v := c.variable(b, r)
		c.variables[b.Name()] = v
		shapes[b.Name()] = variableShape(r.String("type"), v)
		if r.Bool("sensitive") {
			hidden = append(hidden, c.sensitive(b, v)...)
		}
	}
	hidden = append(hidden, c.environmentSecrets()...)
	c.statics = c.Functions.Context.NewChild()
	c.statics.Variables = map[string]cty.Value{"var": cty.ObjectVal(c.variables)}
	c.meter = dsl.NewMeter(c.opts.Context)
	c.secrets.Keep(hidden, c.meter)
	c.meter.Install(c.statics)
	c.staticEnv = &dsl.Env{
		Roots:     map[string]*schema.Shape{"var": plan.Directory("variable", inFile, shapes)},
		Funcs:     c.Functions.Signatures,
		Watch:     c.opts.Watch,
		Elsewhere: beforeRuns,
		Members:   c.declared,
		Hints:     &dsl.Hints{},
	}
}

// variableShape is what is known of a variable: a string, and which one it is now.
func variableShape(kind string, v cty.Value) *schema.Shape {
	if v.IsNull() || !v.IsKnown() || v.Type() != cty.String {
		return schema.UnknownShape
	}
	s := schema.Written(v.AsString())
	if kind != "string" {
		s.Kind = schema.ShapeUnknown // it may be given as something else
	}
	return s
}

// beforeRuns says of names that a file knows elsewhere why what is computed before
// any run does not know them.
var beforeRuns = map[string]string{
	"step": "A step's result exists only while a scenario runs.", "run": "The run's result exists only after it.",
	"loop":      "loop.index is known in the condition of a loop and to the steps inside it.",
	"arguments": "arguments are what a model passes to a tool: tool blocks and the steps that are tools read them.",
	"target":    "target.NAME is what was dialled in a run: it belongs in a condition.",
	"endpoint":  "An endpoint's result exists only while a program under test runs.",
	"sut":       "What became of the program under test is known only after it ran.",
	"request":   "request is what a program asked: the lane of an endpoint and its match read it.",
	"breaker":   "breaker.NAME is the state of a target's breaker in a run: it belongs in a condition.",
	"gateway":   "gateway.NAME is what happened at a gateway in a run: it belongs in a condition.",
	"input":     "Inputs are known to the steps of a workflow.", "self": "self is a step's own result, in its output and validate blocks.",
	"failure": "failure is what a detect rule of a taxonomy looks at.",
	"each":    elsewhere["each"], "matrix": elsewhere["matrix"],
}

const inFile = "in this file"

// variable is the value of one variable: the one given from outside, else its
// default.
func (c *Compiler) variable(b *dsl.Block, r dsl.Reader) cty.Value {
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
			if v, diags = dsl.Evaluate(b.Attr("default").Expr, r.Ctx); diags.HasErrors() {
				c.Diags = append(c.Diags, diags...)
				return read.Normalise(v)
			}
		}
		if !v.IsNull() && kind != "any" && kind != "" && v.Type().FriendlyName() != kind {
			r.Errorf("default", "Wrong value", "The default of variable %q must be a %s, not %s.", b.Name(), kind, dsl.Render(v, 60))
		}
		return read.Normalise(v)
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
	if v := read.JsonValue(text); !v.IsNull() {
		return v, nil
	}
	return cty.StringVal(text), nil
}

// CompileLocals evaluates locals in the order of their references.
func (c *Compiler) CompileLocals() {
	c.locals = map[string]cty.Value{}
	attrs := map[string]*dsl.Attr{}
	var order []string
	for _, b := range c.File.Body.All("locals") {
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
	c.staticEnv.Roots["local"] = plan.Directory("local", inFile, shapes)
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
			c.locals[name], broken[name] = read.Null, true // or each of the others would be complained about, too
			return
		}
		state[name] = 1
		path = append(path, name)
		if v, literal := dsl.Literal(a.Expr); literal {
			c.locals[name], shapes[name] = v, dsl.LiteralShape(v)
		} else {
			of := false // a local that is broken
			for t := range dsl.Variables(a.Expr) {
				if t.RootName() == "local" {
					if ref, ok := read.AttrName(t, 1); ok {
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
		if c.ended() {
			break
		}
		visit(name)
	}
	c.statics.Variables["local"] = cty.ObjectVal(c.locals)
}

// localsOf are the locals that an expression refers to. All that there are so
// far would be copied for each of them.
func (c *Compiler) localsOf(e hclsyntax.Expression) cty.Value {
	some := map[string]cty.Value{}
	for _, t := range e.Variables() {
		if t.RootName() != "local" {
			continue
		}
		name, named := read.AttrName(t, 1)
		if !named {
			return cty.ObjectVal(c.locals)
		}
		if v, found := c.locals[name]; found {
			some[name] = v
		}
	}
	return cty.ObjectVal(some)
}

// local is the value of a local, and whether it has one. What refers to one that
// has none is checked, and cannot be evaluated.
func (c *Compiler) local(a *dsl.Attr, shapes map[string]*schema.Shape, evaluated bool) (v cty.Value, ok bool) {
	env := *c.staticEnv
	env.Where = "a local"
	dsl.Strict(a.Expr)
	shape, diags := dsl.Infer(a.Expr, &env)
	c.Diags = append(c.Diags, diags...)
	if diags.HasErrors() {
		return read.Null, false
	}
	shapes[a.Name] = shape
	if !evaluated {
		return read.Null, false
	}
	c.statics.Variables["local"] = c.localsOf(a.Expr)
	v, diags = dsl.Evaluate(a.Expr, c.statics)
	c.Diags = append(c.Diags, diags...)
	if diags.HasErrors() {
		return read.Null, false
	}
	return read.Normalise(v), true
}
