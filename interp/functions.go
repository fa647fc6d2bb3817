package interp

import (
	"sync"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/stdlib"
)

// functionSet is what the expressions of a file may call.
type functionSet struct {
	context    *hcl.EvalContext
	signatures map[string]stdlib.Sig
	reads      *fileReads
}

// functionTable returns the standard functions; file and fileset read what
// files allows.
func functionTable(files stdlib.Files) *functionSet {
	set := standardFunctions()
	if files.FS == nil {
		return set
	}
	own, reads := set.context.NewChild(), &fileReads{}
	own.Functions = reads.remembered(files)
	return &functionSet{context: own, signatures: set.signatures, reads: reads}
}

// standardFunctions are shared by all files that may not read others.
var standardFunctions = sync.OnceValue(func() *functionSet {
	return &functionSet{context: &hcl.EvalContext{Functions: stdlib.Functions()}, signatures: stdlib.Sigs(stdlib.List()), reads: &fileReads{}}
})

// conditionSignatures are the standard functions and the queries about a run.
var conditionSignatures = sync.OnceValue(func() map[string]stdlib.Sig {
	sigs := stdlib.Sigs(stdlib.List())
	for name, s := range stdlib.Sigs(stdlib.Queries()) {
		sigs[name] = s
	}
	return sigs
})
