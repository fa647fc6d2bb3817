package lsp

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/scenario-lang/scenario/stdlib"
)

// functions are those of the language by name, the queries included.
var functions = sync.OnceValue(func() map[string]stdlib.Func {
	table := map[string]stdlib.Func{}
	for _, f := range slices.Concat(stdlib.List(), stdlib.Queries(), stdlib.OfProgram()) {
		table[f.Name] = f
	}
	return table
})

func isQuery(name string) bool { return functions()[name].Sig.Query }

// functionDoc explains a function as the reference does.
func functionDoc(f stdlib.Func) string {
	var b strings.Builder
	fmt.Fprintf(&b, "```hcl\n%s\n```\n\n%s", f.Signature, f.Summary)
	for _, x := range f.Examples {
		fmt.Fprintf(&b, "\n\n```hcl\n%s # %s\n```", x.Expr, x.Result)
	}
	return b.String()
}

// parametersOf are the parameters of a function as its signature names them.
func parametersOf(f stdlib.Func) []parameter {
	_, list, _ := strings.Cut(f.Signature, "(")
	list = strings.TrimSuffix(list, ")")
	var all []parameter
	for _, p := range strings.Split(list, ",") {
		if p = strings.TrimSpace(p); p != "" {
			all = append(all, parameter{p})
		}
	}
	return all
}
