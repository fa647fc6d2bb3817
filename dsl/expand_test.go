package dsl

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl/render"
	"github.com/scenario-lang/scenario/stdlib"
)

// An expression with the values of an instance in it gives what the expression
// gives where the same values are variables, whatever it is made of.
func TestCopiedExpressions(t *testing.T) {
	each := map[string]cty.Value{
		"key": cty.StringVal("a b"),
		"value": cty.ObjectVal(map[string]cty.Value{
			"n": cty.NumberIntVal(3), "list": cty.TupleVal([]cty.Value{cty.NumberIntVal(1), cty.NumberIntVal(2)}), "none": cty.NullVal(cty.DynamicPseudoType),
			"of": cty.ObjectVal(map[string]cty.Value{"a b": cty.True}),
		}),
	}
	step := cty.ObjectVal(map[string]cty.Value{"a b": cty.StringVal("by name"), "list": cty.TupleVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{"x": cty.NumberIntVal(7)})})})
	run := &hcl.EvalContext{Functions: stdlib.Functions(), Variables: map[string]cty.Value{"step": step}}
	whole := &hcl.EvalContext{Functions: stdlib.Functions(), Variables: map[string]cty.Value{"step": step, "each": cty.ObjectVal(each)}}
	for _, text := range []string{
		`each.key`, `each.value.n + 1`, `-each.value.n`, `!(each.key == "a b")`, `"${each.key}"`, `"<${each.key}> ${each.value.n}"`,
		"<<EOT\n${each.key}\nEOT\n", "<<-EOT\n  %{ for x in each.value.list }${x}${each.key}%{ endfor }\n  EOT\n", `"%{ if each.value.n > 2 }yes%{ else }no%{ endif }"`,
		`each.value.list[0]`, `each.value["list"][1]`, `each.value.list[*]`, `step.list[*].x`, `step[each.key]`, `step.list[each.value.list[0] - 1].x`,
		`each.value.of[each.key]`, `each.value.none == null`, `each.value.none == null ? each.value.n : 0`, `(each.value.n)`,
		`[for x in each.value.list : x * each.value.n if x > 0]`, `{ for k, v in each.value.of : "${k}!" => v... }`, `[for each in [1, 2] : each]`,
		`{ key = each.key, (each.key) = 1, "${each.key}" = 2 }`, `{ each = 1 }`, `max(each.value.list...)`, `each.value`, `upper(each.key)`,
		`[for x in step.list : [for y in each.value.list : x.x + y]]`,
	} {
		e := parseExpr(t, text)
		before := string(AppendSource(nil, e))
		want, diags := e.Value(whole)
		if diags.HasErrors() {
			t.Fatalf("%s: %s", text, diags)
		}
		var said hcl.Diagnostics
		c := &copier{mark: marked("test.hcl", "s[a b]"), values: Bindings{"each": each}, diags: &said}
		copied := c.expr(e)
		if said.HasErrors() {
			t.Errorf("%s: %s", text, said)
			continue
		}
		got, diags := copied.Value(run)
		if diags.HasErrors() || !got.RawEquals(want) {
			t.Errorf("%s: %s, want %s (%v)", text, render.Value(got, 0), render.Value(want, 0), diags)
		}
		if after := string(AppendSource(nil, e)); after != before {
			t.Errorf("%s: the source became %s", text, after)
		}
		if copied.Range().Filename != "test.hcl\x00s[a b]" || Place(copied.Range()) != e.Range() {
			t.Errorf("%s: the place became %v", text, copied.Range())
		}
	}
}

// The values of an instance are operands of a condition that fails, and its
// literals are not.
func TestOperandsOfAnInstance(t *testing.T) {
	text := `step.a == each.value.n && "each.key is ${each.key}" != "a.b" && true`
	e := parseExpr(t, text)
	c := &copier{mark: "test.hcl", diags: &hcl.Diagnostics{}, values: Bindings{"each": {"key": cty.StringVal("k"), "value": cty.ObjectVal(map[string]cty.Value{"n": cty.NumberIntVal(2)})}}}
	ctx := &hcl.EvalContext{Variables: map[string]cty.Value{"step": cty.ObjectVal(map[string]cty.Value{"a": cty.NumberIntVal(1)})}}
	var got []string
	for _, o := range Operands(c.expr(e), ctx, []byte(text), nil) {
		got = append(got, o.Text+" = "+render.Value(o.Value, 0))
	}
	if want := "step.a = 1, each.value.n = 2"; strings.Join(got, ", ") != want {
		t.Errorf("%s, want %s", strings.Join(got, ", "), want)
	}
}

// What is wrong in several instances is said once with the names of three of
// them; what is wrong in none keeps its words.
func TestInstancesAreNamed(t *testing.T) {
	at := func(instance string) *hcl.Range {
		r := hcl.Range{Filename: "a.hcl", Start: hcl.Pos{Line: 3}}
		if instance != "" {
			r.Filename = marked(r.Filename, instance)
		}
		return &r
	}
	var diags hcl.Diagnostics
	for _, name := range []string{"", "s[a]", "s[b]", "s[b]", marked("s[c]", "fault[0]"), "s[d]", "s[e]"} {
		diags = append(diags, &hcl.Diagnostic{Summary: "Wrong", Detail: "It is.", Subject: at(name)})
	}
	diags = append(diags, &hcl.Diagnostic{Summary: "Wrong", Detail: "It is not.", Subject: at("s[b]")}, &hcl.Diagnostic{Summary: "No place"})
	var got []string
	for _, d := range Instances(diags) {
		if d.Subject != nil && d.Subject.Filename != "a.hcl" {
			t.Errorf("a place in %q", d.Subject.Filename)
		}
		got = append(got, d.Detail)
	}
	want := []string{"It is.", "It is.\nInstance: s[a], s[b], s[c] › fault[0] and 2 more.", "It is not.\nInstance: s[b].", ""}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	// What differs in the values alone is said once, too.
	diags = nil
	for i, name := range []string{"s[a]", "s[b]", "s[c]", "s[d]", "s[e]"} {
		diags = append(diags, &hcl.Diagnostic{Summary: "Wrong", Detail: fmt.Sprintf("It is %d.", i), Subject: at(name)})
	}
	if list := Instances(diags); len(list) != 1 || list[0].Detail != "It is 0.\nInstance: s[a]; with other values: s[b], s[c], s[d] and 1 more." {
		t.Errorf("got %v", list)
	}
}
