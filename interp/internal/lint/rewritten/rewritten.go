// Package rewritten warns of what a file writes and no program gets in that form: a decomposed letter, which the
// language composes; an order of members or parameters, which are sent in the order of their names; and a number
// with a fraction of zeros, or with more digits than are sent. It looks at the file as it is written.
//
//	for _, d := range rewritten.File(file) {
//		fmt.Println(d.Summary)
//	}
package rewritten

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// File looks at a file that is linked with its imports, and warns of nothing that an import brought.
func File(f *dsl.File) hcl.Diagnostics {
	c := &checker{source: f.Source}
	marked := mayBeMarked(f.Source)
	for _, b := range f.Body.Blocks {
		if dsl.Place(b.DefRange).Filename != f.Path {
			continue
		}
		c.replies(b)
		b.EachWritten(func(in *dsl.Block, name string, e hclsyntax.Expression) {
			if name == "query" || name == "arguments" {
				c.query(name, e)
			}
			if b.Type == "scenario" && slices.Contains(sent, name) && in.Type != "expect" {
				dsl.EachExpr(e, c.number)
			}
			if marked {
				dsl.EachExpr(e, c.composed)
			}
		})
	}
	return c.diags
}

type checker struct {
	source []byte
	diags  hcl.Diagnostics
	// fractions are all numbers of the source that have one, nil before they are asked for.
	fractions map[string]bool
}

func (c *checker) warnf(at hcl.Range, format string, args ...any) {
	c.diags = append(c.diags, &hcl.Diagnostic{Severity: hcl.DiagWarning, Summary: "Sent in another form than it is written", Detail: fmt.Sprintf(format, args...), Subject: &at})
}

// marks are letters with a combining mark behind them (U+0300 to U+036F), written out or as an escape.
var marks = pattern.New(`[A-Za-z](?:\\u03[0-6][0-9A-Fa-f]|[\x{300}-\x{36f}])`)

// mayBeMarked reports whether a file has a combining mark: an escape of one, or a byte with which one begins in UTF-8.
func mayBeMarked(source []byte) bool {
	return bytes.Contains(source, []byte(`\u03`)) || bytes.IndexByte(source, 0xcc) >= 0 || bytes.IndexByte(source, 0xcd) >= 0
}

// literal is a value of a type that is written out, with how it is written; "" for any other expression.
func (c *checker) literal(e hclsyntax.Expression, of cty.Type) (*hclsyntax.LiteralValueExpr, string) {
	x, is := e.(*hclsyntax.LiteralValueExpr)
	if !is || x.Val.IsNull() || x.Val.Type() != of {
		return nil, ""
	}
	from, to := x.SrcRange.Start.Byte, x.SrcRange.End.Byte
	if from < 0 || from > to || to > len(c.source) {
		return nil, ""
	}
	return x, string(c.source[from:to])
}

// composed warns of a text with a decomposed letter: the language makes one letter of it (Unicode Normalization
// Form C).
func (c *checker) composed(e hclsyntax.Expression) {
	x, text := c.literal(e, cty.String)
	found := marks().FindString(text)
	if found == "" || strings.ContainsFunc(x.Val.AsString(), func(r rune) bool { return 0x300 <= r && r <= 0x36f }) {
		return
	}
	c.warnf(x.SrcRange, "%s is a letter with a mark of its own, and the language composes all texts (Unicode NFC): the program gets one letter, and conditions see one as well, whatever it sends. So the decomposed form is not tested.\nhint: let a program that the scenario starts make it, or serve it by code", found)
}

// sent are the attributes whose values are written as JSON.
var sent = []string{"json", "structured", "arguments", "tool_calls"}

// Numbers that are written in another form as JSON: with a fraction of zeros, or one that ends with zeros, or with
// more digits than a double has.
var (
	zeros = pattern.New(`^[0-9]+\.0+$`)
	ends  = pattern.New(`^[0-9]+\.[0-9]+0$`)
	long  = pattern.New(`^[0-9]{16,}$`)
)

// number warns of a number that is sent in another form.
func (c *checker) number(e hclsyntax.Expression) {
	x, text := c.literal(e, cty.Number)
	switch {
	case zeros().MatchString(text):
		whole, _, _ := strings.Cut(text, ".")
		c.warnf(x.SrcRange, "%s is sent as %s: JSON has no fraction of zeros here. So a program that must take a number with one is not tested.\nhint: write %[2]s; or the text of a body that has %[1]s", text, whole)
	case ends().MatchString(text) && c.writes(strings.TrimRight(text, "0")):
		c.warnf(x.SrcRange, "%s is sent as %s, which the file has as well: JSON has no zeros at the end of a fraction here. So a program that must take both forms is not tested.\nhint: write the text of a body that has %[1]s", text, strings.TrimRight(text, "0"))
	case long().MatchString(text):
		if f, err := strconv.ParseFloat(text, 64); err == nil && f > 1<<63 && strconv.FormatFloat(f, 'f', 0, 64) != text {
			c.warnf(x.SrcRange, "%s has more digits than a number of JSON keeps here: it is sent with other ones.\nhint: write it as a text, or write the text of a body", text)
		}
	}
}

// writes reports whether the file has a number with a fraction somewhere, in a text or not, with these very digits.
func (c *checker) writes(number string) bool {
	if c.fractions == nil {
		c.fractions = map[string]bool{}
		for _, run := range bytes.FieldsFunc(c.source, func(r rune) bool { return r != '.' && (r < '0' || '9' < r) }) {
			if bytes.Count(run, []byte(".")) == 1 {
				c.fractions[string(run)] = true
			}
		}
	}
	return c.fractions[number]
}

// query warns of parameters that are written in another order than that of their names, which is how they are sent,
// where one signs the others: their order may be what is tested.
func (c *checker) query(name string, e hclsyntax.Expression) {
	items := itemsOf(e)
	if name == "arguments" {
		for _, i := range items {
			if i.name == "query" {
				c.query("query", i.value)
			}
		}
		return
	}
	names := namesOf(items)
	if slices.IsSorted(names) || !slices.ContainsFunc(names, read.IsSignature) {
		return
	}
	c.warnf(e.Range(), "parameters of query are sent in the order of their names, which is not the one written here: a server that looks at the order finds that of the names.\nhint: write them into the path: path = \"/PATH?%s=…\"", strings.Join(names, "=…&"))
}

// replies warns of two replies of one script with the same members in another order.
func (c *checker) replies(b *dsl.Block) {
	for _, on := range b.Blocks {
		c.replies(on)
	}
	var all []*dsl.Attr
	for _, r := range b.Blocks {
		if a := r.Attr("json"); r.Type == "reply" && a != nil {
			all = append(all, a)
		}
	}
	for i, a := range all {
		for _, other := range all[:i] {
			x, y := itemsOf(a.Expr), itemsOf(other.Expr)
			if len(x) > 1 && !slices.Equal(namesOf(x), namesOf(y)) && slices.Equal(sorted(x), sorted(y)) {
				c.warnf(a.Expr.Range(), "this object has the members of the one in line %d in another order, and an object is sent in the order of its names: both are the same text.\nhint: write the text of one out: body = \"{ … }\", with headers = { \"Content-Type\" = \"application/json\" }", dsl.Place(other.Expr.Range()).Start.Line)
				return
			}
		}
	}
}

// An item is a member of an object.
type item struct {
	name  string
	value hclsyntax.Expression
}

// itemsOf are the members of an object as they are written, none for another expression.
func itemsOf(e hclsyntax.Expression) (list []item) {
	obj, is := e.(*hclsyntax.ObjectConsExpr)
	if !is {
		return nil
	}
	for _, i := range obj.Items {
		v, diags := dsl.Evaluate(i.KeyExpr, nil)
		if diags.HasErrors() || v.IsNull() || v.Type() != cty.String {
			return nil
		}
		list = append(list, item{v.AsString(), i.ValueExpr})
	}
	return list
}

func namesOf(items []item) (names []string) {
	for _, i := range items {
		names = append(names, i.name)
	}
	return names
}

// sorted are members with their values, in the order of their names.
func sorted(items []item) (list []string) {
	for _, i := range items {
		list = append(list, i.name+"="+string(dsl.AppendSource(nil, i.value)))
	}
	slices.Sort(list)
	return list
}
