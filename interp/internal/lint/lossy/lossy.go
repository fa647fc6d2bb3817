// Package lossy warns of functions in conditions that leave out what a check is about: one that takes
// repetitions away where each is to come once, one that goes around at the end of a list, one that is content
// with any of its phrases. It looks at the file as it is written.
//
//	for _, d := range lossy.File(file) {
//		fmt.Println(d.Summary)
//	}
package lossy

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// File looks at a file that is linked with its imports, and warns of nothing that an import brought.
func File(f *dsl.File) hcl.Diagnostics {
	c := &checker{}
	for _, b := range f.Body.Blocks {
		if b.Type != "scenario" && b.Type != "invariant" && b.Type != "bench" || dsl.Place(b.DefRange).Filename != f.Path {
			continue
		}
		c.counts = b
		b.EachWritten(func(in *dsl.Block, name string, e hclsyntax.Expression) {
			switch {
			case isCheck(in, name):
				c.condition(e)
			case in.Type == "snapshot" && name == "value":
				dsl.EachExpr(e, c.masked)
			}
		})
	}
	return c.diags
}

// isCheck reports whether an attribute says what has to be so.
func isCheck(in *dsl.Block, name string) bool {
	switch in.Type {
	case "assert", "invariant":
		return name == "condition"
	case "rubric":
		return name == "passed" || name == "score"
	}
	return false
}

type checker struct {
	diags hcl.Diagnostics
	// counts is the block around the condition, whose other conditions may say how many there are.
	counts *dsl.Block
}

func (c *checker) warnf(at hcl.Range, format string, args ...any) {
	c.diags = append(c.diags, &hcl.Diagnostic{Severity: hcl.DiagWarning, Summary: "Function that leaves out what differs", Detail: fmt.Sprintf(format, args...), Subject: &at})
}

func (c *checker) condition(e hclsyntax.Expression) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		c.masked(e)
		switch x := e.(type) {
		case *hclsyntax.FunctionCallExpr:
			c.call(x)
		case *hclsyntax.BinaryOpExpr:
			if dsl.IsEqual(x.Op) {
				c.compared(x.LHS, x.RHS)
				c.compared(x.RHS, x.LHS)
			}
		}
	})
}

func (c *checker) call(x *hclsyntax.FunctionCallExpr) {
	switch x.Name {
	case "distinct", "toset":
		if whole := wholeOf(arg(x, 0)); whole != "" {
			c.warnf(x.Range(), "%s takes away elements that are equal, and no two of %s are: each has a number and a time of its own. So it leaves out none, whatever came twice. Compare what must not come twice, such as %[1]s([for x in … : x.request.json.id]).", x.Name, whole)
		}
	case "element":
		if v, written := dsl.Literal(dsl.Bare(arg(x, 1))); observes(arg(x, 0)) && written && v.Type() == cty.Number && !v.IsNull() && !v.RawEquals(cty.Zero) {
			c.warnf(x.Range(), "element goes around at the end of a list: of one element it is that one, whatever the index is. Write an index, LIST[%s], which is an error where there are not so many.", text(v))
		}
	case "regexmatch", "regexall", "regex":
		if v := literalText(arg(x, 0)); anyBetweenDigits(v) {
			c.warnf(x.Range(), "A dot in a pattern is any character, so %q is met by a comma or a digit as well, as 39,90 meets 39.90. Write \\\\. for a dot.", v)
		}
	case "percentile":
		if v, written := dsl.Literal(dsl.Bare(arg(x, 1))); written && v.Type() == cty.Number && !v.IsNull() && v.GreaterThan(cty.Zero).True() && v.LessThan(cty.NumberIntVal(1)).True() {
			c.warnf(x.Range(), "percentile counts from 0 to 100: %s is about the least value. Write percentile(…, %s).", text(v), text(v.Multiply(cty.NumberIntVal(100))))
		}
	case "word":
		c.phrases(x)
	}
}

// ofRequests reports whether an expression lists a part of the requests of attempts.
func ofRequests(e hclsyntax.Expression) bool {
	f, is := dsl.Bare(e).(*hclsyntax.ForExpr)
	if !is || f.KeyExpr != nil || wholeOf(f.CollExpr) == "" {
		return false
	}
	v, is := dsl.Bare(f.ValExpr).(*hclsyntax.ScopeTraversalExpr)
	if !is || v.Traversal.RootName() != f.ValVar || len(v.Traversal) < 3 {
		return false
	}
	name, _ := read.AttrName(v.Traversal, 1)
	return name == "request"
}

// anyBetweenDigits reports whether a pattern has any one character between two digits: a decimal point that was
// not escaped.
func anyBetweenDigits(pattern string) bool {
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return false
	}
	digit := func(c, last rune) bool { return c >= '0' && last <= '9' }
	// at is 0 for the first character of a part, and -1 for its last.
	isDigit := func(r *syntax.Regexp, at int) bool {
		for r.Op == syntax.OpCapture || r.Op == syntax.OpPlus || r.Op == syntax.OpRepeat && r.Min > 0 || r.Op == syntax.OpConcat {
			if r.Op == syntax.OpConcat && at < 0 {
				r = r.Sub[len(r.Sub)-1]
			} else {
				r = r.Sub[0]
			}
		}
		switch r.Op {
		case syntax.OpLiteral:
			if at < 0 {
				at = len(r.Rune) - 1
			}
			return digit(r.Rune[at], r.Rune[at])
		case syntax.OpCharClass:
			return len(r.Rune) == 2 && digit(r.Rune[0], r.Rune[1])
		}
		return false
	}
	var look func(r *syntax.Regexp) bool
	look = func(r *syntax.Regexp) bool {
		if r.Op == syntax.OpConcat {
			for i := 1; i+1 < len(r.Sub); i++ {
				if r.Sub[i].Op == syntax.OpAnyCharNotNL && isDigit(r.Sub[i-1], -1) && isDigit(r.Sub[i+1], 0) {
					return true
				}
			}
		}
		return slices.ContainsFunc(r.Sub, look)
	}
	return look(tree)
}

// numbers are texts with numbers as they stand among other words: what is replaced in all of them is any number.
var numbers = []string{"total 7", "of 4831 items", "132.30 EUR", "o-12"}

// masked looks at an expression for a replacement of every number of a text, which takes an amount as it takes an id.
func (c *checker) masked(e hclsyntax.Expression) {
	f, is := e.(*hclsyntax.FunctionCallExpr)
	if !is || f.Name != "replace" || len(f.Args) != 3 || !observes(f.Args[0]) {
		return
	}
	what, with := literalText(f.Args[1]), literalText(f.Args[2])
	if len(what) < 3 || what[0] != '/' || what[len(what)-1] != '/' || strings.Contains(with, "$") {
		return
	}
	pattern, err := regexp.Compile(what[1 : len(what)-1])
	if err != nil || slices.ContainsFunc(numbers, func(n string) bool { return strings.ContainsAny(pattern.ReplaceAllString(n, ""), "0123456789") }) {
		return
	}
	of := source(f.Args[0])
	if c.readsElsewhere(of, e) {
		return
	}
	c.warnf(f.Range(), "%s replaces every number of %s, so an amount or a count may be another one as well. Write what stands around those that differ, such as replace(%[2]s, \"/id=[0-9]+/\", \"id=#\"), or check the others by themselves.", what, of)
}

// readsElsewhere reports whether the block around reads a text in an expression that does not have a call.
func (c *checker) readsElsewhere(text string, call hclsyntax.Expression) (reads bool) {
	c.counts.EachWritten(func(in *dsl.Block, name string, e hclsyntax.Expression) {
		if has(e, func(part hclsyntax.Expression) bool { return part == call }) || !isCheck(in, name) && (in.Type != "snapshot" || name != "value") {
			return
		}
		reads = reads || has(e, func(part hclsyntax.Expression) bool { return source(part) == text })
	})
	return reads
}

func has(e hclsyntax.Expression, is func(hclsyntax.Expression) bool) (found bool) {
	dsl.EachExpr(e, func(part hclsyntax.Expression) { found = found || is(part) })
	return found
}

func literalText(e hclsyntax.Expression) string {
	if v, written := dsl.Literal(dsl.Bare(e)); written && v.Type() == cty.String && !v.IsNull() {
		return v.AsString()
	}
	return ""
}

// phrases looks at a call of word with several phrases, of which one is enough. Words in small letters may be
// several ways to say one thing; numbers, and names with capital letters, are not.
func (c *checker) phrases(x *hclsyntax.FunctionCallExpr) {
	values := 0
	for _, a := range x.Args[min(1, len(x.Args)):] {
		if v, written := dsl.Literal(dsl.Bare(a)); written && v.Type() == cty.String && !v.IsNull() && strings.ContainsAny(v.AsString(), "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
			values++
		}
	}
	if values < 2 || !observes(arg(x, 0)) {
		return
	}
	c.warnf(x.Range(), "word is true as soon as one of its phrases is there, and these are several values. Where all of them have to be there, write a call for each, word(…, %s) && ….", source(x.Args[1]))
}

// compared looks at one side of a comparison.
func (c *checker) compared(side, other hclsyntax.Expression) {
	f, is := dsl.Bare(side).(*hclsyntax.FunctionCallExpr)
	if !is {
		return
	}
	switch f.Name {
	case "distinct":
		if tuple, is := dsl.Bare(other).(*hclsyntax.TupleConsExpr); is && len(tuple.Exprs) > 1 && ofRequests(arg(f, 0)) && !c.says("length") {
			c.warnf(f.Range(), "distinct takes repetitions away, so a second request with one of these values passes. Compare the list as it is; or say with length how many there are.")
		}
	case "merge":
		if n := len(f.Args); n > 1 && source(f.Args[n-1]) == source(other) && !observes(f.Args[0]) {
			c.warnf(f.Range(), "The last argument of merge wins, so each value of it replaces the one that is asked for, and only the names of the members are compared. Write merge(%s, %s) == %[1]s.", source(other), "{ … }")
		}
	case "toset":
		if tuple, is := dsl.Bare(bareSet(other)).(*hclsyntax.TupleConsExpr); is && len(tuple.Exprs) > 1 && observes(arg(f, 0)) && wholeOf(arg(f, 0)) == "" && !c.says("length") {
			c.warnf(f.Range(), "toset takes repetitions away, so a second one of the same passes. Compare sort(…), which keeps them; or say with length how many there are.")
		}
	}
}

// says reports whether some condition of the block around calls a function.
func (c *checker) says(function string) (says bool) {
	c.counts.EachWritten(func(in *dsl.Block, name string, e hclsyntax.Expression) {
		if isCheck(in, name) {
			dsl.EachExpr(e, func(e hclsyntax.Expression) {
				f, is := e.(*hclsyntax.FunctionCallExpr)
				says = says || is && f.Name == function
			})
		}
	})
	return says
}

// bareSet is what toset is made of, or the expression itself.
func bareSet(e hclsyntax.Expression) hclsyntax.Expression {
	if f, is := dsl.Bare(e).(*hclsyntax.FunctionCallExpr); is && f.Name == "toset" && len(f.Args) == 1 {
		return f.Args[0]
	}
	return e
}

func arg(x *hclsyntax.FunctionCallExpr, i int) hclsyntax.Expression {
	if i < len(x.Args) {
		return x.Args[i]
	}
	return &hclsyntax.LiteralValueExpr{Val: cty.NullVal(cty.DynamicPseudoType)}
}

// numbered are the lists whose elements have a number or a time of their own.
var numbered = []string{"attempts", "calls", "runs", "sessions", "passes", "entries"}

// answers are the attributes below which names are those of a service or a program.
var answers = []string{"json", "structured", "rows", "output", "value", "arguments", "headers", "attributes"}

// wholeOf names a list whose elements an expression gives as they are, where no two of them are equal; "" for
// any other.
func wholeOf(e hclsyntax.Expression) string {
	switch x := dsl.Bare(e).(type) {
	case *hclsyntax.ScopeTraversalExpr:
		name, _ := read.AttrName(x.Traversal, len(x.Traversal)-1)
		if root := x.Traversal.RootName(); len(x.Traversal) == 1 && (root == "steps" || root == "endpoints") {
			return root
		}
		said := slices.ContainsFunc(x.Traversal, func(part hcl.Traverser) bool {
			a, is := part.(hcl.TraverseAttr)
			return is && slices.Contains(answers, a.Name)
		})
		if len(x.Traversal) > 1 && read.IsObserved(x.Traversal.RootName()) && slices.Contains(numbered, name) && !said {
			return dsl.TraversalText(x.Traversal)
		}
	case *hclsyntax.FunctionCallExpr:
		if slices.Contains([]string{"events", "spans", "sut.logs", "sut.spans"}, x.Name) {
			return x.Name + "()"
		}
	case *hclsyntax.ForExpr:
		if v, is := dsl.Bare(x.ValExpr).(*hclsyntax.ScopeTraversalExpr); is && x.KeyExpr == nil && len(v.Traversal) == 1 && v.Traversal.RootName() == x.ValVar {
			return wholeOf(x.CollExpr)
		}
	}
	return ""
}

// observes reports whether an expression reads anything of the run.
func observes(e hclsyntax.Expression) bool {
	for t := range dsl.Variables(e) {
		if read.IsObserved(t.RootName()) {
			return true
		}
	}
	found := false
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		f, is := e.(*hclsyntax.FunctionCallExpr)
		found = found || is && read.IsQuery(f.Name)
	})
	return found
}

func source(e hclsyntax.Expression) string { return string(dsl.AppendSource(nil, e)) }

func text(v cty.Value) string { return v.AsBigFloat().Text('g', 10) }
