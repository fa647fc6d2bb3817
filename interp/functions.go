package interp

import (
	"maps"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/stdlib"
)

// functionSet is what the expressions of a file may call.
type functionSet struct {
	context    *hcl.EvalContext
	signatures map[string]stdlib.Sig
	// withEnvironment are the signatures with those that read the environment.
	withEnvironment func() map[string]stdlib.Sig
	reads           *fileReads
}

// functionTable returns the standard functions; file and fileset read what
// files allows, from the directory of the file that their call is in.
func functionTable(files stdlib.Files, file *dsl.File) *functionSet {
	set := standardFunctions()
	if files.FS == nil {
		return set
	}
	reads := &fileReads{}
	own := &functionSet{context: set.context.NewChild(), signatures: set.signatures, withEnvironment: set.withEnvironment, reads: reads}
	own.context.Functions = map[string]function.Function{}
	reads.remember(own.context.Functions, files, ".")
	for _, in := range file.Imports {
		dir := importDir(file, in)
		if dir == "." || !mentionsFiles(in) {
			continue
		}
		fromTheirOwn(in.Body, dir)
		reads.remember(own.context.Functions, files, dir)
		own.signatures = maps.Clone(own.signatures)
		for _, name := range []string{"file", "fileset"} {
			own.signatures[nameFrom(name, dir)] = own.signatures[name]
		}
		own.withEnvironment = alsoReadingTheEnvironment(own.signatures)
	}
	return own
}

// standardFunctions are shared by all files that may not read others.
var standardFunctions = sync.OnceValue(func() *functionSet {
	sigs := stdlib.Sigs(stdlib.List())
	return &functionSet{context: &hcl.EvalContext{Functions: stdlib.Functions()}, signatures: sigs, withEnvironment: alsoReadingTheEnvironment(sigs), reads: &fileReads{}}
})

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
