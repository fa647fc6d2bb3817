package stdlib

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

var exampleFiles = Files{FS: fstest.MapFS{
	"suite/greeting.txt":  {Data: []byte("hello\n")},
	"suite/cases/b.json":  {Data: []byte("{}")},
	"suite/cases/a.json":  {Data: []byte("{}")},
	"suite/cases/a.txt":   {Data: []byte("no")},
	"suite/deep/x/c.json": {Data: []byte("{}")},
	"other/d.json":        {Data: []byte("{}")},
	"suite/binary":        {Data: []byte{0xff, 0xfe}},
}, Dir: "suite"}

func evaluate(t testing.TB, expr string) (cty.Value, hcl.Diagnostics) {
	t.Helper()
	e, diags := hclsyntax.ParseExpression([]byte(expr), "test", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatalf("%s: %s", expr, diags)
	}
	table := NewFunctions(exampleFiles)
	maps.Copy(table, EnvironmentFunctions(func(name string) (string, bool) { return "eu", name == "REGION" }))
	return e.Value(&hcl.EvalContext{Functions: table})
}

// Every function has a signature, a summary that is a sentence, and an example
// that gives what it says; its result is equal to the same value written in a
// file.
func TestExamples(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range slices.Concat(List(), Environment()) {
		if seen[f.Name] {
			t.Errorf("%s is listed twice", f.Name)
		}
		seen[f.Name] = true
		if f.Family == "" || f.Summary == "" || f.Summary[len(f.Summary)-1] != '.' || len(f.Examples) == 0 {
			t.Errorf("%s has no family, summary or example", f.Name)
		}
		for _, x := range f.Examples {
			got, diags := evaluate(t, x.Expr)
			if diags.HasErrors() {
				t.Errorf("%s: %s", x.Expr, diags)
				continue
			}
			want, _ := evaluate(t, x.Result)
			if !got.RawEquals(want) {
				t.Errorf("%s = %#v, want %s", x.Expr, got, x.Result)
			}
			equal, diags := evaluate(t, "("+x.Expr+") == ("+x.Result+")")
			if diags.HasErrors() || !equal.RawEquals(cty.True) {
				t.Errorf("(%s) == (%s) is not true: %#v %v", x.Expr, x.Result, equal, diags)
			}
		}
	}
}

// The list has every name of the language and no other.
func TestNames(t *testing.T) {
	want := words(`approx ms within percentile bca sha256canonical jq word
		abs ceil floor max min sum signum pow log
		upper lower trim trimspace trimprefix trimsuffix split join replace regex regexall regexmatch
		startswith endswith strcontains substr format formatlist indent chomp title strrev
		length contains concat distinct flatten keys values lookup merge range reverse slice sort zipmap
		element index coalesce compact setunion setintersection alltrue anytrue one tobool tonumber tostring toset
		jsonencode jsondecode yamldecode csvdecode base64encode base64decode urlencode sha256 uuidv5 timeadd formatdate
		try can file fileset`)
	table := Functions()
	for name := range want {
		if _, ok := table[name]; !ok {
			t.Errorf("there is no function %s", name)
		}
	}
	for name := range table {
		if !want[name] {
			t.Errorf("%s is not in the language", name)
		}
	}
	if funcs := Environment(); len(funcs) != 1 || funcs[0].Name != "env" {
		t.Errorf("the functions of the environment are %v, want env alone", funcs)
	}
	for name := range words("metric metrics span spans events overlaps") {
		if !Sigs(Queries())[name].Query {
			t.Errorf("%s is not a query", name)
		}
	}
}

// Shows that programs mean the same with what bounds their sums.
func TestJQBoundsChangeNothing(t *testing.T) {
	for program, want := range map[string]string{
		`. + [4] | add`:                           `10`,
		`map(. * 2) | join("-")`:                  `"2-4-6"`,
		`"a\(.[0])b\(.[1] + 1)" | .[1:]`:          `"1b3"`,
		`.[0] += 10 | .[1] *= 5`:                  `[11, 10, 3]`,
		`[.[] | tostring] | add`:                  `"123"`,
		`{a: .} * {b: 1} | tojson`:                `"{\"a\":[1,2,3],\"b\":1}"`,
		`[., [.]] | flatten`:                      `[1, 2, 3, 1, 2, 3]`,
		`[., [.]] | flatten(1)`:                   `[1, 2, 3, [1, 2, 3]]`,
		`[[1, 2], [3]] | transpose`:               `[[1, 3], [2, null]]`,
		`@json "x\(.)"`:                           `"x[1,2,3]"`,
		`map(tostring | @base64) | .[0]`:          `"MQ=="`,
		`def f(x): x + 1; f(.[0]) as $v | $v * 2`: `4`,
		`add(.[] | . + 1)`:                        `9`,
		`1 + (2, 3) | . * 2`:                      ``,
		`[1 + (2, 3), (1, 2) * 10]`:               `[3, 4, 10, 20]`,
		`.[1 + 1] as $x | $x`:                     `3`,
	} {
		got, err := runJQ([]cty.Value{cty.TupleVal([]cty.Value{cty.NumberIntVal(1), cty.NumberIntVal(2), cty.NumberIntVal(3)}), cty.StringVal(program)})
		switch {
		case want == "":
			if err == nil {
				t.Errorf("%s: two results are one", program)
			}
		case err != nil:
			t.Errorf("%s: %v", program, err)
		default:
			if s := string(CanonicalJSON(got)); s != strings.ReplaceAll(want, ", ", ",") {
				t.Errorf("%s: %s, not %s", program, s, want)
			}
		}
	}
}
