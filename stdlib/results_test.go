package stdlib

import (
	"fmt"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"
)

func words(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(text) {
		set[w] = true
	}
	return set
}

// Results mean with == what a reader of the file expects, in the cases where
// lists, sets, maps and typed nulls would not.
func TestResultsCompareWithLiterals(t *testing.T) {
	for _, expr := range []string{
		`split(",", "a") == ["a"]`,
		`split(",", "a") != ["b"]`,
		`keys({}) == []`,
		`toset([3, 1, 3]) == [1, 3]`,
		`distinct([null, 1, null]) == [null, 1]`,
		`distinct([1, "1"]) == [1, "1"]`,
		`jsondecode("[null, 200]") == [null, 200]`,
		`concat([null], [200]) == [null, 200]`,
		`merge({ a = null }, { b = 1 }) == { a = null, b = 1 }`,
		`lookup({ a = null }, "a", 1) == null`,
		`lookup({}, "a") == null`,
		`merge(null, { a = 1 }) == { a = 1 }`,
		`csvdecode("a\n") == []`,
		`sort(["10", "9"]) == ["10", "9"]`,
		`sort([10, 9]) == [9, 10]`,
		`coalesce(null, 1, "a") == 1`,
		`coalesce(null, "") == ""`,
		`coalesce("", "a", "") == "a"`,
		`reverse([1, "a"]) == ["a", 1]`,
		`index([1, "1"], "1") == 1`,
		`regexall("x", "a") == []`,
		`regex("(?P<n>[0-9])", "a1") == { n = "1" }`,
		`regex("([0-9])(x)?", "a1") == ["1", null]`,
		`zipmap([], []) == {}`,
		`setunion([1], ["1"]) == [1, "1"]`,
		`setintersection([1, 2], [2], [2, 3]) == [2]`,
		`flatten([[1, ["a"]], []]) == [1, "a"]`,
		`one([null]) == null`,
		`element([1, 2, 3], 4) == 2`,
		`sum([]) == 0`,
		`alltrue([]) && !anytrue([])`,
		`tonumber(null) == null`,
		`contains([null, 1], null)`,
		`contains([1, "a"], 2) == false`,
		`length({ a = 1 }) == 1`,
		`replace("a.b", ".", "-") == "a-b"`,
		`replace("a1b22", "/([0-9]+)/", "<$1>") == "a<1>b<22>"`,
		`fileset("**/*.json") == ["cases/a.json", "cases/b.json", "deep/x/c.json"]`,
		`fileset("../other/*.json") == ["../other/d.json"]`,
		`fileset("none/*.json") == []`,
		`[for f in fileset("cases/*"): file(f)] == ["{}", "no", "{}"]`,
		`within(2000, "2s", 3000) && within(3000, "2s", "3s") && !within(1999, "2s", "3s") && !within(3001, 2000, "3s") && within(0.5, 0.5, 0.5)`,
		`ms("2d") == 172800000 && ms("1d12h") == 129600000 && ms("1.5ms") == 1.5`,
		`percentile([4, 1, 3, 2], 25) == 1.75`,
		`percentile([1, 2], 100) == 2 && percentile([7], 3) == 7`,
		`jq([1, 2, 3], "map(. * 2) | add") == 12`,
		`jq({ a = null }, ".a") == null`,
		`jq(1, "[range(50000)] | length") == 50000`,
		`jq(9007199254740993, ".") == 9007199254740993`,
		`approx(1, 1.5, 0.5) && !approx(1, 1.6, 0.5)`,
		`uuidv5("6ba7b810-9dad-11d1-80b4-00c04fd430c8", "www.example.com") == uuidv5("dns", "www.example.com")`,
		`sha256canonical({ a = [1.0, "<&>"], b = null }) == sha256("{\"a\":[1,\"<&>\"],\"b\":null}")`,
		`sha256canonical(0.1) == sha256("0.1") && sha256canonical(-1500) == sha256("-1500")`,
		`can(file("greeting.txt")) && !can(file("missing.txt"))`,
		`try(null) == null`,
		`try([null, 200]) == [null, 200]`,
		`yamldecode("[~, 1]") == [null, 1]`,
		`yamldecode("a: &a [1]\nb: *a") == { a = [1], b = [1] }`,
	} {
		got, diags := evaluate(t, expr)
		if diags.HasErrors() {
			t.Errorf("%s: %s", expr, diags)
		} else if got.IsNull() || !got.IsKnown() || got.False() {
			t.Errorf("%s is not true: %#v", expr, got)
		}
	}
}

// A wrong call is an error that says what was expected and given, and neither
// a panic nor a guess.
func TestErrors(t *testing.T) {
	for expr, want := range map[string]string{
		`contains([1, 2], "1")`:                   "can never be equal",
		`contains("abc", 1)`:                      "must be a string too",
		`contains(1, 1)`:                          "must be a list, not a number",
		`sort([1, "a"])`:                          "no common order",
		`sort([null])`:                            "element 0 is null",
		`alltrue([true, null])`:                   "element 1 is null",
		`sum(["1"])`:                              "element 0 is a string",
		`one([1, 2])`:                             "at most one element, not 2",
		`index([1], 2)`:                           "not in the list",
		`coalesce("", null)`:                      "null or empty",
		`coalesce("")`:                            "null or empty",
		`slice([1, 2], 1, 3)`:                     "between the start 1 and the length 2",
		`length(null)`:                            "not null",
		`percentile([], 50)`:                      "must not be empty",
		`percentile([1], 101)`:                    "between 0 and 100",
		`approx(1, 2, -1)`:                        "must not be negative",
		`within("2s", 1, 2)`:                      "must be a number, not a string",
		`within(null, 1, 2)`:                      "must be a number, not null",
		`within(1, "a", 2)`:                       "must be a number, or a duration",
		`within(1, 1, null)`:                      "must be a number, or a duration",
		`within(1, "3s", "2s")`:                   "must not be below the lower bound",
		`ms("5")`:                                 "must be a duration",
		`ms("200000d")`:                           "at most 100 years",
		`ms("")`:                                  "must be a duration",
		`bca([1, 2], 0.95, 0, 1)`:                 "at least 1",
		`bca([1, 2], 0.95, 1000000000, 1)`:        "at most 50000000",
		`bca([1, 2], 95, 10, 1)`:                  "such as 0.95",
		`bca([1, 2], 0.95, 10, -1)`:               "not negative",
		`regexmatch("(", "a")`:                    "is no regular expression",
		`replace("a", "/(/", "b")`:                "is no regular expression",
		`base64decode("/w==")`:                    "no UTF-8",
		`uuidv5("dns.example", "a")`:              "or a UUID",
		`format("%99999d", 1)`:                    "above 9999",
		`format("%.*f", 999999, 1.0)`:             "above 9999",
		`indent(100000000, "a\nb")`:               "between 0 and 1000",
		`file("../../etc/passwd")`:                "leaves the suite root",
		`file("/etc/passwd")`:                     "relative path",
		`file("missing.txt")`:                     `there is no file "missing.txt"`,
		`file("binary")`:                          "no UTF-8",
		`file("cases")`:                           "cannot be read",
		`fileset("../../*")`:                      "leaves the suite root",
		`fileset("[")`:                            "is no pattern",
		`fileset("**/**/**/**/*")`:                "at most three",
		`jq(1, ".[")`:                             "is no jq program",
		`jq([1, 2], ".[]")`:                       "more than one result",
		`jq([], ".[]")`:                           "gives no result",
		`jq(1, "reduce range(2e6) as $x (0; .)")`: "did not end",
		`jq(1, "[range(2e6)] | length")`:          "did not end",
		`jq(1, "now")`:                            "no clock",
		`jq(0, "localtime")`:                      "gmtime",
		`jq(1, "input")`:                          "not allowed",
		`jq(1, "import \"a\" as a; .")`:           "may not import",
		`jq(1, "include \"a\"; .")`:               "may not import",
		`jq(1, "error(\"boom\")")`:                "boom",
		`tonumber("x")`:                           "cannot become a number",
		`range(100000)`:                           "1024",
		`yamldecode("a: &a [*a]")`:                "inside its own definition",
		`try(jsondecode("{"), tonumber("x"))`:     "no expression succeeded",
		`pow(10, 1e300)`:                          "no finite number",
		`pow(-1, 0.5)`:                            "no finite number",
		`log(-1, 10)`:                             "must be above 0",
		`sum([1/0.0, -1/0.0])`:                    "opposing infinities",
	} {
		_, diags := evaluate(t, expr)
		if !diags.HasErrors() {
			t.Errorf("%s is no error", expr)
		} else if !strings.Contains(diags.Error(), want) {
			t.Errorf("%s: %s\nwant it to say %q", expr, diags, want)
		}
	}
}

// An expression cannot see the environment of the machine, not even through
// jq.
func TestJQHasNoEnvironment(t *testing.T) {
	t.Setenv("SCENARIO_TEST_SECRET", "visible")
	for _, expr := range []string{`jq(1, "$ENV.SCENARIO_TEST_SECRET")`, `jq(1, "env.SCENARIO_TEST_SECRET")`} {
		if v, diags := evaluate(t, expr); diags.HasErrors() || !v.IsNull() {
			t.Errorf("%s = %#v %v, want null", expr, v, diags)
		}
	}
}

// A YAML document of a few lines whose aliases stand for ten million values is
// refused before anything that large is built.
func TestYAMLAliasesAreBounded(t *testing.T) {
	var source strings.Builder
	source.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 7; i++ {
		fmt.Fprintf(&source, "a%d: &a%d [%s*a%d]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9), i-1)
	}
	_, err := Functions()["yamldecode"].Call([]cty.Value{cty.StringVal(source.String())})
	if err == nil || !strings.Contains(err.Error(), "more than 100000 values") {
		t.Errorf("yamldecode of nested aliases: %v", err)
	}
}

// A secret stays one: what is computed from a marked value is marked, whatever
// function it went through.
func TestMarksSurvive(t *testing.T) {
	secret := cty.StringVal("token").Mark("sensitive")
	for name, args := range map[string][]cty.Value{
		"upper": {secret}, "sha256": {secret}, "coalesce": {secret}, "distinct": {cty.TupleVal([]cty.Value{secret})},
		"merge": {cty.ObjectVal(map[string]cty.Value{"a": secret})}, "format": {cty.StringVal("%s"), secret},
		"jq": {secret, cty.StringVal(".")}, "split": {cty.StringVal("k"), secret}, "tostring": {secret},
	} {
		v, err := Functions()[name].Call(args)
		if err != nil || !v.ContainsMarked() {
			t.Errorf("%s of a marked value: %#v, %v", name, v, err)
		}
	}
}
