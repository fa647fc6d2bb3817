package stdlib

import (
	"sync"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// A Lookup finds a variable of the environment; nil finds none.
type Lookup func(name string) (value string, ok bool)

// Environment describes the functions that read the environment of the machine.
// Only provider blocks may call them. The result is shared and must not be
// changed.
func Environment() []Func { return environment() }

var environment = sync.OnceValue(func() []Func { return environmentFuncs(nil) })

// EnvironmentFunctions is the table of these functions.
func EnvironmentFunctions(find Lookup) map[string]function.Function {
	table := map[string]function.Function{}
	for _, f := range environmentFuncs(find) {
		table[f.Name] = f.impl
	}
	return table
}

func environmentFuncs(find Lookup) []Func {
	read := func(args []cty.Value) (cty.Value, error) {
		name := args[0].AsString()
		if find != nil {
			if value, ok := find(name); ok {
				return cty.StringVal(value), nil
			}
		}
		return cty.NilVal, function.NewArgErrorf(0, `the environment has no variable %s. Set it, or write try(env(%q), "…") with a value to use without it`, name, name)
	}
	f := describe("env(name)", "A variable of the environment, an error where it is not set. Only provider blocks may ask for one; what stands in a header field is hidden in every report.", native(read, text("name")), aString, Example{`env("REGION")`, `"eu"`})
	f.Family = "environment"
	return []Func{f}
}
