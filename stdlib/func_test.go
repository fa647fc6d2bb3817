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
	want := words(`similarity schemaerror approx ms within percentile bca sha256canonical jq word
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

// Shows that what takes long in one instruction of jq is counted before it is made,
// and that no program takes its bounds away.
func TestJQCountsWhatOneInstructionDoes(t *testing.T) {
	for program, want := range map[string]string{
		`"x" * 2000000000 | length`:                                              "more than 16 MiB",
		`2000000000 * "x" | length`:                                              "more than 16 MiB",
		`"x" | . *= 2000000000 | length`:                                         "more than 16 MiB",
		`("a" * 200000) | gsub("a"; "bb") | length`:                              "1,000,000 instructions",
		`("a" * 200000) | [match("a"; "g")] | length`:                            "1,000,000 instructions",
		`("a," * 200000) | [splits(",")] | length`:                               "1,000,000 instructions",
		`reduce range(20000) as $i ([range(20000)]; del(.[0])) | length`:         "1,000,000 instructions",
		`[range(50000)] as $a | reduce range(50000) as $i ($a; .[$i] = 1)`:       "1,000,000 instructions",
		`[range(50000)] as $a | reduce range(50000) as $i ($a; .[$i] += 1)`:      "1,000,000 instructions",
		`[range(50000)] as $a | reduce range(50000) as $i ($a; .[$i] |= 1)`:      "1,000,000 instructions",
		`[range(50000)] as $a | reduce range(50000) as $i ($a; .[$i] *= 1)`:      "1,000,000 instructions",
		`[range(50000)] as $a | reduce range(9000) as $i ($a; setpath([$i]; 1))`: "1,000,000 instructions",
		`def fits__: .; "x" * 2000000000`:                                        "may not use the name fits__",
		`$steps__`:                                                               "may not use the name steps__",
	} {
		_, err := runJQ([]cty.Value{cty.NumberIntVal(1), cty.StringVal(program)})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", program, err, want)
		}
	}
}

// Shows that programs mean the same with what bounds their sums.
func TestJQBoundsChangeNothing(t *testing.T) {
	for program, want := range map[string]string{
		`. + [4] | add`:                             `10`,
		`map(. * 2) | join("-")`:                    `"2-4-6"`,
		`"a\(.[0])b\(.[1] + 1)" | .[1:]`:            `"1b3"`,
		`.[0] += 10 | .[1] *= 5`:                    `[11, 10, 3]`,
		`[.[] | tostring] | add`:                    `"123"`,
		`{a: .} * {b: 1} | tojson`:                  `"{\"a\":[1,2,3],\"b\":1}"`,
		`[., [.]] | flatten`:                        `[1, 2, 3, 1, 2, 3]`,
		`[., [.]] | flatten(1)`:                     `[1, 2, 3, [1, 2, 3]]`,
		`[[1, 2], [3]] | transpose`:                 `[[1, 3], [2, null]]`,
		`@json "x\(.)"`:                             `"x[1,2,3]"`,
		`map(tostring | @base64) | .[0]`:            `"MQ=="`,
		`def f(x): x + 1; f(.[0]) as $v | $v * 2`:   `4`,
		`add(.[] | . + 1)`:                          `9`,
		`1 + (2, 3) | . * 2`:                        ``,
		`[1 + (2, 3), (1, 2) * 10]`:                 `[3, 4, 10, 20]`,
		`.[1 + 1] as $x | $x`:                       `3`,
		`[(1, 2) * (10, 20)]`:                       `[10, 20, 20, 40]`,
		`[.[0] *= (2, 3)]`:                          `[[2, 2, 3], [3, 2, 3]]`,
		`[2 * "ab", "ab" * 2]`:                      `["abab", "abab"]`,
		`{a: {b: 1}} * {a: {c: 2}} | tojson`:        `"{\"a\":{\"b\":1,\"c\":2}}"`,
		`.[1] -= 1 | .[2] //= 5 | del(.[0])`:        `[1, 3]`,
		`setpath([0]; 7) | delpaths([[1]])`:         `[7, 3]`,
		`map(. |= . + 1) | .[0] = "x"`:              `["x", 3, 4]`,
		`"abcabc" | gsub("(?<x>b)"; .x + "!")`:      `"ab!cab!c"`,
		`"abcabc" | sub("b"; "1", "2")`:             ``,
		`"aXbxc" | [splits("x"; "i")]`:              `["a", "b", "c"]`,
		`"aXbxc" | split("x"; null)`:                `["aXb", "c"]`,
		`"a1b22" | [scan("[0-9]+")]`:                `["1", "22"]`,
		`"a1b22" | [match("[0-9]+"; "g").string]`:   `["1", "22"]`,
		`"a1b22" | [match(["[A-B]", "gi"]).offset]`: `[0, 2]`,
		`"a1" | capture("(?<n>[0-9])").n`:           `"1"`,
		`"a1" | [capture("(?<n>[a-z0-9])"; "g").n]`: `["a", "1"]`,
		`def looked: 5; looked`:                     `5`,
		`.[5] = 1`:                                  `[1, 2, 3, null, null, 1]`,
		`.[-1] = 9`:                                 `[1, 2, 9]`,
		`.[1:] = ["x"]`:                             `[1, "x"]`,
		`(.[0], .[2]) |= . + 1`:                     `[2, 2, 4]`,
		`[.[] = (7, 8)]`:                            `[[7, 7, 7], [8, 8, 8]]`,
		`.[] |= empty`:                              `[]`,
		`(.. | numbers) |= . * 2`:                   `[2, 4, 6]`,
		`{a: {}} | .a.b[1].c //= 4 | tojson`:        `"{\"a\":{\"b\":[null,{\"c\":4}]}}"`,
		`pick(.[1])`:                                `[null, 2]`,
		`[paths]`:                                   `[[0], [1], [2]]`,
		`[tostream] | fromstream(.[])`:              `[1, 2, 3]`,
		`[tostream] | .[0]`:                         `[[0], 1]`,
		`setpath([3]; (4, 5))`:                      ``,
		`[setpath([0], [1]; 4)]`:                    `[[4, 2, 3], [1, 4, 3]]`,
		`del(.[0], .[2])`:                           `[2]`,
		`@uri "a=\(.[0])&b=\("x y")"`:               `"a=1&b=x%20y"`,
		`@sh "echo \("it's")"`:                      `"echo 'it'\\''s'"`,
		`{"k\(.[0])": 1} | ."k\(1)"`:                `1`,
		`. as {"a\(1)": $x} ?// $x | $x`:            `[1, 2, 3]`,
		`["a\(1, 2)b\(3, 4)"]`:                      `["a1b3", "a2b3", "a1b4", "a2b4"]`,
		`"a,b" / ","`:                               `["a", "b"]`,
		`[6, 8] | [.[] / 2]`:                        `[3, 4]`,
		`[(8, 6) / (1, 2)]`:                         `[8, 6, 4, 3]`,
		`. - [2] | .[0] -= 1`:                       `[0, 3]`,
		`"abc" | explode | implode | split("b")`:    `["a", "c"]`,
		`try error({a: 1}) catch .a`:                `1`,
		`"[1, 2]" | fromjson | add`:                 `3`,
		`["12", "1.5"] | map(tonumber)`:             `[12, 1.5]`,
		`0 | strftime("%Y-%m-%d")`:                  `"1970-01-01"`,
		`["a1", "b"] | map(test("[0-9]"))`:          `[true, false]`,
		`INDEX(tostring) | keys`:                    `["1", "2", "3"]`,
		`def _add: 3; _add`:                         `3`,

		`[.[] | try (if . == 2 then error else . end) catch "two"]`: `[1, "two", 3]`,
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
