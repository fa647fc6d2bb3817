package interp

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/stdlib"
)

// readProvider is a reader of a provider block, which may read the environment.
func (c *compiler) readProvider(b *dsl.Block) dsl.Reader {
	if c.providerEnv == nil {
		env := *c.staticEnv
		env.Funcs = c.functions.withEnvironment()
		c.providerEnv, c.environment = &env, c.environmentOf(c.statics)
	}
	return c.readIn(b, c.providerEnv, c.environment)
}

func (c *compiler) environmentOf(outer *hcl.EvalContext) *hcl.EvalContext {
	ctx := outer.NewChild()
	ctx.Functions = stdlib.EnvironmentFunctions(c.opts.Env)
	return ctx
}

// environmentSecrets are the variables of the environment that header fields
// name: whoever keeps one out of a file would not have it in a report.
func (c *compiler) environmentSecrets() []string {
	var found []string
	for _, b := range c.file.Body.All("provider") {
		a := b.Attr("headers")
		if a == nil || c.opts.Env == nil {
			continue
		}
		_ = hclsyntax.VisitAll(a.Expr, func(n hclsyntax.Node) hcl.Diagnostics {
			call, ok := n.(*hclsyntax.FunctionCallExpr)
			if !ok || len(call.Args) != 1 {
				return nil
			}
			for _, f := range stdlib.Environment() {
				if f.Name != call.Name {
					continue
				}
				if v, diags := call.Value(c.environmentOf(&hcl.EvalContext{})); !diags.HasErrors() && v.Type() == cty.String && !v.IsNull() {
					found = append(found, v.AsString())
				}
			}
			return nil
		})
	}
	return found
}
