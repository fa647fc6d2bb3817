package lsp

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

// painted asks for the tokens of a text and says each as word:type. Places are
// counted by encoding the lines in UTF-16, not by the code under test.
func (c *client) painted(text string, in *span) []string {
	c.t.Helper()
	uri := c.open("tokens.scenario.hcl", text)
	params := map[string]any{"textDocument": map[string]any{"uri": uri}}
	method := "textDocument/semanticTokens/full"
	if in != nil {
		params["range"], method = in, "textDocument/semanticTokens/range"
	}
	var list tokenList
	c.call(method, params, &list)
	lines := strings.Split(text, "\n")
	words := []string{}
	line, start := 0, 0
	for d := range slices.Chunk(list.Data, 5) {
		if d[0] > 0 {
			start = 0
		}
		line, start = line+d[0], start+d[1]
		if line >= len(lines) {
			c.t.Fatalf("a token in line %d of %d", line, len(lines))
		}
		units := utf16.Encode([]rune(lines[line]))
		if d[2] <= 0 || start+d[2] > len(units) {
			c.t.Fatalf("a token of %d at %d:%d of %q", d[2], line, start, lines[line])
		}
		words = append(words, string(utf16.Decode(units[start:start+d[2]]))+":"+tokenTypes[d[3]])
	}
	return words
}

// Shows what each part of a file is called, in files that are whole and in files
// that are being written.
func TestTokens(t *testing.T) {
	c := start(t, testOptions())
	for _, test := range []struct{ name, text, want string }{
		{"a block of a kind", "retry \"exponential\" \"std\" { max_retries = 3 }\n", `retry:keyword|"exponential":type|"std":string|max_retries:property|3:number`},
		{"a block with a name", "scenario \"größer 🙂\" {\n  seed = 1\n}\n", `scenario:keyword|"größer 🙂":string|seed:property|1:number`},
		{"a kind behind an address", "scenario \"x\" {\n  on \"a\" {\n    fault \"timeout\" {}\n  }\n}\n", `scenario:keyword|"x":string|on:keyword|"a":string|fault:keyword|"timeout":type`},
		{"a reference", "x = step.answer.attempts[0].at_ms\n", `x:property|step:namespace|answer:property|attempts:property|0:number|at_ms:property`},
		{"a call", "x = length(var.a) == null\n", `x:property|length:function|var:namespace|a:property|null:keyword`},
		{"a for expression", "x = [for a in run.steps : a.name if a.done]\n", `x:property|for:keyword|a:variable|in:keyword|run:namespace|steps:property|a:variable|name:property|if:keyword|a:variable|done:property`},
		{"a for expression with two names", "x = { for k, v in local.m : k => v }\n", `x:property|for:keyword|k:variable|v:variable|in:keyword|local:namespace|m:property|k:variable|v:variable`},
		{"an object", "x = { a = 1, b : true\n  c = d }\n", `x:property|a:property|1:number|b:property|true:keyword|c:property|d:variable`},
		{"an interpolation", "x = \"a ${var.b} c\"\n", `x:property|":string|a :string|var:namespace|b:property| c:string|":string`},
		{"a template", "x = \"%{ if a }b%{ else }c%{ endif }\"\n", `x:property|":string|if:keyword|a:variable|b:string|else:keyword|c:string|endif:keyword|":string`},
		{"comments", "# one\nx = 1 // two\n/* three\nfour */\ny = 2\n", `# one:comment|x:property|1:number|// two:comment|/* three:comment|four */:comment|y:property|2:number`},
		{"a heredoc", "x = <<EOT\n  a ${b}\n  c\nEOT\ny = 1\n", `x:property|<<EOT:string|  a :string|b:variable|  c:string|EOT:string|y:property|1:number`},
		{"with CRLF", "scenario \"x\" {\r\n  seed = 1 # a\r\n}\r\n", `scenario:keyword|"x":string|seed:property|1:number|# a:comment`},
		{"a label that is not closed", "scenario \"x {\n  seed = 1\n}\n", `scenario:keyword|"x {:string|seed:property|1:number`},
		{"a brace that is not closed", "locals {\n  a = { b = 1\nscenario \"x\" {\n  seed = 1\n}\n", `locals:keyword|a:property|b:property|1:number|scenario:keyword|"x":string|seed:property|1:number`},
		{"a bracket too many", "x = 1 ) ] }\ny = 2\n", `x:property|1:number|y:property|2:number`},
		{"behind characters of several bytes", "x = \"🙂\" == step.a\n", `x:property|":string|🙂:string|":string|step:namespace|a:property`},
		{"nothing", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			c.t = t
			if got := strings.Join(c.painted(test.text, nil), "|"); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
	c.t = t
	part := span{position{1, 0}, position{2, 0}}
	if got := c.painted("a = 1\nb = 2\nc = 3\n", &part); !slices.Equal(got, []string{"b:property", "2:number"}) {
		t.Errorf("a part has %v", got)
	}
}

// Shows that a text in any state has tokens that lie in it, in order.
func FuzzTokens(f *testing.F) {
	f.Add(world)
	f.Add("x = \"${ [ { \"\n<<A\n%{ for\n\xff🙂")
	f.Fuzz(func(t *testing.T, text string) {
		src := []byte(text)
		list := tokens("a"+".scenario.hcl", src)
		end := 0
		for _, one := range list {
			if one.from < end || one.to <= one.from || one.to > len(src) {
				t.Fatalf("%+v behind %d of %d", one, end, len(src))
			}
			end = one.to
		}
		for d := range slices.Chunk(newText(src).encode(list), 5) {
			if d[0] < 0 || d[0] == 0 && d[1] < 0 || d[2] <= 0 {
				t.Fatal(fmt.Sprint(d))
			}
		}
	})
}
