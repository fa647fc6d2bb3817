package compile

import (
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/actor"
	"github.com/scenario-lang/scenario/interp/internal/compile/services"
	"github.com/scenario-lang/scenario/interp/internal/compile/strike"
	"github.com/scenario-lang/scenario/interp/internal/compile/taxonomy"
	"github.com/scenario-lang/scenario/interp/internal/compile/unit"
	"github.com/scenario-lang/scenario/interp/internal/lint"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// Options are what a file is compiled with.
type Options = unit.Options

// Compile checks a file as a whole and turns its scenarios into plans. With
// errors among the diagnostics there is no suite. A cassette that cannot be
// loaded is a diagnostic whose Extra is a [*CassetteError]. A file that imports
// others than those of the standard library must have been linked.
func Compile(file *dsl.File, opts Options) (*plan.Suite, hcl.Diagnostics) {
	file, diags := dsl.Link(file, nil)
	if diags.HasErrors() {
		return nil, diags
	}
	c := &compiler{services: &services.Services{}, sources: file.Sources(), foreign: map[*dsl.Block]hcl.Diagnostics{}, bodies: map[*plan.Step]*workflowCompiler{}}
	c.Unit = unit.New(file, opts, diags, c.declared)
	c.taxonomies = taxonomy.Compile(c.Unit)
	c.compileWorld()
	c.compileEndpoints()
	c.services = services.Compile(c.Unit, c.world.retries)
	c.compileClassifiers()
	c.compileWorkflows()
	c.compileHandlers()
	c.compileBenches()
	var reads plan.HeaderReads
	if opts.Recording {
		reads.ReadHeaders(c.File.Body)
	}
	suite := &plan.Suite{Path: file.Path, File: file, Placeholders: slices.Sorted(maps.Values(c.Placeholders))}
	var plans []*plan.Plan
	multiplied := false
	for _, b := range c.Top("scenario") {
		if c.Ended() {
			return nil, c.Diags
		}
		plans = append(plans, c.scenarios(b)...)
		multiplied = multiplied || b.Multiplied()
	}
	for _, b := range c.Top("bench") {
		if dsl.Place(b.DefRange).Filename == c.File.Path {
			suite.Benches = append(suite.Benches, plan.Publish(c.newBenchPlan(c.benches[b.Name()])))
		}
	}
	if multiplied {
		c.sameNames(plans)
	}
	shareOut(plans)
	suite.Untried = strike.Untried(plans)
	for _, p := range plans {
		p.HeaderReads, p.Placeholders = reads, c.Placeholders
		suite.Plans = append(suite.Plans, plan.Publish(p))
	}
	c.reportForeign()
	if !c.Diags.HasErrors() { // a name that is misspelt would be nobody's use of the right one
		c.Diags = append(c.Diags, lint.File(file)...)
		if opts.Lint != nil {
			c.Diags = append(c.Diags, opts.Lint(file)...)
		}
		c.Diags = append(c.Diags, lint.NeverGenerated(file, c.Expander().Made.Empty())...)
	}
	c.Meter.Running().Install(c.Statics)
	c.Diags = meantCycles(file, c.withoutFollowing())
	c.Diags = dsl.Distinct(c.Secrets.Diagnostics(dsl.Instances(dsl.InWords(c.Meter.Over(file.Path, c.Diags)))))
	if c.Diags.HasErrors() {
		return nil, c.Diags
	}
	return suite, c.Diags
}

// CassetteError marks the diagnostic of a cassette that cannot be loaded.
type CassetteError struct{ Err error }

// Error implements error.
func (e *CassetteError) Error() string { return e.Err.Error() }

// Unwrap returns what the loader said.
func (e *CassetteError) Unwrap() error { return e.Err }

// A compiler compiles one file. It collects diagnostics and goes on, so that
// all that is wrong with a file is reported at once. It is for one use and one
// goroutine.
type compiler struct {
	*unit.Unit

	// overrides are the workflows that steps run in place of the declared ones,
	// while a scenario's override is compiled.
	overrides map[*dsl.Block]*dsl.Block
	// casesLost are the benches of which cases could not be read: that one is missing
	// is no other mistake.
	casesLost map[string]bool

	providers map[string]*plan.Provider
	targets   map[string]*plan.Target
	world     world
	gateways  map[string]*plan.Gateway
	services  *services.Services
	// taxonomies are those of the file and the engine's.
	taxonomies map[string]*plan.Taxonomy
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
