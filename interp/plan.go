package interp

import (
	"crypto/sha256"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp/actor"
	"github.com/scenario-lang/scenario/interp/policy"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/catalog"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/trace"
	"github.com/zclconf/go-cty/cty"
)

// A Suite is one compiled file.
type Suite struct {
	// Path is the file's name as it was given.
	Path string
	// Plans are the scenarios in order of declaration.
	Plans []*Plan
	// Benches are the benches that the file itself declares, for RunBench.
	Benches []*Plan
	// File is kept for the snippets of a failing assertion.
	File *dsl.File
}

// A Plan is one compiled scenario. It is immutable and safe for concurrent
// use; any number of runs may share it.
type Plan struct {
	// File and Line say where the scenario is declared.
	File string
	Line int
	// Name, Description and Tags are as written.
	Name, Description string
	Tags              []string
	// Skip is why the scenario is not run, "" when it is.
	Skip string
	// Seed is where every random draw of a run comes from.
	Seed uint64
	// Snapshots are where the records of its snapshots stand, from the
	// directory of the file, with slashes.
	Snapshots []string
	// Prefix begins the names of the metrics, with its underscore.
	Prefix string

	allow    map[string]bool
	workflow *workflow
	inputs   cty.Value
	scripts  []*script
	cassette *tape
	// headerReads is what the scenario's file reads of answers.
	headerReads headerReads
	// responses is set where the cassette is a response file.
	responses *responses
	asserts   []*assertion
	expects   []*expectation
	snapshots []*snapshot
	// invariants are those of the file that fit it, then its own.
	invariants []*invariant
	// statusExpected says that an expectation or assertion is about the run's
	// status, so that a run that fails is no failure by itself.
	statusExpected bool
	// bench is set where a bench is what runs.
	bench *benchRun
	// population is what takes part of the file's actors, locks and
	// registries, nil where nothing does; drivers are what the scenario drives,
	// in order of declaration.
	population *actor.Spec
	drivers    []*driver
	// handlers are those of the population that run a workflow.
	handlers map[actor.Target]*handlerWork
	// beside are the steps that stand in no workflow of the scenario: those of
	// its handlers, and what its blocks do.
	beside  []*node
	needs   *needs
	static  *hcl.EvalContext
	reads   *fileReads
	place   string // what traces call the file
	secrets secrets
	// core is the hash without the records of snapshots, which have no part in
	// a run: an id in a record must not change with it.
	core func() [sha256.Size]byte
	hash func() string
	// recalled is the header of the trace where no plan is known but its result.
	recalled *trace.Header
}

// provider is a declared remote service.
type provider struct {
	kind *catalog.Kind
	// adapter is the kind's for the interface that api names.
	adapter providers.Adapter
	api     string
	name    string
	model   string
	baseURL string
	// apiKeyEnv is the variable that holds its secret: the key of a service, the
	// connection string of a database.
	apiKeyEnv string
	headers   map[string]string
	timeout   time.Duration
	// protocol is the revision that a server is asked for, and command, where
	// not nil, the program that is the server.
	protocol string
	command  []string
}

// target is one entry of a gateway. Its state in a run is found by its name,
// which is unique in a file.
type target struct {
	name string
	// gateway and rng say where it is declared.
	gateway  string
	rng      hcl.Range
	provider *provider
	priority int
	fallback bool
	breaker  *policy.BreakerConfig
	limit    *policy.RateLimitConfig
	bulkhead *policy.BulkheadConfig
	timeout  time.Duration
	models   []string
	// plain marks the target that a provider used without a gateway stands for.
	plain bool
}

// gateway is the path to a service. Targets are in the order in which they are
// tried. One made for a plain provider has no name.
type gateway struct {
	name     string
	strategy string
	targets  []*target
}

func (g *gateway) family() string { return g.targets[0].provider.kind.Family }

// workflow is a graph of steps: a declared one, the body of a loop, or the subs
// of a fanout.
type workflow struct {
	name          string
	inputs        map[string]cty.Value // defaults; a null must be given
	timeout       time.Duration
	maxConcurrent int
	onFailure     string
	budget        policy.Budget
	taxonomy      *taxonomy
	output        hclsyntax.Expression
	outputNeeds   *needs
	inputsLost    bool // the declaration of the inputs is wrong
	steps         []*step
	index         map[string]int // of steps by name
	rng           hcl.Range
	digest        func() []byte  // of its part of a plan, computed once
	nodes         func() []*node // of a run of it alone, computed once
	// body says that it is what a loop repeats: part of the workflow around it,
	// whose inputs and steps it reads.
	body bool
	// size is how many steps a run of it has, inner ones included, and depth how
	// many levels of them.
	size, depth int
}

// step is one node of the graph. Steps refer to each other by index.
type step struct {
	index int
	kind  string
	name  string
	block *dsl.Block
	rng   hcl.Range
	// after are the steps that must have ended well before this one starts.
	after []int

	gateway        *gateway
	adrift         bool      // what it says of its gateway or provider is wrong
	taxonomy       *taxonomy // of its workflow
	when           hclsyntax.Expression
	timeout        time.Duration
	attemptTimeout time.Duration
	retry          policy.Retry
	idempotent     *bool
	required       bool
	bulkhead       *policy.BulkheadConfig
	validates      []*validation
	output         hclsyntax.Expression
	stream         bool
	// inner is the graph that the step runs: the body of a loop, a workflow, or
	// the subs of a fanout.
	inner        *workflow
	while        hclsyntax.Expression
	iterations   int // at most, 0 for no bound of its own
	maxTurns     int
	tools        []*tool
	consumer     *consumer
	expectStatus func(int) bool
	// fanout is what a step that fans out does with its subs, and sub what one
	// of those calls.
	fanout *fanout
	sub    *sub
	// classifier is what the answer to a step that classifies is held to.
	classifier *classifier

	// fallback is the step that runs in this one's place, -1 for none, and
	// fallbackAny says that it does so after any failure.
	fallback    int
	fallbackAny bool
	// stands says that the step runs only when another one asks for it: as its
	// fallback, or as a tool.
	stands bool
	// valued says that its output can be asked for as its value, too.
	valued bool
	// tool says that it is a tool of another step.
	tool bool
	// onward is what its failure means in the end: fail_fast or continue.
	onward string

	// shape is what its result can be asked for.
	shape *schema.Shape

	// target is what a call step calls.
	target actor.Target

	// args are the expressions of its arguments, by name, and needs what they
	// read of other steps.
	args  map[string]*dsl.Attr
	needs *needs
}

type validation struct {
	name      string
	condition hclsyntax.Expression
	retry     bool
	mode      *failure.Mode // that a broken one has; nil for that of its kind
}

type tool struct {
	name, description string
	parameters        any
	output            hclsyntax.Expression
	step              int // -1 for none
}

type consumer struct {
	chunks int
	after  time.Duration
}

// script is one on block.
type script struct {
	address   string
	target    string
	exhausted string
	entries   []*entry
	rng       hcl.Range
	// part is what of an actor it is for, nil for a step's.
	part *part
}

// any number of calls.
const unlimited = -1

// entry is one line of a script: a reply, a fault or a replay. A fault may
// disturb a reply or a replay.
type entry struct {
	n         int // 1-based in its script
	inFile    int // of an answer in a response file: its number there
	times     int // unlimited, or at least 1
	timesSet  bool
	target    string
	turn      int
	iteration int
	optional  bool
	rng       hcl.Range

	fault    *faults.Kind
	args     schema.Values
	after    time.Duration
	hasAfter bool

	reply  *providers.Output
	replay *replay
}

// what names the entry in a message.
func (e *entry) what() string {
	switch {
	case e.fault != nil:
		return "fault " + e.fault.Name
	case e.replay != nil:
		return "replay"
	}
	return "reply"
}

type replay struct {
	interaction int // 0 for the next
	latency     *time.Duration
}

// tape is the cassette of a scenario.
type tape struct {
	path     string
	cassette *cassette.Cassette
	match    string
	latency  string
	headers  []string
	maxAge   time.Duration // 0 for any
	rules    redact.Rules
	rng      hcl.Range
}

type assertion struct {
	name      string
	source    []byte // of the file that it stands in
	condition hclsyntax.Expression
	message   hclsyntax.Expression
	rng       hcl.Range
}

// expectation is one expect block: attributes that a result must have.
type expectation struct {
	address string // "run" or a step
	attrs   []*dsl.Attr
	rng     hcl.Range
}

// A callee is what a sub calls.
type callee interface {
	// name is what the aggregate calls it, and address which it is among all.
	name() string
	address() string
	// rows reports whether each call leaves a row of its own.
	rows() bool
}

// workflowCallee is a workflow that runs inside the sub.
type workflowCallee struct{ workflow string }

func (c workflowCallee) name() string    { return c.workflow }
func (c workflowCallee) address() string { return "workflow." + c.workflow }
func (workflowCallee) rows() bool        { return false }

// actorCallee is a handler or a tool of an actor.
type actorCallee struct{ target actor.Target }

func (c actorCallee) name() string    { return c.target.Actor }
func (c actorCallee) address() string { return c.target.Address() }
func (actorCallee) rows() bool        { return true }
