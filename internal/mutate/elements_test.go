package mutate

import (
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
)

// Shows which elements are taken in the place of those that a program takes.
func TestElements(t *testing.T) {
	for _, c := range []struct{ value, want string }{
		{`reverse(sort(x.a))[0]`, "reverse(sort(x.a)) → x.a"},
		{`sort(x)[0]`, "sort(x) → the other end of x"},
		{`sort(distinct(x))[length(x) - 1]`, "sort(distinct(x)) → the other end of x; sort(distinct(x)) → x"},
		{`element(sort(x), 0)`, "sort(x) → the other end of x"},
		{`slice(reverse(sort(x)), 0, 3)`, "reverse(sort(x)) → x"},
		{`reverse(distinct(x))`, ""},
		{`sort(x)`, ""},
		{`max(x...)`, "max(x...) → x[0]; max(x...) → the last of x"},
		{`min([for y in x : y.a]...)`, "min([for y in x : y.a]...) → [for y in x : y.a][0]; min([for y in x : y.a]...) → the last of [for y in x : y.a]"},
		{`max(x, y)`, ""},
		{`[for y in x : y.a]`, "[for y in x : y.a] → the first only"},
		{`x[*].a`, "x[*].a → the first only"},
		{`x.*.a`, "x.*.a → the first only"},
		{`x[y]`, "x[y] → always the first"},
		{`x[length(x) - 1].a`, "x[length(x) - 1] → always the first"},
		{`x[member]`, ""},
		{`x[0].a`, "x[0] → the last"},
		{`x.a[2].b`, "x.a[2] → [0]"},
		{`f(x)[0]`, "f(x)[0] → the last"},
		{`x["a"]`, ""},
		{`step.a[0].output`, ""},
		{`step.a.output[0]`, "step.a.output[0] → the last"},
		{`{ for y in x : y.k => y.v }`, ""},
		{`{ for y in x : y.k => y.v }[z.k]`, "{ for y in x : y.k => y.v }[z.k] → always the first"},
		{`[for z in zs : { for y in x : y.k => y.v }[z.k]]`, "by y.k → by place, and looked up so; [for z in zs : { for y in x : y.k => y.… → the first only; { for y in x : y.k => y.v }[z.k] → always the first"},
	} {
		text := "workflow \"w\" {\n  step \"value\" \"b\" {\n    value = " + c.value + "\n  }\n}\n"
		var want []string
		for _, w := range strings.Split(c.want, "; ") {
			if w != "" {
				want = append(want, "step.b value: "+w)
			}
		}
		if got := changesOf(t, text, "element"); !slices.Equal(got, want) {
			t.Errorf("%s: got\n  %s\nwant\n  %s", c.value, strings.Join(got, "\n  "), strings.Join(want, "\n  "))
		}
		u := &unit{path: "a.scenario.hcl", source: []byte(text)}
		for _, m := range u.mutants([]string{"element"}) {
			if _, diags := dsl.Parse("a.scenario.hcl", m.Text()); diags.HasErrors() || strings.Count(string(m.Text()), "\n") != strings.Count(text, "\n") {
				t.Errorf("%s: %s: %s\n%s", c.value, m.Change, diags, m.Text())
			}
		}
	}
}

// A map by a key is a list, and each look-up of it for an element takes what has the place of that element.
func TestByPlace(t *testing.T) {
	for _, c := range []struct{ made, read, to string }{
		{"{ for p in x : p.k => p.v }", "[for i in y : step.m.output[i.k]]", "[ for p in x : p.v ]|[for place, i in y : step.m.output[place]]"},
		{"{ for p in x : p.k => p.v if p.v > 0 }", "[for n, i in y : lookup(step.m.output, i, 0)]", "[ for p in x : p.v if p.v > 0 ]|[for n, i in y : (try(step.m.output[n], 0))]"},
		{"{ for p in x : p.k => p.v }", "{ for i in y : i.k => [step.m.output[i.k], step.m.output[i.j]] }", "[ for p in x : p.v ]|{ for place, i in y : i.k => [step.m.output[place], step.m.output[place]] }"},
		{"{ for p in x : p.k => p.v... }", "[for i in y : step.m.output[i.k]]", ""},
		{"{ for n, p in x : n => p.v }", "[for i in y : step.m.output[i.k]]", ""},
		{"{ for p in x : p.k => p.v }", "step.m.output[input.k]", ""},
		{"{ for p in x : p.k => p.v }", "[for i in y : step.m.output[place.k]]", ""},
	} {
		text := "workflow \"w\" {\n  step \"value\" \"m\" { value = " + c.made + " }\n  step \"value\" \"r\" { value = " + c.read + " }\n}\n"
		u := &unit{path: "a.scenario.hcl", source: []byte(text)}
		got := ""
		for _, m := range u.mutants([]string{"element"}) {
			if strings.Contains(m.Change, "by place") {
				var lines []string
				for line := range strings.Lines(string(m.Text())) {
					if _, value, ok := strings.Cut(line, "value = "); ok {
						lines = append(lines, strings.TrimSuffix(value, " }\n"))
					}
				}
				got = strings.Join(lines, "|")
			}
		}
		if got != c.to {
			t.Errorf("%s, %s: got\n  %s\nwant\n  %s", c.made, c.read, got, c.to)
		}
	}
}

// nodes are the parts of expressions that the syntax has, each with an expression that has it and that is changed
// because of it, or with the reason why none is.
var nodes = map[string]struct{ changed, why string }{
	"AnonSymbolExpr":         {why: "what a splat goes over, which is written once"},
	"BinaryOpExpr && ||":     {changed: "x && y"},
	"BinaryOpExpr compares":  {changed: "x < 3"},
	"BinaryOpExpr equal":     {why: "it decides: the choice, the filter or the condition where it stands is weakened"},
	"BinaryOpExpr computes":  {changed: "x + y"},
	"ConditionalExpr":        {changed: "x ? 1 : 2"},
	"ForExpr a list":         {changed: "[for y in x : y]"},
	"ForExpr a map":          {why: "what reads it is changed: a look-up, and its key with that"},
	"ForExpr if":             {changed: "{ for k, v in x : k => v if v }"},
	"FunctionCallExpr":       {changed: "sort(x)"},
	"IndexExpr":              {changed: "x[y]"},
	"LiteralValueExpr":       {why: "what is written is what checks are about; a local has another one by the operators data and value"},
	"ObjectConsExpr":         {why: "what is left out of a request or an output is told of by test -v as what no check reads"},
	"ObjectConsKeyExpr":      {why: "the name of a member, which what reads it has as well"},
	"ParenthesesExpr":        {why: "it is what stands in it"},
	"RelativeTraversalExpr":  {changed: "f(x)[0]"},
	"ScopeTraversalExpr":     {changed: "x.a[0]"},
	"SplatExpr":              {changed: "x[*].a"},
	"TemplateExpr":           {changed: `"${x}-${y}"`},
	"TemplateJoinExpr":       {changed: `"%{for y in x}${y}%{endfor}"`},
	"TemplateWrapExpr":       {why: "it is what stands in it"},
	"TupleConsExpr":          {why: "what is left out of a request or an output is told of by test -v as what no check reads; what is looked through loses entries by the operator data"},
	"UnaryOpExpr":            {changed: "-x"},
	"UnaryOpExpr of a truth": {changed: "!x"},
}

// Every part that an expression of a scenario of ours has is changed by an operator, or stands above with the reason why it is
// not: a new one has to be decided on.
func TestEveryNodeIsWeakenedOrListed(t *testing.T) {
	for name, c := range nodes {
		if (c.changed == "") == (c.why == "") {
			t.Errorf("%s has either an expression or a reason", name)
		}
		if c.changed == "" {
			continue
		}
		text := "workflow \"w\" {\n  step \"value\" \"b\" {\n    value = " + c.changed + "\n  }\n}\n"
		if len(changesOf(t, text)) == 0 {
			t.Errorf("%s: nothing is weakened in %s", name, c.changed)
		}
		file, _ := dsl.Parse("a.scenario.hcl", []byte(text))
		typ, _, _ := strings.Cut(name, " ")
		found := false
		for _, s := range sitesOf(file) {
			s.eachNode(func(_ *dsl.Attr, n hclsyntax.Node) { found = found || nodeType(n) == typ })
		}
		if !found {
			t.Errorf("%s: %s has none", name, c.changed)
		}
	}
	known := func(typ string) bool {
		for name := range nodes {
			if first, _, _ := strings.Cut(name, " "); first == typ {
				return true
			}
		}
		return false
	}
	seen := map[string]bool{}
	err := filepath.WalkDir("../../scenarios", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".scenario.hcl") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file, _ := hclsyntax.ParseConfig(text, path, hcl.InitialPos)
		if file == nil {
			return nil
		}
		return hclErrors(hclsyntax.VisitAll(file.Body.(*hclsyntax.Body), func(n hclsyntax.Node) hcl.Diagnostics {
			if _, is := n.(hclsyntax.Expression); is && !seen[nodeType(n)] {
				seen[nodeType(n)] = true
				if !known(nodeType(n)) {
					t.Errorf("%s: %s is not listed", path, nodeType(n))
				}
			}
			return nil
		}))
	})
	if err != nil {
		t.Error(err)
	}
	if len(seen) < 10 {
		t.Errorf("only %d kinds of parts were seen", len(seen))
	}
}

func hclErrors(diags hcl.Diagnostics) error {
	if diags.HasErrors() {
		return diags
	}
	return nil
}

func nodeType(n hclsyntax.Node) string {
	return reflect.Indirect(reflect.ValueOf(n)).Type().Name()
}
