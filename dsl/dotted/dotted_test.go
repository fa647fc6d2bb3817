package dotted

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
)

// calls are the functions that a node calls, each with the text at the place of its
// name.
func calls(n hclsyntax.Node, src string, start hcl.Pos) string {
	var list []string
	_ = hclsyntax.VisitAll(n, func(n hclsyntax.Node) hcl.Diagnostics {
		if call, ok := n.(*hclsyntax.FunctionCallExpr); ok {
			r := call.NameRange
			list = append(list, call.Name+"@"+src[r.Start.Byte-start.Byte:r.End.Byte-start.Byte])
		}
		return nil
	})
	return strings.Join(list, " ")
}

// Shows what is a call of the program's functions, and that the name of each stands
// where the source has it: not in texts and comments, not behind another dot, not
// with a gap, and not where nothing is called.
func TestCalls(t *testing.T) {
	const one = "sut.metric@sut.metric"
	for src, want := range map[string]string{
		`sut.metric("a", { b = "c" }) == 1`:          one,
		`1 + sut.metric("a")`:                        one,
		`"${sut.metric("a")} sut.metric("`:           one,
		`f(sut.metric(sut.spans()[0].name), 1)`:      "f@f " + one + " sut.spans@sut.spans",
		`sut.metric ("a")`:                           one,
		`sut.stdout == "sut.metric("`:                "",
		`a.sut == 1`:                                 "",
		`sut_metric("a") == sut.metric("a")`:         "sut_metric@sut_metric " + one,
		`sut.other("a")`:                             "sut.other@sut.other",
		"sut.metric(\"a\") # sut.metric(":            one,
		"[for x in sut.logs() : x][0].sut.metric":    "sut.logs@sut.logs",
		"<<E\nsut.metric(${sut.metric(\"a\")})\nE\n": one,
	} {
		e, diags := ParseExpression([]byte(src), "", hcl.InitialPos)
		if !strings.HasPrefix(src, "<<") {
			if got := calls(e, src, hcl.InitialPos); diags.HasErrors() || got != want {
				t.Errorf("%s: %q, %v, want %q", src, got, diags, want)
			}
		}
		file := "b {\n  a = " + src + "\n}\n"
		f, diags := ParseConfig([]byte(file), "", hcl.InitialPos)
		if got := calls(f.Body.(*hclsyntax.Body), file, hcl.InitialPos); diags.HasErrors() || got != want || string(f.Bytes) != file {
			t.Errorf("%s: %q, %v, want %q", file, got, diags, want)
		}
		plain := Plain([]byte(file), "")
		if _, diags := hclwrite.ParseConfig(plain, "", hcl.InitialPos); diags.HasErrors() {
			t.Errorf("%s: %v", file, diags)
		}
		if again := Written(plain, ""); string(again) != strings.ReplaceAll(file, "sut_metric(", "sut.metric(") {
			t.Errorf("%s: it is written as %s", file, again)
		}
	}
}

// Shows that what is no such call stays as it is: the errors are those of HCL.
func TestOthersAreHCL(t *testing.T) {
	for _, src := range []string{`a.sut.metric("a")`, `sut. metric("a")`, `sut .metric("a")`, `sut.metric.a("a")`, `step.metric("a")`, `sut.metric(`} {
		_, want := hclsyntax.ParseExpression([]byte(src), "", hcl.InitialPos)
		_, got := ParseExpression([]byte(src), "", hcl.InitialPos)
		if !want.HasErrors() || !got.HasErrors() {
			t.Errorf("%s: %v, of HCL %v", src, got, want)
		}
	}
}

// Shows that places count from where a source begins.
func TestStart(t *testing.T) {
	start := hcl.Pos{Line: 3, Column: 5, Byte: 40}
	src := `sut.metric("a") + sut.metric("b")`
	e, diags := ParseExpression([]byte(src), "", start)
	if got := calls(e, src, start); diags.HasErrors() || got != "sut.metric@sut.metric sut.metric@sut.metric" {
		t.Errorf("%s, %v", got, diags)
	}
}

// FuzzParseConfig: whatever the file, it parses as HCL does but for such calls, and
// nothing moves.
func FuzzParseConfig(f *testing.F) {
	for _, src := range []string{"a = sut.metric(\"a\")\n", "a = \"${sut.logs({})}\"\n", "sut.a(", "a = sut_metric() + sut.metric()\n"} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 200 || strings.Count(src, "(")+strings.Count(src, "[")+strings.Count(src, "{") > 10 {
			return // what is nested takes HCL long; package dsl bounds it
		}
		file, diags := ParseConfig([]byte(src), "", hcl.InitialPos)
		if file == nil || diags.HasErrors() {
			return
		}
		for _, call := range strings.Fields(calls(file.Body.(*hclsyntax.Body), src, hcl.InitialPos)) {
			if name, text, _ := strings.Cut(call, "@"); name != text {
				t.Errorf("%q is named %q", text, name)
			}
		}
	})
}
