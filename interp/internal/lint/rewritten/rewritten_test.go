package rewritten_test

import (
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/lint/rewritten"
)

// Shows which texts, parameters and replies are warned of as sent in another form, and which are not.
func TestSentInAnotherForm(t *testing.T) {
	reply := func(all ...string) string {
		block := "on \"crm\" {\n"
		for _, a := range all {
			block += "reply {\n" + a + "\n}\n"
		}
		return block + "}"
	}
	for _, c := range []struct{ block, want string }{
		{reply(`json = { name = "Jose\u0301" }`), "e\\u0301 is a letter"},
		{reply("json = { name = \"Jose\u0301 Ruiz\" }"), "is a letter with a mark"},
		{reply(`body = "Ann ${input.x} u\u0308"`), "is a letter with a mark"},
		{reply(`json = { name = "Jos\u00e9" }`), ""},
		{reply(`json = { name = "x\u0301" }`), ""}, // no letter has both
		{"call \"a\" {\ntarget = provider.x\n" + `arguments = { path = "/a", query = { order = "1", amount = "2", sig = "s" } }` + "\n}", "order=…&amount=…&sig=…"},
		{"call \"a\" {\ntarget = provider.x\n" + `arguments = { query = { amount = "2", order = "1", sig = "s" } }` + "\n}", ""},
		{"call \"a\" {\ntarget = provider.x\n" + `arguments = { query = { order = "1", amount = "2", x_signature = "s" } }` + "\n}", "order=…&amount=…&x_signature=…"},
		{"call \"a\" {\ntarget = provider.x\n" + `arguments = { query = { order = "1", amount = "2", design = "s" } }` + "\n}", ""},
		{"call \"a\" {\ntarget = provider.x\n" + `arguments = { query = { order = "1", amount = "2" } }` + "\n}", ""},
		{reply(`json = { a = 1, b = "x" }`, `json = { b = "x", a = 1 }`), "in line 5"},
		{reply(`json = { id = 8812.0 }`), "8812.0 is sent as 8812"},
		{reply(`json = [1, [2.00]]`), "2.00 is sent as 2"},
		{reply(`tool_calls = [{ name = "a", arguments = { n = 3.0 } }]`), "3.0 is sent as 3"},
		{reply(`json = { id = 12345678901234567890 }`), "more digits"},
		{reply(`json = { due = 4.20, paid = 4.2 }`), "4.20 is sent as 4.2, which the file has as well"},
		{reply(`json = { due = 4.20, paid = "4.2" }`), "4.20 is sent as 4.2"},
		{reply(`json = { due = 4.20, paid = 4.25, no = "14.2 and 4.2.1" }`), ""},
		{reply(`json = { due = "4.20", paid = 4.2 }`), ""},
		{reply(`json = { id = 9007199254740993, n = 8812.5, m = 8812, s = "8812.0" }`), ""},
		{reply(`cost_usd = 1.0`), ""},
		{reply(`json = { a = 1, b = "x" }`, `json = { b = "y", a = 1 }`), ""},
		{reply(`json = { a = 1, b = "x" }`, `json = { a = 1, b = "x" }`), ""},
	} {
		f, diags := dsl.Parse("a.scenario.hcl", []byte("provider \"http\" \"x\" {}\nscenario \"s\" {\n"+c.block+"\n}\n"))
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		f, diags = dsl.Link(f, nil)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		list := rewritten.File(f)
		if c.want == "" && len(list) > 0 || c.want != "" && (len(list) != 1 || !strings.Contains(list[0].Detail, c.want) || !strings.Contains(list[0].Detail, "\nhint: ")) {
			t.Errorf("%s: %v, want %q", c.block, list, c.want)
		}
	}
}
