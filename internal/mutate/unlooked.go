package mutate

import (
	"slices"
	"strings"
	"sync"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/suite"
)

// unlooked are the types of blocks beside scenarios and invariants that no operator looks at, with what they say. They
// are told of, because a score says nothing of them.
var unlooked = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"variable":  "a value that is given from outside",
		"telemetry": "how metrics are named",
		"endpoint":  "what a program under test calls",
		"tolerates": "which faults a workflow is said to survive",
		"dynamic":   "blocks that are generated, which stay as they are",
		"match":     "which requests an answer is for",
		"on":        "what answers the workflow of a bench",
		"cassette":  "what answers the workflow of a bench",
	}
})

// isAsked reports whether a block of a file says what is tried and what must hold: mutants are run with it as it is.
func isAsked(typ string) bool { return typ == "scenario" || typ == "invariant" }

// unlookedIn are the blocks of a file that no operator looks at, and the modules of the standard library that it
// imports, as they are written.
func unlookedIn(file *dsl.File) []string {
	var list []string
	var visit func(b *dsl.Block, within string)
	visit = func(b *dsl.Block, within string) {
		if unlooked()[b.Type] != "" {
			list = append(list, strings.TrimSuffix(address(b)+" in "+within, " in "))
			return
		}
		for _, n := range b.Blocks {
			visit(n, strings.TrimSpace(within+" "+address(b)))
		}
	}
	for _, b := range file.Body.Blocks {
		if !isAsked(b.Type) {
			visit(b, "")
		}
	}
	return list
}

// unlookedOf are those of the files of hosts, each once.
func unlookedOf(hosts []*Host) []string {
	var list []string
	for _, u := range units(hosts) {
		if file, _ := dsl.Parse(u.path, u.source); file != nil {
			list = append(list, unlookedIn(file)...)
		}
	}
	for _, h := range hosts {
		for _, in := range h.Imports {
			if !suite.IsScenario(in.Path) {
				list = append(list, in.Path)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// unlookedShown is how many blocks are named that no operator looks at, and how many functions that no mutant changes.
const unlookedShown = 20

// NotLooked says in one line what no operator looks at, "" where that is nothing.
func (r *Report) NotLooked() string { return inOneLine("not looked at: ", r.Unlooked) }
