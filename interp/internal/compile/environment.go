package compile

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/stdlib"
)

// readProvider is a reader of a provider block, which may read the environment.
func (c *Compiler) readProvider(b *dsl.Block) dsl.Reader {
	if c.providerEnv == nil {
		env := *c.staticEnv
		env.Funcs = c.Functions.WithEnvironment()
		c.providerEnv, c.environment = &env, c.environmentOf(c.statics)
	}
	return c.readIn(b, c.providerEnv, c.environment)
}

func (c *Compiler) environmentOf(outer *hcl.EvalContext) *hcl.EvalContext {
	ctx := outer.NewChild()
	ctx.Functions = stdlib.EnvironmentFunctions(c.opts.Env)
	return ctx
}

// environmentSecrets are the variables of the environment that header fields
// name: whoever keeps one out of a file would not have it in a report.
func (c *Compiler) environmentSecrets() []string {
	var found []string
	for _, b := range c.File.Body.All("provider") {
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

// sensitive lists what must be hidden of a sensitive variable: its value as it
// was given, and every text and number in it. Values that cannot be told from
// other text are named in a warning.
func (c *Compiler) sensitive(b *dsl.Block, v cty.Value) []string {
	if c.secrets.Variables == nil {
		c.secrets.Variables = map[string]bool{}
	}
	c.secrets.Variables[b.Name()] = true
	var list []string
	if text, given := c.opts.Vars[b.Name()]; given && v.Type() != cty.Bool {
		list = append(list, text, strings.TrimSpace(text))
	}
	list = plan.Leaves(list, v)
	if v.IsKnown() && !v.IsNull() && !plan.Empty(v) && redact.New(list) == nil {
		c.warnf(b.DefRange, "Value that cannot be hidden", "The value of the sensitive variable %q is true or false or has fewer than %d bytes. It would turn up everywhere, so it is hidden nowhere but among the variables of a plan.", b.Name(), redact.ShortestSecret)
	}
	return list
}

// values are the words of the domains: those of all taxonomies that a workflow
// of the file may have.
func (c *Compiler) values() map[string][]string {
	if len(c.File.Body.All("taxonomy")) == 0 {
		return plan.StandardValues()
	}
	return plan.ValuesOf(c.Taxonomies)
}
