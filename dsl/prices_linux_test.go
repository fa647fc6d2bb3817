package dsl

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl/tally"
	"github.com/scenario-lang/scenario/stdlib"
)

// dear are a call of every function with as much as makes it slow: what a benchmark holds
// against what they are charged. The variables are those of [dearContext].
var dear = []string{
	"[for i in local.some : i]", "[for i in local.some : i if i > 1e6]", "[for i in local.some : i + 1 * 2]", `[for i in local.some : "${i}-x"]`,
	"[for i in range(100) : [for j in range(100) : j]]", "[for i in range(100) : range(100)]", "[for i in range(100) : values(local.few)]", "[for i in range(100) : local.few]",
	"[for i in range(100) : length(range(100))]", "[for i in range(100) : length(values(local.few))]", "{ for i in local.some : \"k${i}\" => i }", "local.rows[*].name", "local.some == [1]",
	"[for i in range(1000) : upper(\"a\")]", "[for i in range(1000) : i == 1 ? \"a\" : \"b\"]", "[for i in range(1000) : { a = i, b = i }]", "[for i in range(1000) : [i, i]]", "[for i in range(1000) : i > 1 && i < 10]",
	"[for i in range(100) : [for b in range(10) : word(join(\" \", range(100)), \"zz\", \"yy\", \"xx\")]]",

	`join(" ", range(1000))`, `[for i in range(1000) : upper(i)]`, `[for i in range(100) : tostring(i * 0.37)]`, `[for i in range(100) : "x${i * 0.37}"]`, `[for i in range(100) : jsonencode({ a = i * 0.37 })]`,
	`[for i in range(100) : format("%s", i * 0.37)]`, `[for i in range(100) : upper(i * 0.37)]`, `join(" ", [for i in range(100) : i * 0.37])`, `[for i in range(100) : (i * 0.37) < 10]`,
	`[for i in range(100) : { "${i * 0.37}" = 1 }]`, `{ for i in range(100) : i * 0.37 => 1 }`, `jq([for i in range(100) : i * 0.37], "map(tostring)")`, `toset([for i in range(100) : i * 0.37])`,
	`distinct([for i in range(100) : i * 0.37])`, `[for i in range(100) : i / 3 == i / 7]`, `[for i in range(100) : i % 7]`, `[for i in range(10) : local.some["${i}"]]`, `jsondecode("[${join(",", range(1000))}]")`,

	`[for i in range(100) : schemaerror(i, { type = "string" })]`, `[for i in range(100) : yamldecode("a")]`, `[for i in range(100) : csvdecode("a\nb")]`, `[for i in range(100) : jsondecode("1")]`,
	`[for i in local.some : try(i.x.y, local.nothing, null)]`, `[for i in range(100) : { for j in range(100) : j => [i]... }]`, `contains([for i in range(100) : i * 0.37], 1 / 3)`, `[for i in range(100) : replace("a", "/b/", "c")]`,

	"[for i in local.some : abs(i)]", "[for i in local.some : ceil(i)]", "[for i in local.some : floor(i)]", "max(local.some...)", "min(local.some...)", "sum(local.some)",
	"[for i in local.some : signum(i)]", "[for i in local.some : pow(2, i)]", "[for i in local.some : log(i + 1, 2)]",
	"[for i in local.some : approx(i, 1, 0.1)]", "percentile(local.some, 50)", "bca(local.some, 0.95, 1000, 1)",
	"similarity(substr(local.text, 0, 2000), substr(local.text, 3, 2000))", `schemaerror(local.rows, { type = "array", items = { type = "object", required = ["name"] } })`,
	"upper(local.text)", "lower(local.text)", "title(local.text)", `trim(local.text, "abc")`, "trimspace(local.text)", `trimprefix(local.text, "a")`, `trimsuffix(local.text, "a")`, "chomp(local.text)",
	"indent(10, local.lines)", `split(" ", local.text)`, `join(" ", local.words)`, `join(" ", local.some)`, `replace(local.text, "ab", "ba")`, `replace(local.text, "/a[b-d]/", "ba")`,
	`regex("(x+x+)+y", "${local.text}xxy")`, `regexall("[a-z]+", local.text)`, `regexmatch("(a|b)*z$", local.text)`, `startswith(local.text, "a")`, `endswith(local.text, "a")`,
	`strcontains(local.text, "zzzz")`, `word(local.text, "zz", "yy", "xx")`, `word(join(" ", local.words), "zz", "yy", "xx")`, "substr(local.text, 10, -1)", `format("%s %s", local.text, local.text)`,
	`[for i in local.some : format("%05d %s", i, i)]`, `formatlist("%s-%d", local.words, local.some)`, "strrev(local.text)",
	"length(local.text)", "length(local.some)", "contains(local.some, -1)", "concat(local.some, local.words)", "distinct(local.words)", "flatten([local.some, [local.words]])", "keys(local.few)", "values(local.few)",
	`lookup(local.few, "k1", null)`, "merge(local.few, { a = 1 })", "range(1000)", "range(0, 1, 0.001)", "reverse(local.some)", "slice(local.some, 1, 900)", "sort(local.words)", "sort(local.some)",
	"zipmap(local.words, local.some)", "element(local.some, 3)", "index(local.some, 999)", "coalesce(local.text, local.text)", "compact(local.words)", "alltrue(local.yes)", "anytrue([for y in local.yes : !y])", "one([local.text])",
	"toset(local.words)", "setunion(local.words, local.words)", "setintersection(local.words, local.words)", `[for y in local.yes : tobool("true")]`, `[for i in local.some : tonumber("${i}")]`, "[for i in local.some : tostring(i)]",
	"jsonencode(local.rows)", "jsondecode(local.json)", "yamldecode(local.yaml)", "csvdecode(local.csv)", "base64encode(local.text)", "base64decode(local.b64)", "urlencode(local.text)", "sha256(local.text)", "sha256canonical(local.rows)",
	`[for i in local.some : uuidv5("dns", "a")]`, `jq(local.rows, "map(.name)")`, `jq(1, "[range(10000)] | length")`, `jq(1, "[limit(10000; repeat(1))] | add")`, `jq(1, "def f: if . > 2000 then . else . + 1 | f end; f")`, `jq("a", "[range(300)] | map(tostring) | join(\",\") | test(\"zz+\")")`,
	`[for i in local.some : ms("5s")]`, "[for i in local.some : within(i, 1, 2)]", `[for i in local.some : timeadd("2000-01-01T00:00:00Z", "90s")]`, `[for i in local.some : formatdate("YYYY-MM-DD hh:mm:ss", "2000-01-01T00:00:00Z")]`,
	"[for i in range(100) : i / 7 >= i / 3]", "[for i in range(100) : i / 7 <= i / 7]", "contains([for i in range(100) : i / 7], 1 / 7)",
	"try(tobool(local.text), local.text)", "can(local.some[5000])",
}

// dearContext is a run with values that are large enough for everything to count.
func dearContext(t testing.TB) (*hcl.EvalContext, *tally.Tally) {
	var some, words, yes, rows []cty.Value
	few := map[string]cty.Value{}
	var csv, yaml strings.Builder
	csv.WriteString("a,b,c\n")
	for i := range 1000 {
		name := fmt.Sprintf("name-%d", i*7919%1000)
		some, words, yes = append(some, cty.NumberIntVal(int64(i))), append(words, cty.StringVal(name)), append(yes, cty.True)
		rows = append(rows, cty.ObjectVal(map[string]cty.Value{"name": cty.StringVal(name), "n": cty.NumberIntVal(int64(i))}))
		fmt.Fprintf(&csv, "%d,%s,x\n", i, name)
		fmt.Fprintf(&yaml, "- {a: %d, b: %s}\n", i, name)
		if i < 100 {
			few[name] = cty.NumberIntVal(int64(i))
		}
	}
	few["k1"] = cty.True
	text := strings.Repeat("abcd efgh ijkl ", 4000)
	json := "[1" + strings.Repeat(`,{"a":1,"b":"x"}`, 1000) + "]"
	local := cty.ObjectVal(map[string]cty.Value{
		"some": cty.TupleVal(some), "words": cty.TupleVal(words), "yes": cty.TupleVal(yes), "rows": cty.TupleVal(rows), "few": cty.ObjectVal(few),
		"text": cty.StringVal(text), "lines": cty.StringVal(strings.ReplaceAll(text, " ", "\n")), "json": cty.StringVal(json),
		"yaml": cty.StringVal(yaml.String()), "csv": cty.StringVal(csv.String()), "b64": cty.StringVal(strings.Repeat("YWJj", 10_000)),
	})
	ctx := (&hcl.EvalContext{Functions: stdlib.Functions()}).NewChild()
	ctx.Variables = map[string]cty.Value{"local": local}
	file := NewMeter(t.Context())
	file.Install(ctx)
	file.Running().Install(ctx)
	work := tally.New(math.MaxInt64 / 2)
	return Bounded(ctx, work), work
}

// strict is an expression as it is in a file.
func strict(t testing.TB, src string) hclsyntax.Expression {
	e := parseExpr(t, src)
	Strict(e)
	return e
}

// Shows that the table of what functions take has each of them.
func TestEveryFunctionHasAPrice(t *testing.T) {
	ctx, work := dearContext(t)
	for _, f := range stdlib.List() {
		if f.Family != "files" && !slices.ContainsFunc(dear, func(src string) bool { return strings.Contains(src, f.Name+"(") }) {
			t.Errorf("no expression of the table calls %s", f.Name)
		}
	}
	for _, src := range dear {
		before := work.Spent()
		if _, diags := Evaluate(strict(t, src), ctx); diags.HasErrors() {
			t.Errorf("%s: %v", src, diags)
		}
		if work.Spent() == before {
			t.Errorf("%s is free", src)
		}
	}
}

// Shows that a call counts no less in any form: with its arguments in a list that is spread,
// in a loop, an object, a choice, a text, a comparison, or within try.
func TestEveryFormOfACallHasItsPrice(t *testing.T) {
	spread := func(e hclsyntax.Expression) hclsyntax.Expression {
		x, call := e.(*hclsyntax.FunctionCallExpr)
		if !call || x.ExpandFinal || x.Name == "try" || x.Name == "can" {
			return nil
		}
		out := *x
		out.ExpandFinal, out.Args = true, []hclsyntax.Expression{&hclsyntax.TupleConsExpr{Exprs: x.Args, SrcRange: x.Range()}}
		return &out
	}
	ctx, work := dearContext(t)
	spent := func(e hclsyntax.Expression) int64 {
		Strict(e)
		before := work.Spent()
		if _, diags := Evaluate(e, ctx); diags.HasErrors() && !isTooMuch(diags) {
			t.Errorf("%s: %v", Excerpt(e), diags)
		}
		return work.Spent() - before
	}
	calls := 0
	for _, src := range dear {
		plain := spent(parseExpr(t, src))
		least := plain - plain/20
		e := parseExpr(t, src)
		other := Replaced(e, spread)
		if x, call := e.(*hclsyntax.FunctionCallExpr); call && x.Name != "try" && x.Name != "can" {
			calls++
		}
		if took := spent(other); took < least {
			t.Errorf("%s, with what it is given in a list that is spread, counts %d in place of %d", src, took, plain)
		}
		for _, form := range []string{"[for z in [1] : %s]", "{ a = %s }", "true ? %s : null", "jsonencode([%s])", "[%s] == [1, 2]", "try(%s, null)", "[for z in [1] : 1 if [%s] != [1, 2]]"} {
			if took := spent(parseExpr(t, fmt.Sprintf(form, src))); took < least {
				t.Errorf(form+" counts %d, and what is in it %d by itself", src, took, plain)
			}
		}
	}
	if calls < 60 {
		t.Errorf("%d calls are spread: too few", calls)
	}
}

// Shows that the digits of numbers count in a run also where all that it reads is small: an
// invariant is evaluated after every event.
func TestDigitsOfLittleCount(t *testing.T) {
	var list []cty.Value
	for i := range 100 {
		list = append(list, cty.MustParseNumberVal(fmt.Sprintf("%d.37", i)).Mark("shown"))
	}
	for src, least := range map[string]int64{
		"!contains(l, x)":                100 << 10,
		`join(",", l) == ""`:             100 << 10,
		"[for v in l : v if v == v * 3]": 100 << 10,
		"[for v in l : v if v >= v * 3]": 100 << 10,
		"[for v in l : tostring(v)]":     100 << 10,
		`[for v in l : "no. ${v}"]`:      100 << 10,
		"[for v in l : upper(v)]":        100 << 10,
		"{ for v in l : v => 1 }":        100 << 10,
		"length(toset(l))":               100 << 10,
		"[for v in l : v if v == 3]":     100 * bytesInRun,
		"[for v in l : v if v >= 3]":     100 * bytesInRun,
		`strcontains("a", "${n}")`:       64,
	} {
		work := tally.New(1 << 40)
		m := &Meter{value: bytesInRun, many: manyInRun, work: work, copies: &sync.Map{}}
		ctx := &hcl.EvalContext{Functions: stdlib.Functions(), Variables: map[string]cty.Value{"l": cty.TupleVal(list), "n": cty.NumberIntVal(2), "x": cty.MustParseNumberVal("0.1")}}
		ctx.Variables[meterVar] = cty.CapsuleVal(meterType, m)
		if _, diags := Evaluate(strict(t, src), ctx); diags.HasErrors() {
			t.Errorf("%s: %v", src, diags)
		}
		if took := work.Spent(); took < least || least < 100<<10 && took > least*16 {
			t.Errorf("%s counts %d, want about %d", src, took, least)
		}
	}
}

// Shows that a run counts what is dear: a schema that is made ready, the digits of numbers
// that are no integers wherever they are written or compared, the values of a text, and
// fractions. Each of these took far longer than as many bytes of other work.
func TestWhatIsDearCounts(t *testing.T) {
	ctx, work := dearContext(t)
	for src, least := range map[string]int64{
		`[for i in range(100) : schemaerror(i, { type = "string" })]`: 100 * 8000,
		"[for i in range(100) : tostring(i + 0.37)]":                  100 * 1000,
		"[for i in range(100) : upper(i + 0.37)]":                     100 * 1000,
		`[for i in range(100) : format("%s", i + 0.37)]`:              100 * 1000,
		"jsonencode([for i in range(100) : { a = i + 0.37 }])":        100 * 1000,
		`join(" ", [for i in range(100) : i + 0.37])`:                 100 * 2000,
		"toset([for i in range(100) : i + 0.37])":                     100 * 2000,
		"distinct([for i in range(100) : i + 0.37])":                  100 * 1000,
		"contains([for i in range(100) : i + 0.37], 1 / 3)":           100 * 2000,
		"{ for i in range(100) : i + 0.37 => 1 }":                     100 * 1000,
		`[for i in range(100) : { "${i + 0.37}" = 1 }]`:               100 * 1000,
		"[for i in range(100) : i / 3 + 0.1 == i + 0.37]":             100 * 2000,
		"jsondecode(local.json)":                                      4000 * 96,
		`[for i in range(100) : jsondecode("1")]`:                     100 * 256,
		"join(\" \", local.words)":                                    1000 * 150,
	} {
		before := work.Spent()
		if _, diags := Evaluate(strict(t, src), ctx); diags.HasErrors() {
			t.Errorf("%s: %v", src, diags)
		}
		if took := work.Spent() - before; took < least {
			t.Errorf("%s counts %d, want %d at least", src, took, least)
		}
	}
	// What is not dear counts no more for that.
	for src, most := range map[string]int64{
		"[for i in range(100) : i == 3]":   100 * 400,
		"[for i in range(100) : i + 0.37]": 100 * 400,
		"range(0)":                         200,
		`upper("a")`:                       200,
		"sum(local.some)":                  1000 * 200,
	} {
		before := work.Spent()
		if _, diags := Evaluate(strict(t, src), ctx); diags.HasErrors() {
			t.Errorf("%s: %v", src, diags)
		}
		if took := work.Spent() - before; took > most {
			t.Errorf("%s counts %d, want %d at most", src, took, most)
		}
	}
}

// BenchmarkPrices prints how many nanoseconds of the processor each expression takes for a
// byte that it is charged, with what is collected as garbage, the dearest first, and the
// median of all. What is over twice the median is worth a look at stdlib.Work. It is run by
// hand:
//
//	go test -run '^$' -bench Prices -benchtime 1x ./dsl
func BenchmarkPrices(b *testing.B) {
	type price struct {
		src string
		ns  float64
	}
	for range b.N {
		ctx, work := dearContext(b)
		var prices []price
		for _, src := range dear {
			e := strict(b, src)
			before, began := work.Spent(), ofProcessor(b)
			for ofProcessor(b)-began < 60*time.Millisecond {
				if _, diags := Evaluate(e, ctx); diags.HasErrors() {
					b.Fatalf("%s: %v", src, diags)
				}
			}
			prices = append(prices, price{src, float64(ofProcessor(b)-began) / float64(max(1, work.Spent()-before))})
		}
		slices.SortFunc(prices, func(x, y price) int { return cmp.Compare(y.ns, x.ns) })
		for i, p := range prices {
			mark := ""
			if i == len(prices)/2 {
				mark = "  <- the median"
			}
			fmt.Printf("%8.2f ns/B  %s%s\n", p.ns, p.src, mark)
		}
	}
}

// ofProcessor is how long this process has kept processors busy.
func ofProcessor(t testing.TB) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
