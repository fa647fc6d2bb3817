package elsewhere

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
)

// Shows where a value is taken from elsewhere: where it is the same in all runs, is there at that time, and is not the
// same by what was asked for.
func TestOthers(t *testing.T) {
	for _, c := range []struct {
		name, steps, title string
		// runs are the values of each run, such as "input.a=x step.b.json.c=7".
		runs []string
		want []string
	}{
		{
			"an input that was looked for", `step "http" "find" { query = { mail = input.mail } } step "http" "send" { json = { to = step.find.json.mail } }`, "it is sent",
			[]string{"input.mail=ann@x step.find.json.mail=ann@x"},
			[]string{"step.find.json.mail → input.mail, which"},
		},
		{
			"one run has another", `step "http" "find" { query = { mail = input.mail } } step "http" "send" { json = { to = step.find.json.mail } }`, "it is sent",
			[]string{"input.mail=ann@x step.find.json.mail=ann@x", "input.mail=Ann@x step.find.json.mail=ann@x"},
			nil,
		},
		{
			"one run has none", `step "http" "find" { query = { mail = input.mail } } step "http" "send" { json = { to = step.find.json.mail } }`, "it is sent",
			[]string{"input.mail=ann@x step.find.json.mail=ann@x", "input.mail=eva@x"},
			[]string{"step.find.json.mail → input.mail, which"},
		},
		{
			"the input that stands in the path", `step "http" "find" { path = "/users/${input.mail}" } step "http" "send" { json = { to = step.find.json.mail } }`, "it is sent",
			[]string{"input.mail=ann@x step.find.json.mail=ann@x"},
			nil,
		},
		{
			"and that in the path of what stands in the path", `step "http" "find" { path = "/users/${input.id}" } step "http" "more" { path = "/more/${step.find.json.id}" } step "http" "send" { json = { to = step.more.json.id } }`, "it is sent",
			[]string{"input.id=u7 step.find.json.id=u7 step.more.json.id=u7"},
			nil,
		},
		{
			"two answers", `step "http" "a" {} step "http" "b" { json = { v = step.a.json.v } } step "http" "c" { json = { v = step.b.json.w } }`, "it is sent",
			[]string{"step.a.json.v=7 step.b.json.w=8"},
			nil,
		},
		{
			"an answer that comes later", `step "http" "a" {} step "http" "b" { json = { v = step.a.json.v } } step "http" "c" {} step "http" "d" { json = { v = step.c.json.w } }`, "it is sent",
			[]string{"step.a.json.v=7 step.c.json.w=7"},
			[]string{"step.c.json.w → step.a.json.v, which"},
		},
		{
			"rows that are read again", `step "sql" "a" { args = [input.sku] } step "sql" "b" { args = [input.sku, step.a.rows[0].v] } step "sql" "c" { args = [step.b.rows[0].w] }`, "it is sent",
			[]string{"input.sku=A1 step.a.rows[0].v=7 step.b.rows[0].w=7"},
			nil,
		},
		{
			"a statement that has it", "step \"sql\" \"a\" { query = \"SELECT ${input.sku}\"\nargs = [input.n] } step \"http\" \"b\" { json = { v = step.a.rows[0].v } }", "it is sent",
			[]string{"input.sku=A1 step.a.rows[0].v=A1"},
			nil,
		},
		{
			"what stands everywhere", `step "http" "a" { query = { n = input.n } } step "http" "b" { json = { v = step.a.json.v } }`, "it is sent",
			[]string{"input.n=1 step.a.json.v=1"},
			nil,
		},
		{
			"a member that the scenario names", `step "http" "a" {} step "http" "b" { json = { v = step.a.json.currency } }`, "it is in the currency of the order",
			[]string{"step.a.json.currency=EUR"},
			[]string{`step.a.json.currency → "EUR", which it is in every run`},
		},
		{
			"a number, and a run without", `step "http" "a" {} step "http" "b" { json = { v = step.a.json.nextPage } }`, "the next page is asked for",
			[]string{"step.a.json.nextPage=2", ""},
			[]string{`step.a.json.nextPage → 2, which it is in every run`},
		},
		{
			"a member with two values", `step "http" "a" {} step "http" "b" { json = { v = step.a.json.currency } }`, "it is in the currency of the order",
			[]string{"step.a.json.currency=EUR", "step.a.json.currency=CHF"},
			nil,
		},
		{
			"a member that no scenario names", `step "http" "a" {} step "http" "b" { json = { v = step.a.json.currency } }`, "it is paid",
			[]string{"step.a.json.currency=EUR"},
			nil,
		},
	} {
		src := []byte("workflow \"w\" {\n inputs = { mail = null, id = null, sku = null, n = null }\n" + strings.NewReplacer(` } step`, "\n}\nstep", `" { `, "\" {\n", ` {} `, " {}\n").Replace(strings.TrimSuffix(c.steps, " }")+"\n}") + "\n}\n")
		file, diags := dsl.Parse("x.scenario.hcl", src)
		if file == nil || len(file.Body.All("workflow")) == 0 {
			t.Fatalf("%s: %v\n%s", c.name, diags, src)
		}
		var runs []Run
		for _, run := range c.runs {
			values := map[string]cty.Value{}
			for pair := range strings.FieldsSeq(run) {
				name, value, _ := strings.Cut(pair, "=")
				values[name] = cty.StringVal(value)
				if strings.Trim(value, "0123456789") == "" {
					values[name] = cty.MustParseNumberVal(value)
				}
			}
			runs = append(runs, func(expr string) (cty.Value, hcl.Diagnostics) {
				if v, is := values[expr]; is {
					return v, nil
				}
				return cty.NilVal, hcl.Diagnostics{{Severity: hcl.DiagError}}
			})
		}
		var got []string
		for _, o := range Others(file.Body.All("workflow")[0], src, runs, []string{c.title}) {
			got = append(got, o.Shown)
			if was := string(o.Range.SliceBytes(src)); !strings.HasPrefix(o.Shown, was+" → ") || !strings.HasSuffix(o.With, ", "+was+"][0]") {
				t.Errorf("%s: %s stands in the place of %s", c.name, o.With, was)
			}
		}
		if !slices.EqualFunc(got, c.want, strings.HasPrefix) {
			t.Errorf("%s: %s, want %s", c.name, fmt.Sprintf("%q", got), fmt.Sprintf("%q", c.want))
		}
	}
}

// Shows that few others are found, however much a workflow reads.
func TestOthersAreFew(t *testing.T) {
	var b strings.Builder
	b.WriteString("workflow \"w\" {\n")
	for i := range 400 {
		fmt.Fprintf(&b, "step \"http\" \"s%d\" {\njson = { v = step.s%d.json.v }\n}\n", i, max(i-1, 0))
	}
	b.WriteString("}\n")
	file, _ := dsl.Parse("x.scenario.hcl", []byte(b.String()))
	calls := 0
	list := Others(file.Body.All("workflow")[0], []byte(b.String()), []Run{func(string) (cty.Value, hcl.Diagnostics) {
		calls++
		return cty.NumberIntVal(7), nil
	}}, nil)
	if len(list) > mostFound || calls > 2*mostReads {
		t.Errorf("%d are found, of %d values", len(list), calls)
	}
}
