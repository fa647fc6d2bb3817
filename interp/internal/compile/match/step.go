package match

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/render"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// Of is what a request of a program must have to be that of a step which says
// nothing of it: the attributes that show on the wire, where they are known
// before the run. What is computed is any run of characters. Shared says that
// another step asks the same provider.
func Of(s *plan.Step, shared bool, static *hcl.EvalContext) plan.Match {
	m := plan.Match{Rng: s.Rng}
	add := func(name, attr string) {
		if l, ok := known(s.Args[attr], static, name); ok {
			m.Leaves = append(m.Leaves, l)
		}
	}
	switch s.Kind {
	case plan.KindHTTP:
		method(&m, s, static)
		add("path", "path")
		withoutQuery(&m)
	case plan.KindMCP:
		for _, subject := range plan.McpSubjects {
			add("tool", subject)
		}
		if s.Args["list"] != nil {
			m.Leaves = append(m.Leaves, leaf("tools/list", "method"))
		}
	case plan.KindSQL:
		add("statement", "query")
	case plan.KindLLM:
		add("model", "model")
		if shared {
			add("prompt", "prompt")
		}
	}
	sorted(&m)
	return m
}

// method is that of an http step, which has one where none is written.
func method(m *plan.Match, s *plan.Step, static *hcl.EvalContext) {
	a := s.Args["method"]
	l, ok := known(a, static, "method")
	switch {
	case a == nil:
		m.Leaves = append(m.Leaves, leaf("GET", "method"))
	case ok && !l.Pattern:
		m.Leaves = append(m.Leaves, leaf(strings.ToUpper(l.Want.AsString()), "method"))
	}
}

// withoutQuery cuts the parameters off a path, which a request has apart.
func withoutQuery(m *plan.Match) {
	for i, l := range m.Leaves {
		if l.Path[0] == "path" {
			path, _, _ := strings.Cut(l.Want.AsString(), "?")
			if !strings.HasPrefix(path, "/") && !(l.Pattern && strings.HasPrefix(path, "*")) {
				path = "/" + path
			}
			m.Leaves[i].Want, m.Leaves[i].Pattern = cty.StringVal(path), l.Pattern && strings.Contains(path, "*")
		}
	}
}

// known is what is known of an attribute before the run; ok is false where that
// is nothing.
func known(a *dsl.Attr, static *hcl.EvalContext, name string) (l plan.Leaf, ok bool) {
	if a == nil {
		return l, false
	}
	if text, ok := evaluated(a.Expr, static); ok {
		return plan.Leaf{Path: []string{name}, Want: cty.StringVal(text)}, true
	}
	template, ok := a.Expr.(*hclsyntax.TemplateExpr)
	if !ok {
		return l, false
	}
	var b strings.Builder
	for _, part := range template.Parts {
		text, ok := evaluated(part, static)
		if !ok {
			text = "*"
		}
		b.WriteString(text)
	}
	if strings.Trim(b.String(), "*") == "" {
		return l, false
	}
	return plan.Leaf{Path: []string{name}, Want: cty.StringVal(b.String()), Pattern: true}, true
}

// evaluated is the text of an expression that is known before the run.
func evaluated(e hclsyntax.Expression, static *hcl.EvalContext) (string, bool) {
	for t := range dsl.Variables(e) {
		if root := t.RootName(); root != "var" && root != "local" {
			return "", false
		}
	}
	v, diags := dsl.Evaluate(e, static)
	if diags.HasErrors() || v.IsNull() || !v.IsWhollyKnown() {
		return "", false
	}
	v, _ = v.Unmark()
	if v.Type() == cty.String {
		return v.AsString(), true
	}
	if v.Type() == cty.Number {
		return render.Value(v, longest), true
	}
	return "", false
}
