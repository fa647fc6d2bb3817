package inner

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/itchyny/gojq"
)

// unformed are the functions of jq for which nothing is put in a program, by the reason. They are told of where a
// program calls one.
var unformed = map[string]string{
	"it computes a number of one, which has its own value for each": `acos/0 acosh/0 asin/0 asinh/0 atan/0 atan2/2 atanh/0 cbrt/0 copysign/2 cos/0 cosh/0 drem/2 erf/0 erfc/0 exp/0 exp10/0 exp2/0
		expm1/0 fdim/2 fma/3 fmax/2 fmin/2 fmod/2 frexp/0 gamma/0 hypot/2 j0/0 j1/0 jn/2 ldexp/2 lgamma/0 log/0 log10/0 log1p/0 log2/0 logb/0 modf/0 nearbyint/0 nextafter/2 nexttoward/2 pow/2
		remainder/2 rint/0 scalb/2 scalbln/2 significand/0 sin/0 sinh/0 sqrt/0 tan/0 tanh/0 tgamma/0 y0/0 y1/0 yn/2`,
	"it gives what is in the value in another form": `capture/1 capture/2 match/1 match/2 combinations/0 combinations/1 explode/0 implode/0 to_entries/0 fromjson/0 fromstream/1
		tostream/0 truncate_stream/1 transpose/0 length/0 type/0 format/1 INDEX/2 JOIN/2 JOIN/3 JOIN/4 path/1 getpath/1`,
	"it is a time in another form":             "fromdate/0 fromdateiso8601/0 todateiso8601/0 gmtime/0 mktime/0 strftime/1 strptime/1",
	"it is a value, or none":                   "builtins/0 empty/0 env/0 halt/0 halt_error/0 halt_error/1 infinite/0 nan/0 input/0 inputs/0 modulemeta/0 error/0 error/1 debug/1",
	"no workflow can call it":                  "now/0 localtime/0 strflocaltime/1",
	"it decides, so that its condition is":     "isempty/1 isfinite/0 isinfinite/0 isnan/0 isnormal/0 test/1 test/2",
	"its bounds are numbers that are changed":  "range/1 range/2 range/3",
	"what it writes is in the value as before": "delpaths/1 setpath/2",
}

// Every function that jq has is changed where a program calls it, or stands above with the reason why it is not: a new
// one has to be decided on.
func TestEveryBuiltinIsChangedOrUnformed(t *testing.T) {
	why := map[string]string{}
	for reason, list := range unformed {
		for _, name := range strings.Fields(list) {
			why[name] = reason
		}
	}
	query, err := gojq.Parse("builtins")
	if err != nil {
		t.Fatal(err)
	}
	code, err := gojq.Compile(query)
	if err != nil {
		t.Fatal(err)
	}
	value, _ := code.Run(nil).Next()
	list, _ := value.([]any)
	if len(list) < 200 {
		t.Fatalf("only %d functions", len(list))
	}
	for _, of := range []string{"@text", "@json", "@html", "@uri", "@csv", "@tsv", "@sh", "@base64", "@base64d", ".."} {
		list = append(list, of+"/0")
	}
	all := map[string]bool{}
	for _, of := range list {
		name, arity, _ := strings.Cut(of.(string), "/")
		all[of.(string)] = true
		if name == "select" {
			continue // its condition is changed
		}
		n, _ := strconv.Atoi(arity)
		text := ".a | " + name
		if n > 0 {
			text += "(" + strings.TrimSuffix(strings.Repeat(".x; ", n), "; ") + ")"
		}
		from := len(".a | ")
		if got := Builtins(text); len(got) != 1 || got[0] != (Builtin{name, from, from + len(name)}) {
			t.Errorf("%s: calls %v", text, got)
		}
		changed := slices.ContainsFunc(Changes("jq", text), func(c Change) bool { return c.From < from+len(name) && c.To > from })
		if changed == (why[of.(string)] != "") {
			t.Errorf("%s: is changed: %t, and listed: %q", of, changed, why[of.(string)])
		}
		for _, c := range Changes("jq", text) {
			if c.From < from+len(name) && c.To > from {
				after, err := gojq.Parse(c.Apply(text))
				if err == nil {
					_, err = gojq.Compile(after)
				}
				if err != nil && name != "keys" { // jq itself has keys_unsorted
					t.Errorf("%s → %s: %s", text, c.Apply(text), err)
				}
			}
		}
	}
	for name := range why {
		if !all[name] {
			t.Errorf("%s is no function of jq", name)
		}
	}
	for name := range formsOfJQ() {
		if !all[name] {
			t.Errorf("%s has a form, and is no function of jq", name)
		}
	}
}
