package stdlib

import (
	"strings"
	"sync"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// A Lookup finds a variable of the environment; nil finds none.
type Lookup func(name string) (value string, ok bool)

// Placeholder stands for a variable of the environment that may not be read. It
// is the same on every machine, looks like what it is, and fits where most values
// do: it is a host that can never be reached (RFC 2606).
func Placeholder(name string) string {
	label := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(name))
	return "env-" + label + ".invalid"
}

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
	f := describe("env(name)", "A variable of the environment, an error where it is not set. Only provider blocks may ask for one; what stands in a header field is hidden in every report. Commands that dial nothing read it only with `--env NAME`; without, it is a placeholder, `env-region.invalid` for `REGION`, or not set where `try` or `can` stands around it.", native(read, text("name")), aString, Example{`env("REGION")`, `"eu"`})
	f.Family = "environment"
	return []Func{f}
}
