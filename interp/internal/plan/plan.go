package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/actor"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/trace"
)

// Several reports whether a call is made at a tuple of instants.
func (p *Plan) Several(call string) bool {
	for _, d := range p.Actions {
		if d.Call != nil && d.Name == call {
			return d.Call.Several
		}
	}
	return false
}

// A Suite is one compiled file.
type Suite struct {
	// Path is the file's name as it was given.
	Path string
	// Plans are the scenarios in order of declaration.
	Plans []*Handle
	// Benches are the benches that the file itself declares, for RunBench.
	Benches []*Handle
	// Placeholders are the variables of the environment that were not read,
	// sorted.
	Placeholders []string
	// Untried are the names of scenarios that say what they tolerate, where no scenario of
	// the file puts it to the test.
	Untried []string
	// File is kept for the snippets of a failing assertion.
	File *dsl.File
}

// A Plan is one compiled scenario, all that can influence a run of it. It is
// immutable and safe for concurrent use; any number of runs may share it.
type Plan struct {
	Handle // its inside is not set: Publish does that

	Allow    map[string]bool
	Workflow *Workflow
	Inputs   cty.Value
	Scripts  []*Script
	Outages  []*Outage
	// Tolerates is what its runs survive, in place of what its workflow says.
	Tolerates *Tolerance
	Recording *Recording
	// HeaderReads is what the scenario's file reads of answers.
	HeaderReads HeaderReads
	// Responses is set where the cassette is a response file.
	Responses      *Responses
	Asserts        []*Assertion
	Expects        []*Expectation
	SnapshotChecks []*SnapshotCheck
	// Invariants are those of the file that fit it, then its own.
	Invariants []*Invariant
	// Inapplicable are those of the file that it has nothing of.
	Inapplicable []InvariantCount
	// Instances is how many scenarios the block of this one stands for, by for_each, by matrix or as
	// what a dynamic block generates; 0 is one. Where it stands for several, Others is how many
	// such scenarios the file has beside this one: all of them share what runs may compute.
	Instances, Others int
	// Blocks is how many scenarios are written in the file, with all that stand for several as
	// one more: they share what runs may compute, too. 0 is one.
	Blocks int
	// Placeholders are the variables of the environment that were not read, by
	// what stands for them.
	Placeholders map[string]string
	// Excuses are the endings that the scenario asks for.
	Excuses Excuses
	// BenchRun is set where a bench is what runs.
	BenchRun *BenchRun
	// Population is what takes part of the file's actors, locks and
	// registries, nil where nothing does; Actions are what the scenario does by itself,
	// in order of declaration.
	Population *actor.Spec
	Actions    []*Action
	// Handlers are those of the population that run a workflow.
	Handlers map[actor.Target]*HandlerWork
	// Endpoints are the calls that a program under test can make, in order of
	// declaration: declared ones, providers that nothing else names, and the steps
	// of the workflow where that describes the program. Declared ones are no nodes
	// of Nodes.
	Endpoints []*Node
	// Sut is the program under test, nil where the scenario starts none.
	Sut *Sut
	// Barred says of each way that the scenario does not have why that is; the
	// ways that it has are missing.
	Barred map[Way]string
	// Outside are the steps that belong to no workflow of the scenario: those of
	// its handlers, and what its blocks do.
	Outside []*Node
	Needs   *read.Needs
	// Extensions are what a program has added to the language, with versions.
	Extensions []string
	Static     *hcl.EvalContext
	Reads      *fileReads
	Place      string // what traces call the file
	Secrets    Secrets
	// Core is the hash without the records of snapshots, which have no part in
	// a run: an id in a record must not change with it.
	Core     func() [sha256.Size]byte
	HashOnce func() string
	// ScriptsAt are the scripts by their addresses, nil where there are few.
	ScriptsAt func() map[string][]*Script
}

// RunID is derived from what runs, where it is declared and the seed, so that
// equal runs have equal ids, spans included, and those of two files have not.
func (p *Plan) RunID() string {
	if p.Core == nil { // a stub's
		return ""
	}
	core := p.Core()
	sum := sha256.Sum256([]byte(hex.EncodeToString(core[:]) + "\x00" + p.Place + "\x00" + p.Name + "\x00" + strconv.FormatUint(p.Seed, 10)))
	return hex.EncodeToString(sum[:16])
}

// Header is the header of the trace of a run of the plan.
func (p *Plan) Header() trace.Header {
	return trace.Header{File: p.Place, Scenario: p.Name, Seed: p.Seed, Plan: p.Hash(), RunID: p.RunID()}
}
