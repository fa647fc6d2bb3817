package dsl

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// What a look at the bytes calls shallow is so by its tokens: nothing that is
// too deep slips through in the disguise of a text or a comment.
func FuzzShallow(f *testing.F) {
	for _, seed := range []string{
		`a = "${f("x")}" # ${[`, "a = <<E\n${[\nE\n", `a = "\"[" /* " */ ]`, `a = "$${[" ? 1 : -1`, `a = "%{ if x }[%{ endif }"`, "a = [\n!!x,\n]\n", `"${"${"${"`, "{ [*] // }\n",
		"(0()0/*0", "(\xe80\"", // each was shallow once
	} {
		f.Add(seed, uint8(157))
	}
	f.Fuzz(func(t *testing.T, part string, times uint8) {
		src := []byte(strings.Repeat(part, int(times)))
		if !shallow(src) {
			return
		}
		if rng, deep := deepByTokens(&lexer{path: "x", src: src}); deep {
			t.Errorf("shallow, and too deep at %s", rng)
		}
	})
}

// depthOf is how deep the tree is that the parser makes of a file: this asks the tree.
func depthOf(t *testing.T, src []byte) int {
	t.Helper()
	file, _ := hclsyntax.ParseConfig(src, "x", hcl.InitialPos)
	w := &deepest{}
	_ = hclsyntax.Walk(file.Body.(*hclsyntax.Body), w)
	return w.most
}

type deepest struct{ at, most int }

func (d *deepest) Enter(hclsyntax.Node) hcl.Diagnostics {
	d.at++
	d.most = max(d.most, d.at)
	return nil
}

func (d *deepest) Exit(hclsyntax.Node) hcl.Diagnostics { d.at--; return nil }

// countedDepth is how deep a file is at most, by its tokens and by its bytes.
func countedDepth(src []byte) (most int) {
	d := newDepths()
	var last hclsyntax.TokenType
	for _, t := range (&lexer{path: "x", src: src}).all() {
		d.token(t, last)
		for _, l := range d.levels {
			most = max(most, l.above+l.own+l.below, l.deepest)
		}
		if t.Type != hclsyntax.TokenNewline && t.Type != hclsyntax.TokenComment {
			last = t.Type
		}
	}
	return most
}

// Around an expression there are at most so many nodes: the file, a body, its
// attributes and one, a block, and for each bracket the nodes between it and its items.
const around = 12

// What an expression can be made of again and again: in front of it, in it, and behind
// it. Line breaks are where the language has them.
var repeated = []string{
	"!@", "-@", "@+1", "1+@", "@*2", "@-1", "@/1", "@%1", "@==1", "@!=1", "@<1", "@>=1", "@&&true", "@||true", "true?1:@", "@?1:2", "true?@:2",
	"@.a", "@[0]", "@[k]", "@.0", "@[*]", "@.*", "@[*].a", "@[{\n}]", "@[{a=1}]", "@[[1,2]]", "@[1+1]", "@[{a=1}].b", "@[f(1,2)]",
	"@+[1,]", "@+[1,2]", "@+{\n}", "@+{a=1}", "@+{a=1,b=2}", "@+f(1,2)", "@+\"${a},\"", "@+\"x\"", "@?[1,]:1", "true?[1,]:@", "true?{\n}:@",
	"(@)", "[@]", "[1,@]", "{a=@}", "{a=1,b=@}", "{\n  a = 1\n  b = @\n}", "f(@)", "f(1,@)", "[@,1]", "f(@,1)", "{a=@,b=1}", "{\n  a = @\n  b = 1\n}", "\"${@}\"", "[for x in y : @]", "{for x in y : x => @}", "{for x in @ : x => x}",
	"(@)+1", "[@]+1", "!(@)", "!(1)+@", "(1)+@", "[@][k]", "@(1)", "f(@)+1",
}

// Within what an expression stands: a line break of its own is a space in all of them
// but the first.
var standing = []string{"x = %s\n", "x = (%s)\n", "x = [%s]\n", "x = {\n  a = %s\n}\n", "x = { for k in y : k => %s }\n", "x = {\n  # why\n  for k in y : k =>\n%s\n}\n", "x = [for k in y : %s]\n", "x = f(%s)\n", "x = \"${%s}\"\n", "b {\n  x = %s\n}\n", "b {\n  for = 1\n  x = %s\n}\n"}

// No tree is deeper than what is counted before the parser, which recurses, sees the
// file: a file of which the count is too small ends the process, and nothing can be done
// about it. What is too deep by its tokens may not be shallow by its bytes.
func TestNothingIsDeeperThanCounted(t *testing.T) {
	check := func(src string) {
		t.Helper()
		if n, is := countedDepth([]byte(src)), depthOf(t, []byte(src)); is > 3*n+around {
			t.Errorf("counted %d, and it is %d deep: %.120q", n, is, src)
		}
	}
	const times = 60
	for _, part := range repeated {
		for _, broken := range []bool{false, true} {
			if broken { // an operator at the end of a line
				part = strings.NewReplacer("+", "+\n", "!", "!\n", "?", "?\n", "&&", "&&\n", "*2", "*\n2").Replace(part)
			}
			e := "1"
			for range times {
				e = strings.Replace(part, "@", e, 1)
			}
			for _, in := range standing {
				check(fmt.Sprintf(in, e))
			}
		}
	}
	draw := rand.New(rand.NewPCG(5, 8))
	for range 2000 {
		e := "1"
		for range draw.IntN(20) {
			part := repeated[draw.IntN(len(repeated))]
			for range 1 + draw.IntN(2)*draw.IntN(30) {
				e = strings.Replace(part, "@", e, 1)
			}
		}
		check(fmt.Sprintf(standing[draw.IntN(len(standing))], e))
	}
}

// Each of these, made longer, ended the process, whatever command read it.
func TestTooDeepFiles(t *testing.T) {
	for _, e := range []string{
		"{for k in [1] : k => 1" + strings.Repeat("+\n1", 60_000) + "}",
		"{for k in [1] : k => " + strings.Repeat("!\n", 60_000) + "true}",
		"{for k in [1] : k => true" + strings.Repeat("\n?1:1", 60_000) + "}",
		"1" + strings.Repeat("+[1,]", 60_000),
		"1" + strings.Repeat("+{\n}", 60_000),
		"1" + strings.Repeat("+{a=1}", 60_000),
		"x" + strings.Repeat("[{\n}]", 60_000),
		"x" + strings.Repeat("[{a=1}].b", 60_000),
		strings.Repeat(strings.Repeat("!", 100)+"(", 98) + "true" + strings.Repeat(")", 98),
		strings.Repeat(strings.Repeat("!", 100)+"(", 98) + "true",
		strings.Repeat("(", 98) + "1" + strings.Repeat(")"+strings.Repeat("+1", 1000), 98),
		strings.Repeat("[", 98) + "1" + strings.Repeat(",1]"+strings.Repeat("+1", 1000), 98),
	} {
		if _, diags := Syntax("x", []byte("x = "+e+"\n")); len(diags) != 1 || diags[0].Summary != "Nesting is too deep" {
			t.Errorf("%.40q: %v", e, diags)
		}
	}
}

// What stands in a file many times, one after the other, is no deeper than one of it.
func TestLongFilesAreShallow(t *testing.T) {
	for _, part := range []string{
		"s \"a\" {\n  run = workflow.w\n  on \"ask\" {\n    reply { body = \"${a - 1}\" }\n  }\n}\n",
		"s {\n  # why\n  a = [1, -2, !x ? 1 : 2]\n} # and so on\n",
		"a = { b = x[*].c, d = f(e.g, -1) }\n", "a = <<E\n${b - c}\nE\n", "a {\n  b = {for k in c : k => -k}\n}\n",
	} {
		src := []byte(strings.Repeat(part, 60_000))
		if _, deep := tooDeep(&lexer{path: "x", src: src}); deep {
			t.Errorf("too deep: %.40q", src)
		}
		if heredoc := strings.Contains(part, "<<"); shallow(src) == heredoc {
			t.Errorf("shallow is %v: %.40q", heredoc, src)
		}
	}
}

// Shows that a number of too many digits is suspected wherever it stands, with a point and an
// exponent too, and a file of many short ones is not.
func TestLongNumber(t *testing.T) {
	for _, number := range []string{strings.Repeat("7", maxDigits+1), "1." + strings.Repeat("0", maxDigits/2) + "e+" + strings.Repeat("1", maxDigits/2)} {
		for at := range maxDigits/3 + 1 {
			if !longNumber([]byte(strings.Repeat(" ", at) + number + "\n")) {
				t.Fatalf("not found behind %d blanks", at)
			}
		}
	}
	short := []byte(strings.Repeat("a = 1234567890\n", 100_000))
	if longNumber(short) {
		t.Error("short numbers are taken for a long one")
	}
}
