package plan

import (
	"maps"
	"slices"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/stdlib"
)

// FunctionSet is what the expressions of a file may call.
type FunctionSet struct {
	Context    *hcl.EvalContext
	Signatures map[string]stdlib.Sig
	// WithEnvironment are the signatures with those that read the environment.
	WithEnvironment func() map[string]stdlib.Sig
	// Conditions are the signatures with the queries about a run.
	Conditions func() map[string]stdlib.Sig
	// OfProgram are those of Conditions with the queries about what a program said
	// of itself.
	OfProgram func() map[string]stdlib.Sig
	Reads     *fileReads
}

// FunctionTable returns the standard functions; file and fileset read what
// files allows, from the directory of the file that their call is in.
func FunctionTable(files stdlib.Files, file *dsl.File) *FunctionSet {
	set := extended(StandardFunctions(), file.Extensions.Functions())
	if files.FS == nil {
		return set
	}
	reads := &fileReads{}
	own := &FunctionSet{Context: set.Context.NewChild(), Signatures: set.Signatures, WithEnvironment: set.WithEnvironment, Conditions: set.Conditions, OfProgram: set.OfProgram, Reads: reads}
	own.Context.Functions = map[string]function.Function{}
	reads.remember(own.Context.Functions, files, ".")
	for _, in := range file.Imports {
		dir := importDir(file, in)
		if dir == "." || !MentionsFiles(in) {
			continue
		}
		fromTheirOwn(in.Body, dir)
		reads.remember(own.Context.Functions, files, dir)
		own.Signatures = maps.Clone(own.Signatures)
		for _, name := range []string{"file", "fileset"} {
			own.Signatures[nameFrom(name, dir)] = own.Signatures[name]
		}
		own.WithEnvironment = alsoReadingTheEnvironment(own.Signatures)
	}
	return own
}

// extended is a set with further functions.
func extended(set *FunctionSet, more []stdlib.Func) *FunctionSet {
	if len(more) == 0 {
		return set
	}
	own := &FunctionSet{Context: set.Context.NewChild(), Signatures: maps.Clone(set.Signatures), Reads: &fileReads{}}
	own.Context.Functions = map[string]function.Function{}
	for _, f := range more {
		own.Context.Functions[f.Name], own.Signatures[f.Name] = f.Implementation(), f.Sig
	}
	own.WithEnvironment = alsoReadingTheEnvironment(own.Signatures)
	own.Conditions = with(conditionSignatures, more)
	own.OfProgram = with(own.Conditions, stdlib.OfProgram())
	return own
}

// StandardFunctions are shared by all files that may not read others.
var StandardFunctions = sync.OnceValue(func() *FunctionSet {
	sigs := stdlib.Sigs(stdlib.List())
	return &FunctionSet{Context: &hcl.EvalContext{Functions: stdlib.Functions()}, Signatures: sigs, WithEnvironment: alsoReadingTheEnvironment(sigs), Conditions: conditionSignatures, OfProgram: with(conditionSignatures, stdlib.OfProgram()), Reads: &fileReads{}}
})

// with are signatures with those of further functions.
func with(known func() map[string]stdlib.Sig, more []stdlib.Func) func() map[string]stdlib.Sig {
	return sync.OnceValue(func() map[string]stdlib.Sig {
		all := maps.Clone(known())
		maps.Copy(all, stdlib.Sigs(more))
		return all
	})
}

func alsoReadingTheEnvironment(sigs map[string]stdlib.Sig) func() map[string]stdlib.Sig {
	return sync.OnceValue(func() map[string]stdlib.Sig {
		all := maps.Clone(sigs)
		maps.Copy(all, stdlib.Sigs(stdlib.Environment()))
		return all
	})
}

// conditionSignatures are the standard functions and the queries about a run.
var conditionSignatures = sync.OnceValue(func() map[string]stdlib.Sig {
	sigs := stdlib.Sigs(stdlib.List())
	for name, s := range stdlib.Sigs(stdlib.Queries()) {
		sigs[name] = s
	}
	return sigs
})

// StandardValues are the words of the taxonomies that every file has.
var StandardValues = sync.OnceValue(func() map[string][]string { return ValuesOf(StandardTaxonomies()) })

// ValuesOf gives values of the language to the variables of a context.
func ValuesOf(taxonomies map[string]*Taxonomy) map[string][]string {
	set := map[string][]string{}
	add := func(name, word string) {
		if !slices.Contains(set[name], word) {
			set[name] = append(set[name], word)
		}
	}
	for _, name := range read.SortedNames(taxonomies) {
		for _, m := range taxonomies[name].Known.Modes() {
			add(read.DomainMode, m.Code)
			add(read.DomainCategory, m.Category)
		}
	}
	return set
}
