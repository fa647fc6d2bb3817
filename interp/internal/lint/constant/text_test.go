package constant_test

import (
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/lint/constant"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/stdlib"
)

// neverYielded are conditions on what a function returns that are false whatever it
// is given, beside them ones of the same form that are not.
var neverYielded = []struct{ function, never, may string }{
	{"lower", `strcontains(lower(x), "Sorry")`, `strcontains(lower(x), "sorry")`},
	{"lower", `lower(x) == "No"`, `lower(x) == "no"`},
	{"lower", `contains(split(" ", lower(x)), "Error")`, `contains(split(" ", lower(x)), "error")`},
	{"lower", `lower(trimspace(x)) == " no"`, `lower(trimspace(x)) == "no"`},
	{"lower", `regexmatch("Traceback", lower(x))`, `regexmatch("(?i)Traceback", lower(x))`},
	{"lower", `regexmatch("^a+(Trace)+back", lower(x))`, `regexmatch("^a+(Trace)*back", lower(x))`},
	{"upper", `upper(x) == "ok"`, `upper(x) == "OK"`},
	{"upper", `startswith(upper(x), "sorry")`, `startswith(upper(x), "SORRY 1")`},
	{"title", `title(x) == "ok"`, `title(x) == "Ok"`},
	{"title", `strcontains(title(x), "no way")`, `strcontains(title(x), "no Way")`},
	{"trim", `trim(x, "-") == "-ok"`, `trim(x, "-") == "o-k"`},
	{"trimspace", `trimspace(x) == " "`, `trimspace(x) == ""`},
	{"trimspace", `endswith(trimspace(x), ".\n")`, `strcontains(trimspace(x), ".\n")`},
	{"chomp", `chomp(x) == "ok\n"`, `chomp(x) == "ok\nok"`},
	{"indent", `strcontains(indent(2, x), "a\nb")`, `strcontains(indent(2, x), "a\n  b")`},
	{"replace", `strcontains(replace(x, "-", "+"), "a-b")`, `strcontains(replace(x, "--", "-"), "a--b")`},
	{"replace", `strcontains(replace(lower(x), "x", "y"), "Sorry")`, `strcontains(replace(lower(x), "x", "S"), "Sorry")`},
	{"replace", `strcontains(replace(x, " ", ""), "a b")`, `strcontains(replace(x, " ", " - "), "a - b")`},
	{"replace", `strcontains(replace(x, "/\\s+/", "_"), "a b")`, `strcontains(replace(x, "/\\s+/", " "), "a b")`},
	{"replace", `strcontains(replace(x, "/\\s+/", " "), "a\tb")`, `strcontains(replace(x, "/\\s{2}/", " "), "a\tb")`},
	{"replace", `strcontains(replace(x, "/b|[0-9]/", ""), "a1")`, `strcontains(replace(x, "/b|[0-9]?/", ""), "a1")`},
	{"join", `strcontains(join(",", split(" ", x)), "a, b")`, `strcontains(join(", ", split(" ", x)), "a, b")`},
	{"join", `strcontains(join("", [for l in split("\n", x) : lower(l)]), "A")`, `strcontains(join("A", [for l in split("\n", x) : lower(l)]), "A")`},
	{"regex", `regex("[0-9]+", x) == "12a"`, `regex("[0-9]+", x) == "12"`},
	{"regexall", `contains(regexall("[0-9]+", x), "")`, `contains(regexall("([0-9])", x), "")`},
	{"substr", `substr(x, 0, 3) == "Sorry"`, `substr(x, 0, 5) == "Sorry"`},
	{"substr", `strcontains(substr(x, 2, 3), "Sorry")`, `substr(x, 0, -1) == "Sorry"`},
	{"split", `split(",", x)[0] == "a,b"`, `split(",", x)[0] == "a"`},
	{"split", `split(",", x) == ["a", "b,c"]`, `split(",", x) == ["a", "b"]`},
	{"split", `anytrue([for l in split("\n", x) : strcontains(l, "a\nb")])`, `anytrue([for l in split("\n", x) : strcontains(l, "a")])`},
	{"split", `[for l in split("\n", x) : l if l == "a\n"] != []`, `[for l in split("\n", x) : l if l == "a"] != []`},
	{"split", `contains(distinct([for l in split(";", x) : lower(l)]), "A")`, `contains(distinct([for l in split(";", x) : l]), "A")`},
	{"distinct", `contains(distinct(split(",", x)), "a,b")`, `contains(distinct(split(",", x)), "a")`},
	{"reverse", `contains(reverse(split(",", x)), "a,b")`, `contains(reverse(split(",", x)), "a")`},
	{"sort", `contains(sort(split(",", x)), "a,b")`, `contains(sort(split(",", x)), "a")`},
	{"compact", `contains(compact(split(",", x)), "a,b")`, `contains(compact(split(",", x)), "a")`},
	{"toset", `contains(toset(split(",", x)), "a,b")`, `contains(toset(split(",", x)), "a")`},
	{"slice", `contains(slice(split(",", x), 0, 2), "a,b")`, `contains(slice(split(",", x), 0, 2), "a")`},
	{"format", `format("took %d ms", x) == "took 3"`, `format("took %d ms", x) == "took 3 ms"`},
	{"format", `startswith(format("a: %s", x), "b")`, `startswith(format("%s: a", x), "b")`},
	{"formatlist", `contains(formatlist("step-%s", x), "a")`, `contains(formatlist("step-%s", x), "step-a")`},
	{"coalesce", `coalesce(lower(x), "none") == "None"`, `coalesce(lower(x), "None") == "None"`},
	{"try", `try(lower(x), "none") == "None"`, `try(x, "none") == "None"`},
	{"jsonencode", `strcontains(jsonencode(x), "\"ok\": true")`, `strcontains(jsonencode(x), "\"ok\":true")`},
	{"jsonencode", `strcontains(jsonencode(x), "\"a\": {")`, `strcontains(jsonencode(x), "\"a\":{")`},
	{"jsonencode", `strcontains(jsonencode(x), "\"a\"b")`, `strcontains(jsonencode(x), "\\\"a\\\": {")`},
	{"jsonencode", `strcontains(jsonencode(x), "<script>")`, `strcontains(jsonencode(x), "script")`},
	{"base64encode", `strcontains(base64encode(x), "a-b")`, `strcontains(base64encode(x), "a+b")`},
	{"urlencode", `urlencode(x) == "a b"`, `urlencode(x) == "a+b"`},
	{"timeadd", `timeadd(x, "1s") == "today"`, `timeadd(x, "1s") == "2000-01-01T00:00:01Z"`},
	{"sha256", `sha256(x) == "abc"`, `sha256(x) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"`},
	{"sha256canonical", `sha256canonical(x) == "E3B0C44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"`, `startswith(sha256canonical(x), "e3")`},
	{"uuidv5", `uuidv5("dns", x) == "2ED6657D-e927-568b-95e1-2665a8aea6a2"`, `uuidv5("dns", x) == "2ed6657d-e927-568b-95e1-2665a8aea6a2"`},
	{"a template", `"answer: ${x}" == "42"`, `"answer: ${x}" == "answer: 42"`},
	{"a choice", `(y ? lower(x) : upper(x)) == "aB"`, `(y ? lower(x) : x) == "aB"`},
}

// Shows what functions never return, each beside what they do.
func TestTextsThatAreNever(t *testing.T) {
	for _, c := range neverYielded {
		never := strings.ReplaceAll(strings.ReplaceAll(c.never, "x)", "step.a.content)"), "(x,", "(step.a.content,")
		may := strings.ReplaceAll(strings.ReplaceAll(c.may, "x)", "step.a.content)"), "(x,", "(step.a.content,")
		never, may = strings.NewReplacer("{x}", "{step.a.content}", ", x,", ", step.a.content,", "(y ?", "(step.a.done ?").Replace(never), strings.NewReplacer("{x}", "{step.a.content}", ", x,", ", step.a.content,", "(y ?", "(step.a.done ?", ": x)", ": step.a.content)").Replace(may)
		if got := find(t, never); len(got) != 1 || got[0].Value && !strings.Contains(never, "!=") || got[0].Why == "" || got[0].Hint == "" {
			t.Errorf("%s: %s: %+v", c.function, never, got)
		}
		if got := find(t, "!("+never+")"); len(got) == 0 {
			t.Errorf("%s: its opposite is a check", never)
		}
		if got := find(t, may); len(got) != 0 {
			t.Errorf("%s: %s: %+v", c.function, may, got)
		}
	}
}

// Shows that of each function of the language which returns strings it is known what
// they cannot be, and tested, or that they can be anything.
func TestEveryFunctionOfStrings(t *testing.T) {
	tested := map[string]bool{}
	for _, c := range neverYielded {
		tested[c.function] = true
	}
	for _, f := range stdlib.List() {
		if returnsNoText(f) {
			continue
		}
		_, anything := constant.Anything[f.Name]
		if anything == tested[f.Name] {
			t.Errorf("%s: it is listed as anything is %v, and what it never returns is tested %v", f.Name, anything, tested[f.Name])
		}
	}
	for name, why := range constant.Anything {
		if _, known := stdlib.Functions()[name]; !known || why == "" {
			t.Errorf("%q is no function, or has no reason", name)
		}
	}
}

// returnsNoText reports whether a function returns a number, a truth value or a list
// or object of none but those, as the static check knows it.
func returnsNoText(f stdlib.Func) bool {
	if f.Sig.Result == nil {
		return false
	}
	args := make([]*schema.Shape, max(f.Sig.Min, 1))
	for i := range args {
		args[i] = schema.UnknownShape
	}
	s := f.Sig.Result(args)
	for s != nil && s.Elem != nil {
		s = s.Elem
	}
	return s != nil && (s.Kind == schema.ShapeNumber || s.Kind == schema.ShapeBool)
}

// Shows that what a function returned is never said to be impossible: random calls
// are evaluated, and what came of them, or a piece of it, is asked for.
func TestTextsAreNeverWrong(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	asked := 0
	for range 9000 {
		call, content := randomText(r, 3), randomContent(r)
		e, diags := hclsyntax.ParseExpression([]byte(call), "x", hcl.InitialPos)
		if diags.HasErrors() {
			t.Fatalf("%s: %s", call, diags)
		}
		v, diags := e.Value(&hcl.EvalContext{Functions: stdlib.Functions(), Variables: map[string]cty.Value{
			"step": cty.ObjectVal(map[string]cty.Value{"a": cty.ObjectVal(map[string]cty.Value{"content": cty.StringVal(content)})}),
		}})
		if diags.HasErrors() || v.IsNull() || v.Type() != cty.String {
			continue
		}
		asked++
		text := v.AsString()
		runes := []rune(text)
		from := r.IntN(len(runes) + 1)
		to := from + r.IntN(len(runes)-from+1)
		for _, condition := range []string{
			call + " == " + quoted(text),
			"strcontains(" + call + ", " + quoted(string(runes[from:to])) + ")",
			"startswith(" + call + ", " + quoted(string(runes[:to])) + ")",
			"endswith(" + call + ", " + quoted(string(runes[from:])) + ")",
			"regexmatch(" + quoted(regexp.QuoteMeta(string(runes[from:to]))) + ", " + call + ")",
			"contains([" + call + "], " + quoted(text) + ")",
			"[" + call + "] == [" + quoted(text) + "]",
		} {
			for _, f := range find(t, condition) {
				if f.Whole && !f.Value {
					t.Fatalf("%s with %q: is said to be never so: %s", condition, content, f.Why)
				}
			}
		}
	}
	if asked < 4000 {
		t.Errorf("only %d calls returned something", asked)
	}
}

func quoted(s string) string {
	return strings.NewReplacer("${", "$${", "%{", "%%{", `\\x7f`, `\\u007f`).Replace(strconv.Quote(s))
}

func randomContent(r *rand.Rand) string {
	words := []string{"Sorry", "no", "a,b", " ", "\n", "-", "--", "É", "ß", "e\u0301", "\u0301", "1", "23", "İ", "ŉ", "<b>", "\"x\": 1", "\t", "_", ".", "a-b c", "K"}
	var b strings.Builder
	for range r.IntN(5) {
		b.WriteString(words[r.IntN(len(words))])
	}
	return b.String()
}

// randomText writes a call of functions of strings.
func randomText(r *rand.Rand, depth int) string {
	if depth == 0 || r.IntN(8) == 0 {
		return "step.a.content"
	}
	x := randomText(r, depth-1)
	cut := []string{",", "-", " ", "a", "--", "\\n"}[r.IntN(6)]
	return strings.NewReplacer("X", x, "CUT", cut).Replace([]string{
		"lower(X)", "upper(X)", "title(X)", `trim(X, "CUT")`, "trimspace(X)", "chomp(X)", `trimprefix(X, "CUT")`, `trimsuffix(X, "CUT")`,
		"indent(2, X)", `replace(X, "CUT", "+")`, `replace(X, "CUT", "")`, `replace(X, "/[a-z]/", "CUT")`, `regex("[a-z]+", X)`, `regex("a|b*?", X)`, `regexall(".", X)[0]`,
		`substr(X, 0, 2)`, `substr(X, -2, -1)`, `split("CUT", X)[0]`, `[for l in split("CUT", X) : upper(l)][0]`, `sort(split("CUT", X))[0]`,
		`join("CUT", [X, X])`, `strrev(X)`, `format("CUT%sCUT", X)`, `format("x%s", X)`, `format("%s%%", X)`, `formatlist("n %s", [X])[0]`,
		`coalesce(X, "none")`, `try(X, "none")`, "jsonencode(X)", "jsonencode([X, { a = X }])", "base64encode(X)", "base64decode(base64encode(X))", "urlencode(X)",
		"sha256(X)", "sha256canonical(X)", `uuidv5("dns", X)`, "tostring(X)", `"a: ${X}"`, `"${X}!"`, `"CUT${X}CUT"`,
		`(X == "no" ? lower(X) : X)`, `timeadd("2000-01-01T00:00:00Z", "${length(X)}s")`, `formatdate("YYYY", "2000-01-01T00:00:00Z")`,
	}[r.IntN(43)])
}
