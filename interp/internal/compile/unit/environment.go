package unit

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/stdlib"
)

// ReadProvider is a reader of a provider block, which may read the environment.
func (u *Unit) ReadProvider(b *dsl.Block) dsl.Reader {
	if u.providerEnv == nil {
		env := *u.Static
		env.Funcs = u.Functions.WithEnvironment()
		u.providerEnv = &env
	}
	ctx := u.Statics.NewChild()
	ctx.Functions = stdlib.EnvironmentFunctions(u.lookup(b))
	return u.ReadIn(b, u.providerEnv, ctx)
}

// lookup finds variables of the environment for a provider block. One that may
// not be read has a placeholder, unless the block says itself what to use without
// it.
func (u *Unit) lookup(b *dsl.Block) stdlib.Lookup {
	if u.Options.Placeholder == nil {
		return u.Options.Env
	}
	provided := u.withDefault(b)
	return func(name string) (string, bool) {
		switch {
		case !u.Options.Placeholder(name):
			return u.Options.Env(name)
		case provided[name]:
			return "", false
		}
		if u.Placeholders == nil {
			u.Placeholders = map[string]string{}
		}
		u.Placeholders[stdlib.Placeholder(name)] = name
		return stdlib.Placeholder(name), true
	}
}

// withDefault are the variables that a block asks for inside of try or can.
func (u *Unit) withDefault(b *dsl.Block) map[string]bool {
	names := map[string]bool{}
	note := func(name string) (string, bool) {
		names[name] = true
		return "", true
	}
	ctx := u.Statics.NewChild()
	ctx.Functions = stdlib.EnvironmentFunctions(note)
	for _, a := range b.Attrs {
		_ = hclsyntax.VisitAll(a.Expr, func(n hclsyntax.Node) hcl.Diagnostics {
			if call, ok := n.(*hclsyntax.FunctionCallExpr); ok && (call.Name == "try" || call.Name == "can") {
				for _, e := range call.Args {
					_ = environmentCalls(e, func(f *hclsyntax.FunctionCallExpr) { _, _ = dsl.Evaluate(f, ctx) })
				}
			}
			return nil
		})
	}
	return names
}

// environmentCalls calls do for every call in an expression that reads the
// environment.
func environmentCalls(e hclsyntax.Expression, do func(*hclsyntax.FunctionCallExpr)) hcl.Diagnostics {
	return hclsyntax.VisitAll(e, func(n hclsyntax.Node) hcl.Diagnostics {
		call, ok := n.(*hclsyntax.FunctionCallExpr)
		if ok && len(call.Args) == 1 && slices.ContainsFunc(stdlib.Environment(), func(f stdlib.Func) bool { return f.Name == call.Name }) {
			do(call)
		}
		return nil
	})
}

// Addressed is an address that a placeholder stands for as a whole, with the
// scheme that its place wants.
func (u *Unit) Addressed(base, scheme string) string {
	host, _, _ := strings.Cut(base, "/")
	if u.Placeholders[host] == "" {
		return base
	}
	return scheme + "://" + base
}

// environmentSecrets are the variables of the environment that header fields
// name: whoever keeps one out of a file would not have it in a report.
func (u *Unit) environmentSecrets() []string {
	var found []string
	for _, b := range u.File.Body.All("provider") {
		a := b.Attr("headers")
		if a == nil || u.Options.Env == nil {
			continue
		}
		read := func(name string) (string, bool) {
			if u.Options.Placeholder != nil && u.Options.Placeholder(name) {
				return "", false
			}
			return u.Options.Env(name)
		}
		ctx := &hcl.EvalContext{Functions: stdlib.EnvironmentFunctions(read)}
		_ = environmentCalls(a.Expr, func(call *hclsyntax.FunctionCallExpr) {
			if v, diags := dsl.Evaluate(call, ctx); !diags.HasErrors() && v.Type() == cty.String && !v.IsNull() {
				found = append(found, v.AsString())
			}
		})
	}
	return found
}

// sensitive lists what must be hidden of a sensitive variable: its value as it
// was given, and every text and number in it. Values that cannot be told from
// other text are named in a warning.
func (u *Unit) sensitive(b *dsl.Block, v cty.Value) []string {
	if u.Secrets.Variables == nil {
		u.Secrets.Variables = map[string]bool{}
	}
	u.Secrets.Variables[b.Name()] = true
	var list []string
	if text, given := u.Options.Vars[b.Name()]; given && v.Type() != cty.Bool {
		list = append(list, text, strings.TrimSpace(text))
	}
	list = plan.Leaves(list, v)
	if v.IsKnown() && !v.IsNull() && !plan.Empty(v) && redact.New(list) == nil {
		u.Warnf(b.DefRange, "Value that cannot be hidden", "The value of the sensitive variable %q is true or false or has fewer than %d bytes. It would turn up everywhere, so it is hidden nowhere but among the variables of a plan.", b.Name(), redact.ShortestSecret)
	}
	return list
}
