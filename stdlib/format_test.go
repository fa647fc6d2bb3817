package stdlib

import (
	"runtime"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// grown are the values that expressions of this test read.
func grown() map[string]cty.Value {
	text := strings.Repeat("a", 1<<20)
	parts := make([]cty.Value, 10_000)
	for i := range parts {
		parts[i] = cty.StringVal(text[:1000])
	}
	return map[string]cty.Value{
		"text": cty.StringVal(text), "parts": cty.TupleVal(parts), "csv": cty.StringVal(text[:50_000] + "\n" + strings.Repeat("x\n", 200_000)),
		"often": cty.StringVal(strings.Repeat("%[1]s", 1000)), "wide": cty.StringVal(strings.Repeat("%9999[1]s", 2000)), "quotes": cty.StringVal(strings.Repeat("<\x01", 2<<20)),
		"lines": cty.StringVal(strings.Repeat("\n", 100_000)), "groups": cty.StringVal(strings.Repeat("$0", 100)),
	}
}

// Shows that a function which can make much more than it is given refuses that before it
// makes anything: what a refused call allocates is less than the limit of a result.
func TestSizesAreKnownBeforehand(t *testing.T) {
	const longer, wide, beyond = "longer than 16 MiB", "above 9999", "beyond 1e308"
	ctx := &hcl.EvalContext{Functions: Functions(), Variables: grown()}
	for text, want := range map[string]string{
		`format("%-1000000000s", "a")`:                 wide,
		`format("%1000000000s", "a")`:                  wide,
		`format("%01000000000d", 1)`:                   wide,
		`format("%.1000000000f", 1)`:                   wide,
		`format("%.99999999999999999999f", 1)`:         wide,
		`format("%*d", 1000000000, 1)`:                 wide,
		`format("%.*f", 1000000000, 1)`:                wide,
		`formatlist("%-1000000000s", ["a"])`:           wide,
		`format(wide, "a")`:                            longer,
		`format(often, text)`:                          longer,
		`format(often, parts)`:                         longer,
		`format(replace(often, "s", "v"), parts)`:      longer,
		`format(replace(often, "s", "#v"), text)`:      longer,
		`format("%q", quotes)`:                         longer,
		`formatlist(often, parts)`:                     longer,
		`formatlist("%s%s", parts, text)`:              longer,
		`formatlist("%s%9999s", parts, "a")`:           longer,
		`format("%d", "1e9999999")`:                    beyond,
		`format("%f", "1e-9999999")`:                   beyond,
		`formatlist("%d", ["1e9999999"])`:              beyond,
		`upper(abs("1e9999999"))`:                      beyond,
		`ceil("1e9999999")`:                            beyond,
		`floor("1e9999999")`:                           beyond,
		`max("1e9999999", 1)`:                          beyond,
		`min("-1e9999999", 1)`:                         beyond,
		`range("1e9999999")`:                           beyond,
		`tonumber("1e9999999")`:                        beyond,
		`indent(1000, lines)`:                          longer,
		`replace(text, "a", parts[0])`:                 longer,
		`replace(text, "/a/", groups)`:                 longer,
		`join(text, parts)`:                            longer,
		`jq(1, "\"x\" * 2000000000")`:                  "more than 16 MiB",
		`bca([1, 2], 0.95, 1000000000, 1)`:             "at most",
		`similarity(text, text)`:                       "more than 10000",
		`pow(10, 1e300)`:                               "no finite number",
		`timeadd("2000-01-01T00:00:00Z", "1e999999s")`: "duration",
	} {
		e, diags := hclsyntax.ParseExpression([]byte(text), "", hcl.InitialPos)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, diags = e.Value(ctx)
		runtime.ReadMemStats(&after)
		if !diags.HasErrors() || !strings.Contains(diags.Error(), want) {
			t.Errorf("%s: %v, want %q", text, diags, want)
		}
		if made := after.TotalAlloc - before.TotalAlloc; made > maxText {
			t.Errorf("%s: %d MB are allocated", text, made>>20)
		}
	}
}

// Shows that no result of format is longer than what is reckoned of it, and that it is not
// reckoned many times too long.
func TestReckonedSizes(t *testing.T) {
	text := cty.StringVal("two\n<words>\x01 \"ä\u2028\xff")
	third := cty.NumberIntVal(1).Divide(cty.NumberIntVal(3))
	for _, c := range []struct {
		pattern string
		value   cty.Value
	}{
		{"%s", text},
		{"%q", text},
		{"%v", text},
		{"%#v", text},
		{"%30s|%-40q", text},
		{"%.3s", text},
		{"%%%s%%12345", text},
		{"%d %x %o", cty.NumberIntVal(1 << 40)},
		{"%b", cty.NumberIntVal(-1 << 40)},
		{"%[1]d%[1]d", cty.NumberIntVal(7)},
		{"%+08d", cty.NumberIntVal(7)},
		{"%v", cty.NumberFloatVal(1e300)},
		{"%s", cty.NumberFloatVal(1e-300)},
		{"%f", cty.NumberFloatVal(1e300)},
		{"%.20f", cty.NumberFloatVal(0.1)},
		{"%g %e", third},
		{"%v", third},
		{"%s", third},
		{"%d", cty.StringVal("1e300")},
		{"%b", cty.StringVal("1e300")},
		{"%d", cty.NumberFloatVal(1e308)},
		{"%v", cty.ObjectVal(map[string]cty.Value{"a<b": text, "c": cty.TupleVal([]cty.Value{third, cty.True, cty.NullVal(cty.String), cty.NumberIntVal(-12)})})},
		{"%t", cty.True},
		{"%v", cty.NullVal(cty.String)},
		{"%s", cty.False},
	} {
		made, most := "", 0
		for rest, next := c.pattern, 0; ; {
			verb, more, found := nextVerb(rest, next)
			if !found {
				break
			}
			most += verb.width + verb.most(c.value)
			rest, next = more, 0
		}
		values := make([]cty.Value, max(1, strings.Count(strings.ReplaceAll(strings.ReplaceAll(c.pattern, "%%", ""), "%[1]", ""), "%")))
		for i := range values {
			values[i] = c.value
		}
		v, err := Functions()["format"].Call(append([]cty.Value{cty.StringVal(c.pattern)}, values...))
		if err != nil {
			t.Errorf("%s: %s", c.pattern, err)
			continue
		}
		if made = v.AsString(); len(made) > most+len(c.pattern) || most > 4*len(made)+256 {
			t.Errorf("%s: %d bytes are reckoned, and %q has %d", c.pattern, most, made, len(made))
		}
	}
}

// Shows that a pattern which is read before a run makes nothing that is large, and is
// refused as a call with it is.
func TestPatternsAreReadWithoutTheirWidths(t *testing.T) {
	for pattern, want := range map[string]string{
		"%-1000000000s": "above 9999", strings.Repeat("%9999[1]s", 100_000): "longer than 16 MiB", "%99999d%s": "above 9999", "%d of %-9999s": "", "100%% of %s": "", "a %%99999 b": "",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := readFormat(pattern)
		runtime.ReadMemStats(&after)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v, want %q", pattern, err, want)
		}
		if made := after.TotalAlloc - before.TotalAlloc; made > maxText {
			t.Errorf("%.40s: %d MB are allocated", pattern, made>>20)
		}
	}
}
