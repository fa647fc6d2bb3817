package source

import (
	"strings"
	"testing"
)

// Shows what is changed in the other languages. A list is what the operators say, one
// change a line; ' stands for the quotes around a part.
func TestLanguages(t *testing.T) {
	for _, c := range []struct{ name, file, text, want string }{
		{"a guard", "app.mjs", "if (a) return b(); else if (!c.d) { throw new Error(\"gone\"); }\n", `
			condition 1 'if a' always
			condition 1 'if a' never
			condition 1 'if !c.d' always
			condition 1 'if !c.d' never
			statement 1 'return b()' left out
			statement 1 'throw new Error("gone")' left out`},
		{"statements", "app.js", "import a from \"b\";\nconst c = require(\"d\");\nlet e = c.f;\ne = g(e)\ne.h = e\nconsole.error(\"x\");\nawait i(e);\n", `
			statement 4 'e = g(e)' left out
			statement 5 'e.h = e' left out
			statement 7 'await i(e)' left out
			statement 7 'await' before 'i(e)' left out`},
		{"what is written", "app.js", "console.log(a.trim());\nconsole.warn(a.trim());\n", `
			statement 1 'console.log(a.trim())' left out
			call 1 'a.trim()' → 'a'`},
		{"an order", "app.js", "function f(a) {\n  const b = g(a);\n  h(a);\n  return b;\n}\n", `
			statement 3 'h(a)' left out
			statement 4 'return b' left out
			order 2 'h(a)' before 'const b = g(a)'`},
		{"members", "app.js", "f({ a: b, c, ...d }, ({ e, g }) => e);\nconst { h, i } = j;\n", `
			statement 1 'f({ a: b, c, ...d }, ({ e, g }) => e)' left out
			argument 1 'a: b' left out
			argument 1 'c' left out
			argument 1 '...d' left out`},
		{"expressions", "app.js", "x = a < b ? c.trim() : d;\nfor (const y of z) { y.w ||= 'v' + 1; }\nu = /[<'\"]/.test(t) && s !== true;\n", `
			condition 1 'a < b ? …' always
			condition 1 'a < b ? …' never
			condition 3 without '/[<'"]/.test(t)'
			condition 3 without 's !== true'
			statement 1 'x = a < b ? c.trim() : d' left out
			statement 2 'y.w ||= 'v' + 1' left out
			statement 3 'u = /[<'"]/.test(t) && s !== true' left out
			call 1 'c.trim()' → 'c'
			compare 1 'a < b' → 'a <= b'
			compare 3 's !== true' → 's === true'
			number 2 ''v' + 1' → ''v' + 2'
			boolean 3 's !== true' → 's !== false'
			text 2 ''v' + 1' → ''' + 1'`},
		{"templates", "app.js", "x(`${a + 1}/${b ? `c` : ''}`);\n", "" + `
			condition 1 'b ? …' always
			condition 1 'b ? …' never
			statement 1 'x(´${a + 1}/${b ? ´c´ : ''}´)' left out
			related 1 '´${a + 1}/${b ? ´c´ : ''}´' → '´${a + 1}/´'
			number 1 'a + 1' → 'a + 2'
			arithmetic 1 'a + 1' → 'a - 1'
			text 1 '´${a + 1}/${b ? ´c´ : ''}´' → '""'`},
		{"types", "app.ts", "interface A { b: \"c\" | \"d\"; e?: number }\ntype F = Map<string, 3>;\nclass G { h: boolean = true; i(j: K<L>): M { return this.n(j); } }\n", `
			statement 3 'return this.n(j)' left out
			boolean 3 'true' → 'false'`},
		{"loops", "app.js", "while (true) { f(); }\nwhile (a) g();\ndo { h(); } while (i);\n", `
			condition 2 'while a' never
			condition 3 'while i' never
			statement 1 'f()' left out
			statement 2 'g()' left out
			statement 3 'h()' left out
			boolean 1 'true' → 'false'`},
		{"go", "main.go", "package main\n\nimport (\"fmt\"; \"os\"); import b \"log\"\n\ntype A struct {\n\tB int ´json:\"b\"´\n}\n\nfunc f(a *A, b []*A) (int, error) {\n\tif x := g(a); x > 3 && a != nil {\n\t\treturn 0, fmt.Errorf(\"no %d\", x)\n\t}\n\tc := A{B: 4}\n\ta.B = h(c)\n\tdefer i()\n\tlog.Printf(\"x\")\n\treturn <-j, nil\n}\n", `
			condition 10 'if x > 3 && a != nil' always
			condition 10 'if x > 3 && a != nil' never
			condition 10 without 'x > 3'
			condition 10 without 'a != nil'
			statement 11 'return 0, fmt.Errorf("no %d", x)' left out
			statement 14 'a.B = h(c)' left out
			statement 15 'defer i()' left out
			statement 17 'return <-j, nil' left out
			argument 13 'B: 4' left out
			compare 10 'x > 3' → 'x >= 3'
			compare 10 'a != nil' → 'a == nil'
			number 10 'x > 3' → 'x > 4'
			number 11 '0' → '1'
			number 13 '4' → '5'`},
		{"go conversions", "main.go", "package main\n\nfunc f(a string) string {\n\tfor i := 0; i < len(a); i++ {\n\t\tk(strings.ToLower(a))\n\t}\n\treturn url.QueryEscape(a)\n}\n", `
			statement 5 'k(strings.ToLower(a))' left out
			statement 7 'return url.QueryEscape(a)' left out
			call 5 'strings.ToLower(a)' → 'a'
			call 7 'url.QueryEscape(a)' → 'a'
			related 7 'url.QueryEscape(a)' → 'url.PathEscape(a)'
			compare 4 'i < len(a)' → 'i <= len(a)'
			number 4 '0' → '1'`},
		{"java", "A.java", "import b.C;\nclass A {\n  static final int D = 3;\n  int f(List<String> a) throws E {\n    if (a.isEmpty()) return 0;\n    this.g = a;\n    int h = a.size();\n    System.err.println(h);\n    return h > 5 ? h : 'x';\n  }\n}\n", `
			condition 5 'if a.isEmpty()' always
			condition 5 'if a.isEmpty()' never
			condition 9 'h > 5 ? …' always
			condition 9 'h > 5 ? …' never
			statement 5 'return 0' left out
			statement 6 'this.g = a' left out
			statement 9 'return h > 5 ? h : 'x'' left out
			order 6 'int h = a.size()' before 'this.g = a'
			compare 9 'h > 5' → 'h >= 5'
			number 3 '3' → '4'
			number 5 '0' → '1'
			number 9 'h > 5' → 'h > 6'`},
		{"ruby", "app.rb", "require 'a'\nclass B\n  def c(d, e: 3)\n    return if @f.include?(d)\n    raise ArgumentError, 'no' unless d > 0\n    @f << d\n    g = h(d, i: :j)\n    logger.info 'x'\n    sleep 2\n    g.name.strip\n  end\nend\n", `
			condition 4 'if @f.include?(d)' always
			condition 4 'if @f.include?(d)' never
			condition 5 'unless d > 0' always
			condition 5 'unless d > 0' never
			statement 4 'return' left out
			statement 5 'raise ArgumentError, 'no'' left out
			statement 6 '@f << d' left out
			statement 9 'sleep 2' left out
			statement 10 'g.name.strip' left out
			order 6 'g = h(d, i: :j)' before '@f << d'
			order 9 'g.name.strip' before 'sleep 2'
			argument 7 'i: :j' left out
			compare 5 'd > 0' → 'd >= 0'
			number 3 '3' → '4'
			number 5 'd > 0' → 'd > 1'
			number 9 'sleep 2' → 'sleep 3'`},
		{"shell", "run", "#!/bin/sh\nset -eu\nn=0\nuntil curl -f \"$URL\" || [ $n -ge 5 ]; do\n  n=$((n + 1))\n  sleep 1\ndone\necho failed >&2\ncat a | sort -u > b\nx=$(f | tr a b)\nsend \"$x\"\n# if y; then\nexit 0\n", `
			condition 4 'until curl -f "$URL" || [ $n -ge 5 ]' always
			condition 4 without 'curl -f "$URL"'
			condition 4 without '[ $n -ge 5 ]'
			statement 2 'set -eu' left out
			statement 5 'n=$((n + 1))' left out
			statement 6 'sleep 1' left out
			statement 9 'cat a | sort -u > b' left out
			statement 11 'send "$x"' left out
			statement 13 'exit 0' left out
			order 5 'sleep 1' before 'n=$((n + 1))'
			order 9 'x=$(f | tr a b)' before 'cat a | sort -u > b'
			call 9 '| sort -u > b' left out
			call 10 '| tr a b' left out
			related 2 'set -eu' → 'set -u'
			related 2 'set -eu' → 'set -e'
			related 4 'curl' without '-f'
			related 9 'sort' without '-u'
			declaration 4 '"$URL"' → '$URL'
			declaration 9 '> b' → '>> b'
			declaration 11 '"$x"' → '$x'
			compare 4 '[ $n -ge 5 ]' → '[ $n -gt 5 ]'
			number 3 'n=0' → 'n=1'
			number 4 '[ $n -ge 5 ]' → '[ $n -ge 6 ]'
			number 5 'n + 1' → 'n + 2'
			number 6 'sleep 1' → 'sleep 2'
			number 13 'exit 0' → 'exit 1'
			arithmetic 5 'n + 1' → 'n - 1'`},
		{"shell brackets", "run.sh", "(\n  case $1 in\n  a) b ;;\n  esac\n)\nif [[ $c =~ ^d\\ +([0-9]+)\\( ]]; then e; fi\n", `
			condition 6 'if [[ $c =~ ^d\ +([0-9]+)\( ]]' always
			condition 6 'if [[ $c =~ ^d\ +([0-9]+)\( ]]' never
			statement 3 'b' left out
			statement 6 'e' left out
			declaration 6 '^d\ +([0-9]+)\(' → 'd\ +([0-9]+)\('`},
		{"shell texts", "run.sh", "case \"$1\" in\n  a|'b') go 'there' --at=3 ;;\n  *) echo \"usage\" >&2; exit 2 ;;\nesac\nf() { cat <<'END'\nif x; then exit 1\nEND\n}\nif [ \"$1\" = yes ]; then g true; fi\n", `
			condition 9 'if [ "$1" = yes ]' always
			condition 9 'if [ "$1" = yes ]' never
			statement 2 'go 'there' --at=3' left out
			statement 3 'exit 2' left out
			statement 9 'g true' left out
			argument 2 '--at=3' left out
			declaration 2 'a|'b')' left out
			declaration 2 'a' left out
			declaration 2 ''b'' left out
			declaration 3 '*)' left out
			compare 9 '[ "$1" = yes ]' → '[ "$1" != yes ]'
			number 3 'exit 2' → 'exit 3'
			boolean 9 'g true' → 'g false'
			text 2 'go 'there' --at=3' → 'go '' --at=3'`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, l := range listed(sound(t, c.file, []byte(strings.ReplaceAll(c.text, "´", "`")))) {
				got = append(got, strings.ReplaceAll(l, "`", "'"))
			}
			compareLists(t, got, strings.ReplaceAll(c.want, "´", "'"))
		})
	}
}
