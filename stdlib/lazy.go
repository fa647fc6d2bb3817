package stdlib

import "github.com/hashicorp/hcl/v2/ext/tryfunc"

// The functions that survive an error in their arguments. A name that does not
// exist is not such an error: it is found before anything runs.
func lazyFuncs() []Func {
	return []Func{
		describe("try(expression, …)", "The first of its arguments that can be evaluated without an error.", plainly(tryfunc.TryFunc), oneOfThem, Example{`try(jsondecode("{").a, "none")`, `"none"`}).between(1, Unlimited),
		describe("can(expression)", "Whether the expression can be evaluated without an error.", tryfunc.CanFunc, aBool, Example{`can(tonumber("x"))`, "false"}),
	}
}
